import Testing

@testable import MigrateCommand

struct SnapshotCommandTests {
  private static func bench() throws -> Sandbox {
    try Sandbox.withElements([
      "Migrations/0002_more/elements.csv": "number,name\n4,Beryllium\n"
    ])
  }

  @Test func `it says what it wrote, and an empty database begins with it`() throws {
    let sandbox = try Self.bench()
    #expect(
      try Program.run(["snapshot"], in: sandbox)
        == Outcome(
          output: "Wrote Migrations/0002_more.snapshot: 1 table, 4 rows, the same as from 2 "
            + "migrations.\n"))
    #expect(
      try Program.run(["snapshot", "--json"], in: sandbox).output.contains(
        #""outcome":"upToDate","folder":"0002_more.snapshot","version":2,"migrations":2,"#
          + #""tables":1,"rows":4,"dropped":[],"base":null"#))
    let up = try Program.run(["up"], in: sandbox)
    #expect(up.output.contains("0002 more elements   +4 added, from the snapshot"), "\(up)")
    #expect(up.output.hasSuffix("Applied 1 snapshot. Database is at 2.\n"))
    let verify = try Program.run(["verify", "--snapshots"], in: sandbox)
    #expect(
      verify
        == Outcome(output: "0002_more.snapshot makes the same tables as all migrations.\n"))
  }

  @Test func `a catalog for servers, too, keeps its folders`() throws {
    let sandbox = try Self.bench()
    try sandbox.write([
      "Migrations/catalog.json": #"{"engines": ["sqlite", "postgresql"]}"#,
      "Migrations/0001_elements/up.postgresql.sql": "-- none",
    ])
    let made = try Program.run(["snapshot"], in: sandbox)
    #expect(made.code == 0 && made.errors.isEmpty, "\(made)")
    let before = try sandbox.contents()
    let refused = try Program.run(["snapshot", "--of", "1", "--drop-before", "2"], in: sandbox)
    #expect(
      refused
        == Outcome(
          errors: "No folder was dropped, because \"engines\" in catalog.json has postgresql, and "
            + "an empty database on a server begins with the first folder; keep them all, or "
            + "remove postgresql there if no server gets this catalog.\n"
            + "See 'migrate help snapshot'.\n", code: 64))
    #expect(try sandbox.contents() == before)
  }

  @Test func `a snapshot that makes something else ends with 3`() throws {
    let sandbox = try Self.bench()
    _ = try Program.run(["snapshot"], in: sandbox)
    let place = "Migrations/0002_more.snapshot/up.sql"
    try sandbox.write([place: "CREATE TABLE elements (number INTEGER PRIMARY KEY, name);"])
    _ = try Program.run(["lock"], in: sandbox)
    let verify = try Program.run(["verify", "--snapshots"], in: sandbox)
    #expect(verify.code == 3)
    #expect(verify.output.contains("the table 'elements' is not the same"))
  }

  @Test func `a number that no folder is below is refused before anything is written`() throws {
    let sandbox = try Self.bench()
    let before = try sandbox.contents()
    let refused = try Program.run(["snapshot", "--drop-before", "99"], in: sandbox)
    #expect(refused.code == 64)
    #expect(refused.errors.hasPrefix("All migrations of the catalog are below 99: its last is 2."))
    #expect(try sandbox.contents() == before)
  }

  @Test func `databases that were to be adopted at a folder that goes are named`() throws {
    let sandbox = try Self.bench()
    try sandbox.write([
      "Migrations/catalog.json": "{\"adopt\": 1}\n",
      "Migrations/0003_last/elements.csv": "number,name\n5,Boron\n",
    ])
    let more = try Program.run(["snapshot", "--drop-before", "3"], in: sandbox)
    #expect(
      more.output.hasSuffix(
        "Older databases need an earlier release first, and so do those that were to be adopted at "
          + "1 (\"adopt\").\n"), "\(more)")
  }

  @Test func `old folders go, and a database from before them is told what to do`() throws {
    let sandbox = try Self.bench()
    _ = try Program.run(["up", "--to", "1"], in: sandbox)
    try sandbox.write(["Migrations/0003_last/elements.csv": "number,name\n5,Boron\n"])
    #expect(
      try Program.run(["snapshot", "--drop-before", "3"], in: sandbox).output
        .hasSuffix(
          """
          removed  0001_elements
          removed  0002_more
          The catalog now begins after 2. Older databases need an earlier release first.

          """))
    let up = try Program.run(["up"], in: sandbox)
    #expect(up.code == 3)
    #expect(up.errors.hasPrefix("The database is at 1, and this catalog begins after 2"))
    let status = try Program.run(["status", "--exit-code"], in: sandbox)
    #expect(status.code == 3)
    #expect(status.output.contains("superseded"))
    #expect(status.output.contains("Too old: "))
  }
}

struct BaselineCommandTests {
  private static let theirs = [
    "CREATE TABLE elements (number INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    "INSERT INTO elements VALUES (1, 'Hydrogen'), (2, 'Helio'), (90, 'mine')",
  ]

  @Test func `it tells what differs, and keeps what the user made`() throws {
    let sandbox = try Sandbox.withElements()
    try sandbox.write([
      "Migrations/catalog.json": #"{"tables": {"elements": {"identity": ["number"]}}}"#
    ])
    for sql in Self.theirs { try sandbox.sql(sql) }
    let check = try Program.run(["baseline", "1", "--check"], in: sandbox)
    #expect(check.code == 3)
    #expect(
      check.output.hasPrefix(
        "elements   1 as in version 1, 1 edited (name 1), 1 deleted by the user\n"
          + "           number=2  name=\"Helium\"  mine=\"Helio\"\n"
          + "           edition 1 had arrived: 1 of 2 rows is there as an edition had it\n"),
      "\(check)")
    #expect(check.output.contains("Nothing was changed."))
    #expect(try sandbox.sql("SELECT name FROM sqlite_schema WHERE name LIKE 'seedbed%'") == [])
    let done = try Program.run(["baseline", "1"], in: sandbox)
    #expect(done.code == 0, "\(done)")
    #expect(done.output.hasSuffix("Adopted the database at 1.\n"), "\(done)")
    #expect(
      try sandbox.sql("SELECT name FROM elements") == ["Hydrogen", "Helio", "mine"])
    #expect(try Program.run(["up"], in: sandbox).output == "Nothing to do. Database is at 1.\n")
  }

  @Test(arguments: [
    (["baseline"], 64), (["baseline", "x"], 64), (["baseline", "9"], 64),
  ])
  func `what is no version is refused`(words: [String], code: Int) throws {
    let sandbox = try Sandbox.withElements()
    for sql in Self.theirs { try sandbox.sql(sql) }
    #expect(try Program.run(words, in: sandbox).code == Int32(code))
  }

  @Test func `a database without the tables is refused, and nothing marked`() throws {
    let sandbox = try Sandbox.withElements()
    // An option about that table is not what is wrong.
    try sandbox.write([
      "Migrations/catalog.json": #"{"tables": {"elements": {"reserve": 1000}}}"#,
      "Migrations/0001_elements/up.sql":
        "CREATE TABLE elements (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);",
    ])
    try sandbox.sql("CREATE TABLE other (x)")
    let refused = try Program.run(["baseline", "1"], in: sandbox)
    #expect(refused.code == 2)
    #expect(refused.errors.hasPrefix("The database has no table 'elements', so"))
    #expect(try sandbox.sql("SELECT name FROM sqlite_schema WHERE name LIKE 'seedbed%'") == [])
  }

  @Test func `a database without a column of the catalog is refused, and not the header`() throws {
    let sandbox = try Sandbox.withElements()
    try sandbox.sql("CREATE TABLE elements (number INTEGER PRIMARY KEY)")
    let refused = try Program.run(["baseline", "1", "--check"], in: sandbox)
    #expect(refused.code == 2)
    #expect(refused.errors.hasPrefix("The database's table 'elements' has no column '"))
    #expect(refused.errors.contains("so it cannot have the catalog's rows of version 1."))
  }

  @Test func `a table that is another one is told without the plan's folder`() throws {
    let sandbox = try Sandbox.withElements()
    try sandbox.sql("CREATE TABLE elements (other)")
    let refused = try Program.run(["baseline", "1"], in: sandbox)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("'elements'"))
    #expect(!refused.errors.contains("1_baseline"), "\(refused.errors)")
  }
}
