import Testing

@testable import Seedbed

/// Rows that one file holds twice: the author's slip, whatever the database holds.
struct DuplicateTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var table: String
    var csv: String
    var json: String?
    var error: String

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "a key", table: "(a INTEGER PRIMARY KEY, v TEXT)",
      csv: "a,v\n1,x\n2,y\n3,z\n2,w\n3,w\n",
      error: "5: The key {\"a\":2} appears twice in this file, first in line 3. Remove one."),
    Case(
      name: "a key three times, after a record of three lines",
      table: "(a INTEGER PRIMARY KEY, v TEXT)", csv: "a,v\n1,\"x\n\ny\"\n2,y\n2,z\n2,w\n",
      error: "6: The key {\"a\":2} appears twice in this file, first in line 5. Remove one."),
    Case(
      name: "a composite key", table: "(a, b, v, PRIMARY KEY (a, b)) WITHOUT ROWID",
      csv: "a,b,v\nx,1,p\nx,2,p\nx,1,q\n",
      error: #"4: The key {"a":"x","b":"1"} appears twice in this file, first in line 2. "#
        + "Remove one."),
    Case(
      name: "a key in another case", table: "(a TEXT PRIMARY KEY COLLATE NOCASE)",
      csv: "a\nx\nX\n",
      error: #"3: The key {"a":"X"} appears twice in this file, first in line 2. Remove one."#),
    Case(
      name: "a UNIQUE value", table: "(a INTEGER PRIMARY KEY, v TEXT UNIQUE)",
      csv: "a,v\n1,x\n2,y\n3,x\n",
      error:
        #"4: The UNIQUE value of the row {"a":3} appears twice in this file, first in line 2. "#
        + "Remove one."),
    Case(
      name: "a value under a UNIQUE expression",
      table: "(a INTEGER PRIMARY KEY, v TEXT); CREATE UNIQUE INDEX u ON t (lower(v))",
      csv: "a,v\n1,x\n2,X\n",
      error:
        #"3: The UNIQUE value of the row {"a":2} appears twice in this file, first in line 2. "#
        + "Remove one."),
    Case(
      name: "the primary key beside the key of the options",
      table: "(id INTEGER PRIMARY KEY, code TEXT UNIQUE)", csv: "id,code\n1,x\n1,y\n",
      json: #"{"key":["code"]}"#,
      error: #"3: The UNIQUE value of the row {"code":"y"} appears twice in this file, first in "#
        + "line 2. Remove one."),
  ]

  @Test(arguments: cases)
  func `a file may not hold twice`(_ example: Case) throws {
    var files = ["0001_t/up.sql": "CREATE TABLE t \(example.table);", "0001_t/t.csv": example.csv]
    files["catalog.json"] = example.json.map { #"{"tables":{"t":\#($0)}}"# }
    for policy in [Migrator.CollisionPolicy.keepUser, .replaceUser, .fail] {
      let device = try Device(files)
      let error = try device.failure(onTaken: policy)
      #expect(error.code == .csv)
      #expect(error.description == "0001_t/t.csv:" + example.error)
      #expect(try device.dump() == [])
    }
  }

  @Test func `a duplicate of what the user has is still a duplicate`() throws {
    let table = "CREATE TABLE IF NOT EXISTS t (a INTEGER PRIMARY KEY, v TEXT UNIQUE);"
    let device = try Device(["0001_t/t.csv": "a,v\n1,x\n1,x\n"], app: table)
    try device.run("INSERT INTO t VALUES (1, 'x')")
    #expect(
      try device.failure().description == """
        0001_t/t.csv:3: The key {"a":1} appears twice in this file, first in line 2. Remove one.
        """)
  }

  @Test func `NULL in a UNIQUE column is no duplicate`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY, v TEXT UNIQUE);",
      "0001_t/t.csv": "a,v\n1,\n2,\n",
    ])
    #expect(try device.up().lines == ["1 t +2 ~0 -0 =0 kept 0"])
  }

  @Test func `an empty key is an error of the file`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (a TEXT PRIMARY KEY, v TEXT);",
      "0001_t/t.csv": "v,a\nx,1\ny,\n",
    ])
    #expect(
      try device.failure().description
        == "0001_t/t.csv:3:3: The key column 'a' is empty. Every row needs its key.")
  }
}
