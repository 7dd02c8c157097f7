import CSeedbedSQLite
import Testing

@testable import Seedbed

/// An app whose schema belongs to a migrator of its own, as with GRDB: the schema's steps and the
/// data's in one order, on one handle.
struct OtherMigratorTests {
  /// As GRDB's `DatabaseMigrator` does it: each step once, in one transaction with its row, foreign
  /// keys off meanwhile and checked at the end.
  private struct SchemaMigrator {
    var steps: [(name: String, body: (AppHandle) throws -> Void)] = []

    func migrate(_ app: AppHandle, upTo last: Int) throws {
      try app.run("CREATE TABLE IF NOT EXISTS app_migrations (name TEXT PRIMARY KEY)")
      let done = try app.values("SELECT name FROM app_migrations")
      for step in steps.prefix(last) where !done.contains(step.name) {
        try app.run("PRAGMA foreign_keys=OFF; BEGIN IMMEDIATE")
        do {
          try step.body(app)
          guard try app.values("PRAGMA foreign_key_check").isEmpty else {
            throw AppHandle.Failure(text: "foreign keys")
          }
          try app.run("INSERT INTO app_migrations VALUES ('\(step.name)'); COMMIT")
        } catch {
          try app.run("ROLLBACK")
          throw error
        }
        try app.run("PRAGMA foreign_keys=ON")
      }
    }
  }

  private static let files = [
    "0001_words/schema.sql":
      "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL, starred INTEGER);",
    "0001_words/words.csv": "id,word\n1,one\n2,two\n3,three\n4,four\n",
    "0002_kinds/schema.sql": "ALTER TABLE words ADD COLUMN kind TEXT;",
    "0002_kinds/words.update.csv": "id,kind,was:kind\n1,number,\n2,number,\n",
    "0002_kinds/words.csv": "id,word,kind\n20,green,colour\n",
    "0003_senses/schema.sql": """
    CREATE TABLE senses (id INTEGER PRIMARY KEY, word_id INTEGER NOT NULL REFERENCES words (id),
      text TEXT NOT NULL);
    """,
    "0003_senses/senses.csv": "id,word_id,text\n1,20,of grass\n",
    "0004_fewer/words.delete.csv": "id,word,kind\n3,three,\n4,four,\n",
  ]

  /// Release 1 has the first step, release 2 the second, release 3 the rest.
  private static func migrator(_ seed: HandleMigrator) -> SchemaMigrator {
    SchemaMigrator(steps: [
      (
        "words",
        { app in
          try app.run(
            "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL, starred INTEGER)")
          _ = try seed.applyIfPending(1, on: app.handle)
        }
      ),
      (
        "kinds",
        { app in
          try app.run("ALTER TABLE words ADD COLUMN kind TEXT")
          _ = try seed.applyIfPending(2, on: app.handle)
        }
      ),
      (
        "senses",
        { app in
          try app.run(files["0003_senses/schema.sql"]!)
          _ = try seed.applyIfPending(3, on: app.handle)
          _ = try seed.applyIfPending(4, on: app.handle)
        }
      ),
    ])
  }

  private static let user = """
    UPDATE words SET starred = 1 WHERE id = 4; UPDATE words SET word = 'zwei' WHERE id = 2;
    DELETE FROM words WHERE id = 1; INSERT INTO words (id, word) VALUES (900, 'mine');
    """

  @Test func `a fresh install goes through all steps`() throws {
    let device = try Device(Self.files)
    let app = try AppHandle(device.database)
    try Self.migrator(try LentHandleTests.lent(device)).migrate(app, upTo: 3)
    #expect(
      try device.rows("SELECT id, word, kind FROM words") == [
        "1|one|number", "2|two|number", "20|green|colour",
      ])
    #expect(try device.rows("SELECT text FROM senses") == ["of grass"])
    #expect(try device.migrator().status().state == .upToDate)
    #expect(try device.migrator().verify() == [])
  }

  @Test(arguments: [1, 2, 3])
  func `an upgrade keeps what the user made, and ends with both ledgers full`(
    from release: Int
  ) throws {
    let device = try Device(Self.files)
    do {
      let app = try AppHandle(device.database)
      try Self.migrator(try LentHandleTests.lent(device)).migrate(app, upTo: release)
      try app.run(Self.user)
    }
    let app = try AppHandle(device.database)
    try Self.migrator(try LentHandleTests.lent(device)).migrate(app, upTo: 3)
    let words = try device.rows("SELECT id, word FROM words")
    #expect(words.contains("900|mine"))
    #expect(words.contains("2|zwei"))
    #expect(!words.contains { $0.hasPrefix("1|") })
    #expect(words.contains("20|green"))
    #expect(try device.rows("SELECT name FROM app_migrations ORDER BY rowid").count == 3)
    #expect(try device.migrator().status().state == .upToDate)
  }

  @Test func `a step that fails leaves neither ledger with it, and is done the next time`() throws {
    let device = try Device(Self.files)
    let app = try AppHandle(device.database)
    let seed = try LentHandleTests.lent(device)
    var failing = Self.migrator(seed)
    let good = failing.steps[1]
    failing.steps[1].body = { app in
      try good.body(app)
      throw AppHandle.Failure(text: "the app's own code")
    }
    #expect(throws: AppHandle.Failure.self) { try failing.migrate(app, upTo: 3) }
    #expect(try device.migrator().status().current == 1)
    #expect(try app.values("SELECT name FROM app_migrations") == ["words"])
    try Self.migrator(seed).migrate(app, upTo: 3)
    #expect(try device.migrator().status().state == .upToDate)
  }

  /// The other way round: an app that runs all of its steps first, and the data in between.
  @Test func `data between the schema's steps, each on its own`() throws {
    let device = try Device(Self.files)
    let app = try AppHandle(device.database)
    let seed = try LentHandleTests.lent(device)
    try app.run("CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL, starred INTEGER)")
    _ = try seed.up(on: app.handle, to: 1)
    try app.run("ALTER TABLE words ADD COLUMN kind TEXT")
    _ = try seed.up(on: app.handle, to: 2)
    try app.run(Self.files["0003_senses/schema.sql"]!)
    #expect(try seed.up(on: app.handle).migrations.map(\.version) == [3, 4])
    #expect(try device.rows("SELECT count(*) FROM words") == ["3"])
    // The next start: the page WithGRDB says so.
    let error = #expect(throws: SeedbedError.self) { try seed.up(on: app.handle, to: 1) }
    #expect(error?.code == .usage)
  }

  /// `eraseDatabaseOnSchemaChange`: the file is thrown away in a debug build, and both ledgers with
  /// it, so that everything runs again.
  @Test func `an erased database is filled again`() throws {
    let device = try Device(Self.files)
    for _ in 0..<2 {
      let app = try AppHandle(device.database)
      try Self.migrator(try LentHandleTests.lent(device)).migrate(app, upTo: 3)
      #expect(try app.values("SELECT count(*) FROM words") == ["3"])
      try app.run("DROP TABLE senses; DROP TABLE words")
      let ledger = try app.values(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
      for table in ledger { try app.run("DROP TABLE \"\(table)\"") }
    }
  }
}
