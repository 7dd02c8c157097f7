import SeedbedAuthoring
import TestSupport
import Testing

@testable import MigrateCommand

struct LintCommandTests {
  @Test func `each finding has a place, a code, a sentence and a remedy`() throws {
    let sandbox = try Sandbox()
    try sandbox.write([
      "Migrations/0001_t/up.sql": "CREATE TABLE t (k TEXT PRIMARY KEY);\n",
      "Migrations/0001_t/t.csv": "k\na\n",
    ])
    _ = try Program.run(["lock"], in: sandbox)
    let outcome = try Program.run(["lint"], in: sandbox)
    #expect(
      outcome
        == Outcome(
          output: """
            Migrations/0001_t/up.sql:1: irreversible: There is no down.sql that undoes it, so \
            'migrate down' \
            refuses this migration.
                Write the file that undoes it.
            1 finding

            """, code: 3))
    #expect(
      try Program.run(["lint", "--json"], in: sandbox)
        == Outcome(
          output: #"{"schema":1,"catalog":"\#(sandbox.path)/Migrations","findings":[{"#
            + #""code":"irreversible","message":"There is no down.sql that undoes it, so "#
            + #"'migrate down' refuses this migration.","remedy":"Write the file that undoes it.","#
            + #""file":"0001_t/up.sql","line":1,"column":null,"version":1}]}"# + "\n", code: 3))
  }

  @Test func `what is allowed is well, and a clean catalog ends with 0`() throws {
    let sandbox = try Sandbox()
    try sandbox.write([
      "Migrations/0001_t/up.sql":
        "-- seedbed:allow irreversible Nobody goes back.\nCREATE TABLE t (k TEXT PRIMARY KEY);\n",
      "Migrations/0001_t/t.csv": "k\na\n",
    ])
    _ = try Program.run(["lock"], in: sandbox)
    #expect(
      try Program.run(["lint"], in: sandbox)
        == Outcome(output: "No problems found in Migrations.\n"))
    let json = try Program.run(["lint", "--json"], in: sandbox)
    #expect(json.code == 0 && json.output.hasSuffix("\"findings\":[]}\n"), "\(json)")
  }

  @Test func `a folder without migrations is an error, not a finding`() throws {
    let sandbox = try Sandbox()
    try sandbox.write(["Migrations/README.md": "x"])
    let outcome = try Program.run(["lint"], in: sandbox)
    #expect(outcome.code == 2 && outcome.errors.contains("holds no migration"), "\(outcome)")
  }

  @Test(arguments: [
    (nil, "neither --database nor DATABASE_URL names a server."),
    (
      "postgres://me:secret@host/db",
      "A database on a PostgreSQL server needs 'migrate-postgresql', which is neither beside "
    ),
  ])
  func `a line says why PostgreSQL was not tried`(_ url: String?, _ reason: String) throws {
    let sandbox = try Sandbox()
    try sandbox.write([
      "Migrations/catalog.json": #"{"engines": ["sqlite", "postgresql"]}"#,
      "Migrations/0001_t/up.sql": "CREATE TABLE t (k TEXT PRIMARY KEY);\n",
      "Migrations/0001_t/up.postgresql.sql": "CREATE TABLE t (k TEXT PRIMARY KEY);\n",
    ])
    let words = url.map { ["--database", $0] } ?? []
    let alone = try sandbox.migrateAlone()
    let lint = try Program.run(["lint"] + words, in: sandbox, program: alone)
    #expect(lint.code == 3 && lint.errors.hasPrefix("PostgreSQL was not tried: " + reason))
    #expect(!lint.errors.contains("secret"))
    try sandbox.write(["t.csv": "k\na\n"])
    let make = try Program.run(
      ["make", "june", "t=t.csv"] + words, in: sandbox, program: alone)
    #expect(make.code == 0 && make.errors.contains("PostgreSQL was not tried: " + reason))
  }

  @Test func `a remedy names the program by the name that it was called by`() throws {
    let sandbox = try Sandbox().write(["Migrations/0001_a/up.sql": "CREATE TABLE a (b);"])
    _ = try Child.run(["/bin/ln", "-s", Child.migrate, sandbox.path + "/seedbed"])
    for (program, name) in [(Child.migrate, "migrate"), (sandbox.path + "/seedbed", "seedbed")] {
      let lint = try Program.run(["lint"], in: sandbox, program: program)
      #expect(lint.output.contains("commit it: \(name) lock."), "\(lint)")
      let bundle = try Program.run(["bundle", "OUT"], in: sandbox, program: program)
      #expect(
        (bundle.output + bundle.errors).contains("with the catalog: \(name) lock."), "\(bundle)")
    }
  }

  @Test func `the help lists all codes with what they mean`() throws {
    let help = try Program.run(["lint", "--help"], in: Sandbox()).output
    for code in LintCode.allCases {
      #expect(help.contains("  \(code.rawValue) "), "\(code)")
    }
    #expect(help.contains("Codes:\n  catalog"))
  }
}
