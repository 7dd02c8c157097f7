import CSeedbedSQLite
import Testing

@testable import Seedbed

/// `up(on:)`: migrations on a handle of the app's, which comes back as it was.
struct LentHandleTests {
  static let files = [
    "0001_words/up.sql": """
    CREATE TABLE words (
      id INTEGER PRIMARY KEY, word TEXT COLLATE SHOUTED UNIQUE, loud TEXT AS (shout(word)));
    CREATE INDEX by_loudness ON words (shout(word));
    CREATE TABLE log (word TEXT);
    CREATE TRIGGER words_log AFTER INSERT ON words BEGIN
      INSERT INTO log VALUES (shout(new.word));
    END;
    """,
    "0001_words/words.csv": "id,word\n1,one\n2,two\n3,three\n",
    "0002_more/words.update.csv": "id,word,was:word\n1,uno,one\n",
    "0002_more/words.delete.csv": "id,word\n2,two\n",
    "0002_more/words.csv": "id,word\n4,four\n",
    "0002_more/after.sql": "UPDATE log SET word = shout(word) || '!';",
  ]

  static func lent(_ device: Device) throws -> HandleMigrator {
    HandleMigrator(catalog: try device.migrator().catalog)
  }

  @Test func `functions, collations and the authorizer of the app work, and go on working`() throws
  {
    let device = try Device(Self.files)
    device.isChecked = false  // only the app can
    let app = try AppHandle(device.database)
    app.installAll()
    let report = try Self.lent(device).up(on: app.handle)
    #expect(report.migrations.map(\.version) == [1, 2])
    #expect(report.touchedTables == ["log", "words"])
    #expect(report.database == device.database)
    #expect(try app.values("SELECT loud FROM words ORDER BY id") == ["UNO", "THREE", "FOUR"])
    #expect(try app.values("SELECT id FROM words WHERE word = 'THREE'") == ["3"])
    #expect(try app.values("SELECT word FROM log ORDER BY rowid").last == "FOUR!")
    let before = app.timesAsked
    try app.run("CREATE TABLE secret (a)")
    #expect(throws: AppHandle.Failure.self) { try app.values("SELECT a FROM secret") }
    #expect(app.timesAsked > before)
    #expect(try Self.lent(device).up(on: app.handle).outcome == .upToDate)
  }

  @Test func `a connection of our own says that it needs the app's`() throws {
    let device = try Device(Self.files)
    device.isChecked = false  // only the app can
    let app = try AppHandle(device.database)
    app.installAll()
    _ = try Self.lent(device).up(on: app.handle, to: 1)
    let text = failureText { _ = try device.migrator().up() }
    #expect(text?.contains("shout") == true || text?.contains("SHOUTED") == true)
    #expect(text?.contains("up(on:)") == true)
  }

  @Test(arguments: ["", "PRAGMA journal_mode=wal;"])
  func `the handle comes back as it was`(journal: String) throws {
    let device = try Device(Releases.both)
    let app = try AppHandle(
      device.database,
      setup: journal + """
        PRAGMA foreign_keys=1; PRAGMA synchronous=1; PRAGMA cache_size=77; PRAGMA temp_store=2;
        PRAGMA recursive_triggers=1; PRAGMA legacy_alter_table=1; PRAGMA ignore_check_constraints=1;
        CREATE TABLE own (id INTEGER PRIMARY KEY); INSERT INTO own VALUES (4711);
        CREATE TEMP TABLE kept (a);
        """)
    let before = try app.state()
    let migrator = try Self.lent(device)
    _ = try migrator.with(app.handle) { try $0.plan() }
    #expect(try app.state() == before)
    _ = try migrator.up(on: app.handle, to: 1)
    #expect(try app.state() == before)
    try app.run(
      "UPDATE elements SET name = 'Mine' WHERE number = 2; INSERT INTO elements (number, symbol) "
        + "VALUES (20, 'Zz')")
    let edited = try app.state()
    #expect(try migrator.up(on: app.handle).migrations[0].conflictCount > 0)
    #expect(try app.state() == edited)
  }

  @Test func `it comes back as it was after a failure, too`() throws {
    let device = try Device(
      Releases.both.merging(["0002_next/after.sql": "INSERT INTO nowhere VALUES (1)"]) { $1 })
    let app = try AppHandle(device.database, setup: "PRAGMA foreign_keys=1; CREATE TABLE own (a)")
    let migrator = try Self.lent(device)
    _ = try migrator.up(on: app.handle, to: 1)
    let before = try app.state()
    let error = #expect(throws: SeedbedError.self) { try migrator.up(on: app.handle) }
    #expect(error?.place?.file == "0002_next/after.sql")
    #expect(try app.state() == before)
    #expect(try app.values("SELECT count(*) FROM elements") == ["4"])
  }

  @Test func `it comes back as it was after cancelling, too`() throws {
    let device = try Device(Releases.both)
    let app = try AppHandle(
      device.database, setup: "PRAGMA journal_mode=wal; CREATE TABLE own (a)")
    let before = try app.state()
    let cancellation = Migrator.Cancellation()
    var migrator = try Self.lent(device)
    migrator.host.reaching = { if $0 == .afterRows { cancellation.cancel() } }
    let error = #expect(throws: SeedbedError.self) {
      try migrator.up(on: app.handle, cancellation: cancellation)
    }
    #expect(error?.code == .cancelled)
    #expect(try app.state() == before)
  }

  /// Once it was cancelled, a run's own statements are refused, those that put things back too.
  @Test func `what a cancelled run had set for a while is put back`() throws {
    let app = try AppHandle(":memory:", setup: "PRAGMA legacy_alter_table=1; CREATE TABLE own (a)")
    let before = try app.state()
    let cancellation = Migrator.Cancellation()
    #expect(throws: SeedbedError.cancelled()) {
      try LentHandle.borrow(
        app.handle, sourceID: nil, setup: nil, lockTimeoutSeconds: 1
      ) { connection in
        connection.begin(with: cancellation)
        try connection.execute("PRAGMA legacy_alter_table=0")
        try connection.withoutChecks { cancellation.cancel() }
      }
    }
    #expect(try app.state() == before)
  }

  @Test func `what a run leaves beside the database goes with it`() throws {
    let app = try AppHandle(":memory:", setup: "CREATE TEMP TABLE kept (a)")
    seedbed_db_config_switch(app.handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    try app.run("PRAGMA ignore_check_constraints=1")
    let before = try app.state()
    try LentHandle.borrow(
      app.handle, sourceID: nil, setup: nil, lockTimeoutSeconds: 1
    ) {
      try $0.executeAll("CREATE TEMP TABLE \"seedbed:left\" (a)")
      try $0.withoutChecks {}
    }
    #expect(try app.state() == before)
  }

  @Test func `a file gets its backup, a database in memory has none`() throws {
    let device = try Device(Releases.first)
    let app = try AppHandle(device.database, setup: "CREATE TABLE own (a)")
    let backup = try Self.lent(device).up(on: app.handle).backup
    #expect(backup?.isVerified == true)
    let memory = try AppHandle(":memory:", setup: "CREATE TABLE own (a)")
    let report = try Self.lent(device).up(on: memory.handle)
    #expect(report.backup == nil)
    #expect(report.database == ":memory:")
    #expect(try memory.values("SELECT count(*) FROM elements") == ["4"])
  }

  @Test func `a plan shows what would come, and changes nothing`() throws {
    let device = try Device(Releases.both)
    let app = try AppHandle(":memory:")
    let report = try Self.lent(device).with(app.handle) { try $0.plan() }
    #expect(report.outcome == .planned)
    #expect(report.migrations.count == 2)
    #expect(try app.values("SELECT count(*) FROM sqlite_schema") == ["0"])
  }

  @Test func `what the handle is doing decides whether it can be lent`() throws {
    let device = try Device(Releases.both)
    let app = try AppHandle(
      device.database, setup: "CREATE TABLE own (a); INSERT INTO own VALUES (1)")
    let migrator = try Self.lent(device)
    var statement: OpaquePointer?
    sqlite3_prepare_v2(app.handle, "SELECT a FROM own", -1, &statement, nil)
    sqlite3_step(statement)
    #expect(
      failureText { _ = try migrator.up(on: app.handle) }?.contains("SELECT a FROM own") == true)
    sqlite3_finalize(statement)
    try app.run("BEGIN")
    let inside = #expect(throws: SeedbedError.self) { try migrator.up(on: app.handle) }
    #expect(inside?.message.contains("applyIfPending(_:on:)") == true)
    try app.run("COMMIT")
    let outside = #expect(throws: SeedbedError.self) {
      try migrator.applyIfPending(1, on: app.handle)
    }
    #expect(outside?.message.contains("not inside a transaction") == true)
    let other = #expect(throws: SeedbedError.self) {
      try migrator.up(on: app.handle, sourceID: "2020-01-01 another copy")
    }
    #expect(other?.code == .needsConnection)
    let own = String(cString: sqlite3_sourceid())
    #expect(try migrator.up(on: app.handle, sourceID: own).migrations.count == 2)
  }

  @Test func `a handle in use on another thread is refused`() throws {
    let device = try Device(Releases.both)
    // Where SQLite is compiled with THREADSAFE=2, as Apple's is, other handles have no mutex.
    let app = try AppHandle(device.database, flags: SQLITE_OPEN_FULLMUTEX)
    let isHeld = Guarded(false)
    let isOver = Guarded(false)
    nonisolated(unsafe) let mutex = sqlite3_db_mutex(app.handle)
    let thread = try Thread {
      sqlite3_mutex_enter(mutex)
      isHeld.withLock { $0 = true }
      while !isOver.withLock({ $0 }) { Clock.sleep(milliseconds: 1) }
      sqlite3_mutex_leave(mutex)
    }
    while !isHeld.withLock({ $0 }) { Clock.sleep(milliseconds: 1) }
    let error = #expect(throws: SeedbedError.self) { try Self.lent(device).up(on: app.handle) }
    isOver.withLock { $0 = true }
    thread.join()
    #expect(error?.code == .busy)
    #expect(try Self.lent(device).up(on: app.handle).migrations.count == 2)
  }

  @Test func `it waits for a lock as long as the options say`() throws {
    let device = try Device(Releases.both)
    let app = try AppHandle(device.database)
    sqlite3_busy_timeout(app.handle, 0)
    let other = try AppHandle(device.database, setup: "BEGIN IMMEDIATE")
    var migrator = try Self.lent(device)
    migrator.options.lockTimeout = .milliseconds(50)
    #expect(throws: SeedbedError.self) { try migrator.up(on: app.handle) }
    migrator.options.lockTimeout = .seconds(20)
    nonisolated(unsafe) let handle = other.handle
    let thread = try Thread {
      Clock.sleep(milliseconds: 60)
      sqlite3_exec(handle, "COMMIT", nil, nil, nil)
    }
    #expect(try migrator.up(on: app.handle).migrations.count == 2)
    thread.join()
  }

  @Test func `foreign keys stay as the app has them`() throws {
    let rebuild = [
      "0002_rebuild/migration.json": "{\"foreignKeys\": \"off\"}",
      "0002_rebuild/up.sql": """
      CREATE TABLE new (number INTEGER PRIMARY KEY, symbol TEXT, name TEXT);
      INSERT INTO new SELECT number, symbol, name FROM elements; DROP TABLE elements;
      ALTER TABLE new RENAME TO elements;
      """,
    ]
    let device = try Device(Releases.first.merging(rebuild) { $1 })
    let app = try AppHandle(device.database, setup: "PRAGMA foreign_keys=1")
    let error = #expect(throws: SeedbedError.self) { try Self.lent(device).up(on: app.handle) }
    #expect(error?.code == .needsConnection)
    #expect(error?.version == 2)
    #expect(try app.values("SELECT count(*) FROM isotopes") == ["2"])
    try app.run("PRAGMA foreign_keys=0")
    #expect(try Self.lent(device).up(on: app.handle).migrations.map(\.version) == [2])
    #expect(try app.values("SELECT count(*) FROM isotopes") == ["2"])
  }
}
