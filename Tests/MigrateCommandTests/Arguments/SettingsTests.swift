@testable import Seedbed
import TestSupport
import Testing

@testable import MigrateCommand

struct SettingsTests {
  private func settings(
    _ words: [String], _ environment: [String: String] = [:], in folder: String = "/home/me"
  ) throws -> Settings {
    let arguments = try Arguments(words, for: .up, environment: environment)
    return try Settings(arguments, workingFolder: folder)
  }

  struct Given: Sendable {
    var words: [String] = []
    var environment: [String: String] = [:]
  }

  typealias Case = Named<Given, String>

  static let databases: [Case] = [
    Case("the default", Given(), "/home/me/app.sqlite"),
    Case("the flag", Given(words: ["--database", "a.db"]), "/home/me/a.db"),
    Case("an absolute path", Given(words: ["--database", "/a.db"]), "/a.db"),
    Case("a dot and a slash", Given(words: ["--database", "./a.db"]), "/home/me/a.db"),
    Case("the parent folder", Given(words: ["--database", "../a.db"]), "/home/me/../a.db"),
    Case("the variable", Given(environment: ["MIGRATE_DATABASE": "b.db"]), "/home/me/b.db"),
    Case("an empty variable", Given(environment: ["MIGRATE_DATABASE": ""]), "/home/me/app.sqlite"),
    Case(
      "the flag beats the variable",
      Given(words: ["--database=a.db"], environment: ["MIGRATE_DATABASE": "b.db"]),
      "/home/me/a.db"),
    Case(
      "the variable beats the URL",
      Given(environment: ["MIGRATE_DATABASE": "b.db", "DATABASE_URL": "sqlite:c.db"]),
      "/home/me/b.db"),
    Case("the URL", Given(environment: ["DATABASE_URL": "sqlite:c.db"]), "/home/me/c.db"),
    Case(
      "the flag beats a broken URL",
      Given(words: ["--database=a.db"], environment: ["DATABASE_URL": "sqlite:"]),
      "/home/me/a.db"),
    Case(
      "another scheme", Given(environment: ["DATABASE_URL": "mysql://h/d"]),
      "/home/me/app.sqlite"),
  ]

  @Test(arguments: databases) func `the database is`(_ c: Case) throws {
    #expect(try settings(c.given.words, c.given.environment).database == c.expected)
  }

  @Test func `the migrations are the flag's, the variable's, the default`() throws {
    let variable = ["MIGRATE_DIR": "M"]
    #expect(try settings(["--migrations", "N"], variable).migrations == "/home/me/N")
    #expect(try settings([], variable).migrations == "/home/me/M")
    #expect(try settings([]).migrations == "/home/me/Migrations")
    #expect(try settings([], in: "/").migrations == "/Migrations")
  }

  @Test func `without flags the options are the library's own`() throws {
    #expect(try settings([]).options == Migrator.Options())
    #expect(try settings([]).progress == .auto)
    #expect(try !settings([]).isQuiet)
  }

  @Test func `every flag reaches the library`() throws {
    var expected = Migrator.Options()
    expected.policies = Migrator.Policies(onEdited: .keepRow, onTaken: .replaceUser)
    expected.backupFolder = "/home/me/B"
    expected.backupsToKeep = 0
    expected.ledger = "words"
    expected.lockTimeout = .milliseconds(250)
    let words = [
      "--on-edited", "keepRow", "--on-taken=replaceUser", "--keep", "0", "--ledger", "words",
      "--lock-timeout", "0.25",
    ]
    #expect(try settings(words, ["MIGRATE_BACKUPS": "B"]).options == expected)
    #expect(try settings(words + ["--backups", "B"], ["MIGRATE_BACKUPS": "C"]).options == expected)
  }

  typealias URLCase = Named<String, String>

  static let urls: [URLCase] = [
    URLCase("relative", "sqlite:app.db", "app.db"),
    URLCase("relative after two slashes", "sqlite://app.db", "app.db"),
    URLCase("absolute after the scheme", "sqlite:/var/app.db", "/var/app.db"),
    URLCase("absolute after three slashes", "sqlite:///var/app.db", "/var/app.db"),
    URLCase("absolute after four slashes", "sqlite:////var/app.db", "//var/app.db"),
    URLCase("in a folder", "sqlite:data/app.db", "data/app.db"),
    URLCase("the scheme in capitals", "SQLite:app.db", "app.db"),
    URLCase("a space in disguise", "sqlite:my%20app.db", "my app.db"),
    URLCase("letters in disguise", "sqlite:%C3%A9.db", "é.db"),
    URLCase("a lone percent sign", "sqlite:100%.db", "100%.db"),
    URLCase("parameters", "sqlite:app.db?mode=rwc", "app.db"),
  ]

  @Test(arguments: urls) func `a URL names the file`(_ c: URLCase) throws {
    #expect(try DatabaseURL.read(c.given) == .path(c.expected))
  }

  static let passedOver: [URLCase] = [
    URLCase(
      "another scheme", "mysql://me:secret@host/db",
      "DATABASE_URL is ignored: its scheme is 'mysql', and only 'sqlite' and 'postgresql' are "
        + "supported."),
    URLCase(
      "no scheme", "app.db",
      "DATABASE_URL is ignored: it has no scheme. Write it as 'sqlite:PATH'."),
    URLCase(
      "a scheme that is none", "1:x",
      "DATABASE_URL is ignored: it has no scheme. Write it as 'sqlite:PATH'."),
  ]

  @Test(arguments: passedOver) func `a URL is passed over with a note`(_ c: URLCase) throws {
    #expect(try DatabaseURL.read(c.given) == .passedOver(note: c.expected))
  }

  @Test(arguments: [
    ("/srv", "/srv/app.sqlite", "app.sqlite"), ("/srv", "/srv2/app.sqlite", "/srv2/app.sqlite"),
    ("/", "/data/app.sqlite", "/data/app.sqlite"),
  ])
  func `a path is shown as a person would write it`(folder: String, path: String, shown: String)
    throws
  {
    #expect(try CommandContext.printing(in: folder).shown(path) == shown)
  }

  @Test(arguments: ["postgres:///db", "postgresql://me:secret@host:1/db?sslmode=require"])
  func `a URL of a server is for its engine`(_ url: String) throws {
    #expect(try DatabaseURL.read(url) == .server(url))
  }

  @Test func `a server is named without user, password and parameters`() {
    #expect(
      DatabaseURL.shown("postgres://me:p@ss@host:1/db?sslmode=require")
        == "postgresql://host:1/db")
    #expect(DatabaseURL.shown("postgres:///db") == "postgresql:///db")
  }

  @Test func `a server without the program for it is refused, and so are verbs for files`() throws {
    let sandbox = try Sandbox()
    let url = "postgres://me:secret@host/db"
    let up = try Program.run(
      ["status", "--database", url], in: sandbox, program: sandbox.migrateAlone())
    #expect(up.errors.contains("needs 'migrate-postgresql', which is neither beside 'migrate' "))
    #expect(!up.errors.contains("secret"))
    let rehearse = try Program.run(["rehearse", "--database", url], in: sandbox)
    #expect(rehearse.code == 64 && rehearse.errors.contains("'rehearse' works on SQLite databases"))
  }

  @Test func `the program for servers may be anywhere on the path`() throws {
    let sandbox = try Sandbox()
      .write(programs: ["bin/migrate-postgresql": "#!/bin/sh\necho on the path: $*\n"])
      .write(["other/migrate-postgresql": "No program."])
    let path = "/nowhere:\(sandbox.path)/other:\(sandbox.path)/bin"
    let up = try Program.run(
      ["up", "--database", "postgres:///db"], in: sandbox, environment: ["PATH": path],
      program: sandbox.migrateAlone())
    #expect(up == Outcome(output: "on the path: up --database postgres:///db\n"))
  }

  @Test(arguments: [["lock"], ["new", "b"], ["show", "1"]])
  func `verbs that work on the catalog alone pass a server over`(words: [String]) throws {
    let sandbox = try Sandbox().write([
      "Migrations/0001_a/up.sql": "CREATE TABLE a (b);", "Migrations/0001_a/down.sql": "-- none",
      "Migrations/0001_a/up.postgresql.sql": "CREATE TABLE a (b text);",
      "Migrations/0001_a/down.postgresql.sql": "-- none",
      "Migrations/catalog.json": #"{"engines": ["sqlite", "postgresql"]}"#,
    ])
    let url = ["DATABASE_URL": "postgres://host/db"]
    let (there, here) = (
      try Program.run(words, in: sandbox, environment: url), try Program.run(words, in: sandbox)
    )
    #expect(!there.errors.contains("postgresql"), "\(there)")
    if words != ["new", "b"] { #expect(there.code == here.code, "\(there)\n\(here)") }
  }

  @Test(arguments: ["sqlite:", "sqlite://", "sqlite:?mode=ro", "sqlite:%FF"])
  func `a URL without a file is refused`(_ url: String) throws {
    let outcome = Invocation.outcome(["status"], environment: ["DATABASE_URL": url])
    let message = "DATABASE_URL names no file. Write it as 'sqlite:PATH', or give --database."
    #expect(outcome == Outcome(errors: message + "\nSee 'migrate help status'.\n", code: 64))
  }

  @Test(arguments: ["--database", "MIGRATE_DATABASE"])
  func `a URI makes no file that is called so`(_ source: String) throws {
    let sandbox = try Sandbox.withElements()
    let uri = "file:x?mode=memory&cache=shared"
    let isOption = source == "--database"
    let outcome = try Program.run(
      isOption ? ["up", source, uri] : ["up"], in: sandbox,
      environment: isOption ? [:] : [source: uri])
    let message =
      "'\(uri)' is a URI, and databases are named by their paths. A database in another "
      + "process's memory cannot be reached. Name a file with --database PATH.\n"
      + "See 'migrate help up'.\n"
    #expect(outcome == Outcome(errors: message, code: 64))
    #expect(!sandbox.exists(uri))
    #expect(try Program.run(["up", "--database", "./\(uri)"], in: sandbox).code == 0)
    #expect(sandbox.exists(uri))
  }

  @Test(arguments: ["sqlite::memory:", "sqlite://:memory:", "sqlite:file:x"])
  func `a URL of a database in memory is refused`(_ url: String) throws {
    #expect(Invocation.outcome(["status"], environment: ["DATABASE_URL": url]).code == 64)
  }

  @Test func `the note is a message, and no secret is in it`() throws {
    let sandbox = try Sandbox()
    let environment = ["DATABASE_URL": "postgres://me:secret@host/db"]
    let note =
      "DATABASE_URL is ignored: it names a server, but \"engines\" in catalog.json does not list "
      + "postgresql. The database is 'app.sqlite'.\n"
    let loud = try Program.run(["verify"], in: sandbox, environment: environment)
    #expect(loud.errors.hasPrefix(note + "There is no database at 'app.sqlite'."))
    let quiet = try Program.run(["verify", "--quiet"], in: sandbox, environment: environment)
    #expect(quiet.errors.hasPrefix("There is no database at 'app.sqlite'."))
  }
}
