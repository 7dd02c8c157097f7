import CSeedbedSQLite
import Foundation
import TestSupport

/// The database that a bundle meets: tables of every kind, and rows of the user in them.
enum Victim {
  static let schema = #"""
    CREATE TABLE items (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, code TEXT UNIQUE, price REAL, count INTEGER,
      flag BOOLEAN, amount NUMERIC, made DATE, data BLOB, note TEXT);
    CREATE TABLE parts (
      id INTEGER PRIMARY KEY, item INTEGER REFERENCES items (id), label TEXT);
    CREATE TABLE checked (id INTEGER PRIMARY KEY, n INTEGER CHECK (n > 0), s TEXT NOT NULL);
    CREATE TABLE pairs (a TEXT, b INTEGER, c TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE bag (a, b);
    CREATE TABLE computed (
      id INTEGER PRIMARY KEY, a INTEGER, twice AS (a * 2), thrice INTEGER AS (a * 3) STORED);
    CREATE TABLE exact (id INTEGER PRIMARY KEY, a ANY, n INT) STRICT;
    CREATE TABLE "odd name" (id INTEGER PRIMARY KEY, "a,b" TEXT, "say ""so""" TEXT);
    CREATE TABLE defaults (id INTEGER PRIMARY KEY, a TEXT DEFAULT 'none', b INTEGER DEFAULT 7);
    CREATE TABLE silent (id INTEGER PRIMARY KEY, a TEXT);
    CREATE TRIGGER hush BEFORE INSERT ON silent BEGIN SELECT RAISE(IGNORE); END;
    CREATE VIEW cheap AS SELECT * FROM items WHERE price < 1;
    CREATE VIRTUAL TABLE search USING fts5 (words);
    CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT);
    INSERT INTO items (id, name, code, note) VALUES
      (900, 'mine', 'U1', 'kept'), (901, 'own', NULL, '');
    INSERT INTO items (id, name, price) VALUES (10, 'ten', 1.5), (11, 'eleven', 2.5);
    INSERT INTO parts VALUES (900, 10, 'a user''s part');
    INSERT INTO pairs VALUES ('mine', 1, 'x');
    INSERT INTO bag VALUES (1, 2), (1, 2);
    INSERT INTO search VALUES ('a few words');
    """#

  /// The bytes of such a database, made once.
  static let image: Result<Data, any Error> = Result {
    let place = try Place(in: Place.memory)
    try Database(place.database).run(schema)
    return try Data(contentsOf: URL(fileURLWithPath: place.database))
  }

  static func place(in place: Place) throws {
    try image.get().write(to: URL(fileURLWithPath: place.database))
  }
}

/// A connection as an app opens it.
final class Database {
  private let handle: OpaquePointer

  struct Failure: Error {
    var message: String
  }

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened else { throw Failure(message: "cannot open \(path)") }
    handle = opened
    if code != SQLITE_OK { throw Failure(message: String(cString: sqlite3_errmsg(handle))) }
  }

  deinit { sqlite3_close_v2(handle) }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(message: "\(String(cString: sqlite3_errmsg(handle))): \(sql)")
    }
  }

  /// The rows of a query, their values by bars, each as SQL writes it down.
  func rows(_ sql: String) throws -> [String] {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK else {
      throw Failure(message: "\(String(cString: sqlite3_errmsg(handle))): \(sql)")
    }
    defer { sqlite3_finalize(prepared) }
    var rows: [String] = []
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW:
        let values = (0..<sqlite3_column_count(prepared)).map { column in
          sqlite3_column_text(prepared, column).map { String(cString: $0) } ?? "NULL"
        }
        rows.append(values.joined(separator: "|"))
      case SQLITE_DONE: return rows
      default: throw Failure(message: String(cString: sqlite3_errmsg(handle)))
      }
    }
  }

  /// All but the ledger: every definition and every row, told apart by type.
  func dump() throws -> [String] {
    let mine = "name NOT GLOB 'seedbed_*' AND tbl_name NOT GLOB 'seedbed_*'"
    var lines = try rows("SELECT type, name, sql FROM sqlite_schema WHERE \(mine) ORDER BY 1, 2")
    let tables = try rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND \(mine) ORDER BY 1")
    for table in tables {
      let quoted = Self.quoted(table)
      let columns = try rows("SELECT name FROM pragma_table_xinfo(\(quoted)) WHERE hidden <> 1")
      let values = columns.map { "quote(\(Self.quoted($0)))" }.joined(separator: ", ")
      // AUTOINCREMENT counts the ledger's rows too.
      let isCounter = table == "sqlite_sequence"
      let rest = isCounter ? "WHERE name NOT GLOB 'seedbed_*'" : "ORDER BY \(values)"
      lines += try rows("SELECT \(values) FROM \(quoted) \(rest)").map { "\(table) \($0)" }
    }
    return lines + (try rows("PRAGMA user_version")) + (try rows("PRAGMA application_id"))
  }

  static func quoted(_ name: String) -> String {
    "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }
}
