import TestSupport
import Testing

/// The programs that `Scripts/checks/test-deploys` plays are those that a reader copies from two
/// pages.
@Suite struct `The programs of deploys` {
  static let folder = "Tests/Deploy"
  static let deploys = "Sources/Seedbed/Seedbed.docc/InADeploy.md"
  static let screen = "Sources/Seedbed/Seedbed.docc/AnAdministratorsScreen.md"

  /// Those that are printed whole, each with its page.
  static let whole = [
    "alembic/deploy.sh": deploys,
    "laravel/deploy.sh": deploys, "screen.py": screen,
  ]

  @Test(arguments: whole) func `are printed as they are`(program: String, page: String) throws {
    let text = try Project.text("\(Self.folder)/\(program)")
    let printed = try Project.text(page)
    let blocks = ["php", "python", "ruby", "sh"].flatMap { Checkout.blocks(of: $0, in: printed) }
    #expect(blocks.contains(text), "Print \(program) in \(page) as it is, or remove it.")
  }

  @Test func `have the parts that are printed`() throws {
    let programs = try ["alembic/schema/env.py", "flask/app.py"].map { program in
      try Project.text("\(Self.folder)/\(program)")
    }
    let parts = Checkout.blocks(of: "python", in: try Project.text(Self.deploys))
    #expect(parts.count == 2)
    for part in parts {
      #expect(
        programs.contains { $0.contains(part) },
        "No program in \(Self.folder) has this part of \(Self.deploys):\n\(part)")
    }
  }

  @Test func `have at most sixty lines, where a page prints them whole`() throws {
    let program = SourceFile(path: "screen.py", text: try Project.text("\(Self.folder)/screen.py"))
    #expect(program.lines.dropLast().count <= 60)
    #expect(program.lines.allSatisfy { $0.count <= Lengths.columns })
  }
}
