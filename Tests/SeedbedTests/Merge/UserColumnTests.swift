import Testing

@testable import Seedbed

struct UserColumnTests {
  /// > The "IS TRUE" operator: 5 IS TRUE.
  @Test(arguments: [
    ("TRUE", "5", false), ("TRUE", "1", true), ("(true)", "2", false), ("FALSE", "'mine'", false),
    ("FALSE", "0", true),
  ])
  func `a retired row stays where a user column is not at its TRUE or FALSE`(
    value: String, mine: String, goes: Bool
  ) throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, word, flag DEFAULT \(value));",
      "0001_t/t.csv": "id,word\n1,one\n", "0002_t/t.delete.csv": "id,word\n1,one\n",
    ])
    _ = try device.migrator().up(to: 1)
    try device.run("UPDATE t SET flag = \(mine)")
    _ = try device.migrator().up()
    #expect(try device.rows("SELECT count(*) FROM t") == [goes ? "0" : "1"])
  }
}
