package import Seedbed

/// A private key of Ed25519. Only `pem` shows it.
package struct SigningKey: Sendable {
  private let seed: [UInt8]
  package let publicKey: PublicKey

  /// A new key, from the system's random numbers.
  package init() {
    var generator = SystemRandomNumberGenerator()
    self.init(
      seed: (0..<Ed25519.keySize).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// - Parameter seed: the 32 bytes that RFC 8032 calls the private key.
  init(seed: [UInt8]) {
    assert(seed.count == Ed25519.keySize)
    self.seed = seed
    publicKey = PublicKey(bytes: Ed25519.publicKey(of: seed))
  }

  /// Reads the text of a file that OpenSSL or `pem` wrote.
  ///
  /// - Parameter path: the file's name, for errors. They show nothing of the key.
  /// - Throws: `usage` if this is anything but one Ed25519 key that is not encrypted.
  package init(pem: [UInt8], named path: String) throws(SeedbedError) {
    self.init(seed: try PrivateKeyFile.seed(in: pem, named: path))
  }

  /// The text of its file. Every reader of it can sign.
  package var pem: [UInt8] { PrivateKeyFile.text(of: seed) }

  package func sign(_ message: [UInt8]) -> [UInt8] { Ed25519.sign(message, with: seed) }
}

// A log, a debugger or a failed test may print any value. `dump` and string interpolation would
// show the stored properties of one that does not describe itself.
extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Whether a text, such as an argument, has a private key as `pem` shows it.
  package static func isPart(of text: String) -> Bool { PrivateKeyFile.isPart(of: text) }

  package var description: String { "the private key of \(publicKey)" }
  package var debugDescription: String { description }
  package var customMirror: Swift.Mirror { Swift.Mirror(self, children: []) }
}
