import Testing

@testable import Seedbed

struct AlterStatementTests {
  static let cases: [(String, [AlterStatement])] = [
    ("t RENAME TO u", [.rename(table: "t", to: "u")]),
    ("main.\"a b\" RENAME TO u", [.rename(table: "a b", to: "u")]),
    ("t RENAME a TO b", [.renameColumn(table: "t", from: "a", to: "b")]),
    ("t RENAME COLUMN a TO b", [.renameColumn(table: "t", from: "a", to: "b")]),
    ("t RENAME column TO b", [.renameColumn(table: "t", from: "column", to: "b")]),
    ("t RENAME CONSTRAINT a TO b", []),
    ("t ADD a INTEGER DEFAULT (1, 2)", [.add(table: "t", column: "a")]),
    ("t ADD COLUMN \"check\"", [.add(table: "t", column: "check")]),
    ("t ADD CHECK (a > 1)", []), ("t DROP CONSTRAINT a", []),
    ("t DROP COLUMN a", [.drop(table: "t", column: "a")]),
    ("t DROP a", [.drop(table: "t", column: "a")]),
    ("only RENAME TO u", [.rename(table: "only", to: "u")]),
    // PostgreSQL's alone.
    (
      "IF EXISTS ONLY s.t * DROP COLUMN IF EXISTS a CASCADE, ADD IF NOT EXISTS b numeric(1, 2)",
      [.drop(table: "t", column: "a"), .add(table: "t", column: "b")]
    ),
    ("t ALTER COLUMN a DROP NOT NULL, DROP b", [.drop(table: "t", column: "b")]),
    ("ONLY t RENAME a TO b", [.renameColumn(table: "t", from: "a", to: "b")]),
    ("", []), ("t", []), ("s.", []), ("t RENAME", []), ("t DROP", []),
  ]

  @Test(arguments: cases.indices) func `ALTER TABLE does`(_ index: Int) {
    let (sql, actions) = Self.cases[index]
    let found = { AlterStatement.actions(of: SQLTokens.code(of: $0 + sql)) }
    #expect(found("ALTER TABLE ") == actions, "\(sql)")
    #expect(found("ALTER INDEX ") == [])
  }
}
