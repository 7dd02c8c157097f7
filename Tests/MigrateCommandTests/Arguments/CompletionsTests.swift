import TestSupport
import Testing

@testable import MigrateCommand

/// What real shells offer after the Tab key.
struct CompletionsTests {
  typealias Case = Named<String, String>

  static let cases: [Case] = [
    Case("a verb", "migrate sta", "status"),
    Case(
      "a verb after an option", "migrate --database x re",
      "rehearse report reseed resolve restore revert"),
    Case("an option of the verb", "migrate conflicts --pr", "--progress --prune"),
    Case("an option before the verb", "migrate --js", "--json"),
    Case("no option of another verb", "migrate up --pru", ""),
    Case("a value from a list", "migrate up --on-edited keep", "keepEdits keepRow"),
    Case("no words for a path", "migrate --out rev", ""),
    Case("a page of the help", "migrate help op", "options"),
    Case("a shell", "migrate help --completions z", "zsh"),
  ]

  private static func sandbox(_ shell: Completions.Shell) throws -> Sandbox {
    try Sandbox().write(["script": Completions(program: "migrate").script(for: shell)])
  }

  @Test(arguments: cases) func `bash completes`(_ c: Case) throws {
    let words = c.given.split(separator: " ").joined(separator: " ")
    let asked = """
      . ./script
      [ "$(complete -p migrate)" = 'complete -o default -F _migrate migrate' ] || exit 1
      COMP_WORDS=(\(words)) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _migrate
      printf '%s\\n' "${COMPREPLY[@]}" | sort | xargs
      """
    let outcome = try Self.sandbox(.bash).write(["asked": asked]).shell("bash -u asked")
    #expect(outcome == Outcome(output: c.expected + "\n"))
  }

  @Test(.enabled(if: Sandbox.has("fish")), arguments: cases)
  func `fish completes`(_ c: Case) throws {
    let asked = "source script; complete -C '\(c.given)' | cut -f 1 | sort | xargs"
    let outcome = try Self.sandbox(.fish).write(["asked": asked]).shell("fish asked")
    #expect(outcome == Outcome(output: c.expected + "\n"))
  }

  @Test(.enabled(if: Sandbox.has("zsh"))) func `zsh reads its script`() throws {
    // Stands in for _arguments, and prints what a verb gets.
    let asked = """
      compdef() { print -r -- $@ }
      . ./script
      _arguments() {
        if [[ $1 == -C ]]; then state=rest line=(up); return 1; fi
        print -rl -- $@
      }
      words=(--to)
      _migrate
      """
    let outcome = try Self.sandbox(.zsh).write(["asked": asked]).shell("zsh -f asked")
    #expect(outcome.code == 0 && outcome.output.hasPrefix("_migrate migrate\n"))
    #expect(outcome.output.contains("\n--to=[stop at version N]:N: \n"))
    #expect(outcome.output.contains("\n--database=[the database]:PATH:_files\n"))
    #expect(outcome.output.contains("]:POLICY:(keepUser moveUser replaceUser fail)\n"))
    #expect(outcome.output.contains("--progress=[auto\\: a bar if stderr"))
    #expect(!outcome.output.contains("--prune"))
  }

  @Test(arguments: Completions.Shell.allCases)
  func `a script is printed for the name that was called`(_ shell: Completions.Shell) throws {
    let sandbox = try Sandbox()
    let outcome = try Program.run(["help", "--completions", shell.rawValue], in: sandbox)
    #expect(outcome == Outcome(output: Completions(program: "migrate").script(for: shell)))
    #expect(!Completions(program: "seedbed").script(for: shell).contains("migrate help"))
  }

  @Test func `a shell without completions is refused`() throws {
    let message = """
      Option '--completions' takes bash, zsh or fish, not 'tcsh'.
      See 'migrate help'.

      """
    let outcome = try Program.run(["help", "--completions", "tcsh"], in: try Sandbox())
    #expect(outcome == Outcome(errors: message, code: 64))
  }
}
