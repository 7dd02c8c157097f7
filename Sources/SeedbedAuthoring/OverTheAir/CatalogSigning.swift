package import Seedbed
package import SeedbedOverTheAir

/// Signs the lock of a catalog, for devices that download its releases.
///
///     let summary = try CatalogSigning.sign(directory: "Migrations", with: key)
///
/// The signature is of the lock, and the lock has the digest of every file: so a signature of the
/// newest lock is all that a device needs. The first one gives the catalog an id, by which a device
/// tells it from the author's other catalogs.
package enum CatalogSigning {
  /// Adds the key's signature of the lock. If it is there already, no byte changes.
  ///
  /// - Throws: the first finding if the lock is not up to date.
  package static func sign(
    directory: String, with key: SigningKey
  ) throws -> SigningSummary {
    try signing(directory) { lock, existing in
      var signature = existing ?? lock.unsigned
      try signature.sign(by: key)
      return signature
    }
  }

  /// The bytes to sign, for a key that is elsewhere.
  ///
  /// - Throws: the first finding if the lock is not up to date.
  package static func message(directory: String) throws -> [UInt8] {
    try withLock(of: directory) { lock in
      (try existing(lock, in: directory) ?? lock.unsigned).signedBytes
    }
  }

  /// Adds a signature that was made elsewhere.
  ///
  /// - Parameters:
  ///   - message: what was signed.
  ///   - path: the message's file, for errors.
  /// - Throws: `catalog` if the message is not of this lock, `usage` if the signature is not of the
  ///   message by this key.
  package static func add(
    _ bytes: [UInt8], by key: PublicKey, of message: [UInt8], named path: String, directory: String
  ) throws -> SigningSummary {
    let signed = try LockSignature(message: message, named: path)
    return try signing(directory) { lock, existing in
      guard lock.isSigned(by: signed) else {
        throw SeedbedError(
          .catalog,
          "'\(path)' is the message of another lock: the catalog has changed since. Write the "
            + "message again, and sign that.")
      }
      // One file has one time. Without a file, that of the message counts.
      if let existing, existing.signedBytes != signed.signedBytes {
        throw SeedbedError(
          .catalog,
          "'\(path)' is of \(signed.time), and the lock was signed at \(existing.time). Write the "
            + "message again, and sign that.")
      }
      var signature = existing ?? signed
      try signature.add(bytes, by: key)
      return signature
    }
  }

  // MARK: the turn

  private static func signing(
    _ directory: String,
    _ change: (SignedLock, _ existing: LockSignature?) throws -> LockSignature
  ) throws -> SigningSummary {
    try withLock(of: directory) { lock in
      let existing = try existing(lock, in: directory)
      let signature = try change(lock, existing)
      let isChanged = signature != existing
      if isChanged {
        try AtomicFile.write(signature.bytes, to: LockSignature.fileName, in: directory)
      }
      return SigningSummary(
        path: Paths.absolute(directory) + "/" + LockSignature.fileName, catalog: signature.catalog,
        head: signature.head, keys: signature.signatures.map(\.key), isChanged: isChanged)
    }
  }

  /// Calls `body` while no other process changes the catalog.
  private static func withLock<Result>(
    of directory: String, _ body: (SignedLock) throws -> Result
  ) throws -> Result {
    let turn = try CatalogTurn(directory)
    defer { turn.end() }
    if let finding = try CatalogLock.check(directory: directory).first { throw finding }
    try refuseOtherID(in: directory)
    try giveID(to: directory)
    guard let lock = try SignedLock(of: directory) else { throw SeedbedError.notLocked(directory) }
    return try body(lock)
  }

  /// The signature file, if it is of this lock: one that is damaged, or of an earlier lock, has
  /// nothing worth keeping.
  private static func existing(
    _ lock: SignedLock, in directory: String
  ) throws -> LockSignature? {
    try signature(in: directory).flatMap { lock.isSigned(by: $0) ? $0 : nil }
  }

  /// The signature file, whatever lock it is of; nil if there is none that can be read.
  private static func signature(in directory: String) throws -> LockSignature? {
    let root = try Folder(Paths.absolute(directory))
    guard try root.kind(of: LockSignature.fileName) != nil else { return nil }
    let bytes = try root.open(LockSignature.fileName).content(limit: LockSignature.sizeLimit)
    return try? LockSignature(bytes, named: LockSignature.fileName)
  }

  // MARK: the id

  /// Apps that know the old id would take no release any more.
  private static func refuseOtherID(in directory: String) throws {
    guard let signed = try signature(in: directory)?.catalog else { return }
    let id = try Catalog(directory: directory).generalOptions().id
    if id != signed { throw SeedbedError.otherID(signed: signed, id) }
  }

  /// Writes an id into catalog.json if it has none, and then the lock, which has its digest. No
  /// release changes by that: catalog.json is not in the chain.
  private static func giveID(to directory: String) throws {
    let catalog = try Catalog(directory: directory)
    if try catalog.generalOptions().id != nil { return }
    let bytes = try catalog.hasOptions() ? catalog.bytes(of: Lock.optionsName) : nil
    var generator = SystemRandomNumberGenerator()
    let digits = (0..<32).map { _ in UInt8.random(in: 0..<16, using: &generator) }
    let id = digits.map { String($0, radix: 16) }.joined()
    try AtomicFile.write(
      Catalog.optionsFile(id: id, in: bytes), to: Lock.optionsName, in: directory)
    _ = try CatalogLock.rewrite(directory)
  }
}

/// The result of signing.
package struct SigningSummary: Sendable, Equatable {
  /// The path of the signature file.
  package let path: String
  /// The catalog's id.
  package let catalog: String
  /// The last version that is signed.
  package let head: Migrator.Version
  /// All keys with a signature there.
  package let keys: [PublicKey]
  /// False if the key had signed this lock before.
  package let isChanged: Bool
}

/// A lock, as a signature names it.
struct SignedLock {
  /// nil if catalog.json has none.
  let catalog: String?
  let lock: Lock
  let bytes: [UInt8]

  /// nil if there is no lock.
  init?(of directory: String) throws {
    let catalog = Catalog(unread: directory)
    guard let (lock, bytes) = try catalog.existingLock() else { return nil }
    (self.lock, self.bytes) = (lock, bytes)
    self.catalog = try catalog.generalOptions().id
  }

  private var digest: String { "sha256:" + Checksum.digest(of: bytes) }

  /// What is to be signed now. Seconds are enough, and a person reads them more easily.
  var unsigned: LockSignature {
    LockSignature(
      catalog: catalog ?? "", head: lock.head.version, lock: digest,
      time: Clock.timestamp().prefix(19) + "Z")
  }

  /// Whether the lines of a signature file are about this lock.
  func isSigned(by signature: LockSignature) -> Bool {
    signature.catalog == catalog && isNamed(by: signature)
  }

  /// The same, whatever id they have.
  func isNamed(by signature: LockSignature) -> Bool {
    signature.lock == digest && signature.head == lock.head.version
  }

  /// Whether the signature is of this lock as it was before later releases were added.
  func hasOnlyGrown(since signature: LockSignature) -> Bool {
    guard signature.head < lock.head.version else { return false }
    let signed = LockText.text(
      of: lock.migrations.filter { $0.version <= signature.head },
      snapshots: lock.snapshots.filter { $0.version <= signature.head }, base: lock.base,
      first: lock.first, options: lock.options, pack: lock.head.pack)
    return signature.lock == "sha256:" + Checksum.digest(of: signed)
  }
}
