import Foundation
package import Seedbed

/// `Documentation/MergeInSQL.md`: what one release does to a small database, printed by a test of
/// each engine.
package final class MergePage {
  package static let path = "Documentation/MergeInSQL.md"

  /// The catalog and its two releases.
  package static let files = [
    "0001_words/up.sql": """
    CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE, class TEXT, note TEXT);
    CREATE TABLE senses (id INTEGER PRIMARY KEY, word INTEGER REFERENCES words, text TEXT);
    """,
    "0001_words/words.csv": "id,lemma,class,note\n1,colour,n,\n2,hue,n,\n4,gaol,n,\n",
    "0001_words/senses.csv": "id,word,text\n10,1,a tint\n",
    "0002_june/words.update.csv":
      "id,lemma,was:lemma,class,was:class,note,was:note\n1,color,colour,noun,n,visible,\n",
    "0002_june/words.delete.csv": "id,lemma,class,note\n4,gaol,n,\n",
    "0002_june/words.csv": "id,lemma,class,note\n3,jail,noun,\n",
    "0002_june/senses.update.csv": "id,word,was:word,text,was:text\n10,2,1,a shade,a tint\n",
    "0002_june/senses.csv": "id,word,text\n12,1,a pigment\n",
  ]

  /// The same, with SQL for PostgreSQL.
  package static let serverFiles = files.merging([
    "0001_words/up.postgresql.sql": """
    CREATE TABLE words (id BIGINT PRIMARY KEY, lemma TEXT UNIQUE, class TEXT, note TEXT);
    CREATE TABLE senses (id BIGINT PRIMARY KEY, word BIGINT REFERENCES words, text TEXT);
    """
  ]) { $1 }

  package static let user = [
    "UPDATE words SET class = 'mass noun' WHERE id = 1",
    "DELETE FROM words WHERE id = 2",
    "INSERT INTO words VALUES (900, 'color', 'n', 'as in America')",
  ]

  /// The steps that have ended when a run reaches these moments.
  package static let steps: [Moment: String] = [
    .rowsStaged: "1 and 2, stage and decide", .rowsExplained: "3 and 4, demote and explain",
    .rowsDecided: "5 and 6, log and refuse", .rowsWritten: "7 to 9, write",
  ]

  /// The steps that ended, in their order.
  package private(set) var titles: [String] = []
  /// A part for each: its statements, and the rows that the plan then has.
  private var parts: [String] = []
  private var statements: [(sql: String, count: Int)] = []

  package init() {}

  /// A statement that ran. One that ran before in the same step is counted.
  package func add(_ sql: String) {
    // The limits of a migration are checked before.
    if sql.contains("seedbed:given") { return }
    if let index = statements.firstIndex(where: { $0.sql == sql }) {
      statements[index].count += 1
    } else {
      statements.append((sql, 1))
    }
  }

  /// Ends a step.
  ///
  /// - Parameter tables: what to show after it: a table's name, its columns and rows.
  package func end(_ step: String, _ tables: [(name: String, columns: [String], rows: [[String]])])
  {
    let sql = statements.map { statement in
      let times = statement.count > 1 ? "-- \(statement.count) times\n" : ""
      return times + statement.sql + (statement.sql.hasSuffix(";") ? "" : ";")
    }
    titles.append(step)
    parts.append("### \(step)")
    if !sql.isEmpty { parts.append("```sql\n" + sql.joined(separator: "\n\n") + "\n```") }
    for table in tables {
      parts.append(
        "`\(table.name)`:\n\n```text\n" + Self.aligned([table.columns] + table.rows) + "\n```")
    }
    statements = []
  }

  /// The rows of a table under their columns.
  private static func aligned(_ rows: [[String]]) -> String {
    let widths = (rows.first ?? []).indices.map { index in rows.map { $0[index].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
        .joined(separator: "  ").trimmingTrailingSpaces
    }.joined(separator: "\n")
  }

  /// What this engine's part of the page has to be, and what it is. Writes it if
  /// `SEEDBED_WRITE_PAGES` is set.
  package func compared(on engine: String) throws -> (expected: String, found: String) {
    let made = parts.joined(separator: "\n\n")
    let marks = ("<!-- \(engine): printed by a test -->\n\n", "\n\n<!-- end -->")
    return (made, try Checkout.printed(made, in: Self.path, between: marks))
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    var text = Substring(self)
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}
