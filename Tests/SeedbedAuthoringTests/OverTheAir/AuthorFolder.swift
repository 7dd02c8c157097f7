import Foundation
import Seedbed
import SeedbedAuthoring
import SeedbedOverTheAir

/// A locked catalog of three releases in a folder of its own, and an author's keys.
final class AuthorFolder {
  let path = NSTemporaryDirectory() + "/seedbed-author-" + UUID().uuidString
  let key = SigningKey()
  let other = SigningKey()

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
    try write(Self.files.merging(more) { $1 })
    try lock()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes files of the catalog.
  func write(_ files: [String: String]) throws {
    for (file, text) in files { try write(Array(text.utf8), to: "Migrations/" + file) }
  }

  func write(_ bytes: [UInt8], to file: String) throws {
    let url = URL(fileURLWithPath: path + "/" + file)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  func bytes(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + file)))
  }

  /// A file of the catalog.
  func text(_ file: String) throws -> String {
    String(decoding: try bytes("Migrations/" + file), as: UTF8.self)
  }

  func remove(_ file: String) throws {
    try FileManager.default.removeItem(atPath: path + "/" + file)
  }

  func names(_ folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
  }

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
      try bytes("Migrations/" + LockSignature.fileName), named: LockSignature.fileName)
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
    try write(forged.bytes, to: "Migrations/" + LockSignature.fileName)
  }
}
