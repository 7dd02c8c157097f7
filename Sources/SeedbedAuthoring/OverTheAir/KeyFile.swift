import Seedbed
package import SeedbedOverTheAir

/// The file of a private key, which only its owner may read.
package enum KeyFile {
  /// Makes a new key.
  ///
  /// - Throws: `usage` if there is a file of that name: the key in it may be the only copy.
  /// - Returns: the public key.
  package static func make(at path: String) throws -> PublicKey {
    let (place, name) = Paths.split(path)
    let folder = try Folder(Paths.absolute(place.isEmpty ? "." : place))
    guard try folder.kind(of: name) == nil else {
      throw SeedbedError(
        .usage, "'\(path)' exists, and a key is never written over a file. Name a new file.")
    }
    let key = SigningKey()
    // It has this mode before it has any content.
    let file = try folder.create(name, mode: 0o600)
    do {
      try file.write(key.pem)
      try file.sync()
      try folder.sync()
    } catch {
      // The first error is the one to report.
      try? folder.remove(name)
      throw error
    }
    return key.publicKey
  }
}
