import SeedbedAuthoring
import TestSupport
import Testing

@testable import MigrateCommand

struct LintCommandTests {
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

  @Test func `the help lists all codes with what they mean`() throws {
    let help = try Program.run(["lint", "--help"], in: Sandbox()).output
    for code in LintCode.allCases {
      #expect(help.contains("  \(code.rawValue) "), "\(code)")
    }
    #expect(help.contains("Codes:\n  catalog"))
  }
}
