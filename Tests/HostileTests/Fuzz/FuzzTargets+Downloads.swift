@testable import Seedbed
@testable import SeedbedOverTheAir

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What comes over the network, and what an author's key is read from.
extension FuzzTargets {
  private static let download = FuzzInput.folder + "/input.seedbed"
  private static let keys = [FuzzBundle.key.publicKey]

  /// A bundle that is accepted gives a database what was signed and nothing else.
  @Sendable static func tar(_ input: FuzzInput) throws {
    try input.write(to: download)
    if let bundle = try accepted() {
      try readAll(of: bundle)
      try bringUpToDate()
    }
    // An author whose lock is not what `migrate lock` writes. Before the first zero byte is the
    // lock, and after it the rest of the bundle.
    let parts = input.bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    let signed = try FuzzBundle.signed(FuzzBundle.withCheck(Array(parts[0])))
    try FuzzInput.write(signed + parts[1], to: download)
    if let bundle = try accepted() { try readAll(of: bundle) }
    _ = try newest()
  }

  /// The bundle; nil for one that is refused for a reason that an app sees.
  private static func accepted() throws -> SignedBundle? {
    do {
      return try SignedBundle(at: download, trusting: keys)
    } catch is SignedBundle.Refusal {
      return nil
    }
  }

  /// Each file has the path and the size that the lock gives it.
  private static func readAll(of bundle: SignedBundle) throws {
    for migration in bundle.lock.migrations where migration.version > bundle.folder.layout.since {
      let folder = try bundle.folder.folder(migration.folder)
      for file in folder.list() {
        guard Paths.split(file.name).folder.isEmpty, ![".", ".."].contains(file.name),
          Paths.split(migration.folder).folder.isEmpty
        else { throw FuzzInput.Unusable(what: "it reaches '\(migration.folder)/\(file.name)'") }
        let content = try folder.open(file.name).next(1 << 20)
        guard Int64(content.count) == folder.size(of: file.name) else {
          throw FuzzInput.Unusable(what: "'\(file.name)' has \(content.count) bytes")
        }
      }
    }
  }

  private static func newest() throws -> Catalog {
    try Catalog.newest(
      bundled: FuzzInput.folder + "/Shipped", downloaded: [download],
      signedBy: keys.map(\.text))
  }

  /// A new database has the rows of one release, whatever was changed in the bundle's files.
  private static func bringUpToDate() throws {
    let path = FuzzInput.folder + "/device.sqlite"
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    var migrator = Migrator(catalog: try newest(), at: path)
    migrator.options.takesBackup = false
    let report = try migrator.up()
    let rows = try Connection(path, .readOnly, setup: nil)
      .rows("SELECT id || ' ' || a FROM t ORDER BY id").map { try $0.text(0) }.joined(
        separator: ", ")
    let isWhole = report.to == 3 && report.passedOver.isEmpty
    guard rows == FuzzBundle.rows[Int(report.to)], isWhole || !report.passedOver.isEmpty else {
      throw FuzzInput.Unusable(what: "at \(report.to), \(report.passedOver): \(rows)")
    }
  }

  /// Signature files, public keys and private keys: what is read has one spelling.
  @Sendable static func signature(_ input: FuzzInput) throws {
    try publicKey(input)
    try privateKey(input)
    var signature = try LockSignature(input.bytes, named: LockSignature.fileName)
    guard signature.bytes == input.bytes else {
      throw FuzzInput.Unusable(what: "it is written as \(signature.text)")
    }
    let sound = try FuzzBundle.signature(of: Array(FuzzBundle.lock(of: 3).utf8))
    if !signature.signers(among: keys).valid.isEmpty, signature.signedBytes != sound.signedBytes {
      throw FuzzInput.Unusable(what: "the key is said to have signed \(signature.text)")
    }
    try signature.sign(by: FuzzBundle.key)
    let again = try LockSignature(signature.bytes, named: LockSignature.fileName)
    guard again == signature, again.signers(among: keys).valid == keys else {
      throw FuzzInput.Unusable(what: "signed, it is read as \(again.text)")
    }
  }

  private static func publicKey(_ input: FuzzInput) throws {
    let text = String(decoding: input.bytes, as: UTF8.self)
    guard let key = try? PublicKey(text) else { return }
    guard key.text.utf8.elementsEqual(input.bytes) else {
      throw FuzzInput.Unusable(what: "the key is written as \(key)")
    }
  }

  /// No error may show a part of the key.
  private static func privateKey(_ input: FuzzInput) throws {
    do {
      let key = try SigningKey(pem: input.bytes, named: "author.pem")
      guard try SigningKey(pem: key.pem, named: "author.pem").publicKey == key.publicKey else {
        throw FuzzInput.Unusable(what: "\(key) is written as another")
      }
    } catch let error as SeedbedError {
      let message = error.description
      let words = input.bytes.split { $0 <= 0x20 }.filter { word in
        word.count >= 24 && word.contains { (0x61...0x7A).contains($0) }
      }
      for word in words where message.contains(String(decoding: word, as: UTF8.self)) {
        throw FuzzInput.Unusable(what: "the file is quoted: \(message)")
      }
    }
  }
}
