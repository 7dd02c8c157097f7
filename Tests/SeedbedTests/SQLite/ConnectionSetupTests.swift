import CSeedbedSQLite
import Testing

@testable import Seedbed

/// What `MigrateCommand.main(configure:)` hands on: a program with functions of its own.
struct ConnectionSetupTests {
  private static let files = [
    "0001_t/up.sql": """
    CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT CHECK (of_the_setup_test(word)));
    """,
    "0001_t/t.csv": "id,word\n1,one\n",
  ]

  @Test func `every connection has the program's functions`() throws {
    let device = try Device(Self.files)
    device.isChecked = false  // only such a program can
    #expect(try device.failure().code == .needsConnection)
    let setup: ConnectionSetup.Closure = { handle in
      sqlite3_create_function_v2(
        handle, "of_the_setup_test", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
        { context, _, _ in sqlite3_result_int(context, 1) }, nil, nil, nil)
    }
    let report = try ConnectionSetup.with(setup) { try device.up() }
    #expect(report.migrations.count == 1)
    let findings = try ConnectionSetup.with(setup) { try device.migrator().verify() }
    #expect(findings == [])
  }

  @Test func `the last of very many connections calls it as directly as the first`() throws {
    let connection = try Connection(":memory:", .memory)
    let depths = Guarded<[Int]>([])
    let setup: ConnectionSetup.Closure = { [mine = Int(bitPattern: connection.handle)] handle in
      sqlite3_create_function_v2(
        handle, "of_the_setup_test", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
        { context, _, _ in sqlite3_result_int(context, 1) }, nil, nil, nil)
      // Where this stands on the stack, with the frames of all callers before it.
      guard Int(bitPattern: handle) == mine else { return }
      withUnsafePointer(to: handle) { place in
        depths.withLock { $0.append(Int(bitPattern: place)) }
      }
    }
    try ConnectionSetup.with(setup) {
      for _ in 0..<500 { try ConnectionSetup.run(on: connection.handle) }
    }
    let found = depths.withLock { $0 }
    #expect(found.count == 500)
    #expect(Set(found).count == 1)
  }
}
