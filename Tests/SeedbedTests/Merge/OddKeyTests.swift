import Testing

@testable import Seedbed

/// Keys of every kind of value and collation, and names of every kind of letter.
struct OddKeyTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var columns: String
    /// The key's columns as a file's header names them.
    var key: [String]
    /// What the table says behind its columns.
    var constraint = ""
    var table = "t"
    var value = "v"
    var suffix = ""
    var options = ""
    /// Four keys as SQL and as CSV: changed, edited, retired, taken by the user.
    var sql: [String]
    var csv: [String]
    /// The second as the log has it.
    var json: String

    var testDescription: String { name }
  }

  private static func text(_ name: String, _ keys: [String], _ json: String) -> Case {
    Case(
      name: name, columns: "k TEXT PRIMARY KEY", key: ["k"],
      sql: keys.map { "'" + $0.replacing("'", with: "''") + "'" },
      csv: keys.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" },
      json: "{\"k\":\"\(json)\"}")
  }

  static let cases = [
    text("spaces", [" a", "a ", "a b", "  "], "a "),
    text("emoji", ["👩‍👩‍👧‍👦", "🇩🇪", "☕️", "e\u{301}"], "🇩🇪"),
    text("right to left", ["שלום", "مرحبا \u{200F}a", "\u{202E}abc", "فارسی"], "مرحبا \u{200F}a"),
    text("line ends and quotes", ["a\nb", "\"'\r\n\"", "'", "\\"], #"\"'\r\n\""#),
    text("what looks like NULL or a number", ["NULL", "", "1", "1.0"], ""),
    Case(
      name: "four columns without rowid",
      columns: "b BLOB, n TEXT COLLATE NOCASE, i INTEGER, r REAL", key: ["b", "n", "i", "r"],
      constraint: ", PRIMARY KEY (b, n, i, r)", suffix: " WITHOUT ROWID",
      options: #""blobs": {"b": "hex"}"#,
      sql: [
        "x'00ff', 'One', -1, 0.1", "x'', 'TWO', 9223372036854775807, 1e300", "x'61', '', 0, 2.0",
        "x'0a', 'x', 1, -0.5",
      ],
      csv: [
        "00ff,one,-1,0.1", "\"\",two,9223372036854775807,1e300", "61,\"\",0,2", "0A,X,1,-0.5",
      ],
      json: #"{"b":{"base64":""},"n":"two","i":9223372036854775807,"r":1e+300}"#),
    Case(
      name: "BLOBs in base64", columns: "k BLOB PRIMARY KEY", key: ["k"],
      options: #""blobs": {"k": "base64"}"#, sql: ["x'00'", "x'00ff10'", "x'ffff'", "x'61'"],
      csv: ["AA==", "AP8Q", "//8=", "YQ=="], json: #"{"k":{"base64":"AP8Q"}}"#),
    Case(
      name: "names with spaces, quotes, emoji and keywords",
      columns: #""a ""b""" INTEGER, "😀" TEXT, "select" TEXT"#,
      key: [#""a ""b""""#, "😀", "select"],
      constraint: #", PRIMARY KEY ("a ""b""", "😀", "select")"#, table: "order by", value: "group",
      sql: ["1, 'x', 'a'", "2, 'x', 'a'", "3, 'x', 'a'", "4, 'x', 'a'"],
      csv: ["1,x,a", "2,x,a", "3,x,a", "4,x,a"],
      json: #"{"a \"b\"":2,"😀":"x","select":"a"}"#),
    Case(
      name: "NOCASE", columns: "k TEXT COLLATE NOCASE PRIMARY KEY", key: ["k"],
      sql: ["'One'", "'TWO'", "'three'", "'FOUR'"], csv: ["one", "Two", "THREE", "four"],
      json: #"{"k":"Two"}"#),
    Case(
      name: "RTRIM", columns: "k TEXT COLLATE RTRIM PRIMARY KEY", key: ["k"],
      sql: ["'one  '", "'two'", "'three '", "'four'"], csv: ["one", "two  ", "three", "four "],
      json: #"{"k":"two  "}"#),
  ]

  /// Files, whose keys may be spelled otherwise than the user's rows spell them.
  @Test(arguments: cases) func `keys are the same in every step`(_ example: Case) throws {
    let (table, value) = (example.table, example.value)
    let header = example.key.joined(separator: ",")
    let device = try Device([
      "catalog.json": "{\"tables\": {\"\(table)\": {\(example.options)}}}",
      "1_first/up.sql": "CREATE TABLE \(table.quoted) (\(example.columns), \(value.quoted) TEXT"
        + "\(example.constraint))\(example.suffix);\n",
    ])
    try device.up()
    for (number, key) in example.sql.enumerated() {
      let values = ["'v0'", "'mine'", "'v2'", "'user'"]
      try device.run("INSERT INTO \(table.quoted) VALUES (\(key), \(values[number]))")
    }
    let before = try device.dump()
    let csv = example.csv
    try device.write([
      "2_next/\(table).update.csv": "\(header),\(value),was:\(value)\n"
        + "\(csv[0]),new,v0\n\(csv[1]),new,v1\n",
      "2_next/\(table).delete.csv": "\(header),\(value)\n\(csv[2]),v2\n",
      "2_next/\(table).csv": "\(header),\(value)\n\(csv[3]),seed\n",
    ])
    #expect(try device.up().lines == ["2 \(table) +0 ~1 -1 =0 kept 2"])
    let conflicts = try device.migrator().conflicts()
    #expect(conflicts.map(\.kind) == [.edited, .keyTaken])
    #expect(conflicts[0].key.json == example.json)
    #expect(
      try device.rows("SELECT \(value.quoted) FROM \(table.quoted) ORDER BY 1")
        == ["mine", "new", "user"])
    // The key is the user's from now on, in whatever spelling.
    try device.write([
      "3_more/\(table).update.csv": "\(header),\(value),was:\(value)\n\(csv[3]),more,seed\n"
    ])
    #expect(try device.up().lines == ["3 \(table) +0 ~0 -0 =0 kept 1"])
    try device.down(to: 1)
    // What was retired comes back as the file spells it.
    #expect(try device.dump().count == before.count)
    #expect(
      try device.rows("SELECT \(value.quoted) FROM \(table.quoted) ORDER BY 1")
        == ["mine", "user", "v0", "v2"])
    if !example.columns.contains("COLLATE") { #expect(try device.dump() == before) }
  }

  @Test(arguments: [("NOCASE", "A", "a"), ("RTRIM", "a ", "a")])
  func `a key that another spelling has is twice in a file`(
    _ collation: String, _ one: String, _ other: String
  ) throws {
    let device = try Device([
      "1_first/up.sql": "CREATE TABLE t (k TEXT COLLATE \(collation) PRIMARY KEY, v TEXT);\n",
      "1_first/t.csv": "k,v\n\(one),1\n\(other),2\n",
    ])
    #expect(try device.failure().place == .init("1_first/t.csv", line: 3))
  }

  @Test(arguments: [("NOCASE", "A", "a"), ("RTRIM", "a  ", "a")])
  func `a key changes to another spelling of itself`(
    _ collation: String, _ one: String, _ other: String
  ) throws {
    let device = try Device([
      "1_first/up.sql": "CREATE TABLE t (k TEXT COLLATE \(collation) PRIMARY KEY, v TEXT);\n"
        + "CREATE TABLE c (k TEXT COLLATE \(collation) REFERENCES t);\n",
      "1_first/t.csv": "k,v\n\(one),1\n",
    ])
    try device.up()
    try device.run("INSERT INTO c VALUES ('\(one)')")
    try device.write(["2_next/t.update.csv": "k,was:k\n\(other),\(one)\n"])
    #expect(try device.up().lines == ["2 t +0 ~1 -0 =0 kept 0"])
    #expect(try device.rows("SELECT '[' || t.k || ']' FROM t JOIN c USING (k)") == ["[\(other)]"])
    try device.down(to: 1)
    #expect(try device.rows("SELECT '[' || k || ']' FROM t") == ["[\(one)]"])
  }

  @Test(arguments: [("NOCASE", "A", "a"), ("RTRIM", "a  ", "a")])
  func `a value that the user spelled otherwise is an edit`(
    _ collation: String, _ one: String, _ other: String
  ) throws {
    let device = try Device([
      "1_first/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT COLLATE \(collation));\n",
      "1_first/t.csv": "id,v\n1,\(one)\n2,\(one)\n",
    ])
    try device.up()
    try device.run("UPDATE t SET v = '\(other)'")
    try device.write([
      "2_next/t.update.csv": "id,v,was:v\n1,new,\(one)\n",
      "2_next/t.delete.csv": "id,v\n2,\(one)\n",
    ])
    #expect(try device.up().lines == ["2 t +0 ~0 -0 =0 kept 2"])
    #expect(try device.migrator().conflicts().map(\.kind) == [.edited, .editedRetired])
  }
}
