import Seedbed
import Testing

@testable import MigrateCommand

/// What is wrong with a command line, as the real program says it.
struct CommandLineTests {
  typealias Case = Named<[String], String>

  static let refused: [Case] = [
    Case("a misspelt verb", ["stauts"], "Unknown verb 'stauts'. Did you mean 'status'?"),
    Case("two letters swapped", ["pu"], "Unknown verb 'pu'. Did you mean 'up'?"),
    Case("a verb that is like none", ["frobnicate"], "Unknown verb 'frobnicate'."),
    Case("a verb in capitals", ["STATUS"], "Unknown verb 'STATUS'. Did you mean 'status'?"),
    Case(
      "help on a misspelt verb", ["help", "statu"],
      "Unknown verb 'statu'. Did you mean 'status'?"),
    Case(
      "--help on a misspelt verb", ["restor", "--help"],
      "Unknown verb 'restor'. Did you mean 'restore'?"),
    Case("an empty word", [""], "Unknown verb ''."),
    Case(
      "a misspelt option", ["up", "--databse", "x"],
      "Unknown option '--databse'. Did you mean '--database'?"),
    Case(
      "a misspelt option with its value", ["up", "--databse=x"],
      "Unknown option '--databse'. Did you mean '--database'?"),
    Case(
      "a misspelt option before the verb", ["--quite", "up"],
      "Unknown option '--quite'. Did you mean '--quiet'?"),
    Case(
      "the start of an option", ["up", "--mig", "x"],
      "Unknown option '--mig'. Did you mean '--migrations'?"),
    Case("one dash", ["up", "-json"], "Unknown option '-json'. Did you mean '--json'?"),
    Case("a letter", ["up", "-x"], "Unknown option '-x'."),
    Case(
      "a trial of up, as others call it", ["up", "--dry-run"],
      "'up' has no option '--dry-run'. 'plan' says what 'up' would do, and changes nothing."),
    Case(
      "a trial of make", ["make", "june", "--dry-run"],
      "'make' has no option '--dry-run'. '--check' says what 'make' would do, and changes "
        + "nothing."),
    Case("a trial that is none", ["down", "--dry-run"], "Unknown option '--dry-run'."),
    Case(
      "an option of another verb", ["status", "--to", "3"],
      "'status' has no option '--to': it belongs to 'build', 'up', 'plan', 'restore' and "
        + "'down'."),
    Case(
      "an option of another verb before the verb", ["--prune", "status"],
      "'status' has no option '--prune': it belongs to 'conflicts'."),
    Case("no value at the end", ["up", "--to"], "Option '--to' needs a value: '--to N'."),
    Case(
      "an option for a value", ["up", "--database", "--json-lines"],
      "Option '--database' needs a value: '--database PATH'."),
    Case("an empty path", ["up", "--database="], "Option '--database' takes a path, not ''."),
    Case("a value for a switch", ["up", "--quiet=yes"], "Option '--quiet' takes no value."),
    Case("an empty value for a switch", ["up", "--quiet="], "Option '--quiet' takes no value."),
    Case(
      "an option twice", ["up", "--to", "1", "--to=2"],
      "Option '--to' is given twice. Once is enough."),
    Case(
      "a switch twice", ["up", "--quiet", "--quiet"],
      "Option '--quiet' is given twice. Once is enough."),
    Case(
      "before and after the verb", ["--keep", "1", "up", "--keep", "1"],
      "Option '--keep' is given twice. Once is enough."),
    Case(
      "not a number", ["up", "--to", "three"],
      "Option '--to' takes a whole number from 0, not 'three'."),
    Case(
      "a negative number", ["up", "--keep", "-1"],
      "Option '--keep' takes a whole number from 0, not '-1'."),
    Case(
      "a number with a sign", ["up", "--to=+3"],
      "Option '--to' takes a whole number from 0, not '+3'."),
    Case(
      "a number too large", ["up", "--to", "9223372036854775808"],
      "Option '--to' takes a whole number from 0, not '9223372036854775808'."),
    Case(
      "not seconds", ["up", "--lock-timeout", "nan"],
      "Option '--lock-timeout' takes a number of seconds from 0, not 'nan'."),
    Case(
      "a misspelt policy", ["up", "--on-edited", "keepedits"],
      "Option '--on-edited' takes keepEdits, preferSeed, keepRow, overwriteRow or fail, "
        + "not 'keepedits'. Did you mean 'keepEdits'?"),
    Case(
      "a way of progress that there is not", ["up", "--progress", "bar"],
      "Option '--progress' takes auto, plain, json or none, not 'bar'."),
    Case(
      "an operand that is a version", ["up", "3"],
      "'up' takes no operand '3'. Did you mean '--to 3'?"),
    Case("an operand", ["status", "x"], "'status' takes no operand 'x'."),
    Case(
      "an option after the last option", ["status", "--", "--json"],
      "'status' takes no operand '--json'."),
    Case("a second operand", ["restore", "a", "b"], "'restore' takes no second operand 'b'."),
    Case(
      "a database in memory", ["up", "--database", ":memory:"],
      "':memory:' would be gone when the command ends. Name a file with --database."),
  ]

  @Test(arguments: refused) func `a command line is refused`(_ c: Case) throws {
    let sandbox = try Sandbox()
    let outcome = try Program.run(c.given, in: sandbox)
    let verb = try? Arguments.verb(in: c.given)?.name
    let page = Verb.all.first { $0.name == verb && $0.name != "help" }.map { " \($0.name)" } ?? ""
    let errors = "\(c.expected)\nSee 'migrate help\(page)'.\n"
    #expect(outcome == Outcome(errors: errors, code: 64))
    #expect(try sandbox.contents().isEmpty)
  }

  @Test func `no verb prints the help on stderr`() throws {
    let outcome = try Program.run([], in: try Sandbox())
    #expect(outcome == Outcome(errors: HelpPage(program: "migrate").overview(), code: 64))
  }

  @Test func `under --json a usage error is a document on stdout`() throws {
    let outcome = try Program.run(["up", "--too", "3", "--json"], in: try Sandbox())
    let document = #"""
      {"schema":1,"error":{"code":"usage",\#
      "message":"Unknown option '--too'. Did you mean '--to'?","file":null,"line":null,\#
      "column":null,"version":null},"databaseUnchanged":true,"applied":[]}

      """#
    #expect(outcome == Outcome(output: document, code: 64))
  }

  @Test func `under --json no verb is a document too`() throws {
    let outcome = try Program.run(["--json"], in: try Sandbox())
    #expect(outcome.code == 64 && outcome.errors.isEmpty)
    #expect(outcome.output.hasPrefix(#"{"schema":1,"error":{"code":"usage","message":"A verb is"#))
  }

  @Test(arguments: [["--version"], ["up", "--version"], ["--json", "--version"]])
  func `the version is one line`(_ words: [String]) throws {
    let outcome = try Program.run(words, in: try Sandbox())
    // The commit comes from Scripts/build.
    let line = outcome.output.replacing(#/ \([0-9a-f]{12}(-dirty)?\)\n$/#, with: "\n")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(line == "migrate \(Tool.version)\n")
  }

  typealias Reading = Named<[String], [String: String]>

  static let read: [Reading] = [
    Reading("a value in the next word", ["--to", "3"], ["to": "3"]),
    Reading("a value behind an equals sign", ["--to=3"], ["to": "3"]),
    Reading("an equals sign in a value", ["--database=a=b"], ["database": "a=b"]),
    Reading("a value that starts with two dashes", ["--database=--x"], ["database": "--x"]),
    Reading("a value that starts with one dash", ["--database", "-x"], ["database": "-x"]),
    Reading("a lone dash as value", ["--database", "-"], ["database": "-"]),
    Reading("several", ["--to", "3", "--keep=0"], ["to": "3", "keep": "0"]),
  ]

  @Test(arguments: read) func `values are read`(_ c: Reading) throws {
    #expect(try Arguments(c.given, for: .up, environment: [:]).values == c.expected)
  }

  @Test func `what follows two dashes is an operand`() throws {
    let arguments = try Arguments(["--json", "--", "--to"], for: .restore, environment: [:])
    #expect(arguments.operand == "--to")
    #expect(arguments.has(.json))
  }

  @Test func `options may stand before the verb`() throws {
    let found = try Arguments.verb(in: ["--database", "up", "--json", "status", "verify"])
    #expect(found?.name == "status" && found?.position == 3)
  }
}
