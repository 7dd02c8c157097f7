import Foundation
import Testing

@testable import Seedbed

/// Calls that only look leave every byte and every file as they are.
struct LookingTests {
  /// A database in a state that a process left it in.
  enum Left: String, CaseIterable, CustomTestStringConvertible {
    case deleteMode, truncateMode, walClosed, walOpen, walKilled, hotJournal, empty, foreign

    var testDescription: String {
      switch self {
      case .deleteMode: "in rollback mode"
      case .truncateMode: "with an empty journal beside it"
      case .walClosed: "in WAL mode, closed cleanly"
      case .walOpen: "in WAL mode, open in another connection"
      case .walKilled: "in WAL mode, killed with rows in the log"
      case .hotJournal: "with a hot journal"
      case .empty: "an empty file"
      case .foreign: "without a ledger"
      }
    }

    var state: Migrator.Status.State {
      switch self {
      case .hotJournal: .needsRecovery
      case .empty, .foreign: .pending
      default: .upToDate
      }
    }
  }

  static func everything(in device: Device) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for file in try FileManager.default.subpathsOfDirectory(atPath: device.path) {
      contents[file] = FileManager.default.contents(atPath: "\(device.path)/\(file)") ?? Data()
    }
    return contents
  }

  /// In another process: begins a transaction, has it spilled to the file, and is killed.
  static func die(in path: String, _ journal: String) {
    guard let connection = try? Connection(path, .readWrite, setup: nil) else { return }
    try? connection.executeAll(
      """
      PRAGMA journal_mode = \(journal); PRAGMA cache_size = 5; PRAGMA wal_autocheckpoint = 0;
      BEGIN;
      INSERT INTO mine WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000)
      SELECT i || ' some words that take room' FROM n;
      """)
    if journal == "wal" { try? connection.executeAll("COMMIT") }
    kill(getpid(), SIGKILL)
  }

  /// `held` keeps a connection open for as long as the test looks.
  static func prepare(_ left: Left) async throws -> (device: Device, held: Connection?) {
    let device = try CommitTests.device([.walClosed, .walOpen].contains(left) ? "wal" : "delete")
    if left != .foreign, left != .empty { try device.up() }
    try? FileManager.default.removeItem(atPath: device.database + ".backups")
    switch left {
    case .deleteMode, .walClosed, .foreign: return (device, nil)
    case .empty:
      try Data().write(to: URL(fileURLWithPath: device.database))
      return (device, nil)
    case .truncateMode:
      try Data().write(to: URL(fileURLWithPath: device.database + "-journal"))
      return (device, nil)
    case .walOpen:
      let connection = try device.open()
      try connection.executeAll("INSERT INTO mine VALUES (2)")
      return (device, connection)
    case .walKilled, .hotJournal:
      let journal = left == .walKilled ? "wal" : "delete"
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = device.database as String, journal = journal as String] in
        LookingTests.die(in: path, journal)
      }
      return (device, nil)
    }
  }

  @Test(arguments: Left.allCases)
  func `a look changes nothing in a database`(_ left: Left) async throws {
    let (device, held) = try await Self.prepare(left)
    let before = try Self.everything(in: device)
    let migrator = try device.migrator()
    let status = try migrator.status()
    #expect(status.state == left.state)
    #expect(status.current == (left.state == .upToDate ? 2 : 0))
    if left == .hotJournal {
      #expect(status.migrations == [])
      #expect(status.lastRun == nil)
      let error = #expect(throws: SeedbedError.self) { try migrator.conflicts() }
      #expect(error?.code == .io && error?.remedies == [.apply])
      #expect(
        error?.message == "'\(device.database)' needs recovery: a process died inside a "
          + "transaction. The next run rolls it back.")
    } else {
      #expect(try migrator.conflicts() == [])
      #expect(try migrator.verify() == [])
    }
    #expect(try migrator.backups() == [])
    let after = try Self.everything(in: device)
    #expect(after.keys.sorted() == before.keys.sorted())
    for (file, data) in before {
      // Readers of a WAL mark themselves in the shared memory, as SQLite has it.
      #expect(file.hasSuffix("-shm") || after[file] == data, "\(file)")
    }
    withExtendedLifetime(held) {}
    try device.up()
    #expect(try device.migrator().status().state == .upToDate)
  }

  /// What status says to a user who may read everything and write nothing.
  private static func look(in path: String, _ expected: String) {
    guard setegid(65_534) == 0, seteuid(65_534) == 0 else { _exit(3) }
    do {
      let catalog = try Catalog(directory: path + "/Migrations")
      let status = try Migrator(catalog: catalog, at: path + "/app.sqlite").status()
      _exit(status.state.rawValue == expected ? 0 : 4)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      _exit(5)
    }
  }

  @Test(
    .enabled(if: getuid() == 0, "another user is needed, to whom the folder is not writable"),
    arguments: [Left.deleteMode, .walClosed, .walOpen, .walKilled, .hotJournal, .foreign])
  func `a look into a folder without write permission, at a database`(_ left: Left) async throws {
    let (device, held) = try await Self.prepare(left)
    let before = try Self.everything(in: device)
    chmod(device.path, 0o555)
    await #expect(processExitsWith: .success) {
      [path = device.path as String, state = left.state.rawValue as String] in
      LookingTests.look(in: path, state)
    }
    #expect(try Self.everything(in: device).keys.sorted() == before.keys.sorted())
    chmod(device.path, 0o755)
    withExtendedLifetime(held) {}
  }

  /// What `up` says there. `_exit`, since another user may not look for leaks in our process.
  private static func refuse(in path: String) {
    guard setegid(65_534) == 0, seteuid(65_534) == 0 else { _exit(3) }
    do {
      let catalog = try Catalog(directory: path + "/Migrations")
      _ = try Migrator(catalog: catalog, at: path + "/app.sqlite").up()
      _exit(4)
    } catch {
      _exit(error.code == .io && error.isDatabaseUnchanged ? 0 : 5)
    }
  }

  @Test(
    .enabled(if: getuid() == 0, "another user is needed, to whom the folder is not writable"),
    arguments: [Left.deleteMode, .walClosed, .foreign])
  func `up in a folder without write permission is an error, in a database`(_ left: Left)
    async throws
  {
    let (device, _) = try await Self.prepare(left)
    try device.write(["0003_t/t.csv": "a,v\n9,z\n"])
    let before = try Self.everything(in: device)
    chmod(device.path, 0o555)
    await #expect(processExitsWith: .success) { [path = device.path as String] in
      LookingTests.refuse(in: path)
    }
    #expect(try Self.everything(in: device) == before)
    chmod(device.path, 0o755)
  }

  @Test func `no database: all is pending, and none is made`() throws {
    let device = try Device(CommitTests.files)
    let status = try device.migrator().status()
    #expect(status.state == .pending)
    #expect(status.current == 0)
    #expect(status.target == 2)
    #expect(status.migrations.map(\.state) == [.pending, .pending])
    let error = #expect(throws: SeedbedError.self) { try device.migrator().conflicts() }
    #expect(
      error?.message == """
        There is no database at '\(device.database)'. Name another, or create it.
        """)
    #expect(throws: SeedbedError.self) { try device.migrator().verify() }
    #expect(throws: SeedbedError.self) { try device.migrator().pruneConflicts() }
    #expect(!FileManager.default.fileExists(atPath: device.database))
  }

  static let strangers = ["text that is no database, and long enough", "SQLite format 3\0 or not"]

  @Test(arguments: strangers)
  func `a file that is no database is refused and left alone`(_ content: String) throws {
    let device = try Device(CommitTests.files)
    device.isChecked = false
    let bytes = Data((content + String(repeating: ".", count: 2000)).utf8)
    try bytes.write(to: URL(fileURLWithPath: device.database))
    for _ in 0..<2 {
      #expect(try device.failure().code == .corrupt)
      let error = #expect(throws: SeedbedError.self) { try device.migrator().status() }
      #expect(error?.code == .corrupt)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: device.database)) == bytes)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: device.path).sorted()
        == ["Migrations", "app.sqlite"])
  }

  @Test func `a database of Core Data is refused with the reason`() throws {
    let device = try Device(CommitTests.files, app: "CREATE TABLE Z_METADATA (Z_VERSION INTEGER)")
    let before = try Self.everything(in: device)
    let error = try device.failure()
    #expect(error.code == .foreignDatabase)
    #expect(
      error.message == """
        '\(device.database)' belongs to Core Data (it has the table Z_METADATA), which keeps its \
        own account of its file. Ship the rows through Core Data, or use a file of your own.
        """)
    #expect(throws: SeedbedError.self) { try device.migrator().status() }
    #expect(try Self.everything(in: device) == before)
  }

  @Test func `a database that must exist is not made, and neither is its folder`() throws {
    let device = try Device(CommitTests.files)
    let missing = #expect(throws: SeedbedError.self) {
      try device.migrator().up(createsDatabase: false)
    }
    #expect(
      missing?.message == """
        There is no database at '\(device.database)'. Name another, or create it.
        """)
    let migrator = Migrator(
      catalog: try Catalog(directory: device.catalog), at: device.path + "/no/app.db")
    let error = #expect(throws: SeedbedError.self) { try migrator.up() }
    #expect(
      error?.message == """
        There is no folder '\(device.path)/no' for the database 'app.db'. Create the folder first.
        """)
    #expect(!FileManager.default.fileExists(atPath: device.database))
  }
}
