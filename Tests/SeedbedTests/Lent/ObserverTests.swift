import CSeedbedSQLite
import Testing

@testable import Seedbed

/// What hooks on a lent handle hear of.
struct ObserverTests {
  /// Notes the tables of the rows that change while it is installed.
  final class Observer {
    private(set) var tables: Set<String> = []
    private let handle: OpaquePointer

    init(on handle: OpaquePointer) { self.handle = handle }

    func install() {
      sqlite3_update_hook(
        handle,
        { context, _, schema, table, _ in
          guard let table, schema.map({ String(cString: $0) }) == "main" else { return }
          let observer = Unmanaged<Observer>.fromOpaque(context!).takeUnretainedValue()
          observer.tables.insert(String(cString: table))
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    func remove() { sqlite3_update_hook(handle, nil, nil) }

    func forget() { tables = [] }
  }

  static let files = [
    "0001_t/up.sql": """
    CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT); CREATE TABLE log (id); CREATE TABLE sum (n);
    CREATE TRIGGER t_log AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.id); END;
    """,
    "0001_t/t.csv": "id,n\n1,a\n2,b\n",
    "0002_t/t.csv": "id,n\n3,c\n",
    "0002_t/t.update.csv": "id,n,was:n\n1,A,a\n",
    "0002_t/t.delete.csv": "id,n\n2,b\n",
    "0002_t/after.sql": "INSERT INTO sum SELECT count(*) FROM t;",
  ]

  /// As GRDB does it: a hook around each of the app's own statements, and none between them.
  private static func run(_ sql: String, _ app: AppHandle, observedBy observer: Observer) throws {
    observer.install()
    defer { observer.remove() }
    try app.run(sql)
  }

  private static func migrate(_ device: Device, _ app: AppHandle, isInside: Bool) throws
    -> Migrator.Report
  {
    let migrator = try LentHandleTests.lent(device)
    guard isInside else { return try migrator.up(on: app.handle) }
    try app.run("BEGIN")
    defer { try? app.run("COMMIT") }
    return try migrator.applyIfPending(2, on: app.handle)
  }

  @Test(arguments: [false, true])
  func `a hook around the app's statements hears nothing, and the report has it all`(
    isInside: Bool
  ) throws {
    let device = try Device(Self.files)
    let app = try AppHandle(device.database, setup: "CREATE TABLE own (a)")
    _ = try LentHandleTests.lent(device).up(on: app.handle, to: 1)
    let observer = Observer(on: app.handle)
    try Self.run("INSERT INTO own VALUES (1)", app, observedBy: observer)
    #expect(observer.tables == ["own"])
    observer.forget()
    let report = try Self.migrate(device, app, isInside: isInside)
    try Self.run("INSERT INTO own VALUES (2)", app, observedBy: observer)
    #expect(observer.tables == ["own"], "no table of Seedbed's")
    #expect(report.touchedTables == ["log", "sum", "t"])
  }

  @Test(arguments: [false, true])
  func `a hook that stays hears of the tables that the report has`(isInside: Bool) throws {
    let device = try Device(Self.files)
    let app = try AppHandle(device.database, setup: "CREATE TABLE own (a)")
    _ = try LentHandleTests.lent(device).up(on: app.handle, to: 1)
    let observer = Observer(on: app.handle)
    observer.install()
    let report = try Self.migrate(device, app, isInside: isInside)
    observer.remove()
    let seen = observer.tables.filter { !$0.hasPrefix("seedbed_") && !$0.hasPrefix("sqlite_") }
    #expect(seen.sorted() == report.touchedTables)
  }
}
