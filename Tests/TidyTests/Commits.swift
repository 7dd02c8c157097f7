/// The subjects of commits: one short, plain line that says what the commit does.
enum Commits {
  /// The last commit that was made without this rule.
  static let last = "Kill the demonstration's update again if it was late"
  static let longest = 60

  /// What `git log --format=%s` prints, as far as the rule holds.
  static func subjects(in log: String) -> [String] {
    Array(log.split(separator: "\n").map(String.init).prefix { $0 != last })
  }

  static func violations(_ subject: String) -> [Violation] {
    let plain = Glossary.found(in: SourceFile(path: subject, text: subject))
    var found: [String] = []
    if subject.count > longest { found.append("has \(subject.count) characters") }
    if subject.prefixMatch(of: #/[A-Z][a-z]+ /#) == nil {
      found.append("begins with no plain word")
    }
    if subject.firstMatch(of: #/[.:!]$|#[0-9]|[Ii]ssue [0-9]|^Merge |^[a-z]+(\(.*\))?:/#) != nil {
      found.append("has a mark that says nothing to a reader")
    }
    return found.map { found in
      Violation(
        path: "'\(subject)'", found: "the subject of a commit \(found)",
        remedy: "Say in at most \(longest) characters what it does: git commit --amend.")
    } + plain
  }
}
