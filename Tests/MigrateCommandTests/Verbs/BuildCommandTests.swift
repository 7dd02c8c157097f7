import Testing

@testable import MigrateCommand

struct BuildCommandTests {
  private func run(_ words: String..., in sandbox: Sandbox) throws -> Outcome {
    try Program.run(["build"] + words, in: sandbox)
  }

  @Test func `it says what it wrote, and whether the lock names it`() throws {
    let sandbox = try Sandbox.withElements()
    #expect(
      try run(in: sandbox)
        == Outcome(
          output: "Wrote Migrations/data/first.sqlite: 1 migration, 49.2 kB. It is at 1.\n"))
    _ = try Program.run(["lock"], in: sandbox)
    #expect(try run(in: sandbox).output.hasSuffix(" It is at 1. The lock names it.\n"))
    let json = try run("--json", "--journal-mode", "wal", in: sandbox).output
    #expect(
      json.contains(#""outcome":"written","version":1,"chain":"sha256:"#)
        && json.contains(#""pageSize":4096,"journalMode":"wal","locked":true"#), "\(json)")
    #expect(try Program.run(["lock", "--check"], in: sandbox).code == 0)
    #expect(
      try run("small.sqlite", "--page-size", "512", in: sandbox).output.hasPrefix(
        "Wrote small.sqlite: 1 migration, "))
    #expect(!sandbox.exists("small.sqlite-wal"))
  }

  @Test(arguments: [
    (["--to", "7"], 64, "There is no migration 7"), (["--page-size", "1000"], 64, "1000 bytes"),
    (["--journal-mode", "off"], 64, "delete or wal"), (["no/x.sqlite"], 2, "Create the folder"),
    (["."], 2, "is a folder"), (["app.sqlite"], 64, "'build' did not make it"),
  ])
  func `what cannot be is refused`(_ words: [String], _ code: Int, _ text: String) throws {
    let sandbox = try Sandbox.withElements()
    _ = try Program.run(["up"], in: sandbox)
    let before = try sandbox.contents()
    let outcome = try Program.run(["build"] + words, in: sandbox)
    #expect(outcome.code == Int32(code) && outcome.errors.contains(text), "\(outcome)")
    #expect(try sandbox.contents() == before)
  }

  @Test func `a bundle takes it along, and says how to build it again`() throws {
    let sandbox = try Sandbox.withElements(["Migrations/catalog.json": #"{"build": true}"#])
    _ = try Program.run(["lock"], in: sandbox)
    let missing = try Program.run(["bundle", "Out"], in: sandbox)
    #expect(missing.code == 2 && missing.errors.contains("Build it: migrate build."), "\(missing)")
    _ = try run(in: sandbox)
    let bundle = try Program.run(["bundle", "Out"], in: sandbox)
    #expect(
      bundle.output.hasSuffix("New databases begin with data/first.sqlite, at 1.\n"), "\(bundle)")
    #expect(sandbox.exists("Out/data/first.sqlite"))
    try sandbox.write(["Migrations/0001_elements/elements.csv": "number,name\n1,X\n"])
    _ = try Program.run(["lock"], in: sandbox)
    let stale = try Program.run(["bundle", "Out"], in: sandbox)
    #expect(stale.code == 3)
    #expect(stale.output.contains("Build it again: migrate build."), "\(stale)")
  }
}
