import Testing

@testable import MigrateCommand

struct ReseedCommandTests {
  @Test func `rows come back by their keys, and the user's stay`() throws {
    let sandbox = try Sandbox.toldStory()
    _ = try Program.run(["up", "--quiet"], in: sandbox)
    let one = try Program.run(["reseed", "elements", "1", "5"], in: sandbox).masked(sandbox)
    #expect(one.code == 0)
    #expect(one.output.contains("Backup   "))
    #expect(
      one.output.hasSuffix(
        "elements: +1 added, ~1 changed. These rows are as in version 2.\n"))
    #expect(
      try sandbox.sql(
        "SELECT number || '|' || symbol || '|' || name FROM elements WHERE number IN (1, 5)")
        == ["1|D|Deuterium", "5|B|Boron"])
    let again = try Program.run(["reseed", "elements", "1", "5", "--json"], in: sandbox)
    #expect(again.output.contains(#""inserted":0,"updated":0,"unchanged":2"#))
    #expect(again.output.contains(#""outcome":"upToDate""#))
  }

  @Test func `a row that a user made under a seed's key goes only where it is named`() throws {
    let sandbox = try Sandbox.toldStory()
    _ = try Program.run(["up", "--quiet"], in: sandbox)
    let all = try Program.run(["reseed", "elements"], in: sandbox)
    #expect(all.output.contains("\n2 rows gave way to rows of a user, which stay."))
    #expect(try sandbox.sql("SELECT symbol FROM elements WHERE number = 20") == ["Kk"])
    let named = try Program.run(["reseed", "elements", "20"], in: sandbox)
    #expect(named.output.contains(#"In place of rows that a user had made: {"number":20}."#))
    #expect(try sandbox.sql("SELECT symbol FROM elements WHERE number = 20") == ["Ca"])
  }

  @Test func `a table must be named`() throws {
    let sandbox = try Sandbox.toldStory()
    let outcome = try Program.run(["reseed"], in: sandbox)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("'reseed' needs TABLE"))
  }
}
