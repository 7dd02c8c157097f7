import Seedbed
import Testing

@testable import MigrateCommand

struct HelpPageTests {
  @Test(arguments: Verb.all.map(\.name) + ["migrate"])
  func `a page starts with examples and fits 80 columns`(_ name: String) {
    let help = HelpPage(program: "migrate")
    let verb = Verb.all.first { $0.name == name }
    let page = verb.map { help.page(of: $0) } ?? help.overview()
    #expect(page.hasPrefix("Examples:\n  migrate "))
    for line in page.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    #expect(page.hasSuffix("\n") && !page.contains("\n\n\n"))
    #expect(!page.split(separator: "\n").contains { $0.hasSuffix(" ") })
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
  func `the overview names every verb and option`(_ words: [String]) throws {
    let outcome = try Program.run(words, in: try Sandbox())
    #expect(outcome == Outcome(output: HelpPage(program: "migrate").overview()))
    for verb in Verb.all { #expect(outcome.output.contains("\n  \(verb.name) ")) }
    for option in CommonOptions.all { #expect(outcome.output.contains("\n  \(option.spelling) ")) }
  }

  @Test func `help wins over what else is wrong`() throws {
    let page = HelpPage(program: "migrate").page(of: .up)
    #expect(try Program.run(["up", "--to", "x", "--help"], in: try Sandbox()).output == page)
  }

  @Test func `a page of one verb, whole`() {
    let page = HelpPage(program: "seedbed").page(of: .conflicts)
    let defaults = Migrator.Options()
    #expect(
      page == """
        Examples:
          seedbed conflicts          all of them, oldest first
          seedbed conflicts --json   with every value whole
          seedbed conflicts --prune  forget them; the rows stay as they are

        Usage:
          seedbed conflicts [options]

        Lists every place where the seed wanted to change what the user had changed or
        taken, with who won and the policy that said so. SEED is what the seed wanted,
        MINE what the user had, BASE what the seed believed to be there.

        Options of conflicts:
          --prune  forget all of them; the rows stay as they are

        Options of every verb:
          --database PATH         the database (env MIGRATE_DATABASE, DATABASE_URL;
                                  default: app.sqlite)
          --migrations DIR        the catalog, the folder of all migrations (env
                                  MIGRATE_DIR; default: Migrations)
          --on-edited POLICY      when the user changed what the seed wants to change
                                  (keepEdits|preferSeed|keepRow|overwriteRow|fail;
                                  default: the catalog's, else keepEdits)
          --on-taken POLICY       when a user's row sits where a seed row should go
                                  (keepUser|moveUser|replaceUser|fail; default: the
                                  catalog's, else keepUser)
          --backups DIR           where backups go (env MIGRATE_BACKUPS; default:
                                  PATH.backups beside the database)
          --keep N                keep the backups of the last N versions; 0 keeps all
                                  (default: \(defaults.backupsToKeep))
          --ledger NAME           the prefix of the ledger's tables (default: \(defaults.ledger))
          --lock-timeout SECONDS  how long to wait for another process (default: \
        \(Int(defaults.lockTimeout.inSeconds)))
          --progress HOW          auto: a bar where stderr is a terminal; plain: lines
                                  (auto|plain|none; default: auto)
          --json                  one JSON document on stdout, also for errors
          --quiet                 print errors only, and the document of --json
          --help                  print this page
          --version               print the version

        Exit codes:
          0   done, or nothing to do
          2   failed; what was in flight was rolled back
          4   the database is busy; try again
          64  the command line was not understood

        """)
  }
}
