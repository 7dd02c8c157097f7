import Foundation
import Testing

/// What apps build on stays: a list in the repository has every public symbol.
@Suite(.enabled(if: Bundle.main.executableURL != nil))
struct `The public API` {
  private static let list = "Tests/PublicAPI.txt"

  @Test func `is that of the list`() throws {
    let listed = try Project.text(Self.list).split(separator: "\n").map(String.init)
    let found = try Built.publicSymbols(of: "Seedbed")
    for problem in Self.problems(listed: listed, found: found) { Issue.record("\(problem)") }
  }

  @Test func `may not shrink, and grows knowingly`() {
    #expect(Self.problems(listed: ["A: struct A"], found: ["A: struct A"]) == [])
    #expect(
      Self.problems(listed: ["A: struct A", "B: struct B"], found: ["A: class A", "B: struct B"])
        == [
          "Apps may use 'A: struct A', which is gone. Bring it back.",
          "'A: class A' is public and not in \(Self.list). If apps are to have it for good, enter "
            + "it there, in its order; or make it internal.",
        ])
  }

  private static func problems(listed: [String], found: [String]) -> [String] {
    let (old, new) = (Set(listed), Set(found))
    return listed.filter { !new.contains($0) }.map {
      "Apps may use '\($0)', which is gone. Bring it back."
    }
      + found.filter { !old.contains($0) }.map {
        "'\($0)' is public and not in \(list). If apps are to have it for good, enter it there, in "
          + "its order; or make it internal."
      }
  }

  // MARK: names

  /// What apps and other libraries call their own things.
  private static let names = [
    "Database", "Row", "Table", "Conflict", "Status", "Report", "Value", "Version", "Options",
    "Backup", "Estimate", "Counts", "Migration", "Policies", "Cancellation", "Timestamp",
  ]

  private static let uses = """
    import Foundation
    import Seedbed

    /// Foundation's and ours.
    func progress(_ ours: Migrator.Progress) -> Progress { Progress(totalUnitCount: 100) }

    """

  @Test func `leaves the names of an app to the app`() throws {
    let own = Self.names.map { "struct \($0) {}\nlet a\($0) = \($0)()\n" }.joined()
    let checked = try Built.typeCheck(
      Self.uses + own + "func show(_ row: Row, _ ours: Migrator.Row) {}\n")
    #expect(checked.status == 0, "\(checked.output)")
    let progress = "struct Progress {}\nfunc show(_: Progress, _: Migrator.Progress) {}\n"
    let shadowing = try Built.typeCheck("import Foundation\nimport Seedbed\n" + progress)
    #expect(shadowing.status == 0, "\(shadowing.output)")
  }

  @Test func `leaves the names of another library to that`() throws {
    let other = Self.names.map { "public struct \($0) { public init() {} }\n" }.joined()
    let uses = Self.names.map { "func use\($0)(_: \($0)) {}\n" }.joined()
    let checked = try Built.typeCheck(
      "import Other\n" + Self.uses + uses, beside: ["Other": other])
    #expect(checked.status == 0, "\(checked.output)")
  }

  @Test func `a name that collides is found`() throws {
    let checked = try Built.typeCheck(
      "import Other\nimport Seedbed\nfunc use(_: Catalog) {}\n",
      beside: ["Other": "public struct Catalog {}\n"])
    #expect(checked.output.contains("'Catalog' is ambiguous"))
  }
}
