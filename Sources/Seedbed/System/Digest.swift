#if canImport(Darwin)
  import CryptoKit
#else
  import CSeedbedCrypto
#endif

/// SHA-256, fed piece by piece.
package final class Digest {
  #if canImport(Darwin)
    private var state = SHA256()
  #else
    private let state: OpaquePointer?
  #endif

  init() {
    #if !canImport(Darwin)
      state = EVP_MD_CTX_new()
      EVP_DigestInit_ex(state, EVP_sha256(), nil)
    #endif
  }

  deinit {
    #if !canImport(Darwin)
      EVP_MD_CTX_free(state)
    #endif
  }

  func update(_ bytes: UnsafeRawBufferPointer) {
    #if canImport(Darwin)
      state.update(bufferPointer: bytes)
    #else
      EVP_DigestUpdate(state, bytes.baseAddress, bytes.count)
    #endif
  }

  /// The digest of all that was fed, as 64 hexadecimal digits. Call it once.
  func finish() -> String {
    #if canImport(Darwin)
      return Self.hexadecimal(Array(state.finalize()))
    #else
      var bytes = [UInt8](repeating: 0, count: 32)
      EVP_DigestFinal_ex(state, &bytes, nil)
      return Self.hexadecimal(bytes)
    #endif
  }

  package static func of(_ text: String) -> String {
    let digest = Digest()
    var text = text
    text.withUTF8 { digest.update(UnsafeRawBufferPointer($0)) }
    return digest.finish()
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
      for (index, byte) in bytes.enumerated() {
        buffer[index * 2] = digits[Int(byte >> 4)]
        buffer[index * 2 + 1] = digits[Int(byte & 15)]
      }
      return bytes.count * 2
    }
  }
}

extension Digest {
  static func of(_ bytes: [UInt8]) -> String {
    let digest = Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finish()
  }
}
