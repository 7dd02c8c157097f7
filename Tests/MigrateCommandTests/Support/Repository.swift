import TestSupport

@testable import MigrateCommand

extension Sandbox {
  /// Whoever commits is nobody in particular, at no time in particular, and no setting of theirs
  /// counts.
  static let nobody = [
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM": "1",
    "GIT_AUTHOR_NAME": "Nobody", "GIT_AUTHOR_EMAIL": "nobody@example.com",
    "GIT_COMMITTER_NAME": "Nobody", "GIT_COMMITTER_EMAIL": "nobody@example.com",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
  ]

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
