#if canImport(Darwin)
  import CryptoKit
#else
  import CSeedbedSodium
#endif

/// Ed25519 of the system's library (RFC 8032). All is bytes here; the sizes are checked, because C
/// does not.
enum Ed25519 {
  /// The bytes of a private key, and of a public one.
  static let keySize = 32
  static let signatureSize = 64

  /// Empty for a private key of another size.
  static func publicKey(of seed: [UInt8]) -> [UInt8] {
    #if canImport(Darwin)
      // It fails for a wrong size alone.
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)
      return key.map { Array($0.publicKey.rawRepresentation) } ?? []
    #else
      return pair(seed)?.key ?? []
    #endif
  }

  /// Empty for a private key of another size. CryptoKit's signatures differ each time.
  static func sign(_ message: [UInt8], with seed: [UInt8]) -> [UInt8] {
    #if canImport(Darwin)
      // It fails for a wrong size alone; and what is empty is no signature.
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)
      return (try? key?.signature(for: message)).map { Array($0) } ?? []
    #else
      guard let pair = pair(seed) else { return [] }
      var signature = [UInt8](repeating: 0, count: signatureSize)
      crypto_sign_ed25519_detached(
        &signature, nil, message, UInt64(message.count), pair.secret)
      return signature
    #endif
  }

  static func isSignature(
    _ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]
  ) -> Bool {
    guard signature.count == signatureSize, publicKey.count == keySize else { return false }
    #if canImport(Darwin)
      // Bytes that are no key have no signature.
      let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
      return key?.isValidSignature(signature, for: message) ?? false
    #else
      return crypto_sign_ed25519_verify_detached(
        signature, message, UInt64(message.count), publicKey) == 0
    #endif
  }

  #if !canImport(Darwin)
    /// The keys as libsodium keeps them: its secret key is both in a row.
    private static func pair(_ seed: [UInt8]) -> (key: [UInt8], secret: [UInt8])? {
      guard seed.count == keySize else { return nil }
      var key = [UInt8](repeating: 0, count: keySize)
      var secret = [UInt8](repeating: 0, count: 2 * keySize)
      crypto_sign_ed25519_seed_keypair(&key, &secret, seed)
      return (key, secret)
    }
  #endif
}
