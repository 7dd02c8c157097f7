import Seedbed
import SeedbedOptions
import Testing

@testable import MigrateCommand

struct HelpPageTests {
  private static let help = HelpPage(program: "migrate")

  private static func lines(_ page: String) -> [Substring] {
    page.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  @Test(arguments: [nil, "options"] + Verb.all.map(\.name))
  func `a page fits 80 columns`(_ word: String?) throws {
    let page = try Self.help.page(on: word)
    for line in Self.lines(page) { #expect(line.count <= 80 && !line.hasSuffix(" "), "\(line)") }
    #expect(page.hasSuffix("\n") && !page.contains("\n\n\n"))
  }

  @Test func `the overview fits a screen and has each verb in one group`() {
    let page = Self.help.overview()
    #expect(Self.lines(page).count <= 24)
    let grouped = Verb.groups.flatMap(\.verbs).map(\.name)
    #expect(Verb.all.map(\.name) == grouped + ["help"])
    #expect(Set(grouped).count == grouped.count)
    let unwrapped = page.replacing(",\n  ", with: ", ")
    for group in Verb.groups {
      let names = group.verbs.map(\.name).joined(separator: ", ")
      #expect(unwrapped.contains("\n\(group.title):\n  \(names)\n"))
    }
    #expect(page.contains("\n  migrate help VERB ") && page.contains("\n  migrate help options "))
  }

  @Test(arguments: Verb.all.map(\.name))
  func `a verb's page has its own options, and names that of the common ones`(
    _ name: String
  ) throws {
    let verb = try Verb.named(name)
    let page = Self.help.page(of: verb)
    for option in verb.options { #expect(page.contains("\n  \(option.spelling)")) }
    for option in VerbOption.common + VerbOption.last {
      #expect(!page.contains("\n  \(option.spelling) "), "\(option.spelling)")
    }
    #expect(page.contains("\n  migrate help options "))
  }

  @Test func `the common options have a page of their own`() throws {
    let page = try Program.run(["help", "options"], in: try Sandbox())
    #expect(page == Outcome(output: Self.help.options()))
    for option in VerbOption.common + VerbOption.last {
      #expect(page.output.contains("\n  \(option.spelling) "))
    }
    for code in ExitCode.allCases { #expect(page.output.contains("\n  \(code.rawValue) ")) }
    #expect(try Program.run(["--help", "options"], in: try Sandbox()) == page)
  }

  @Test(arguments: Verb.all.map(\.name))
  func `every way to ask prints the same`(_ verb: String) throws {
    let sandbox = try Sandbox()
    let page = HelpPage(program: "migrate").page(of: try Verb.named(verb))
    for words in [["help", verb], [verb, "--help"], ["--help", verb], [verb, "--json", "-h"]] {
      #expect(try Program.run(words, in: sandbox) == Outcome(output: page))
    }
  }

  @Test(arguments: [["help"], ["--help"], ["-h"]])
  func `the overview is what help prints`(_ words: [String]) throws {
    #expect(try Program.run(words, in: try Sandbox()) == Outcome(output: Self.help.overview()))
  }

  static let contradictions = [
    ["help", "up", "--markdown"], ["help", "--man", "--markdown"],
    ["help", "--completions", "bash", "--man"],
  ]

  @Test(arguments: contradictions) func `help prints one thing`(_ words: [String]) throws {
    let message = """
      Give only one of VERB, '--man', '--markdown' and '--completions'. VERB may also have '--man'.
      See 'migrate help'.

      """
    #expect(try Program.run(words, in: try Sandbox()) == Outcome(errors: message, code: 64))
  }

  @Test func `help wins over what else is wrong`() throws {
    let page = HelpPage(program: "migrate").page(of: .up)
    #expect(try Program.run(["up", "--to", "x", "--help"], in: try Sandbox()).output == page)
  }

  @Test func `a page of one verb, whole`() {
    #expect(
      HelpPage(program: "seedbed").page(of: .conflicts) == """
        Usage:
          seedbed conflicts [options]

        Lists each case in which the seed wanted to change a value or row that the user
        had changed or taken, with the outcome and its policy. SEED is the seed's new
        value, MINE the user's, and BASE the value that the seed expected.

        Examples:
          seedbed conflicts                  all of them, oldest first
          seedbed conflicts --open           only those that 'resolve' has not settled
          seedbed conflicts --each tenants/  how many, by table and column
          seedbed conflicts --json           with every value in full
          seedbed conflicts --prune          forget them; the rows stay as they are

        Options:
          --prune            forget all of them and the values in them; the rows stay as
                             they are
          --open             only those that are not settled yet
          --each PATTERN     do it for each database: a quoted pattern, a folder, a URL
                             with --schemas, or - for paths or URLs on stdin
          --schemas PATTERN  with --each URL: do it for each schema whose name matches a
                             quoted pattern
          --except PATTERN   with --each: leave out databases whose name or path matches
                             a quoted pattern
          --jobs N           with --each: work on N databases at a time (default: the
                             number of cores)

        Exit codes:
          0    done, or nothing to do
          2    failed; nothing is left half done
          4    the database or the catalog is busy; try again
          5    the database is newer than the catalog
          64   the command line was not understood
          130  interrupted; nothing is left half done

        Read on:
          seedbed help options  the options of every verb, and exit codes

        """)
  }

  @Test func `an option tells its values, variables and default`() {
    let page = HelpPage(program: "migrate").options()
    let defaults = Migrator.Options()
    #expect(
      page.hasPrefix(
        """
        Options of every verb:
          --database PATH         the database (env MIGRATE_DATABASE, DATABASE_URL;
                                  default: app.sqlite)
          --migrations DIR        the catalog: the folder of all migrations (env
                                  MIGRATE_DIR; default: Migrations)
          --on-edited POLICY      what to do if the user edited a value or row that the
                                  seed changes
                                  (keepEdits|preferSeed|keepRow|overwriteRow|fail;
                                  default: the catalog's, or keepEdits)

        """))
    #expect(page.contains("last N of each; 0 keeps all (default: \(defaults.backupsToKeep))\n"))
    #expect(page.contains("ledger's tables (default: \(defaults.ledger))\n"))
    #expect(page.contains("another process (default: \(Int(defaults.lockTimeout.inSeconds)))\n"))
  }
}
