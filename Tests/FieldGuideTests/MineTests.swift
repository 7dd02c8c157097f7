import TestSupport
import Testing

/// What the user decides after an update.
struct MineTests {
  /// An update met two names and a deletion of the user's.
  private static func app() throws -> App {
    let app = try App()
    _ = try app.run("--release", "2", "edit", "113", "name", "Bobium")
    _ = try app.run("--release", "2", "forget", "115")
    _ = try app.run("add", "Xx", "Mine")
    return app
  }

  private static func lines(_ outcome: App.Outcome) -> [Substring] {
    outcome.output.split(separator: "\n")
  }

  @Test func `who agrees has nothing to settle`() throws {
    #expect(try App().run("mine").output == "You and the guide agree on everything.\n")
  }

  @Test func `the guide's value is taken, and mine comes back`() throws {
    let app = try Self.app()
    #expect(try app.run("mine", "take", "1") == App.Outcome())
    #expect(try app.run("show", "113").output.contains("\nname: Nihonium\n"))
    #expect(
      try Self.lines(app.run("mine"))[0]
        == "1  113, Nihonium: You changed the name to Bobium, and the guide changed it from "
        + "Ununtrium to Nihonium. You took the guide's.")
    #expect(try app.run("mine", "keep", "1") == App.Outcome())
    #expect(try app.run("show", "113").output.contains("\nname: Bobium\n"))
    #expect(try Self.lines(app.run("mine"))[0].hasSuffix(" You kept yours."))
    #expect(try app.run("mine", "take", "2") == App.Outcome())
    #expect(try app.run("show", "115").output.contains("\nname: Moscovium\n"))
  }

  @Test func `what changed since is not settled, and why is said`() throws {
    let app = try Self.app()
    _ = try app.run("edit", "113", "name", "Again")
    let refused = try app.run("mine", "take", "1")
    #expect(refused.errors.contains("the row changed since, name is \"Again\" now."))
    #expect(refused.code == 1)
    #expect(try app.run("show", "113").output.contains("\nname: Again\n"))
    #expect(try app.run("mine", "take", "9").errors.contains("There is no disagreement 9."))
  }

  @Test func `an element says whose it is`() throws {
    let app = try Self.app()
    #expect(try app.run("whose", "He").output == "It is the guide's.\n")
    #expect(try app.run("whose", "Mine").output == "It is yours.\n")
    _ = try app.run("edit", "113", "discoverer", "")
    #expect(
      try app.run("whose", "Bobium").output == """
        It is the guide's, with changes of yours. The guide says:
        name: Nihonium
        discoverer: RIKEN

        """)
  }
}
