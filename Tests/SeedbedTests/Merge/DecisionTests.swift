import CSeedbedSQLite
import Foundation
import Testing

@testable import Seedbed

/// The merge decides first, and writes then; and what it asks begins at the plan.
struct DecisionTests {
  /// Releases that between them use every template.
  static let files = [
    "0001_start/up.sql": """
    CREATE TABLE areas (id INTEGER PRIMARY KEY, code TEXT UNIQUE, size INTEGER CHECK (size >= 0),
      area INTEGER REFERENCES areas, title TEXT, label TEXT AS (upper(title)) UNIQUE);
    CREATE UNIQUE INDEX areas_title ON areas (lower(title), code COLLATE NOCASE);
    CREATE UNIQUE INDEX areas_size ON areas (size) WHERE title IS NOT NULL;
    CREATE INDEX areas_area ON areas (area);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, area INTEGER REFERENCES areas, text TEXT);
    CREATE INDEX notes_area ON notes (area);
    CREATE TABLE visits (id INTEGER PRIMARY KEY, area INTEGER, code TEXT REFERENCES areas (code));
    CREATE INDEX visits_area ON visits (area);
    CREATE INDEX visits_code ON visits (code);
    """,
    "0001_start/areas.csv":
      "id,code,size,area,title\n1,a,1,,one\n2,b,2,1,two\n3,c,3,,three\n4,d,4,,\n5,e,5,,\n",
    "0001_start/notes.csv": "id,area,text\n1,1,one\n2,2,two\n",
    "0002_all/areas.csv": "id,code,size,area,title\n10,x,1,3,ten\n11,y,1,10,\n12,z,1,,\n",
    "0002_all/areas.update.csv":
      "id,code,size,area,title,was:code,was:size,was:area,was:title\n"
      + "1,q,9,3,Three,a,1,,one\n3,c,3,,One,c,4,,three\n",
    "0002_all/areas.delete.csv": "id,code,size,area,title\n4,d,4,,\n5,e,5,,\n",
    "0002_all/notes.update.csv": "id,area,text,was:area,was:text\n1,10,ONE,1,one\n2,2,TWO,2,two\n",
    "0002_all/notes.csv": "id,area,text\n7,10,seven\n8,12,eight\n",
    "0003_names/notes.csv": "id,area:areas.code,text\n20,q,twenty\n21,x,more\n",
    "0003_names/notes.update.csv":
      "id,area:areas.code,was:area:areas.code\n2,q,b\n",
    "0004_keys/areas.update.csv": "was:id,id\n2,3\n3,2\n10,100\n",
    "catalog.json": """
    {"tables": {"areas": {"onTaken": "moveUser", "disposable": ["visits"],
      "references": {"visits": ["area"]}}}}
    """,
  ]

  /// What the user did: an edit, a row of their own in the way, children, and a visit.
  static let user = """
    UPDATE areas SET size = 7 WHERE id = 3; INSERT INTO areas VALUES (12, 'mine', 1, NULL, NULL);
    INSERT INTO notes VALUES (100, 12, 'of mine'), (101, 1, 'of the seed''s');
    INSERT INTO visits VALUES (1, 4, 'd'), (2, 5, 'a'); DELETE FROM notes WHERE id = 2;
    """

  static func device() throws -> Device {
    let device = try Device(files)
    _ = try device.migrator().up(to: 1)
    try device.run(user)
    return device
  }

  @Test func `a row that a rule keeps lists what the release would change`() throws {
    let device = try Device([
      "0001_t/up.sql":
        "CREATE TABLE t (k TEXT PRIMARY KEY, u TEXT, x INT, z INT, y INT, CHECK (x + y < 10));",
      "0001_t/t.csv": "k,u,x,z\np,u1,1,1\n",
      "0002_t/t.update.csv": "k,u,x,z,was:u,was:x,was:z\np,u1,5,2,u1,1,1\n",
    ])
    try device.up(to: 1)
    try device.run("UPDATE t SET y = 8, z = 2")
    try device.up()
    let conflicts = try device.migrator().conflicts()
    #expect(conflicts.map(\.kind) == [.edited])
    #expect(conflicts.first?.columns.map(\.name) == ["x"])
  }

  @Test func `no row of a user's table is written before all is decided`() throws {
    let device = try Self.device()
    let app = try AppHandle(device.database)
    let observer = ObserverTests.Observer(on: app.handle)
    let early = Guarded<[Set<String>]>([])
    let isOpen = Guarded(false)
    var migrator = try LentHandleTests.lent(device)
    nonisolated(unsafe) let seen = observer
    migrator.host.reaching = { moment in
      // up.sql and the rows of earlier migrations are no matter of this one.
      if moment == .beforeRows {
        seen.forget()
        isOpen.withLock { $0 = true }
      }
      // What a trial writes after that may be taken back, and decided again.
      guard moment == .rowsDecided, isOpen.withLock({ $0 }) else { return }
      isOpen.withLock { $0 = false }
      early.withLock { $0.append(seen.tables.filter { !$0.hasPrefix("seedbed_") }) }
    }
    observer.install()
    _ = try migrator.up(on: app.handle)
    observer.remove()
    let decided = early.withLock { $0 }
    #expect(decided.count >= 3)
    #expect(decided.filter { !$0.isEmpty } == [])
  }

  @Test func `rows are written one by one only where a rule refuses some`() throws {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE calm (id INTEGER PRIMARY KEY, v INT);
      CREATE TABLE strict (id INTEGER PRIMARY KEY, v INT, mine INT, CHECK (v + mine < 10));
      """,
      "0001_t/calm.csv": "id,v\n1,1\n2,1\n3,1\n4,1\n",
      "0001_t/strict.csv": "id,v\n1,1\n2,1\n3,1\n",
      "0002_t/calm.update.csv": "id,v,was:v\n1,2,1\n2,2,1\n3,2,1\n4,2,1\n",
      "0002_t/strict.update.csv": "id,v,was:v\n1,5,1\n2,5,1\n3,5,1\n",
    ])
    try device.up(to: 1)
    try device.run("UPDATE strict SET mine = 8 WHERE id = 2")
    let app = try AppHandle(device.database)
    let trace = Trace(on: app.handle)
    let migrator = try LentHandleTests.lent(device)
    trace.install()
    _ = try migrator.up(on: app.handle)
    trace.remove()
    let updates = { (table: String) in
      trace.statements.count { $0.contains("\"\(table)\" AS t SET") }
    }
    // Once in the trial that is rolled back, and once more when the row stays as it is.
    #expect(updates("calm") == 2)
    #expect(updates("strict") == 1 + 3 + 1)
    #expect(try device.rows("SELECT v FROM calm") == ["2", "2", "2", "2"])
    #expect(try device.rows("SELECT v FROM strict") == ["5", "1", "5"])
  }

  @Test func `every statement begins at the plan`() throws {
    let device = try Self.device()
    try device.run(
      """
      ANALYZE; DELETE FROM sqlite_stat1;
      INSERT INTO sqlite_stat1 SELECT tbl_name, name, '1000000 2' FROM sqlite_schema
      WHERE type = 'index';
      INSERT INTO sqlite_stat1 SELECT name, NULL, '1000000' FROM sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite%';
      """)
    let app = try AppHandle(device.database)
    let trace = Trace(on: app.handle)
    let wrong = Guarded<[String]>([])
    let explained = Guarded(0)
    var migrator = try LentHandleTests.lent(device)
    nonisolated(unsafe) let seen = (trace: trace, app: app)
    migrator.host.reaching = { moment in
      if moment == .beforeRows { seen.trace.forget() }
      // The plan's tables are there still.
      guard moment == .rowsWritten else { return }
      for sql in Set(seen.trace.statements) where sql.contains("seedbed:") {
        guard let lines = try? seen.app.plan(of: sql) else { continue }
        explained.withLock { $0 += 1 }
        let scans = lines.filter { Self.readsTable($0) }
        if !scans.isEmpty { wrong.withLock { $0.append(([sql] + scans).joined(separator: "\n")) } }
      }
    }
    trace.install()
    _ = try migrator.up(on: app.handle)
    trace.remove()
    #expect(wrong.withLock { $0 } == [])
    #expect(explained.withLock { $0 } > 60)
    #expect(try device.rows("SELECT title FROM areas WHERE id IN (1, 2)") == ["Three", "One"])
  }

  /// Whether a step of a plan reads one of the user's tables from end to end.
  static func readsTable(_ line: String) -> Bool {
    let words = line.split(separator: " ")
    guard words.first == "SCAN", words.count > 1 else { return false }
    return ["t", "h", "m", "c", "areas", "notes", "visits"].contains(words[1])
  }

  /// Notes the SQL that a handle runs.
  final class Trace {
    /// In the order in which they ran.
    private(set) var statements: [String] = []
    private let handle: OpaquePointer

    init(on handle: OpaquePointer) { self.handle = handle }

    func install() {
      sqlite3_trace_v2(
        handle, UInt32(SQLITE_TRACE_STMT),
        { _, context, statement, _ in
          guard let sql = sqlite3_sql(OpaquePointer(statement)) else { return 0 }
          let trace = Unmanaged<Trace>.fromOpaque(context!).takeUnretainedValue()
          trace.statements.append(String(cString: sql))
          return 0
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    func remove() { sqlite3_trace_v2(handle, 0, nil, nil) }

    func forget() { statements = [] }
  }
}

extension AppHandle {
  /// The steps by which SQLite would run a statement.
  fileprivate func plan(of sql: String) throws -> [String] {
    var statement: OpaquePointer?
    let text = "EXPLAIN QUERY PLAN " + sql
    guard sqlite3_prepare_v2(handle, text, -1, &statement, nil) == SQLITE_OK else {
      throw Failure(text: String(cString: sqlite3_errmsg(handle)))
    }
    defer { sqlite3_finalize(statement) }
    var lines: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      lines.append(sqlite3_column_text(statement, 3).map { String(cString: $0) } ?? "")
    }
    return lines
  }
}
