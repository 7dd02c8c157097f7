import Testing

@testable import MigrateCommand

struct PaletteTests {
  struct Given: Sendable {
    var isTerminal = true
    var environment: [String: String] = [:]
  }

  typealias Case = Named<Given, Bool>

  static let cases: [Case] = [
    Case("a terminal", Given(), true),
    Case("a pipe", Given(isTerminal: false), false),
    Case("NO_COLOR", Given(environment: ["NO_COLOR": "1"]), false),
    Case("an empty NO_COLOR", Given(environment: ["NO_COLOR": ""]), true),
    Case("CLICOLOR=0", Given(environment: ["CLICOLOR": "0"]), false),
    Case("CLICOLOR=1", Given(environment: ["CLICOLOR": "1"]), true),
    Case("a dumb terminal", Given(environment: ["TERM": "dumb"]), false),
  ]

  @Test(arguments: cases) func `colour is used`(_ c: Case) {
    let sink = Memory().sink(isTerminal: c.given.isTerminal)
    let painted = Palette(for: sink, c.given.environment)("drifted", .bad)
    #expect(painted == (c.expected ? "\u{1B}[31mdrifted\u{1B}[0m" : "drifted"))
  }
}
