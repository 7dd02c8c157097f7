import Testing

@testable import MigrateCommand

struct LockAgainstTests {
  /// A repository whose tag `v1` has the lock of one migration; the catalog is not at its root.
  private static func released() throws -> Sandbox {
    let sandbox = try Sandbox.withElements(["Migrations/catalog.json": "{}"])
    #expect(try Program.run(["lock"], in: sandbox).code == 0)
    try sandbox.git("init", "-q")
    try sandbox.commit("v1")
    return sandbox
  }

  private static let other = [
    "Migrations/0001_elements/elements.csv": "number,name\n1,Hydrogenium\n"
  ]

  @Test func `a new migration is no change to the last tag`() throws {
    let sandbox = try Self.released()
    try sandbox.write(Sandbox.more)
    let outcome = try Program.run(["lock", "--against"], in: sandbox)
    #expect(
      outcome
        == Outcome(
          output: """
            Compared with v1.
            added    0002_more
            Wrote Migrations/seedbed.lock: 2 migrations, 3 files, 5 rows. The catalog now ends at 2.

            """))
    #expect(
      try Program.run(["lock", "--check", "--against", "v1"], in: sandbox)
        == Outcome(output: "Compared with v1.\nThe lock of Migrations is up to date.\n"))
  }

  @Test func `other data of a released migration is refused, and let pass where that is said`()
    throws
  {
    let sandbox = try Self.released()
    try sandbox.write(Self.other)
    let before = try sandbox.text("Migrations/seedbed.lock")
    let words =
      "Migrations/0001_elements: This migration was released, and now makes different data: "
      + "elements.csv changed."
    let refused = try Program.run(["lock", "--against=v1"], in: sandbox)
    #expect(refused.code == 3 && refused.output.contains(words), "\(refused)")
    #expect(try sandbox.text("Migrations/seedbed.lock") == before)
    // Also where somebody wrote the lock again without asking.
    #expect(try Program.run(["lock"], in: sandbox).code == 0)
    let check = try Program.run(["lock", "--check", "--against"], in: sandbox)
    #expect(check.code == 3 && check.output.contains(words), "\(check)")
    let allowed = try Program.run(["lock", "--against", "v1", "--allow-rewrite"], in: sandbox)
    #expect(
      allowed.code == 0
        && allowed.output.hasPrefix(
          "allowed  0001_elements: its data differ from what devices have\n")
    )
  }

  @Test func `mends are printed and pass`() throws {
    let sandbox = try Self.released()
    try sandbox.write([
      "Migrations/0001_elements/down.sql": "DROP TABLE elements;\n",
      "Migrations/catalog.json": #"{"verify": "warn"}"#,
    ])
    let outcome = try Program.run(["lock", "--against"], in: sandbox)
    #expect(
      outcome.code == 0
        && outcome.output.hasPrefix(
          """
          harmless 0001_elements: down.sql added
          harmless catalog.json: changed
          Compared with v1.

          """),
      "\(outcome)")
    let json = try Program.run(["lock", "--check", "--against", "--json"], in: sandbox)
    #expect(
      json.output.contains(
        #""against":"v1","rewritten":[],"harmless":[{"name":"0001_elements","#
          + #""changes":["down.sql added"]},{"name":"catalog.json","changes":["changed"]}]"#))
  }

  @Test func `without a tag the main branch counts`() throws {
    let sandbox = try Self.released()
    try sandbox.git("tag", "-d", "v1")
    try sandbox.git("branch", "-M", "main")
    try sandbox.git("checkout", "-q", "-b", "feature")
    try sandbox.write(Self.other)
    let outcome = try Program.run(["lock", "--check", "--against"], in: sandbox)
    #expect(outcome.code == 3 && outcome.output.hasPrefix("Compared with main.\n"), "\(outcome)")
    try sandbox.git("branch", "-q", "-D", "main")
    let none = try Program.run(["lock", "--check", "--against"], in: sandbox)
    #expect(none.code == 64 && none.errors.hasPrefix("There is no tag and no main branch"))
  }

  @Test func `what git cannot tell is an error that says why`() throws {
    let sandbox = try Self.released()
    let words: [(ref: String, code: Int32, error: String)] = [
      ("v2", 64, "git knows no commit, branch or tag 'v2'."),
      ("-n", 64, "git knows no commit, branch or tag '-n'."),
      ("v1:x", 64, "git knows no commit, branch or tag 'v1:x'."),
    ]
    for (ref, code, error) in words {
      let outcome = try Program.run(["lock", "--against", ref], in: sandbox)
      #expect(outcome.code == code && outcome.errors.hasPrefix(error), "\(outcome)")
    }
    let alone = try Sandbox.withElements()
    let outside = try Program.run(["lock", "--against", "v1"], in: alone)
    #expect(outside.code == 2 && outside.errors.contains("is not in a git repository"))
    let noGit = try Program.run(
      ["lock", "--against"], in: sandbox, environment: ["PATH": sandbox.path])
    #expect(noGit.code == 2 && noGit.errors.hasPrefix("'git' was not found."), "\(noGit)")
    let useless = try Program.run(["lock", "--allow-rewrite"], in: sandbox)
    #expect(useless.code == 64 && useless.errors.contains("Give both."))
  }

  @Test func `a commit without a lock is an error`() throws {
    let sandbox = try Sandbox.withElements()
    try sandbox.git("init", "-q")
    try sandbox.commit("v0")
    let outcome = try Program.run(["lock", "--against"], in: sandbox)
    #expect(
      outcome.code == 2
        && outcome.errors.hasPrefix("At 'v0' the catalog has no seedbed.lock, so it is unknown"))
  }

  @Test func `what a merge left in the lock is told as that, and lock writes it again`() throws {
    let sandbox = try Self.released()
    try sandbox.git("checkout", "-q", "-b", "other")
    try sandbox.write(["Migrations/0003_other/elements.csv": "number,name\n9,Fluorine\n"])
    #expect(try Program.run(["lock"], in: sandbox).code == 0)
    try sandbox.commit("v-other")
    try sandbox.git("checkout", "-q", "v1")
    try sandbox.write(Sandbox.more)
    #expect(try Program.run(["lock"], in: sandbox).code == 0)
    try sandbox.commit("v-more")
    #expect(throws: (any Error).self) { try sandbox.git("merge", "-q", "other") }
    let check = try Program.run(["lock", "--check", "--against", "v1"], in: sandbox)
    #expect(check.code == 3 && check.output.contains("two branches added migrations"), "\(check)")
    #expect(try Program.run(["lock", "--against", "v1"], in: sandbox).code == 0)
    #expect(try Program.run(["lock", "--check", "--against", "v1"], in: sandbox).code == 0)
    // Seen from the other branch, a number came in front of what it has.
    let late = try Program.run(["lock", "--check", "--against", "v-other"], in: sandbox)
    #expect(late.code == 3 && late.output.contains("its number is below 3"), "\(late)")
  }
}
