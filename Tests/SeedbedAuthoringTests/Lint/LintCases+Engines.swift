/// Catalogs for two engines.
extension LintCase {
  private static let both = [
    "catalog.json": #"{"engines": ["sqlite", "postgresql"]}"#,
    "0001_words/up.postgresql.sql": "CREATE TABLE words (word text, rank integer, note text);\n",
    "0001_words/down.postgresql.sql": "DROP TABLE words;\n",
  ]

  private static func both(
    _ name: String, _ files: [String: String], _ expected: String...
  ) -> LintCase {
    var made = words(name, both.merging(files) { $1 })
    made.expected = expected
    return made
  }

  private static let index = [
    "0002_a/up.sql": "-- An index.\nCREATE INDEX i ON words (rank);\n",
    "0002_a/down.sql": "DROP INDEX i;\n",
  ]

  static let engines: [LintCase] = [
    both("SQL for both engines", [:]),
    both(
      "SQL for SQLite alone", index, "missingTwin 0002_a/down.sql:1",
      "missingTwin 0002_a/up.sql:2"),
    both(
      "nothing to do on PostgreSQL",
      index.merging([
        "0002_a/up.postgresql.sql": "-- none\n", "0002_a/down.postgresql.sql": "-- none\n",
      ]) { $1 }),
    both(
      "SQL for SQLite alone, allowed",
      index.merging([
        "0002_a/migration.json": #"{"allow": {"missingTwin": "PostgreSQL sorts by itself."}}"#
      ]) { $1 }),
    LintCase(
      "SQLite was added, and has no SQL yet",
      both("", [:]).files.filter {
        $0.key != "0001_words/up.sql" && $0.key != "0001_words/down.sql"
      },
      "missingTwin 0001_words/up.postgresql.sql:1", "catalog 0001_words/words.csv"),
    both(
      "SQL that checks SQLite alone", ["0002_a/verify.sql": "SELECT 1 WHERE 0;\n"],
      "missingTwin 0002_a/verify.sql:1"),
    both(
      "SQL for PostgreSQL that nothing undoes",
      ["0002_a/up.postgresql.sql": "\nCREATE INDEX i ON words (rank);\n"],
      "irreversible 0002_a/up.postgresql.sql:2"),
    both(
      "SQL for PostgreSQL that nothing undoes, allowed there",
      [
        "0002_a/up.postgresql.sql":
          "-- seedbed:allow irreversible An index.\nCREATE INDEX i ON words (rank);\n"
      ]),
    both(
      "PostgreSQL leaves out what nothing undoes",
      ["0002_a/up.sql": "SELECT 1;\n", "0002_a/up.postgresql.sql": "-- none\n"],
      "irreversible 0002_a/up.sql:1"),
    both(
      "two kinds of line endings for PostgreSQL",
      ["0002_a/verify.postgresql.sql": "SELECT 1\r\n  WHERE false;\n"],
      "mixedLineEndings 0002_a/verify.postgresql.sql:2"),
    LintCase(
      "SQL for PostgreSQL that was rewritten", both("", [:]).files,
      later: ["0001_words/up.postgresql.sql": "SELECT 1;\n"],
      "rewritten 0001_words/up.postgresql.sql:1"),
    words(
      "SQL for PostgreSQL without the option", ["0001_words/up.postgresql.sql": "SELECT 1;\n"],
      "catalog 0001_words/up.postgresql.sql"),
    words(
      "engines that cannot be read",
      both.merging(["catalog.json": #"{"engines": ["sqlite", "postgres"]}"#]) { $1 }
        .merging(index) { $1 }, "catalog catalog.json:1"),
  ]
}
