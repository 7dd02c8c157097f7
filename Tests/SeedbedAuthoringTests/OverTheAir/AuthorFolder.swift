import Seedbed
import SeedbedAuthoring
import SeedbedOverTheAir
import TestSupport

/// A locked catalog of three releases in a folder of its own, and an author's keys.
final class AuthorFolder {
  let place: Place
  let key = SigningKey()
  let other = SigningKey()

  var path: String { place.path }
  var catalog: String { path + "/Migrations" }
  var keys: [PublicKey] { [key.publicKey] }

  /// Of 513 bytes, so that it ends behind a block of the archive.
  static let elements = "number,name\n1,Hydrogen\n2,\(String(repeating: "e", count: 487))\n"

  static let files = [
    "0001_elements/up.sql": "CREATE TABLE elements (number INTEGER PRIMARY KEY, name TEXT);\n",
    "0001_elements/down.sql": "DROP TABLE elements;\n", "0001_elements/elements.csv": elements,
    "0002_more/elements.csv": "number,name\n3,Lithium\n",
    "0002_more/migration.json": "{}\n",
    "0003_names/elements.update.csv": "number,was:name,name\n3,Lithium,Li\n",
  ]

  init(_ more: [String: String] = [:]) throws {
    place = try Place()
    try write(Self.files.merging(more) { $1 })
    try lock()
  }

  /// Writes files of the catalog.
  func write(_ files: [String: String]) throws {
    for (file, text) in files { try place.write("Migrations/" + file, text) }
  }

  /// A file of the catalog.
  func text(_ file: String) throws -> String { try place.text("Migrations/" + file) }

  @discardableResult func lock() throws -> LockSummary {
    try CatalogLock.write(directory: catalog)
  }

  @discardableResult func sign() throws -> SigningSummary {
    try CatalogSigning.sign(directory: catalog, with: key)
  }

  func check() throws -> SignatureCheck { try SignatureCheck(directory: catalog) }

  /// The signature file, read.
  func signature() throws -> LockSignature {
    try LockSignature(
      try place.bytes("Migrations/" + LockSignature.fileName), named: LockSignature.fileName)
  }

  /// Writes a signature file that says something else than the present one.
  func forge(
    catalog: String? = nil, head: Migrator.Version? = nil, time: String? = nil,
    by keys: [SigningKey]
  ) throws {
    let now = try signature()
    var forged = LockSignature(
      catalog: catalog ?? now.catalog, head: head ?? now.head, lock: now.lock,
      time: time ?? now.time)
    for key in keys { try forged.sign(by: key) }
    try place.write("Migrations/" + LockSignature.fileName, forged.bytes)
  }
}
