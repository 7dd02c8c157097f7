import Testing

@testable import Seedbed

/// A row that was left to the user is still theirs when the seed gives it another key.
struct RenamedLeftKeyTests {
  @Test func `a row that the user deleted stays away under its new key`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);",
      "0001_t/t.csv": "id,name\n1,one\n2,two\n",
      "0002_t/t.update.csv": "id,name,was:name\n2,due,two\n",
      "0003_t/t.update.csv": "was:id,id\n2,20\n",
      "0004_t/t.update.csv": "id,name,was:name\n20,zwei,due\n",
      "0005_t/t.delete.csv": "id,name\n20,zwei\n",
    ])
    try device.up(to: 1)
    try device.run("DELETE FROM t WHERE id = 2")
    #expect(try device.up(to: 2).counts.left == 0)
    #expect(try device.migrator().userOwnedKeys().map(\.key) == [["id": 2]])
    let again = try device.up(to: 3).counts
    #expect(again.kept == 1 && again.left == 1)
    #expect(try device.migrator().userOwnedKeys().map(\.key) == [["id": 20]])
    // A row of the user's own under the new key is not the seed's.
    try device.run("INSERT INTO t VALUES (20, 'mine')")
    try device.up()
    #expect(try device.rows("SELECT * FROM t") == ["1|one", "20|mine"])
  }

  @Test func `and so do rows that follow it`() throws {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE c (t INTEGER REFERENCES t (id), n INTEGER, x TEXT, PRIMARY KEY (t, n));
      """,
      "0001_t/t.csv": "id,name\n1,one\n2,two\n",
      "0001_t/c.csv": "t,n,x\n1,1,a\n2,1,b\n2,2,c\n",
      "0002_t/c.delete.csv": "t,n,x\n2,1,b\n",
      "0003_t/t.update.csv": "was:id,id\n2,20\n",
      "0004_t/c.csv": "t,n,x\n20,1,new\n",
    ])
    try device.up(to: 1)
    try device.run("UPDATE c SET x = 'mine' WHERE t = 2 AND n = 1")
    try device.up(to: 2)
    #expect(try device.migrator().userOwnedKeys().map(\.key) == [["t": 2, "n": 1]])
    try device.up()
    #expect(try device.migrator().userOwnedKeys().map(\.key) == [["t": 20, "n": 1]])
    #expect(try device.rows("SELECT * FROM c ORDER BY 1, 2") == ["1|1|a", "20|1|mine", "20|2|c"])
  }
}
