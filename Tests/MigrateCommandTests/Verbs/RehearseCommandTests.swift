import Foundation
import Testing

@testable import MigrateCommand

/// `migrate rehearse` as a process.
struct RehearseCommandTests {
  @Test func `what would happen on devices, and not a byte is touched`() throws {
    let sandbox = try Sandbox.toldStory()
    let before = try sandbox.contents()
    let outcome = try Program.run(["rehearse", "--points", "60"], in: sandbox)
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n")
    let first = /Rehearsed 1 migration on a copy of app\.sqlite: \d+ disk operations/
    #expect(try #require(lines.first).wholeMatch(of: first) != nil)
    let tried = /Tried    \d+ kills?, \d+ power cuts?, \d+ full disks?: all recovered/
    #expect(try #require(lines.dropFirst().first).wholeMatch(of: tried) != nil)
    let points = /Points   60 of \d+; --points all tries every one/
    #expect(try #require(lines.dropFirst(2).first).wholeMatch(of: points) != nil)
    #expect(lines.contains("Rows     ~2 changed, 7 conflicts (migrate plan)"))
    for word in ["Time     ", "Disk     ", "Memory   "] {
      #expect(lines.contains { $0.hasPrefix(word) })
    }
    #expect(try sandbox.contents() == before)
  }

  @Test func `it says how far it is`() throws {
    let sandbox = try Sandbox.toldStory()
    let outcome = try Program.run(
      ["rehearse", "--points", "20", "--progress", "plain"], in: sandbox)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.first == "  0 %  rehearsing")
    #expect(lines.last == "100 %  rehearsing")
    #expect(outcome.output.contains("all recovered"))
  }

  @Test func `the document has the points and no failure`() throws {
    let sandbox = try Sandbox.toldStory()
    let outcome = try Program.run(
      ["rehearse", "--json", "--points", "20", "--seed", "42"], in: sandbox)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains(#""seed":"42","operations":"#))
    #expect(outcome.output.contains(#""failures":[],"#))
    #expect(outcome.output.contains(#""migrations":[{"version":2,"#))
  }

  @Test func `where the time is over it says how many points that was enough for`() throws {
    let sandbox = try Sandbox.toldStory()
    let outcome = try Program.run(["rehearse", "--seconds", "0"], in: sandbox)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      outcome.output.contains(/Points   1 of \d+, then the time was up; --seconds N allows more/))
    let document = try Program.run(["rehearse", "--seconds", "0", "--json"], in: sandbox)
    #expect(document.output.contains(/"allPoints":\d+,"timeOver":true,/), "\(document)")
  }

  @Test(arguments: ["0", "some", "-1", ""])
  func `points are a number or all`(_ text: String) throws {
    // A wrong line is told before a missing database.
    let sandbox = try Sandbox.withElements(Sandbox.more)
    let outcome = try Program.run(["rehearse", "--points=\(text)"], in: sandbox)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("'all' or a whole number from 1"))
  }

  @Test func `without a database there is nothing to copy`() throws {
    let sandbox = try Sandbox.withElements(Sandbox.more)
    let outcome = try Program.run(["rehearse"], in: sandbox)
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("There is no database at 'app.sqlite'."))
  }

  @Test func `what failed on the copy was not applied to the database`() throws {
    let sandbox = try Sandbox.toldStory()
    try sandbox.write(["Migrations/0003_bad/up.sql": "SELECT no_such_function();"])
    let outcome = try Program.run(["rehearse"], in: sandbox)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("no_such_function"), "\(outcome)")
    #expect(!outcome.errors.contains("Applied before that"), "\(outcome)")
  }

  /// As a process, with the program for servers beside it or not.
  @Test func `a server is refused, and says what to do there`() throws {
    let sandbox = try Sandbox.toldStory()
    let outcome = try Program.run(
      ["rehearse", "--database", "postgres://me:secret@host/db"], in: sandbox)
    #expect(
      outcome
        == Outcome(
          errors: "'rehearse' works on SQLite databases only; to try a release for a server, run "
            + "'up' on a copy of its database, made with 'createdb --template' or with pg_dump and "
            + "pg_restore.\nSee 'migrate help rehearse'.\n", code: 64))
  }

  @Test func `many files are rehearsed, whatever server the environment names`() throws {
    let sandbox = try Sandbox().write([
      "Migrations/0001_a/up.sql": "CREATE TABLE a (b);",
      "Migrations/0001_a/up.postgresql.sql": "CREATE TABLE a (b text);",
      "Migrations/0002_b/up.sql": "INSERT INTO a VALUES (1);",
      "Migrations/0002_b/up.postgresql.sql": "INSERT INTO a VALUES ('1');",
      "Migrations/catalog.json": #"{"engines": ["sqlite", "postgresql"]}"#,
    ])
    let made = try Program.run(["up", "--to", "1"], in: sandbox)
    let outcome = try Program.run(
      ["rehearse", "--each", "*.sqlite", "--points", "2"], in: sandbox,
      environment: ["DATABASE_URL": "postgres://host/db"])
    #expect(outcome.output == "1 database: 1 recovered\n", "\(made) \(outcome)")
  }
}
