import CSeedbedSQLite
import Foundation
import TestSupport
import Testing

/// The built `fieldguide` with a folder of its own, gone when the test is.
final class App {
  let place: Place

  var database: String { place.path + "/" + name }
  private let name: String

  struct Outcome: Equatable {
    var output = ""
    var errors = ""
    var code: Int32 = 0
  }

  /// - Parameter name: of the database, whose file the guide makes.
  init(_ name: String = "elements.sqlite") throws {
    self.name = name
    place = try Place()
  }

  deinit { checkDatabase() }

  private func checkDatabase() {
    guard FileManager.default.fileExists(atPath: database) else { return }
    do {
      #expect(try sql("PRAGMA integrity_check") == ["ok"])
      #expect(try sql("PRAGMA foreign_key_check") == [])
    } catch {
      Issue.record("the database cannot be checked: \(error)")
    }
  }

  static let program = Child.built("fieldguide")

  func run(_ words: String...) throws -> Outcome { try start(words).wait() }

  /// Starts it with its words in files, so that no pipe can fill up.
  func start(_ words: [String], environment: [String: String]? = nil) throws -> Running {
    let names = ["out", "err"].map { place.url.appending(path: "\($0)-\(UUID())") }
    let words = environment == nil ? ["--folder", place.path] + words : words
    let child = try Child(
      [Self.program] + words, environment: environment ?? [:], output: .file(names[0].path),
      errors: .file(names[1].path))
    return Running(child: child, files: names)
  }

  struct Running {
    let child: Child
    let files: [URL]

    /// Waits while it runs until something is so; false after ten seconds.
    func waits(until isSo: () -> Bool) -> Bool {
      for _ in 0..<50_000 where child.code == nil {
        if isSo() { return true }
        usleep(200)
      }
      return false
    }

    func wait() throws -> Outcome {
      let code = child.wait()
      let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
      return Outcome(output: texts[0], errors: texts[1], code: code)
    }
  }

  // MARK: the database, as somebody else sees it

  /// Stops a guide while it updates the database, until it gets SIGCONT; false if it never did.
  func stops(_ running: Running) -> Bool {
    running.waits {
      guard FileManager.default.fileExists(atPath: database + "-wal") else { return false }
      running.child.send(SIGSTOP)
      usleep(2000)
      if (try? connection().isLocked) == true { return true }
      running.child.send(SIGCONT)
      usleep(1000)
      return false
    }
  }

  /// The first column of all rows.
  @discardableResult
  func sql(_ sql: String) throws -> [String] { try connection().values(sql) }

  func connection() throws -> Connection { try Connection(database) }

  final class Connection {
    private let handle: OpaquePointer

    init(_ path: String) throws {
      var opened: OpaquePointer?
      try #require(sqlite3_open(path, &opened) == SQLITE_OK)
      handle = try #require(opened)
      sqlite3_busy_timeout(handle, 5000)
    }

    deinit { sqlite3_close(handle) }

    /// Whether somebody else is writing, and does not keep readers out, as for a moment when the
    /// first connection opens a database or the last one closes it.
    var isLocked: Bool {
      sqlite3_busy_timeout(handle, 0)
      defer { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      return sqlite3_exec(handle, "SELECT 1 FROM sqlite_schema", nil, nil, nil) == SQLITE_OK
        && sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_BUSY
    }

    @discardableResult
    func values(_ sql: String) throws -> [String] {
      var statement: OpaquePointer?
      try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
      defer { sqlite3_finalize(statement) }
      var values: [String] = []
      while true {
        switch sqlite3_step(statement) {
        case SQLITE_ROW:
          values.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
        case SQLITE_DONE: return values
        default:
          Issue.record("\(String(cString: sqlite3_errmsg(handle)))")
          return values
        }
      }
    }
  }
}
