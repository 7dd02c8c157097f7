import Foundation
import Seedbed
import SeedbedAuthoring
import SeedbedOverTheAir
import Testing
import TestSupport

struct SigningTests {
  @Test func `the lock is signed, and no release changes`() throws {
    let folder = try AuthorFolder()
    let chain = try Catalog(directory: folder.catalog).chain
    let summary = try folder.sign()
    #expect(summary.head == 3 && summary.keys == folder.keys && summary.isChanged)
    #expect(summary.path == Paths.absolute(folder.catalog) + "/seedbed.lock.sig")
    #expect(try folder.text("catalog.json") == "{\n  \"id\": \"\(summary.catalog)\"\n}\n")
    #expect(try CatalogLock.check(directory: folder.catalog).isEmpty)
    #expect(try Catalog(directory: folder.catalog).chain == chain)
    let check = try folder.check()
    #expect(check.findings.isEmpty && check.keys == folder.keys)
    let signature = try folder.signature()
    #expect(signature.catalog == summary.catalog && signature.time.count == 20)
  }

  @Test func `signing again changes no byte`() throws {
    let folder = try AuthorFolder()
    let first = try folder.sign()
    let before = try folder.place.bytes("Migrations/seedbed.lock.sig")
    let second = try folder.sign()
    #expect(!second.isChanged && second.catalog == first.catalog)
    #expect(try folder.place.bytes("Migrations/seedbed.lock.sig") == before)
  }

  @Test func `another key is added, and the time stays`() throws {
    let folder = try AuthorFolder()
    try folder.sign()
    try folder.forge(time: "2020-01-01T00:00:00Z", by: [folder.key])
    let line = try folder.signature().signatures[0]
    let summary = try CatalogSigning.sign(directory: folder.catalog, with: folder.other)
    #expect(summary.keys == [folder.key.publicKey, folder.other.publicKey].sorted())
    let signature = try folder.signature()
    #expect(signature.time == "2020-01-01T00:00:00Z" && signature.signatures.contains(line))
  }

  @Test func `another lock needs the signatures of all keys again`() throws {
    let folder = try AuthorFolder()
    try folder.sign()
    _ = try CatalogSigning.sign(directory: folder.catalog, with: folder.other)
    try folder.write(["0004_more/elements.csv": "number,name\n4,Boron\n"])
    try folder.lock()
    let summary = try folder.sign()
    #expect(summary.head == 4 && summary.keys == folder.keys)
    #expect(try folder.check().findings.isEmpty)
  }

  @Test func `a damaged signature is replaced`() throws {
    let folder = try AuthorFolder()
    try folder.write(["seedbed.lock.sig": "seedbed.lock.sig 1\n"])
    #expect(try folder.sign().isChanged)
    #expect(try folder.check().findings.isEmpty)
  }

  // MARK: the id

  @Test(arguments: [
    ("{}", "{\"id\": \"ID\"}"),
    ("{\n}\n", "{\"id\": \"ID\"\n}\n"),
    ("{\"tooOld\": \"x\"}", "{\"id\": \"ID\", \"tooOld\": \"x\"}"),
    ("{ \"tooOld\": \"x\" }", "{ \"id\": \"ID\", \"tooOld\": \"x\" }"),
    ("{\n  \"tooOld\": \"x\"\n}\n", "{\n  \"id\": \"ID\",\n  \"tooOld\": \"x\"\n}\n"),
    ("\n\n{\n\t\"tooOld\": \"é\"}", "\n\n{\n\t\"id\": \"ID\",\n\t\"tooOld\": \"é\"}"),
  ])
  func `catalog.json gets an id, and keeps the rest`(_ before: String, _ after: String) throws {
    let folder = try AuthorFolder(["catalog.json": before])
    let id = try folder.sign().catalog
    #expect(id.utf8.count == 32)
    #expect(try folder.text("catalog.json") == after.replacing("ID", with: id))
  }

  @Test func `an id stays, and each catalog has its own`() throws {
    let text = "{\"id\": \"000102030405060708090a0b0c0d0e0f\"}"
    let folder = try AuthorFolder(["catalog.json": text])
    let lock = try folder.text("seedbed.lock")
    #expect(try folder.sign().catalog == "000102030405060708090a0b0c0d0e0f")
    #expect(try folder.text("catalog.json") == text && folder.text("seedbed.lock") == lock)
    #expect(try AuthorFolder().sign().catalog != AuthorFolder().sign().catalog)
  }

  // MARK: what is not signed

  @Test func `a catalog without a lock is refused`() throws {
    let folder = try AuthorFolder()
    try folder.place.remove("Migrations/seedbed.lock")
    let error = #expect(throws: SeedbedError.self) { try folder.sign() }
    #expect(error?.code == .catalog)
    #expect(
      try folder.place.names(in: "Migrations") == ["0001_elements", "0002_more", "0003_names"])
  }

  @Test func `a stale lock is refused, with the file that differs`() throws {
    let folder = try AuthorFolder()
    try folder.write(["0002_more/elements.csv": "number,name\n3,Lithia\n"])
    let error = #expect(throws: SeedbedError.self) { try folder.sign() }
    #expect(error?.place?.file == "0002_more/elements.csv")
    #expect(try !folder.place.names(in: "Migrations").contains("seedbed.lock.sig"))
  }

  // MARK: findings

  @Test func `without a signature nothing is wrong`() throws {
    let check = try AuthorFolder().check()
    #expect(!check.isThere && check.findings.isEmpty && check.keys.isEmpty)
  }

  static let damages:
    [(name: String, damage: @Sendable (AuthorFolder) throws -> Void, says: String)] = [
      ("empty", { try $0.write(["seedbed.lock.sig": ""]) }, "The file is empty."),
      (
        "another lock",
        {
          try $0.write(["0004_more/elements.csv": "number,name\n4,Boron\n"])
          try $0.lock()
        }, "The signature is of another lock"
      ),
      ("another head", { try $0.forge(head: 2, by: [$0.key]) }, "The signature is of another lock"),
      (
        "another catalog",
        { try $0.forge(catalog: String(repeating: "a", count: 32), by: [$0.key]) },
        "The signature is of the catalog aaaaaaaa"
      ),
      ("no key", { try $0.forge(by: []) }, "The file has no signature."),
      (
        "a signature of something else",
        { folder in
          let time = try folder.signature().time
          try folder.forge(time: "2020-01-01T00:00:00Z", by: [folder.key])
          let text = try folder.text("seedbed.lock.sig")
          try folder.write([
            "seedbed.lock.sig": text.replacing("2020-01-01T00:00:00Z", with: time)
          ])
        }, "The signature by ed25519:"
      ),
    ]

  @Test(arguments: damages.indices) func `a wrong signature is found`(_ index: Int) throws {
    let folder = try AuthorFolder()
    // Another key's signature does not make up for it.
    try folder.sign()
    try Self.damages[index].damage(folder)
    let check = try folder.check()
    #expect(check.findings.count == 1 && check.keys.isEmpty, "\(Self.damages[index].name)")
    let finding = try #require(check.findings.first)
    #expect(finding.code == .catalog && finding.place?.file == "seedbed.lock.sig")
    #expect(finding.message.hasPrefix(Self.damages[index].says), "\(finding)")
    let lint = try Linter(directory: folder.catalog).findings()
    // A release that was only added is to be signed later, maybe by another person.
    let hasOnlyGrown = Self.damages[index].name == "another lock"
    #expect(check.signedUpTo == (hasOnlyGrown ? 3 : nil))
    #expect(lint.map(\.code).contains(.signature) != hasOnlyGrown)
  }

  // MARK: keys

  @Test func `a new key is its owner's alone, and never replaces a file`() throws {
    let folder = try AuthorFolder()
    let path = folder.path + "/author.pem"
    let key = try KeyFile.make(at: path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let bytes = try folder.place.bytes("author.pem")
    #expect(try SigningKey(pem: bytes, named: "author.pem").publicKey == key)
    let error = #expect(throws: SeedbedError.self) { try KeyFile.make(at: path) }
    #expect(error?.code == .usage && error?.message.contains("exists") == true)
    #expect(try folder.place.bytes("author.pem") == bytes)
  }
}
