import Testing

@testable import MigrateCommand

struct LockCommandTests {
  @Test func `the lock is written, kept, and written again`() throws {
    let sandbox = try Sandbox.withElements()
    #expect(
      try Program.run(["lock"], in: sandbox)
        == Outcome(
          output: """
            added    0001_elements
            Wrote Migrations/seedbed.lock: 1 migration, 2 files, 3 rows. The catalog now ends at 1.

            """))
    let before = try sandbox.contents()
    #expect(
      try Program.run(["lock"], in: sandbox)
        == Outcome(
          output: "Migrations/seedbed.lock is up to date: 1 migration, 2 files, 3 rows.\n"))
    #expect(try sandbox.contents() == before)
    try sandbox.write(Sandbox.more)
    #expect(
      try Program.run(["lock", "--json"], in: sandbox).masked(sandbox)
        == Outcome(
          output: #"""
            {"schema":1,"catalog":"~/Migrations","lock":"~/Migrations/seedbed.lock",\#
            "outcome":"written","version":2,"migrations":2,"files":3,"rows":5,"first":null,\#
            "added":["0002_more"],"changed":[],"removed":[]}

            """#))
  }

  @Test func `--check writes nothing and exits 3 where the lock is stale`() throws {
    let sandbox = try Sandbox.withElements()
    let missing = try Program.run(["lock", "--check"], in: sandbox)
    #expect(missing.code == 3 && missing.output.hasSuffix("1 finding\n"))
    #expect(!sandbox.exists("Migrations/seedbed.lock"))
    _ = try Program.run(["lock", "--quiet"], in: sandbox)
    #expect(
      try Program.run(["lock", "--check"], in: sandbox)
        == Outcome(output: "The lock of Migrations is up to date.\n"))
    try sandbox.write(["Migrations/0001_elements/elements.csv": "number,name\n1,X\n"])
    let before = try sandbox.contents()
    let stale = try Program.run(["lock", "--check"], in: sandbox)
    #expect(stale.code == 3 && stale.output.contains("0001_elements/elements.csv"))
    #expect(try sandbox.contents() == before)
  }

  @Test(arguments: [["lock"], ["lock", "--check"], ["up"], ["status"]])
  func `an empty catalog is an error that names the flag`(_ words: [String]) throws {
    let sandbox = try Sandbox().write(["Migrations/README.md": "nothing yet\n"])
    let message =
      "The folder 'Migrations' holds no migration, such as '0001_elements'. Name the folder of all "
      + "migrations with --migrations DIR, or make the first migration: migrate new NAME, or "
      + "migrate make NAME TABLE=FILE.csv --create.\n"
    #expect(try Program.run(words, in: sandbox) == Outcome(errors: message, code: 2))
    #expect(!sandbox.exists("app.sqlite"))
  }
}
