#if canImport(Darwin)
  import CryptoKit
#else
  import CSeedbedCrypto
#endif

/// SHA-256, computed piece by piece.
package final class Digest {
  #if canImport(Darwin)
    private var state = SHA256()
  #else
    private var state = SHA256_CTX()
  #endif

  init() {
    #if !canImport(Darwin)
      SHA256_Init(&state)
    #endif
  }

  func update(_ bytes: UnsafeRawBufferPointer) {
    #if canImport(Darwin)
      state.update(bufferPointer: bytes)
    #else
      SHA256_Update(&state, bytes.baseAddress, bytes.count)
    #endif
  }

  /// The digest of all bytes so far, as 64 hexadecimal digits. Call it once.
  func finish() -> String {
    #if canImport(Darwin)
      let bytes = Array(state.finalize())
    #else
      var bytes = [UInt8](repeating: 0, count: 32)
      SHA256_Final(&bytes, &state)
    #endif
    return bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  package static func of(_ text: String) -> String { of(Array(text.utf8)) }

  static func of(_ bytes: [UInt8]) -> String {
    let digest = Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finish()
  }
}
