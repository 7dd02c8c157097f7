import Foundation
import SeedbedOptions
import TestSupport
import Testing

@testable import MigrateCommand

/// Every verb with every option that it declares, as a process: what nobody ever ran is not done.
struct EveryOptionTests {
  /// A catalog with two releases in git, `app.sqlite` with a conflict, a pinned row and a backup,
  /// and `early.sqlite`, which has only the first release.
  private static let told = Result { try tell() }

  private static func tell() throws -> Sandbox {
    let sandbox = try Sandbox().write([
      "Migrations/catalog.json": #"{"tables": {"elements": {"source": "data/elements.csv"}}}"#,
      "Migrations/data/elements.csv": "number,name\n1,Hydrogen\n2,Helion\n3,Lithium\n4,Boron\n",
      "Migrations/0001_elements/up.sql": """
      -- seedbed:allow sharedIds Nobody adds elements.
      CREATE TABLE elements (number INTEGER PRIMARY KEY, name TEXT NOT NULL);

      """,
      "Migrations/0001_elements/down.sql": "DROP TABLE elements;\n",
      "Migrations/0001_elements/elements.csv": "number,name\n1,Hydrogen\n2,Helium\n3,Lithium\n",
      "Migrations/0002_more/up.sql": "CREATE TABLE notes (id INTEGER PRIMARY KEY, note TEXT);\n",
      "Migrations/0002_more/down.sql": "DROP TABLE notes;\n",
      "Migrations/0002_more/elements.csv": "number,name\n4,Boron\n",
      "Migrations/0002_more/elements.update.csv": "number,was:name,name\n2,Helium,Helion\n",
      "mine.csv": """
      kind,table,key,column,base,mine,version
      edit,elements,"{""number"":2}",name,Helion,He,2

      """,
    ])
    func run(_ line: String) throws {
      let outcome = try Program.run(line.split(separator: " ").map(String.init), in: sandbox)
      if outcome.code != 0 { throw Sandbox.Failure(description: "\(line): \(outcome)") }
    }
    for line in ["lock", "up --to 1"] { try run(line) }
    try sandbox.sql("UPDATE elements SET name = 'He' WHERE number = 2")
    try FileManager.default.copyItem(
      atPath: "\(sandbox.path)/app.sqlite", toPath: "\(sandbox.path)/early.sqlite")
    for line in ["up", "pin elements 3"] { try run(line) }
    try sandbox.git("init", "-q")
    try sandbox.commit("v1")
    return sandbox
  }

  /// A copy, with more files.
  private static func sandbox(_ files: [String: String] = [:]) throws -> Sandbox {
    let (told, sandbox) = (try told.get(), try Sandbox())
    for name in try FileManager.default.contentsOfDirectory(atPath: told.path) {
      try FileManager.default.copyItem(
        atPath: "\(told.path)/\(name)", toPath: "\(sandbox.path)/\(name)")
    }
    return try sandbox.write(files)
  }

  // MARK: its own options

  struct Case: Sendable, CustomTestStringConvertible {
    var line: String
    /// A part of what it prints.
    var says: String
    var code: Int32 = 0
    var files: [String: String] = [:]
    /// Lines that come before.
    var before: [String] = []
    var testDescription: String { line }

    var words: [String] { line.split(separator: " ").map(String.init) }
    var verb: String { words[0] }
    /// By their names.
    var options: [String] {
      words.filter { $0.hasPrefix("--") }.map {
        String($0.dropFirst(2).prefix { $0 != "=" })
      }
    }
  }

  @Test(arguments: EveryOptionTests.cases) func `it does what the option asks for`(_ c: Case) throws
  {
    let sandbox = try Self.sandbox(c.files)
    for line in c.before {
      let outcome = try Program.run(line.split(separator: " ").map(String.init), in: sandbox)
      try #require(outcome.code == 0, "\(line): \(outcome)")
    }
    let outcome = try Program.run(c.words, in: sandbox)
    #expect(outcome.code == c.code, "\(outcome)")
    let text = outcome.masked(sandbox).output + outcome.masked(sandbox).errors
    #expect(text.contains(c.says), "\(outcome)")
  }

  @Test func `each option of each verb has a line`() {
    let run = Set(Self.cases.flatMap { c in c.options.map { "\(c.verb) --\($0)" } })
    let declared = Set(
      Verb.all.flatMap { verb in verb.options.map { "\(verb.name) \($0.spelling)" } })
    #expect(declared.subtracting(run).sorted() == [], "Give each a line in EveryOptionTests.")
    let common = VerbOption.common.map(\.spelling)
    #expect(run.subtracting(declared).allSatisfy { line in common.contains { line.hasSuffix($0) } })
  }

  // MARK: the options of every verb

  /// A line of each verb; `data/elements.csv` has one row more than the releases.
  static let plain = [
    "make x", "new y", "show 1", "lint", "lock", "revert 2 --rows-only",
    "export elements --out out.csv", "suggestions mine.csv", "snapshot", "build out.sqlite",
    "sign --new-key new.pem", "bundle OUT", "up", "status",
    "plan", "rehearse", "conflicts", "resolve 1 --seed", "pin elements 1", "unpin elements 3",
    "report r.html", "baseline 2", "verify", "origin elements 1", "absent", "backups", "restore",
    "down --to 1", "reseed elements", "fill 1",
  ]

  static let common = [
    "database": "other.sqlite", "migrations": "Catalog", "on-edited": "keepRow",
    "on-taken": "fail", "backups": "Kept", "keep": "3", "ledger": "mine", "lock-timeout": "1.5",
    "progress": "plain", "signed-by": Sandbox.publicKey, "downloaded": "june.seedbed",
    "beside": "Pack",
  ]

  /// What `common` asks for: whoever passes one of them over finds nothing.
  private static func elsewhere(for line: String) throws -> Sandbox {
    let sandbox = try sandbox([
      "Migrations/data/elements.csv":
        "number,name\n1,Hydrogen\n2,Helion\n3,Lithium\n4,Boron\n5,Carbon\n",
      "Pack/catalog.json": #"{"name": "more", "requires": {"base": 1}}"#,
      "Pack/1_more/elements.csv": "number,name\n90,Thorium\n",
    ])
    if line.hasPrefix("fill") {
      try sandbox.write([
        "Migrations/catalog.json": """
        {"tables": {"elements": {"source": "data/elements.csv"}, "labels": {"key": ["code"],
          "per": {"table": "teams", "key": "id", "column": "team_id"}}}}
        """
      ])
      try sandbox.sql(
        """
        CREATE TABLE teams (id INTEGER PRIMARY KEY); INSERT INTO teams VALUES (1);
        CREATE TABLE labels (team_id INTEGER REFERENCES teams, code TEXT,
          PRIMARY KEY (team_id, code));
        """)
      _ = try Program.run(["lock"], in: sandbox)
    }
    for table in [
      "ledger", "migrations", "runs", "conflicts", "left_to_user", "applying",
    ] { try sandbox.sql("ALTER TABLE seedbed_\(table) RENAME TO mine_\(table)") }
    for (from, to) in [("Migrations", "Catalog"), ("app.sqlite", "other.sqlite")] {
      try FileManager.default.moveItem(
        atPath: "\(sandbox.path)/\(from)", toPath: "\(sandbox.path)/\(to)")
    }
    try FileManager.default.removeItem(atPath: "\(sandbox.path)/app.sqlite.backups")
    let backup = try Program.run(["reseed", "elements", "1"] + options, in: sandbox)
    guard backup.code == 0 else { throw Sandbox.Failure(description: "\(backup)") }
    return sandbox
  }

  private static let options = options { _ in true }

  private static func options(_ isTaken: (String) -> Bool) -> [String] {
    common.sorted { $0.key < $1.key }.filter { isTaken($0.key) }
      .flatMap { ["--" + $0.key, $0.value] }
  }

  @Test(arguments: plain) func `the options of every verb are heard`(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let usesDatabase = try #require(Verb.all.first { $0.name == words[0] }).usesDatabase
    let usesFolder = !usesDatabase || line.hasPrefix("export elements")
    let options = Self.options { !usesFolder || $0 != "downloaded" }
    if usesFolder {
      let refused = try Program.run(words + Self.options, in: try Self.elsewhere(for: line))
      #expect(refused.code == 64 && refused.errors.contains("no downloads"), "\(refused)")
    }
    let json = try Program.run(words + options + ["--json"], in: try Self.elsewhere(for: line))
    #expect(json.code == 0, "\(json)")
    let document =
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(document?["schema"] as? Int == 1, "\(json)")
    let quiet = try Program.run(
      words + options.filter { $0 != "--progress" && $0 != "plain" } + ["--quiet"],
      in: try Self.elsewhere(for: line))
    #expect(quiet == Outcome(), "\(quiet)")
    let help = try Program.run(words + ["--help"], in: try Sandbox())
    #expect(help.code == 0 && help.output.hasPrefix("Usage:\n  migrate \(words[0]) "), "\(help)")
    let version = try Program.run(words + ["--version"], in: try Sandbox())
    #expect(version.code == 0 && version.output.hasPrefix("migrate "), "\(version)")
  }

  @Test func `each verb has a line, and each common option a value`() {
    let verbs = Verb.all.filter(\.takesCommonOptions).map(\.name)
    #expect(Set(Self.plain.map { String($0.prefix { $0 != " " }) }) == Set(verbs))
    #expect(Self.plain.count == verbs.count)
    let valued = VerbOption.common.filter { !$0.isSwitch }.map(\.name)
    #expect(Set(Self.common.keys) == Set(valued))
    #expect(VerbOption.common.filter(\.isSwitch).map(\.name) == ["allow-sql", "json", "quiet"])
    #expect(VerbOption.last.map(\.name) == ["help", "version"])
  }
}
