import Foundation

/// `Documentation/MergeInSQL.md`: what one release does to a small database, printed by a test of
/// each engine.
package final class MergePage {
  package static let path = "Documentation/MergeInSQL.md"

  /// The catalog and its two releases. Each engine has the same files but for `up`.
  package static let files = [
    "0001_words/up.sql": """
    CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE, class TEXT);
    CREATE TABLE senses (id INTEGER PRIMARY KEY, word INTEGER REFERENCES words, text TEXT);
    """,
    "0001_words/up.postgresql.sql": """
    CREATE TABLE words (id BIGINT PRIMARY KEY, lemma TEXT UNIQUE, class TEXT);
    CREATE TABLE senses (id BIGINT PRIMARY KEY, word BIGINT REFERENCES words, text TEXT);
    """,
    "0001_words/words.csv": "id,lemma,class\n1,colour,n\n2,gaol,n\n",
    "0001_words/senses.csv": "id,word,text\n10,1,a hue\n11,2,a prison\n",
    "0002_june/words.update.csv": "id,lemma,was:lemma,class,was:class\n1,color,colour,noun,n\n",
    "0002_june/words.delete.csv": "id,lemma,class\n2,gaol,n\n",
    "0002_june/words.csv": "id,lemma,class\n3,jail,noun\n",
    "0002_june/senses.update.csv": "id,text,was:text\n11,a jail,a prison\n",
  ]

  package static let user = [
    "UPDATE words SET lemma = 'colors' WHERE id = 1",
    "DELETE FROM senses WHERE id = 11",
    "INSERT INTO senses VALUES (900, 2, 'where uncle is')",
  ]

  /// In the order of the nine steps: what is asked and written, and what the plan then has.
  private var parts: [String] = []
  private var statements: [(sql: String, count: Int)] = []

  package init() {}

  /// A statement that ran. One that ran before in the same step is counted.
  package func add(_ sql: String) {
    let lines = sql.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { String($0) }.joined(separator: "\n")
    if let index = statements.firstIndex(where: { $0.sql == text }) {
      statements[index].count += 1
    } else {
      statements.append((text, 1))
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
    let (begin, end) = ("<!-- \(engine): printed by a test -->\n\n", "\n\n<!-- end -->")
    let page = try Checkout.text(Self.path)
    guard let start = page.range(of: begin),
      let stop = page.range(of: end, range: start.upperBound..<page.endIndex)
    else { return (made, "no part for \(engine)") }
    let found = String(page[start.upperBound..<stop.lowerBound])
    if ProcessInfo.processInfo.environment["SEEDBED_WRITE_PAGES"] != nil {
      let new = page.replacingCharacters(in: start.upperBound..<stop.lowerBound, with: made)
      try Data(new.utf8).write(to: Checkout.root.appending(path: Self.path))
      return (made, made)
    }
    return (made, found)
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    var text = Substring(self)
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}
