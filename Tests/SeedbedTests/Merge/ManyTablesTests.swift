import TestSupport
import Testing

@testable import Seedbed

/// 60 tables in one migration, and more foreign keys in one table than SQLite joins tables.
struct ManyTablesTests {
  private static let count = 60

  /// Each table refers to the one before it, and to one further back.
  private static var schema: String {
    (1...count).map { table in
      let parents = [table - 1, table / 2].filter { $0 > 0 && $0 < table }
      let keys = Set(parents).sorted().map { "p\($0) INTEGER REFERENCES t\($0) (id)" }
      return "CREATE TABLE t\(table) (id INTEGER PRIMARY KEY, a TEXT UNIQUE"
        + keys.map { ", " + $0 }.joined() + ");\n"
    }.joined()
  }

  private static var down: String {
    (1...count).reversed().map { "DROP TABLE t\($0);\n" }.joined()
  }

  private static func parents(_ table: Int) -> [Int] {
    Set([table - 1, table / 2].filter { $0 > 0 && $0 < table }).sorted()
  }

  /// Four rows; each refers to the rows of its number.
  private static func insert(_ table: Int, _ ids: [Int]) -> String {
    let names = ["id", "a"] + parents(table).map { "p\($0)" }
    let rows = ids.map { id in
      (["\(id)", "t\(table)r\(id)"] + parents(table).map { _ in "\(id)" }).joined(separator: ",")
    }
    return ([names.joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
  }

  private static func device() throws -> Device {
    var files = ["1_first/up.sql": schema, "1_first/down.sql": down]
    for table in 1...count { files["1_first/t\(table).csv"] = insert(table, [1, 2, 3, 4]) }
    let device = try Device(files)
    try device.up()
    return device
  }

  @Test func `all are filled, changed, emptied and taken back`() throws {
    let device = try Self.device()
    #expect(try device.ledger() == ["1|applied|240|0|0|0|0"])
    let first = try device.dump()
    for table in 1...Self.count {
      let update =
        "id,a,was:a\n1,t\(table)new,t\(table)r1\n2,t\(table)r3,t\(table)r2\n"
        + "3,t\(table)r2,t\(table)r3\n"
      try device.write([
        "2_next/t\(table).update.csv": update,
        "2_next/t\(table).delete.csv": Self.insert(table, [4]),
        "2_next/t\(table).csv": Self.insert(table, [5, 6]),
      ])
    }
    let report = try device.up()
    #expect(report.migrations[0].tables.count == Self.count)
    #expect(report.migrations[0].tables.allSatisfy { $0.counts.line == "+2 ~3 -1 =0 kept 0" })
    #expect(report.migrations[0].conflicts.isEmpty)
    #expect(
      try device.rows("SELECT * FROM t60") == [
        "1|t60new|1|1", "2|t60r3|2|2", "3|t60r2|3|3", "5|t60r5|5|5", "6|t60r6|6|6",
      ])
    try device.down(to: 1)
    #expect(try device.dump() == first)
    try device.down(to: 0)
    #expect(try device.dump() == [])
    #expect(try device.up().migrations.count == 2)
  }

  @Test func `one row of a user keeps a row of each`() throws {
    let device = try Self.device()
    try device.run("CREATE TABLE mine (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t60)")
    try device.run("INSERT INTO mine VALUES (1, 4)")
    let before = try device.dump()
    for table in 1...Self.count {
      try device.write(["2_next/t\(table).delete.csv": Self.insert(table, [3, 4])])
    }
    let report = try device.up()
    #expect(report.migrations[0].tables.allSatisfy { $0.counts.line == "+0 ~0 -1 =0 kept 1" })
    #expect(try device.migrator().conflicts().map(\.kind).filter { $0 == .referenced }.count == 60)
    try device.down(to: 1)
    #expect(try device.dump() == before)
  }

  @Test func `a user's rows move in all of them`() throws {
    let device = try Self.device()
    for table in 1...Self.count {
      let values = ["5", "'mine\(table)'"] + Self.parents(table).map { _ in "5" }
      try device.run("INSERT INTO t\(table) VALUES (\(values.joined(separator: ", ")))")
      try device.write(["2_next/t\(table).csv": Self.insert(table, [5])])
    }
    let before = try device.dump()
    let report = try device.up(onTaken: .moveUser)
    #expect(report.migrations[0].tables.allSatisfy { $0.counts.line == "+1 ~0 -0 =0 kept 0" })
    #expect(report.migrations[0].conflicts.allSatisfy { $0.resolution == .moved })
    #expect(
      try device.rows("SELECT * FROM t60 WHERE id > 4") == ["5|t60r5|5|5", "6|mine60|6|6"])
    // They stay where they are.
    try device.down(to: 1)
    #expect(try device.dump().count == before.count)
    for table in 1...Self.count {
      let row = ["6", "mine\(table)"] + Self.parents(table).map { _ in "6" }
      let found = try device.rows("SELECT * FROM t\(table) WHERE id > 4")
      #expect(found == [row.joined(separator: "|")])
    }
  }

  @Test func `60 files serve one table`() throws {
    let device = try Device([
      "1_first/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE);\n"
    ])
    for file in 1...Self.count {
      try device.write(["1_first/t.n\(file)~.csv": "id,a\n\(file),x\(file)\n\(file + 100),\n"])
    }
    try device.up()
    try device.run("UPDATE t SET a = 'mine' WHERE id = 7; INSERT INTO t VALUES (207, 'user')")
    let before = try device.dump()
    for file in 1...Self.count {
      let next = file % Self.count + 1
      try device.write([
        "2_next/t.n\(file)~.update.csv": "id,a,was:a\n\(file),x\(next),x\(file)\n",
        "2_next/t.n\(file)~.delete.csv": "id,a\n\(file + 100),\n",
        "2_next/t.n\(file)~.csv": "id,a\n\(file + 200),y\(file)\n",
      ])
    }
    #expect(try device.up().lines == ["2 t +59 ~59 -60 =0 kept 2"])
    #expect(
      try device.migrator().conflicts().map { "\($0.key.json) \($0.kind)" } == [
        #"{"id":7} edited"#, #"{"id":207} keyTaken"#,
      ])
    try device.down(to: 1)
    #expect(try device.dump() == before)
  }

  // MARK: many foreign keys

  @Test(arguments: Seeds.areMany ? [70, 350] : [70])
  func `many foreign keys in one table`(_ count: Int) throws {
    let keys = (1...count).map { "k\($0)" }
    let columns = keys.map { "\($0) INTEGER REFERENCES p (id)" }.joined(separator: ", ")
    let header = keys.joined(separator: ",")
    func row(_ id: Int, _ parents: [Int: Int] = [:], other: Int) -> String {
      "\(id)," + (1...count).map { "\(parents[$0] ?? other)" }.joined(separator: ",")
    }
    let device = try Device([
      "1_first/up.sql": "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);\n"
        + "CREATE TABLE c (id INTEGER PRIMARY KEY, \(columns));\n",
      "1_first/p.csv": "id,code\n1,one\n2,two\n3,three\n",
      "1_first/c.csv": "id,\(header)\n\(row(1, other: 1))\n\(row(2, other: 2))\n",
    ])
    try device.up()
    try device.run("DELETE FROM p WHERE id = 3; INSERT INTO p VALUES (4, 'mine')")
    let before = try device.dump()
    let update = "id,\(header)," + keys.map { "was:" + $0 }.joined(separator: ",")
    let ones = keys.map { _ in "1" }.joined(separator: ",")
    try device.write([
      "2_next/p.csv": "id,code\n4,four\n5,five\n",
      "2_next/c.update.csv": "\(update)\n\(row(1, [count: 5], other: 2)),\(ones)\n",
      "2_next/c.csv": "id,\(header)\n\(row(3, [count: 3], other: 2))\n"
        + "\(row(4, [count: 4], other: 2))\n\(row(5, [count: 5], other: 2))\n",
    ])
    #expect(try device.up().lines.contains("2 c +1 ~1 -0 =0 kept 2"))
    #expect(try device.rows("SELECT id, k1, k\(count) FROM c") == ["1|2|5", "2|2|2", "5|2|5"])
    #expect(
      try device.migrator().conflicts().map { "\($0.key.json) \($0.kind)" } == [
        #"{"id":4} keyTaken"#, #"{"id":3} parentDeleted"#, #"{"id":4} parentTaken"#,
      ])
    try device.down(to: 1)
    #expect(try device.dump() == before)
  }

  @Test(arguments: [70, 450]) func `many follow a parent's new key`(_ count: Int) throws {
    let keys = (1...count).map { "k\($0)" }
    let columns = keys.map { "\($0) INTEGER REFERENCES p (id)" }.joined(separator: ", ")
    let ones = keys.map { _ in "1" }.joined(separator: ",")
    let device = try Device([
      "1_first/up.sql": "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);\n"
        + "CREATE TABLE c (id INTEGER PRIMARY KEY, \(columns));\n",
      "1_first/p.csv": "id,code\n1,one\n2,two\n",
      "1_first/c.csv": "id,\(keys.joined(separator: ","))\n1,\(ones)\n",
      "2_next/p.update.csv": "id,was:id\n9,1\n",
    ])
    try device.up()
    #expect(try device.rows("SELECT k1, k\(count) FROM c") == ["9|9"])
    try device.down(to: 1)
    #expect(try device.rows("SELECT k1, k\(count) FROM c") == ["1|1"])
  }

  @Test func `more references by natural key than SQLite joins tables`() throws {
    let keys = (1...70).map { "k\($0)" }
    let columns = keys.map { "\($0) INTEGER REFERENCES p (id)" }.joined(separator: ", ")
    let header = keys.map { "\($0):p.code" }.joined(separator: ",")
    let bases = keys.map { "was:\($0):p.code" }.joined(separator: ",")
    func all(_ code: String) -> String { keys.map { _ in code }.joined(separator: ",") }
    let device = try Device([
      "1_first/up.sql": "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);\n"
        + "CREATE TABLE c (id INTEGER PRIMARY KEY, \(columns));\n",
      "1_first/p.csv": "id,code\n1,one\n2,two\n",
      "1_first/c.csv": "id,\(header)\n1,\(all("one"))\n2,\(all("two"))\n",
      "2_next/c.update.csv": "id,\(header),\(bases)\n1,\(all("two")),\(all("one"))\n",
    ])
    try device.up(to: 1)
    let before = try device.dump()
    try device.up()
    #expect(try device.rows("SELECT k1, k70 FROM c") == ["2|2", "2|2"])
    try device.down(to: 1)
    #expect(try device.dump() == before)
  }
}
