import Foundation
import Seedbed
import SeedbedAuthoring
import SeedbedOverTheAir
import TestSupport
import Testing

struct BundleTests {
  private static let all = [
    "seedbed.lock.sig", "seedbed.lock", "catalog.json", "0001_elements/down.sql",
    "0001_elements/elements.csv", "0001_elements/up.sql", "0002_more/elements.csv",
    "0002_more/migration.json", "0003_names/elements.update.csv",
  ]

  private func signed(_ more: [String: String] = [:]) throws -> AuthorFolder {
    let folder = try AuthorFolder(more)
    try folder.sign()
    return folder
  }

  @discardableResult private func write(
    _ folder: AuthorFolder, since: Migrator.Version = 0, to name: String = "june.seedbed"
  ) throws -> BundleSummary {
    try BundleWriter.write(
      directory: folder.catalog, to: folder.path + "/" + name, since: since)
  }

  private func tar(_ words: String, in folder: AuthorFolder) throws -> [String] {
    let result = try Child.run(["tar"] + words.components(separatedBy: " "), in: folder.path)
    try #require(result.code == 0, "tar \(words): \(result.output)")
    return result.output.split(separator: "\n").map(String.init)
  }

  // MARK: the file

  @Test func `it is a tar archive of what is signed`() throws {
    let folder = try signed()
    let summary = try write(folder)
    #expect(summary.version == 3 && summary.since == 0 && summary.migrations == 3)
    #expect(summary.files == 6 && summary.rows == 4 && summary.keys == folder.keys)
    #expect(summary.bytes == Int64(try folder.place.bytes("june.seedbed").count))
    #expect(try tar("tf june.seedbed", in: folder) == Self.all)
    try folder.place.write("Out/", [])
    _ = try tar("xf june.seedbed -C Out", in: folder)
    for name in Self.all {
      #expect(
        try folder.place.bytes("Out/" + name) == folder.place.bytes("Migrations/" + name), "\(name)"
      )
    }
  }

  @Test func `the same catalog gives the same bytes`() throws {
    let folder = try signed()
    try write(folder)
    let first = try folder.place.bytes("june.seedbed")
    for name in Self.all {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1), .posixPermissions: 0o600],
        ofItemAtPath: folder.catalog + "/" + name)
    }
    try write(folder)
    #expect(try folder.place.bytes("june.seedbed") == first)
    #expect(try folder.place.names() == ["Migrations", "june.seedbed"])
  }

  @Test(arguments: [(0, 9), (1, 6), (2, 4)])
  func `releases up to a version are left out`(_ since: Migrator.Version, _ files: Int) throws {
    let folder = try signed()
    let summary = try write(folder, since: since)
    #expect(summary.since == since && summary.migrations == 3 - Int(since))
    let left = Self.all.prefix(3) + Self.all.suffix(files - 3)
    #expect(try tar("tf june.seedbed", in: folder) == Array(left))
  }

  @Test func `a device goes on with it`() throws {
    let folder = try signed()
    try write(folder, since: 1)
    // The app ships the first release.
    for name in ["0002_more", "0003_names"] { try folder.place.remove("Migrations/" + name) }
    try folder.lock()
    let catalog = try Catalog.newest(
      bundled: folder.catalog, downloaded: [folder.path + "/june.seedbed"],
      signedBy: folder.keys.map(\.text))
    #expect(catalog.passedOver == [])
    let database = folder.path + "/app.sqlite"
    #expect(try Migrator(catalog: catalog, at: database).up().to == 3)
  }

  @Test func `an earlier file is replaced, another name in the folder is not`() throws {
    let folder = try signed()
    try folder.place.write("june.seedbed", Self.old)
    try folder.place.write("july.seedbed", Array("other".utf8))
    try write(folder)
    #expect(try folder.place.bytes("june.seedbed").count % 512 == 0)
    #expect(try folder.place.bytes("july.seedbed") == Array("other".utf8))
  }

  /// As much of an earlier bundle as tells that it is one.
  private static let old = Ustar.header(LockSignature.fileName, size: 0) ?? []

  /// The longest name of a file, and the longest folder.
  @Test(arguments: [
    (0, 100, true), (0, 101, false), (155, 100, true), (156, 1, false), (1, 99, true),
  ])
  func `a path fits`(_ folder: Int, _ name: Int, _ fits: Bool) throws {
    let path =
      (folder > 0 ? String(repeating: "f", count: folder) + "/" : "")
      + String(repeating: "n", count: name)
    let header = Ustar.header(path, size: 7)
    #expect((header != nil) == fits)
    // What fits into the field of the name is there whole.
    if let header {
      #expect(Ustar.file(header)?.path == path)
      #expect(Array(header[257..<265]) == Array("ustar\u{0}00".utf8))
      #expect((header[345] == 0) == (path.utf8.count <= 100))
    }
  }

  // MARK: what is refused

  private func expectRefusal(
    _ folder: AuthorFolder, since: Migrator.Version = 0, code: SeedbedError.Code = .catalog,
    _ words: String
  ) throws {
    try folder.place.write("june.seedbed", Self.old)
    let error = #expect(throws: SeedbedError.self) { try write(folder, since: since) }
    #expect(error?.code == code && error?.description.contains(words) == true, "\(words)")
    #expect(try folder.place.bytes("june.seedbed") == Self.old)
    #expect(try folder.place.names().filter { $0.hasSuffix(".partial") } == [])
  }

  @Test func `a catalog that is not signed`() throws {
    try expectRefusal(AuthorFolder(), "is not signed. Sign it first: migrate sign --key FILE.")
  }

  @Test func `a signature of another lock`() throws {
    let folder = try signed()
    try folder.write(["0004_more/elements.csv": "number,name\n4,Boron\n"])
    try folder.lock()
    try expectRefusal(folder, "seedbed.lock.sig: The signature is of another lock")
    // Only the next release is not signed. A job without the key finds nothing wrong with that.
    #expect(try folder.check().signedUpTo == 3)
    #expect(try !Linter(directory: folder.catalog).findings().contains { $0.code == .signature })
    try folder.write(["0003_names/elements.update.csv": "number,was:name,name\n3,Lithium,Lith\n"])
    try folder.lock()
    #expect(try folder.check().signedUpTo == nil, "a signed release was changed")
    #expect(try Linter(directory: folder.catalog).findings().contains { $0.code == .signature })
  }

  @Test func `a stale lock`() throws {
    let folder = try signed()
    try folder.write(["0002_more/elements.csv": "number,name\n3,Lithia\n"])
    try expectRefusal(folder, "0002_more/elements.csv")
  }

  @Test(arguments: [
    (3, "3 is the catalog's last version"), (4, "has no version 4. Name one of 1, 2, or 0."),
    (99, "has no version 99."),
  ])
  func `a version that leaves nothing, or is not there`(
    _ since: Migrator.Version, _ words: String
  ) throws {
    try expectRefusal(signed(), since: since, code: .usage, words)
  }

  @Test func `a name that fits, and one that is a byte longer`() throws {
    func files(_ count: Int) -> [String: String] {
      ["0004_long/\(String(repeating: "t", count: count)).csv": "id\n1\n"]
    }
    let folder = try signed(files(96))
    try write(folder)
    #expect(try tar("tf june.seedbed", in: folder).count == Self.all.count + 1)
    try expectRefusal(signed(files(97)), "has 111 bytes, which do not fit into a bundle")
  }

  @Test func `a folder of that name`() throws {
    let folder = try signed()
    try folder.place.write("june.seedbed/a", [])
    let error = #expect(throws: SeedbedError.self) { try write(folder) }
    #expect(error?.message.contains("is a folder. Name a file.") == true)
  }
}
