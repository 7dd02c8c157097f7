import CSeedbedSQLite
import Foundation
import Testing

/// The built `fieldguide` with a folder of its own, gone when the test is.
final class App {
  let folder: URL

  var database: String { folder.appending(path: "elements.sqlite").path }

  struct Outcome: Equatable {
    var output = ""
    var errors = ""
    var code: Int32 = 0
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "fieldguide-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    checkDatabase()
    try? FileManager.default.removeItem(at: folder)  // What stays is in the temporary folder.
  }

  private func checkDatabase() {
    guard FileManager.default.fileExists(atPath: database) else { return }
    do {
      #expect(try sql("PRAGMA integrity_check") == ["ok"])
      #expect(try sql("PRAGMA foreign_key_check") == [])
    } catch {
      Issue.record("the database cannot be checked: \(error)")
    }
  }

  /// Beside the test bundle in the build folder.
  static let program: URL = {
    #if os(Linux)
      let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    #else
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
    #endif
    return URL(fileURLWithPath: bundle ?? "").deletingLastPathComponent()
      .appending(path: "fieldguide")
  }()

  func run(_ words: String...) throws -> Outcome { try start(words).wait() }

  /// Starts it with its words in files, so that no pipe can fill up.
  func start(_ words: [String], environment: [String: String]? = nil) throws -> Running {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = environment == nil ? ["--folder", folder.path] + words : words
    process.environment = environment ?? [:]
    process.standardInput = FileHandle.nullDevice
    let names = ["out", "err"].map { folder.appending(path: "\($0)-\(UUID())") }
    for name in names { try Data().write(to: name) }
    process.standardOutput = try FileHandle(forWritingTo: names[0])
    process.standardError = try FileHandle(forWritingTo: names[1])
    try process.run()
    return Running(process: process, files: names)
  }

  struct Running {
    let process: Process
    let files: [URL]

    /// Waits while it runs until something is so; false after ten seconds.
    func waits(until isSo: () -> Bool) -> Bool {
      for _ in 0..<50_000 where process.isRunning {
        if isSo() { return true }
        usleep(200)
      }
      return false
    }

    func wait() throws -> Outcome {
      process.waitUntilExit()
      let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
      let isExit = process.terminationReason == .exit
      return Outcome(
        output: texts[0], errors: texts[1],
        code: isExit ? process.terminationStatus : -process.terminationStatus)
    }
  }

  // MARK: the database, as somebody else sees it

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
