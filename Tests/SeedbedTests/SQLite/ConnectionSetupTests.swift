import CSeedbedSQLite
import Testing

@testable import Seedbed

/// What `MigrateCommand.main(configure:)` hands on: a program with functions of its own.
@Suite(.serialized) struct ConnectionSetupTests {
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
    ConnectionSetup.install { handle in
      sqlite3_create_function_v2(
        handle, "of_the_setup_test", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
        { context, _, _ in sqlite3_result_int(context, 1) }, nil, nil, nil)
    }
    #expect(try device.up().migrations.count == 1)
    #expect(try device.migrator().verify() == [])
  }
}
