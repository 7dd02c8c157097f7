import TestSupport

@testable import MigrateCommand

extension Sandbox {
  /// Runs the real git here, as nobody in particular, and returns what it printed.
  @discardableResult
  func git(_ words: String...) throws -> String {
    let nobody = [
      "user.name=Nobody", "user.email=nobody@example.com", "init.defaultBranch=main",
      "commit.gpgsign=false",
    ]
    let (code, text) = try Child.run(
      ["git", "-C", path] + nobody.flatMap { ["-c", $0] } + words)
    guard code == 0 else {
      throw Failure(description: "git \(words) ended with \(code): \(text)")
    }
    return text
  }

  /// Commits all there is, and gives it a tag.
  func commit(_ tag: String) throws {
    try git("add", "-A")
    try git("commit", "-q", "-m", tag)
    try git("tag", tag)
  }
}
