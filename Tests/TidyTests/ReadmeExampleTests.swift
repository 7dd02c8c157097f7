import Foundation
import TestSupport
import Testing

/// The test that a stranger would do first.
@Suite(.enabled(if: Bundle.main.executableURL != nil))
struct `The README's Swift` {
  @Test(arguments: ["README.md", "Documentation/AtAppStart.md"])
  func `compiles as it stands`(page: String) throws {
    let blocks = Checkout.blocks(of: "swift", in: try Project.text(page))
    try #require(!blocks.isEmpty, "Show in \(page) how an app embeds the library.")
    for block in blocks {
      let checked = try compile(block)
      #expect(checked.status == 0, "Correct the example in \(page):\n\(checked.output)")
    }
  }

  @Test func `is found when it names what GRDB has not`() throws {
    let text = "import GRDB\nfunc a(_ db: GRDB.Database) throws { try db.tell() }\n"
    #expect(try compile(text).output.contains("error:"))
  }

  @Test func `is found when it does not compile`() throws {
    #expect(try compile("import Seedbed\nlet a = Migrator()\n").output.contains("error:"))
  }

  private func compile(_ text: String) throws -> Shell {
    try Built.typeCheck(
      text, beside: Self.others.filter { text.contains("import \($0.key)\n") })
  }

  /// As much of other libraries as the pages use: GRDB 7 spells it so.
  private static let others = [
    "GRDB": """
    public final class Database {
      public var sqliteConnection: OpaquePointer? { nil }
      public func notifyChanges(in table: Table) throws {}
    }
    public struct Table: Sendable { public init(_ name: String) {} }
    public protocol DatabaseWriter: AnyObject, Sendable {
      func writeWithoutTransaction<T: Sendable>(
        _ updates: @escaping @Sendable (Database) throws -> T) async throws -> T
      func write<T: Sendable>(
        _ updates: @escaping @Sendable (Database) throws -> T) async throws -> T
    }

    """,
    "GRDBSQLite": """
    public func sqlite3_sourceid() -> UnsafePointer<CChar> { fatalError() }

    """,
  ]
}
