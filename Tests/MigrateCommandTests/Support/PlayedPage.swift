import Foundation
import TestSupport

/// A page of `Transcripts`: files, commands, and all that they answered.
///
/// A block of `txtar` writes files, and so does a link to a file of them. An indented `$` begins a
/// command, `>` goes on with it, and `# exit 2` ends its first line if it does not exit with 0. The
/// indented lines below are its answer: what it wrote to stderr, each line behind `2>`, then what
/// it wrote to stdout. Each `##` begins with the folder as it was before the first one.
struct PlayedPage {
  /// A mistake of its author, with the number of its line.
  struct Mistake: Error, Equatable { let line: Int, words: String }

  static let folder = "Tests/MigrateCommandTests/Transcripts/"

  private let sandbox: Sandbox
  private var rest: ArraySlice<String>
  /// The page as it has to be.
  private var played: [String] = []
  private var before: Sandbox?
  private var hasAnswer = false

  /// Plays a page, and returns what it has to be: with what the commands answer now.
  static func play(_ text: String) throws -> String {
    var page = try PlayedPage(text)
    try page.play()
    return page.played.joined(separator: "\n")
  }

  /// Both texts line by line where they differ, with the numbers of lines.
  static func difference(of text: String, from played: String) -> String {
    let (old, new) = (text.components(separatedBy: "\n"), played.components(separatedBy: "\n"))
    let changes = new.difference(from: old).map { change in
      switch change {
      case .remove(let offset, let line, _): (offset + 1, "expected", line)
      case .insert(let offset, let line, _): (offset + 1, "found   ", line)
      }
    }
    return changes.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      .map { "\($0.0): \($0.1) \($0.2)" }.joined(separator: "\n")
  }

  private init(_ text: String) throws {
    sandbox = try Sandbox()
    rest = text.components(separatedBy: "\n")[...]
  }

  private mutating func play() throws {
    let sentence = rest.dropFirst(2).first ?? ""
    guard rest.first?.hasPrefix("# ") == true,
      sentence.first.map({ $0 != " " && $0 != "#" }) == true,
      !sentence.hasPrefix("```")
    else { throw mistake("a page begins with '# ' and a title, and a sentence that says more") }
    while let line = take() {
      if line.hasPrefix("## ") {
        try beginAgain()
      } else if let link = line.firstMatch(of: /\[(.+\.txtar)\]\(\1\)/) {
        try write(Checkout.text(Self.folder + link.1).split(separator: "\n").map(String.init))
      } else if line == "```txtar" {
        try writeBlock()
      } else if line.hasPrefix("    $ ") {
        try run(String(line.dropFirst(6)))
      } else if line.hasPrefix("```") || line.hasPrefix("    ") {
        throw mistake("this block is no 'txtar', and begins with no '    $ '")
      }
    }
    if !hasAnswer { throw mistake("no command of this page answers anything") }
  }

  private func mistake(_ words: String) -> Mistake { Mistake(line: played.count, words: words) }

  @discardableResult private mutating func take() -> String? {
    guard let line = rest.popFirst() else { return nil }
    played.append(line)
    return line
  }

  private mutating func beginAgain() throws {
    let kept = try before ?? Sandbox()
    let (source, target) = before == nil ? (sandbox, kept) : (kept, sandbox)
    before = kept
    for name in try FileManager.default.contentsOfDirectory(atPath: target.path) {
      try target.remove(name)
    }
    _ = try Child.run(["/bin/cp", "-a", source.path + "/.", target.path])
  }

  private mutating func writeBlock() throws {
    var lines: [String] = []
    while let line = take() {
      if line == "```" { return try write(lines) }
      lines.append(line)
    }
    throw mistake("this block has no end")
  }

  private func write(_ lines: [String]) throws {
    var files: [String: String] = [:]
    var name: String?
    for line in lines {
      if line.hasPrefix("-- "), line.hasSuffix(" --") {
        name = String(line.dropFirst(3).dropLast(3))
        files[name ?? ""] = ""
      } else if let name {
        files[name]? += line + "\n"
      } else {
        throw mistake("a file begins with its name: '-- Migrations/0001_a/up.sql --'")
      }
    }
    try sandbox.write(files)
  }

  private mutating func run(_ line: String) throws {
    let first = line.replacing(/\ \ # exit -?[0-9]+$/, with: "")
    let place = played.count - 1
    var command = first
    while rest.first?.hasPrefix("    > ") == true, let line = take() {
      command += "\n" + line.dropFirst(6)
    }
    while isAnswer(rest.first { !$0.isEmpty }) { rest.removeFirst() }
    let outcome = try sandbox.shell(command, environment: Sandbox.nobody, streamsApart: true)
    played[place] = "    $ \(first)" + (outcome.code == 0 ? "" : "  # exit \(outcome.code)")
    var errors = lines(outcome.errors)
    // Each refusal of a line ends so, and a page says only where one does not.
    if outcome.code == 64, !errors.isEmpty {
      let isHelped = errors.last?.hasPrefix("See 'migrate help") == true
      errors = isHelped ? errors.dropLast() : errors + ["(no help is named)"]
    }
    let answer = errors.map { "2> " + $0 } + lines(outcome.output)
    hasAnswer = hasAnswer || !answer.isEmpty
    played += answer.map { $0.isEmpty ? "" : "    " + $0 }
  }

  private func isAnswer(_ line: String?) -> Bool {
    line?.hasPrefix("    ") == true && line?.hasPrefix("    $ ") == false
  }

  private func lines(_ text: String) -> [String] {
    let text = Transcript.trimmed(masked(text))
    return text.isEmpty ? [] : text.components(separatedBy: "\n")
  }

  /// Without what differs from run to run, or with another SQLite.
  private func masked(_ text: String) -> String {
    let masks = [
      (#"(?m), [0-9,]+ databases a second$"#, ""),
      (#"(Slowest +|"slowest":\{"database":)[^ ,]+"#, "$1DATABASE"),
      (#""(bytes|neededBytes)":[0-9]+"#, #""$1":N"#), (#"\b[0-9a-f]{64}\b"#, "HEX"),
      (#"\b[0-9a-f]{32}\b"#, "ID"), (#"\b20[0-9]{2}-[0-9]{2}-[0-9]{2}\b(?!T)"#, "DAY"),
    ]
    return Transcript.masked(
      masks.reduce(text) {
        $0.replacingOccurrences(of: $1.0, with: $1.1, options: .regularExpression)
      }, in: sandbox.path)
  }
}
