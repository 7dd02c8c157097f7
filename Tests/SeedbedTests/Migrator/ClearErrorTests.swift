import Foundation
import TestSupport
import Testing

@testable import Seedbed

/// Errors that say where to look, and blame nobody who cannot have done it.
struct ClearErrorTests {
  @Test func `verify says what is damaged, even if it cannot read to the end`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT);",
      "0001_t/t.csv": "id,word\n" + (1...2000).map { "\($0),a word \($0)\n" }.joined(),
    ])
    device.isChecked = false
    try device.up()
    let count = try #require(Int(device.rows("PRAGMA page_count")[0]))
    let file = try #require(FileHandle(forUpdatingAtPath: device.database))
    for number in [count - 3, count - 2] {
      try file.seek(toOffset: UInt64((number - 1) * 4096))
      try file.write(contentsOf: Data(repeating: 0xFF, count: 4096))
    }
    try file.close()
    let found = try device.migrator().verify()
    #expect(!found.isEmpty && found.allSatisfy { $0.code == .corrupt }, "\(found)")
    #expect(found[0].message.hasPrefix("The database is damaged: "))
    #expect(!found[0].message.contains("PRAGMA"), "\(found)")
  }

  @Test(arguments: ["", ":memory:", "x\0y", "file:x?mode=memory&cache=shared"])
  func `a path that names no file`(_ path: String) throws {
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY);"])
    let migrator = try Migrator(catalog: Catalog(directory: device.catalog), at: path)
    let error = #expect(throws: SeedbedError.self) { try migrator.up() }
    #expect(error?.code == .usage)
    #expect(error?.message.hasPrefix("A database needs the path of a file, and not '") == true)
    #expect(path.isEmpty || !Paths.exists(path))
  }

  /// What is at the path of a database, and what it is called.
  @Test(arguments: [("pipe", "a named pipe"), ("socket", "a socket"), ("device", "a device")])
  func `nothing waits for what is no file`(_ name: String, _ what: String) throws {
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY);"])
    device.isChecked = false
    let path = try Oddities(in: device.path).path(name)
    // Whoever does not look before would read nothing from it, in place of waiting for ever.
    let held = open(path, O_RDWR | O_NONBLOCK)
    defer { close(held) }
    let migrator = try Migrator(catalog: Catalog(directory: device.catalog), at: path)
    let shown = Paths.absolute(path)
    let calls: [(String, () throws -> Void)] = [
      ("up", { _ = try migrator.up() }), ("plan", { _ = try migrator.plan() }),
      ("status", { _ = try migrator.status() }), ("verify", { _ = try migrator.verify() }),
      ("outlook", { _ = try migrator.outlook() }),
      ("conflicts", { _ = try migrator.conflicts() }),
      ("down", { _ = try migrator.down(to: 0) }), ("reseed", { _ = try migrator.reseed("t") }),
      ("baseline", { _ = try migrator.baseline(at: 1) }),
      ("pruneConflicts", { _ = try migrator.pruneConflicts() }),
    ]
    for (call, body) in calls {
      let error = #expect(throws: SeedbedError.self, "\(call)") { try body() }
      #expect(error?.code == .io, "\(call)")
      #expect(
        error?.message == "'\(shown)' is \(what), not a file. Name the database's file.", "\(call)")
    }
    let restored = #expect(throws: SeedbedError.self) { try device.migrator().restore(path) }
    #expect(
      restored?.message.contains("is \(what), not a file.") == true, "\(restored?.message ?? "")")
  }

  @Test func `what COMMIT refuses names the migration's folder`() throws {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p);
      INSERT INTO p VALUES (1); INSERT INTO c VALUES (1, 1);
      """,
      "0002_less/up.sql": "DELETE FROM p;",
    ])
    try device.up(to: 1)
    #expect(try device.failure().description.hasPrefix("0002_less"))
  }

  @Test func `a row that breaks a rule of a table of the same run is the author's`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT NOT NULL);",
      "0001_t/t.csv": "id,word\n1,one\n",
      "0002_more/t.csv": "id,word\n2,\n",
    ])
    let whole = try device.failure()
    #expect(!whole.message.contains("was changed in this database"), "\(whole.message)")
    try device.up(to: 1)
    let later = try device.failure()
    #expect(later.message.contains("was changed in this database after 0001_t filled it"))
  }
}
