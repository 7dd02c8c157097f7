import Testing

@testable import MigrateCommand

struct BundleCommandTests {
  @Test func `it says what was written`() throws {
    let sandbox = try Sandbox.withElements()
    _ = try Program.run(["lock"], in: sandbox)
    #expect(
      try Program.run(["bundle", "Out"], in: sandbox)
        == Outcome(output: "Wrote Out: 1 migration, 2 files, 3 rows. The catalog is at 1.\n"))
    #expect(sandbox.exists("Out/0001_elements/elements.csv.gz"))
  }

  @Test func `a stale lock is told as lock --check tells it, and nothing is written`() throws {
    let sandbox = try Sandbox.withElements()
    func bothSay(_ words: String) throws {
      let bundle = try Program.run(["bundle", "Out"], in: sandbox)
      #expect(bundle == (try Program.run(["lock", "--check"], in: sandbox)))
      #expect(bundle.code == 3 && bundle.output.contains(words))
      #expect(!sandbox.exists("Out"))
    }
    try bothSay("has no seedbed.lock")
    _ = try Program.run(["lock"], in: sandbox)
    try sandbox.write([
      "Migrations/0001_elements/elements.csv": "number,name\n1,X\n",
      "Migrations/0001_elements/up.sql": "SELECT 1;",
    ])
    try bothSay("2 findings\n")
  }
}
