import Testing

@testable import MigrateCommand

struct BundleCommandTests {
  @Test func `it says what was written`() throws {
    let sandbox = try Sandbox.withElements()
    _ = try Program.run(["lock"], in: sandbox)
    #expect(
      try Program.run(["bundle", "Out"], in: sandbox)
        == Outcome(output: "Wrote Out: 1 migration, 2 files, 3 rows. The catalog now ends at 1.\n"))
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

  /// As the plugin calls it.
  @Test func `Xcode can show at the file what is wrong`() throws {
    let sandbox = try Sandbox.withElements()
    let catalog = sandbox.path + "/Migrations"
    func expect(_ words: String) throws {
      let outcome = try Program.run(["bundle", "Out", "--as-errors"], in: sandbox)
      #expect(outcome.code != 0 && outcome.output.isEmpty)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
    try expect("\(catalog)/seedbed.lock:1:1: error: ")
    _ = try Program.run(["lock"], in: sandbox)
    try sandbox.write(["Migrations/0001_elements/up.sql": "SELECT 1;"])
    try expect("\(catalog)/0001_elements/up.sql:1:1: error: ")
    try sandbox.write(["Migrations/0001_elements/elements.csv": "number,name\n1\n"])
    try expect("\(catalog)/0001_elements/elements.csv:")
    #expect(
      try Program.run(["bundle", "Out", "--as-errors", "--migrations", "Elsewhere"], in: sandbox)
        .errors.hasPrefix(
          "\(sandbox.path)/Elsewhere/seedbed.lock:1:1: error: There is no catalog folder"))
  }
}
