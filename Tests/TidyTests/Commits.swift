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

extension Commits {
  /// For `git log --patch`: subject, body and difference of each commit.
  static let formatOfPrices = "--format=%x01%s%x02%b%x02"

  /// The commits that raise a number of `SizeTests` and do not begin their body with the price, in
  /// a log that shows all of the file. A commit follows the rule if the file had it before.
  static func withoutPrice(in log: String) -> [Violation] {
    log.split(separator: "\u{1}").flatMap { commit -> [Violation] in
      let parts = commit.split(separator: "\u{2}", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[1].prefixMatch(of: #/Grows: \S/#) == nil else { return [] }
      let lines = parts[2].split(separator: "\n")
      let hasRule = lines.contains { !$0.hasPrefix("+") && $0.contains("`Grows:`") }
      let (old, new) = (numbers(lines, "-"), numbers(lines, "+"))
      let raised = new.filter { name, number in old[name].map { $0 < number } == true }
      return !hasRule || raised.isEmpty
        ? []
        : [
          Violation(
            path: "'\(parts[0])'",
            found: "the commit raises '\(raised.keys.sorted().joined(separator: "' and '"))'",
            remedy: "Begin its body with 'Grows:' and the price: git commit --amend.")
        ]
    }
  }

  /// `private static let merge = 5_600`, in lines that begin with a sign.
  private static func numbers(_ lines: [Substring], _ sign: Character) -> [String: Int] {
    let pairs = lines.filter { $0.first == sign }.compactMap { line in
      line.firstMatch(of: #/static let (\w+) = ([0-9_]+)$/#).map {
        (String($0.output.1), Int($0.output.2.replacing("_", with: "")) ?? 0)
      }
    }
    return Dictionary(pairs) { $1 }
  }
}
