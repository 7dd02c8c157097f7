import Testing
import TestSupport

@testable import Seedbed

/// The rules of a catalog's folders and files, without a lock.
struct CatalogTests {
  @Test func `migrations come in the order of their numbers`() throws {
    let fixture = try Place([
      "10_c/up.sql": "", "9_b/elements.csv.gz": "", "0001_a/up.sql": "", "0001_a/t.csv": "",
    ])
    let migrations = try fixture.catalog().migrations()
    #expect(migrations.map(\.version) == [1, 9, 10])
    #expect(migrations.map(\.name) == ["a", "b", "c"])
    #expect(migrations.map(\.folder) == ["0001_a", "9_b", "10_c"])
    #expect(migrations[0].files.map(\.name) == ["t.csv", "up.sql"])
    #expect(migrations[0].files.map(\.kind) == [.insert(table: "t"), .up])
    #expect(migrations[1].files.map(\.isCompressed) == [true])
    #expect(migrations.map(\.rows) == [nil, nil, nil])
    #expect(migrations.map(\.checksum) == [nil, nil, nil])
  }

  @Test func `sizes are those on disk`() throws {
    let fixture = try Place(["1_a/up.sql": "SELECT 1;"])
    #expect(try fixture.catalog().migrations()[0].files.map(\.size) == [9])
  }

  @Test func `what has no number is not the engine's`() throws {
    let fixture = try Place([
      "1_a/up.sql": "", "data/elements.csv": "", "README.md": "", ".git/HEAD": "", "x.csv": "",
      "Catalog.json": "not JSON",
    ])
    #expect(try fixture.catalog().migrations().map(\.version) == [1])
  }

  @Test func `dot files and what office programs leave are ignored`() throws {
    let fixture = try Place([
      "1_a/up.sql": "", "1_a/.DS_Store": "", "1_a/~$elements.csv": "", "1_a/.hidden/x": "",
      ".1_b/up.sql": "", "~$1_c": "",
    ])
    #expect(try fixture.catalog().migrations()[0].files.map(\.name) == ["up.sql"])
  }

  struct Refusal: CustomTestStringConvertible {
    var testDescription: String
    var files: [String]
    var error: String

    init(_ name: String, _ files: [String], _ error: String) {
      (testDescription, self.files, self.error) = (name, files, error)
    }
  }

  @Test(arguments: [
    Refusal(
      "no migration", ["data/elements.csv"],
      "The catalog 'CATALOG' holds no migration: no folder with a name like '0001_elements'. Name "
        + "the right folder, or make the first one."),
    Refusal(
      "two folders with one number", ["0001_a/up.sql", "1_b/up.sql"],
      "1_b: '0001_a' and '1_b' have the same number, 1. Rename the folder of the one that was not "
        + "released, or make it again with another number."),
    Refusal(
      "a number without words", ["0001-elements/up.sql"],
      "0001-elements: The name of a migration's folder is <number>_<words>, the words of letters, "
        + "digits, '_' and '-'. Did you mean '0001_elements'?"),
    Refusal(
      "a number that is too large", ["9223372036854775808_x/up.sql"],
      "9223372036854775808_x: The number is larger than 9223372036854775807, the largest version."),
    Refusal(
      "the number zero", ["0_x/up.sql"],
      "0_x: Versions begin at 1; 0 means no migration. Give it another number."),
    Refusal(
      "a file with a number", ["1_a/up.sql", "2_b.csv"],
      "2_b.csv: The name begins with a number, as migrations do, but it is not a folder. Put the "
        + "files of a migration into a folder, or give it a name that does not begin with a "
        + "number."),
    Refusal(
      "a folder without files", ["1_a/up.sql", "2_b/.gitkeep"],
      "2_b: The folder holds no file of a migration. Fill it, or remove it."),
    Refusal(
      "a misspelt file", ["1_a/elements.cvs.gz"],
      "1_a/elements.cvs.gz: A migration's folder cannot hold a file of this name. Did you mean "
        + "'elements.csv.gz'?"),
    Refusal(
      "a file that is near to nothing", ["1_a/README.md"],
      "1_a/README.md: A migration's folder cannot hold a file of this name. It holds up.sql, "
        + "<table>.csv or .csv.gz, after.sql, after.down.sql, down.sql, verify.sql, schema.sql and "
        + "migration.json; keep other files outside of it."),
    Refusal(
      "a folder in a folder", ["1_a/up.sql", "1_a/more/up.sql"],
      "1_a/more: This is a folder. A migration's folder holds files only."),
    Refusal(
      "a table twice, compressed and plain", ["1_a/t.csv", "1_a/t.csv.gz"],
      "1_a/t.csv.gz: 't.csv' and 't.csv.gz' both hold rows for the table 't'. Keep one of them, "
        + "or give one a tag: <table>.<tag>~.csv.gz."),
    Refusal(
      "a table twice, by SQLite's rule for names", ["1_a/Texts.csv", "1_a/tEXTS.csv.gz"],
      "1_a/tEXTS.csv.gz: 'Texts.csv' and 'tEXTS.csv.gz' both hold rows for the table 'tEXTS'. Keep "
        + "one of them, or give one a tag: <table>.<tag>~.csv.gz."),
    Refusal(
      "a table and a tag twice", ["1_a/t.de~.update.csv", "1_a/T.DE~.update.csv.gz"],
      "1_a/t.de~.update.csv: 'T.DE~.update.csv.gz' and 't.de~.update.csv' both hold rows for the "
        + "table 't'. Keep one of them, or give one a tag: <table>.<tag>~.csv.gz."),
    Refusal(
      "a control character in a name", ["1_a/a\u{7}b.csv"],
      "1_a/a\u{7}b.csv: The file's name holds a control character or is not UTF-8. Name it after "
        + "its table."),
  ])
  func `refused is`(_ refusal: Refusal) throws {
    let fixture = try Place()
    for file in refusal.files { try fixture.write(file, "") }
    #expect(fixture.failure { _ = try fixture.catalog() } == refusal.error)
  }

  @Test func `tags tell files of one table apart, in order of their names`() throws {
    let names = [
      "t.a.b~.csv", "t.b~.update.csv.gz", "t.csv", "t.de~.csv", "t.fr~.csv.gz", "t.update.csv",
    ]
    let fixture = try Place(
      Dictionary(uniqueKeysWithValues: names.map { ("1_a/" + $0, "") }))
    #expect(try fixture.catalog().migrations()[0].files.map(\.name) == names)
  }

  @Test func `names that differ beyond ASCII are two tables`() throws {
    let fixture = try Place(["1_a/É.csv": "", "1_a/é.csv": ""])
    #expect(try fixture.catalog().migrations()[0].files.count == 2)
  }

  @Test func `symbolic links are refused`() throws {
    let fixture = try Place(["1_a/up.sql": "", "elsewhere/up.sql": ""])
    try fixture.link("1_a/down.sql", to: "up.sql")
    #expect(
      fixture.failure { _ = try fixture.catalog() }
        == "1_a/down.sql: This is a symbolic link or something else that is not a regular file. "
        + "Put the file itself here.")
    try fixture.remove("1_a/down.sql")
    try fixture.link("2_b", to: "elsewhere")
    #expect(
      fixture.failure { _ = try fixture.catalog() }
        == "2_b: This is a symbolic link or something else that is not a folder. Put the "
        + "migration's folder itself here.")
    try fixture.remove("2_b")
    try fixture.link("catalog.json", to: "elsewhere/up.sql")
    #expect(
      fixture.failure { _ = try fixture.catalog() }
        == "catalog.json: This is a symbolic link or something else that is not a regular file. "
        + "Put the file itself here.")
    try fixture.remove("catalog.json")
    try fixture.link("seedbed.lock", to: "elsewhere/up.sql")
    for make in [{ (path: String) in try Catalog(directory: path) }, { try Catalog(locked: $0) }] {
      #expect(
        fixture.failure { _ = try make(fixture.path) }
          == "seedbed.lock: This is not a regular file. Remove it, and write it again."
      )
    }
  }

  @Test func `the catalog's own folder may be a link`() throws {
    let fixture = try Place(["real/1_a/up.sql": ""])
    try fixture.link("link", to: "real")
    let catalog = try Catalog(directory: fixture.path + "/link")
    #expect(try catalog.migrations().count == 1)
    #expect(catalog.path == fixture.path + "/real")
  }

  @Test func `a catalog that is not there or no folder is told`() throws {
    let fixture = try Place(["file": ""])
    for make in [{ (path: String) in try Catalog(directory: path) }, { try Catalog(locked: $0) }] {
      #expect(
        fixture.failure { _ = try make(fixture.path + "/nowhere") }
          == "There is no catalog folder at 'CATALOG/nowhere'. Name the folder of the migrations.")
      #expect(
        fixture.failure { _ = try make(fixture.path + "/file") }
          == "'CATALOG/file' is not a folder. Name the folder of the migrations.")
    }
  }

  @Test func `opening refuses what became a link since`() throws {
    let fixture = try Place(["1_a/up.sql": "SELECT 1;", "secret": "x"])
    let catalog = try fixture.catalog()
    let migration = try catalog.migrations()[0]
    let file = try catalog.open(migration.files[0], in: migration)
    #expect(try file.content(limit: 100) == Array("SELECT 1;".utf8))
    try fixture.remove("1_a/up.sql")
    try fixture.link("1_a/up.sql", to: "../secret")
    #expect(throws: SeedbedError.self) { try catalog.open(migration.files[0], in: migration) }
  }

  @Test func `presence is looked at without a lock too`() throws {
    let fixture = try Place(["1_a/up.sql": "", "1_a/t.csv": "a\n"])
    let catalog = try fixture.catalog()
    let migration = try catalog.migrations()[0]
    try catalog.checkPresence(of: migration)
    try fixture.remove("1_a/t.csv")
    #expect(
      fixture.failure { try catalog.checkPresence(of: migration) }
        == "1_a/t.csv: The file disappeared while the catalog was being read. Put it back.")
  }

  @Test func `checksums are computed from the content where there is no lock`() throws {
    let fixture = try Place([
      "1_a/up.sql": "SELECT 1;", "1_a/t.csv": "a\n1\n", "1_a/down.sql": "x",
    ])
    let catalog = try fixture.catalog()
    let files = [("up.sql", Digest.of("SELECT 1;")), ("t.csv", Digest.of("a\n1\n"))]
    let expected = Checksum.of(files)
    let migration = try #require(try catalog.migrations(readingChecksumsOf: [1]).first)
    #expect(migration.checksum == expected)
    #expect(try catalog.checksum(of: catalog.migrations()[0]) == expected)
  }
}
