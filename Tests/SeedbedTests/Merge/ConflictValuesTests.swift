import Testing

@testable import Seedbed

/// What the conflict log keeps of the losing side: exactly what was there.
struct ConflictValuesTests {
  static let table = "CREATE TABLE IF NOT EXISTS t (a INTEGER PRIMARY KEY, v);"

  struct Case: CustomTestStringConvertible {
    var name: String
    /// The user's value as SQL, and as the log has it.
    var sql: String
    var json: String

    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "NULL", sql: "NULL", json: "null"),
    Case(name: "an integer above 2^53", sql: "9007199254740993", json: "9007199254740993"),
    Case(name: "the largest integer", sql: "9223372036854775807", json: "9223372036854775807"),
    Case(name: "the least integer", sql: "-9223372036854775807 - 1", json: "-9223372036854775808"),
    Case(name: "a real that looks whole", sql: "1.0", json: "1.0"),
    Case(name: "a real in full", sql: "0.1 + 0.2", json: "0.30000000000000004"),
    Case(name: "a huge real", sql: "1e300", json: "1e+300"),
    Case(name: "infinity", sql: "9e999", json: "9e999"),
    Case(name: "minus infinity", sql: "-9e999", json: "-9e999"),
    Case(name: "text", sql: "'naïve 日本 🎈'", json: #""naïve 日本 🎈""#),
    Case(name: "an empty text", sql: "''", json: #""""#),
    Case(name: "quotes, backslashes", sql: #"'a"b\c'"#, json: #""a\"b\\c""#),
    Case(
      name: "control characters", sql: "char(9, 10, 13, 1, 31, 127)",
      json: #""\t\n\r\u0001\u001f"# + "\u{7f}\""),
    Case(name: "text with a NUL", sql: "'a' || char(0) || 'b'", json: #""a\u0000b""#),
    Case(name: "text that is not UTF-8", sql: "CAST(x'61FF' AS TEXT)", json: #"{"text":"Yf8="}"#),
    Case(name: "a blob", sql: "x'00FF10'", json: #"{"base64":"AP8Q"}"#),
    Case(name: "a blob of four bytes", sql: "x'DEADBEEF'", json: #"{"base64":"3q2+7w=="}"#),
    Case(name: "an empty blob", sql: "x''", json: #"{"base64":""}"#),
  ]

  @Test(arguments: cases)
  func `the log keeps the user's`(_ example: Case) throws {
    let device = try Device(["0001_t/t.csv": "a,v\n1,seed\n"], app: Self.table)
    try device.run("INSERT INTO t VALUES (1, \(example.sql))")
    let before = try device.rows("SELECT * FROM t")
    try device.up()
    #expect(
      try device.conflicts() == [
        #"1 t {"a":1} keyTaken keepUser keptUser mine={"a":1,"v":\#(example.json)}"#
          + #" seed={"a":1,"v":"seed"}"#
      ])
    #expect(try device.rows("SELECT * FROM t") == before)
    let conflict = try device.migrator().conflicts()[0]
    let mine = try device.open(.readOnly).value("SELECT v FROM t")
    #expect(conflict.key == Migrator.Row(["a"], [1]))
    #expect(
      conflict.columns == [
        .init(name: "a", mine: 1, seed: 1), .init(name: "v", mine: mine, seed: "seed"),
      ])
  }

  @Test(arguments: cases)
  func `what replaceUser overwrote is in the log`(_ example: Case) throws {
    let device = try Device(["0001_t/t.csv": "a,v\n1,seed\n"], app: Self.table)
    try device.run("INSERT INTO t VALUES (1, \(example.sql))")
    try device.up(onTaken: .replaceUser)
    #expect(
      try device.conflicts() == [
        #"1 t {"a":1} keyTaken replaceUser tookSeed mine={"a":1,"v":\#(example.json)}"#
          + #" seed={"a":1,"v":"seed"}"#
      ])
    #expect(try device.rows("SELECT * FROM t") == ["1|seed"])
  }

  @Test func `blobs of the seed are read by their declared encoding, and logged`() throws {
    let table = "CREATE TABLE IF NOT EXISTS t (a BLOB PRIMARY KEY, v BLOB, w BLOB);"
    let device = try Device(
      [
        "0001_t/t.csv": "a,v,w\n00ff,3q2+7w==,\n01,,\"\"\n02,QQ==,QQ==\n",
        "catalog.json":
          #"{"tables":{"t":{"blobs":{"a":"hex","V":"base64","w":"base64"}}}}"#,
      ], app: table)
    try device.run("INSERT INTO t VALUES (x'02', x'42', NULL)")
    try device.up()
    #expect(
      try device.rows("SELECT * FROM t ORDER BY a")
        == ["x'00ff'|x'deadbeef'|NULL", "x'01'|NULL|x''", "x'02'|x'42'|NULL"])
    #expect(
      try device.conflicts() == [
        #"1 t {"a":{"base64":"Ag=="}} keyTaken keepUser keptUser"#
          + #" mine={"a":{"base64":"Ag=="},"v":{"base64":"Qg=="},"w":null}"#
          + #" seed={"a":{"base64":"Ag=="},"v":{"base64":"QQ=="},"w":{"base64":"QQ=="}}"#
      ])
  }

  @Test func `a log of a hundred columns is whole`() throws {
    let names = (1...100).map { "c\($0)" }
    let table =
      "CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, "
      + names.joined(separator: ", ") + ");"
    let device = try Device(
      [
        "0001_t/t.csv": (["id"] + names).joined(separator: ",") + "\n1,"
          + names.map { _ in "s" }.joined(separator: ",") + "\n"
      ], app: table)
    try device.run("INSERT INTO t (id, c99) VALUES (1, 'mine')")
    try device.up()
    let mine = try device.rows("SELECT mine FROM seedbed_conflicts")[0]
    #expect(mine.hasPrefix(#"{"id":1,"c1":null,"#))
    #expect(mine.hasSuffix(#""c98":null,"c99":"mine","c100":null}"#))
  }

  @Test func `a report holds the first thousand conflicts and counts all`() throws {
    let csv = "a,v\n" + (1...1200).map { "\($0),seed\n" }.joined()
    let device = try Device(["0001_t/t.csv": csv], app: Self.table)
    try device.run(
      """
      INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      SELECT i, 'mine' FROM n
      """)
    let report = try device.up()
    #expect(report.lines == ["1 t +0 ~0 -0 =0 kept 1200"])
    #expect(report.migrations[0].conflicts.count == 1000)
    #expect(report.migrations[0].conflictCount == 1200)
    #expect(try device.migrator().conflicts().count == 1200)
  }

  @Test func `pruning forgets the conflicts and keeps the keys left to the user`() throws {
    let device = try Device(["0001_t/t.csv": "a,v\n1,seed\n"], app: Self.table)
    try device.run("INSERT INTO t VALUES (1, 'mine')")
    try device.up()
    #expect(try device.migrator().pruneConflicts() == 1)
    #expect(try device.migrator().pruneConflicts() == 0)
    #expect(try device.conflicts() == [])
    #expect(try device.leftToUser() == [#"1|t|{"a":1}"#])
  }
}
