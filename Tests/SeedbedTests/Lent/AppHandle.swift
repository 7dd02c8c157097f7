import CSeedbedSQLite
import Testing

@testable import Seedbed

/// A handle as an app has it, with all that an app may install on it.
final class AppHandle {
  private(set) var handle: OpaquePointer
  private let asked = Guarded(0)

  /// Whether SQL has a function that loads extensions, which is refused. Apple's SQLite has none.
  static let canLoadExtensions = sqlite3_compileoption_used("OMIT_LOAD_EXTENSION") == 0

  init(_ path: String, vfs: String? = nil, flags: Int32 = 0, setup: String = "") throws {
    var opened: OpaquePointer?
    let flags = flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    guard sqlite3_open_v2(path, &opened, flags, vfs) == SQLITE_OK, let opened else {
      throw Failure(text: path)
    }
    handle = opened
    sqlite3_busy_timeout(handle, 250)
    if !setup.isEmpty { try run(setup) }
  }

  deinit { sqlite3_close_v2(handle) }

  struct Failure: Error { var text: String }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(text: String(cString: sqlite3_errmsg(handle)))
    }
  }

  /// The first column of all rows.
  func values(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Failure(text: String(cString: sqlite3_errmsg(handle)))
    }
    defer { sqlite3_finalize(statement) }
    var values: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      values.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
    }
    return values
  }

  /// `shout(text)`, the collation `SHOUTED`, and an authorizer that counts and forbids `secret`.
  func installAll() {
    sqlite3_create_function_v2(
      handle, "shout", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, arguments in
        let text = arguments?[0].flatMap { sqlite3_value_text($0) }.map { String(cString: $0) }
        sqlite3_result_text(
          context, (text ?? "").uppercased(), -1,
          unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      }, nil, nil, nil)
    sqlite3_create_collation_v2(
      handle, "SHOUTED", SQLITE_UTF8, nil,
      { _, firstCount, first, secondCount, second in
        func text(_ bytes: UnsafeRawPointer?, _ count: Int32) -> String {
          String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
            .uppercased()
        }
        let (left, right) = (text(first, firstCount), text(second, secondCount))
        return left < right ? -1 : left == right ? 0 : 1
      }, nil)
    sqlite3_set_authorizer(
      handle,
      { context, action, name, _, _, _ in
        let app = Unmanaged<AppHandle>.fromOpaque(context!).takeUnretainedValue()
        app.asked.withLock { $0 += 1 }
        let isSecret = action == SQLITE_READ && name.map { String(cString: $0) } == "secret"
        return isSecret ? SQLITE_DENY : SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// How often the app's authorizer was asked.
  var timesAsked: Int { asked.withLock { $0 } }

  /// Everything of a handle that a call could leave changed.
  func state() throws -> [String] {
    let pragmas = [
      "foreign_keys", "defer_foreign_keys", "synchronous", "cache_size", "temp_store", "mmap_size",
      "journal_mode", "wal_autocheckpoint", "recursive_triggers", "legacy_alter_table",
      "ignore_check_constraints", "busy_timeout", "cell_size_check", "trusted_schema",
      "query_only", "read_uncommitted", "locking_mode", "secure_delete",
    ]
    var state = try pragmas.map { "\($0)=\(try values("PRAGMA \($0)"))" }
    for option in SQLITE_DBCONFIG_ENABLE_FKEY...SQLITE_DBCONFIG_TRUSTED_SCHEMA {
      state.append("\(option)=\(seedbed_db_config_state(handle, option))")
    }
    state.append("rowid=\(sqlite3_last_insert_rowid(handle))")
    state.append("transaction=\(sqlite3_get_autocommit(handle) == 0)")
    state += try values("SELECT name FROM temp.sqlite_schema")
    state += try values("SELECT name FROM pragma_module_list WHERE name GLOB 'seedbed*'")
    state += try values("SELECT file FROM pragma_database_list")
    return state
  }
}
