import Testing

@testable import Seedbed

/// GRDB's `eraseDatabaseOnSchemaChange` ignores what is called `sqlite_…` and `grdb_…`.
struct LedgerNameTests {
  @Test(arguments: [false, true])
  func `all of a ledger can have names that GRDB ignores`(isLent: Bool) throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);",
      "0001_t/t.csv": "id,n\n1,a\n2,b\n",
    ])
    device.options.ledger = "grdb_seedbed"
    try device.up()
    try device.write(["0002_t/t.csv": "id,n\n3,c\n"])
    try device.run("INSERT INTO t VALUES (3, 'mine')")
    let migrator = try device.migrator()
    #expect(try migrator.plan().migrations.map(\.conflictCount) == [1])
    if isLent {
      var lent = try LentHandleTests.lent(device)
      lent.options.ledger = "grdb_seedbed"
      let app = try AppHandle(device.database)
      #expect(try lent.up(on: app.handle).outcome == .applied)
      #expect(try lent.up(on: app.handle).outcome == .upToDate)
      #expect(try lent.with(app.handle) { try $0.outlook() } == .upToDate)
    } else {
      #expect(try device.up().outcome == .applied)
      #expect(try device.up().outcome == .upToDate)
    }
    #expect(try migrator.status().state == .upToDate)
    #expect(try device.conflicts().count == 1)
    #expect(try migrator.verify() == [])
    let others = try device.rows(
      """
      SELECT name FROM sqlite_schema WHERE name NOT LIKE 'grdb\\_%' ESCAPE '\\'
        AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      """)
    #expect(others == ["t"])
  }
}
