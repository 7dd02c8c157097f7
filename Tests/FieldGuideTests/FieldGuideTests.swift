import Foundation
import TestSupport
import Seedbed
import Testing

/// An app that embeds Seedbed, as its users meet it.
struct FieldGuideTests {
  private static let catalog = URL(filePath: #filePath)
    .appending(path: "../../../Migrations").standardizedFileURL

  /// The database as the release of that version left it on a user's device.
  private static func app(at version: Version) throws -> App {
    let app = try App()
    let old = Migrator(catalog: try Catalog(locked: catalog), at: app.database)
    try old.up(to: version)
    return app
  }

  private static let user = """
    UPDATE elements SET name = 'Bobium' WHERE number = 113; DELETE FROM elements WHERE number = 115;
    INSERT INTO elements (number, symbol, name, period) VALUES (119, 'Xx', 'Mine', 8);
    INSERT INTO notes (element, text) VALUES (113, 'the one from Japan');
    """

  private static func make(_ statements: String, in app: App) throws {
    for statement in statements.split(separator: ";") where statement.contains(" ") {
      try app.sql(String(statement))
    }
  }

  @Test func `the first start fills it, the second finds nothing to do`() throws {
    let app = try App()
    let first = try app.run()
    #expect(first.errors == "Welcome. The guide is at release 4.\n")
    #expect(first.code == 0)
    let lines = first.output.split(separator: "\n")
    #expect(lines.count == 118)
    #expect(lines[112] == "113\tNh\tNihonium\t")
    let before = try Data(contentsOf: URL(fileURLWithPath: app.database))
    let second = try app.run()
    #expect(second == App.Outcome(output: first.output))
    #expect(try Data(contentsOf: URL(fileURLWithPath: app.database)) == before)
  }

  @Test func `a database of an earlier release comes over with what its user made`() throws {
    let app = try Self.app(at: 2)
    try Self.make(Self.user, in: app)
    let start = try app.run("show", "Bobium")
    #expect(
      start.errors == """
        Release 4: 0 new, 22 corrected.
        Your own changes were kept. See: fieldguide mine

        """)
    #expect(start.output.hasPrefix("number: 113\nsymbol: Nh\nname: Bobium\n"))
    #expect(start.output.hasSuffix("\nnote: the one from Japan\n"))
    #expect(try app.run("show", "Mine").output.hasPrefix("number: 119\nsymbol: Xx\n"))
    #expect(try app.sql("SELECT count(*) FROM elements WHERE number = 115") == ["0"])
    let mine = try app.run("mine").output
    #expect(
      mine == """
        1  113, Bobium: You changed the name to Bobium, and the guide changed it from Ununtrium to \
        Nihonium. Yours stays, and the rest is up to date.
        2  115: You deleted it, and the guide changed it: symbol Mc, name Moscovium. It stays \
        deleted.

        """)
  }

  @Test func `its user may look, note, add, edit and forget`() throws {
    let app = try App()
    _ = try app.run()
    #expect(try app.run().output.hasPrefix("1\tH\tHydrogen\t1.008\n2\tHe\tHelium\t4.002602\n"))
    #expect(try app.run("note", "Fe", "in", "my", "kettle").code == 0)
    #expect(try app.run("add", "Xx", "Mine").output == "119\n")
    #expect(try app.run("edit", "mine", "weight", "300.5").code == 0)
    #expect(
      try app.run("show", "119").output == "number: 119\nsymbol: Xx\nname: Mine\nweight: 300.5\n")
    #expect(try app.run("show", "iron").output.hasSuffix("\nnote: in my kettle\n"))
    #expect(try app.run("show", "2'; DROP TABLE elements").errors.contains("There is no element"))
    #expect(try app.run("edit", "Fe", "rowid = 1 --", "x").errors.contains("no 'rowid = 1 --'"))
    #expect(try app.run("edit", "Fe", "symbol", "Xx").errors.contains("UNIQUE"))
    #expect(try app.run("edit", "Fe", "weight", "heavy").errors.contains("is a number"))
    #expect(
      try app.run("forget", "Fe").output == "Iron is gone, and so are your notes and answers (1).\n"
    )
    #expect(try app.run("show", "Fe").code == 1)
  }

  @Test func `without a folder it takes the place for users' data`() throws {
    let app = try App()
    let outcome = try app.start(["show", "He"], environment: ["XDG_DATA_HOME": app.place.path])
      .wait()
    #expect(outcome.output.hasPrefix("number: 2\n"))
    let database = app.place.path + "/fieldguide/elements.sqlite"
    #expect(FileManager.default.fileExists(atPath: database))
  }

  @Test func `a damaged database is told in words, and a backup comes back`() throws {
    let app = try Self.app(at: 2)
    try Self.make(Self.user, in: app)
    _ = try app.run()
    try Data("this is no database at all, only text".utf8).write(
      to: URL(fileURLWithPath: app.database))
    let start = try app.run()
    #expect(start.code == 1)
    #expect(
      start.errors == """
        fieldguide: The database is damaged. Restore its last backup: fieldguide restore

        """)
    let restored = try app.run("restore")
    #expect(restored.output.hasPrefix("The database was restored to "), "\(restored)")
    #expect(try app.run("show", "113").output.contains("\nname: Bobium\n"))
    #expect(try app.run().output.split(separator: "\n").count == 118)
  }

  /// Photos make the backup last. While it is copied a reader comes, whom the last step has to wait
  /// for: there it is killed, with all rows written.
  @Test func `killed half-way, it begins again and loses nothing`() throws {
    let app = try Self.app(at: 2)
    try Self.make(Self.user + "CREATE TABLE photos AS SELECT randomblob(30000000)", in: app)
    let running = try app.start([])
    let backups = app.database + ".backups"
    let isCopying = running.waits { FileManager.default.fileExists(atPath: backups) }
    var reader: App.Connection? = try app.connection()
    try reader?.values("BEGIN")
    try reader?.values("SELECT count(*) FROM elements")
    let isWriting = running.waits {
      let names = try? FileManager.default.contentsOfDirectory(atPath: backups)
      return names?.contains { $0.hasSuffix(".sqlite") } == true
        && FileManager.default.fileExists(atPath: app.database + "-journal")
    }
    #expect(isCopying && isWriting)
    running.child.send(SIGKILL)
    #expect(try running.wait().code == -SIGKILL)
    try reader?.values("COMMIT")
    reader = nil
    #expect(try app.sql("SELECT max(version) FROM seedbed_migrations") == ["2"])
    let start = try app.run("show", "113")
    #expect(start.errors.hasPrefix("Release 4: 0 new, 22 corrected.\n"))
    #expect(start.output.contains("symbol: Nh\nname: Bobium\n"))
    #expect(try app.run().output.split(separator: "\n").count == 118)
    #expect(
      try app.sql("SELECT count(*) FROM seedbed_runs WHERE outcome = 'interrupted'") == ["1"])
  }

  @Test func `somebody else's lock only puts the release off`() throws {
    let app = try Self.app(at: 2)
    let other = try app.connection()
    try other.values("BEGIN IMMEDIATE")
    let start = try app.run("show", "113")
    #expect(
      start.errors
        == "Another program is using the database. The guide goes on with release 2, and the next "
        + "start tries again.\n")
    #expect(start.output.contains("\nname: Ununtrium\n"))
    try other.values("COMMIT")
    #expect(try app.run("show", "113").output.contains("\nname: Nihonium\n"))
  }

  @Test func `an older guide shows what a newer one left`() throws {
    let app = try App()
    _ = try app.run()
    try app.sql(
      """
      INSERT INTO seedbed_migrations SELECT 9, 'later', state, checksum, chain, applied_at,
        duration_ms, inserted, updated, deleted, unchanged, kept, run, tool
      FROM seedbed_migrations WHERE version = 4
      """)
    let start = try app.run("show", "1")
    #expect(start.code == 0)
    #expect(start.output.hasPrefix("number: 1\n"))
    // What it says where it does not proceed names the 9, too, but as an error.
    #expect(start.errors.contains("9"))
    #expect(!start.errors.contains("goes on with"))
  }
}
