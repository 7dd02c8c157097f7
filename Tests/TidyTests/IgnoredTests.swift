import Testing

@Suite(.enabled(if: Project.exists(".git")))
struct `What running leaves behind stays out of git` {
  static let made = [
    "app.sqlite", "app.sqlite-wal", "app.sqlite-shm", "app.sqlite-journal",
    "app.sqlite.backups/app.v2.20261120T081244.120Z.sqlite",
    "app.sqlite.backups/app.v2.20261120T081244.120Z.partial",
    "Migrations/app.sqlite", ".build/build.db", "Tests/Stranger/.build/build.db",
    "Tests/Stranger/Package.resolved", "Samples/FieldGuide/Generated/App.plist",
  ]

  @Test(arguments: made) func `git ignores`(path: String) throws {
    #expect(try isIgnored(path), "Add a pattern for '\(path)' to .gitignore.")
  }

  @Test(arguments: [
    "README.md", "Migrations/0001_a/up.sql", "Migrations/0001_a/a.csv.gz",
    "Migrations/seedbed.lock", "Migrations/data/a.csv", ".swift-format", ".ci/run",
  ])
  func `git keeps`(path: String) throws {
    #expect(try !isIgnored(path), "Remove the pattern that hides '\(path)' from .gitignore.")
  }

  private func isIgnored(_ path: String) throws -> Bool {
    try Shell.run("git", "check-ignore", "--quiet", "--no-index", path).status == 0
  }
}
