import Seedbed

/// The content of the migration's tables before it, after it and at the catalog's end. A revert is
/// compared with all three.
final class RevertedStates {
  let scratch: ScratchDatabase
  private(set) var tables: [String] = []
  private let folder: String
  private var connection: Connection { scratch.connection }
  private var copies: [[Moment: Copy]] = []

  private enum Moment: String, CaseIterable { case before, after, last, reverted }

  /// A copy of a table without types, so that values compare as they are.
  private struct Copy {
    let sql: String
    let columns: [String]
    let key: [String]
    /// Holds 1 if a column that was added later has another value than its default.
    static let later = "seedbed:later"
  }

  init(_ migration: Migration, of catalog: Catalog, _ settings: ScratchSettings) throws {
    folder = migration.folder
    let migrations = try catalog.migrations()
    scratch = try ScratchDatabase(.authored(catalog), to: migration.version - 1, settings)
    for table in migration.files.compactMap({ $0.kind.rows?.table })
    where !tables.contains(name: table) {
      tables.append(table)
    }
    copies = tables.map { _ in [:] }
    try keep(.before)
    try scratch.advance(to: migration.version)
    try keep(.after)
    if let last = migrations.last, last.version > migration.version {
      try scratch.advance(to: last.version)
    }
    try keep(.last)
  }

  private func keep(_ moment: Moment) throws {
    for (number, table) in tables.enumerated() {
      guard let target = try scratch.target(table) else { continue }
      copies[number][moment] = try copy(
        target, "seedbed:\(moment.rawValue) \(number)", known: copies[number][.after]?.columns)
    }
  }

  /// - Parameter known: the columns that the table had before.
  private func copy(_ target: TableTarget, _ name: String, known: [String]?) throws -> Copy {
    let ignored = target.options.ignore.asNames
    // If SQLite chooses the ids, a row that is inserted again gets another one.
    let key = target.key.map(\.name)
    let given = target.schema.rowidAlias.flatMap { key.contains(name: $0.name) ? nil : $0.name }
    let columns = target.schema.columns.filter {
      $0.generated == .no && given?.isSameName(as: $0.name) != true
        && !ignored.contains($0.name)
    }
    let sql = "temp." + name.quoted
    let definitions = columns.map { "\($0.name.quoted) COLLATE \($0.collation.quoted)" }
    let all = (definitions + [Copy.later.quoted]).joined(separator: ", ")
    try connection.execute("CREATE TABLE \(sql) (\(all))")
    let later = try columns.compactMap { column in
      known?.contains(name: column.name) != false
        ? nil
        : try UserColumns.isAtDefault(column, of: target.schema, in: "t", on: connection)
    }
    try connection.execute(
      "INSERT INTO \(sql) SELECT \(columns.map(\.name).quotedList), NOT (\(later.allTrue)) "
        + "FROM \(target.sql) AS t WHERE " + key.map { "\($0.quoted) IS NOT NULL" }.allTrue)
    try connection.execute(
      "CREATE INDEX temp.\((name + " key").quoted) ON \(name.quoted) (\(key.quotedList))")
    return Copy(sql: sql, columns: columns.map(\.name), key: key)
  }

  // MARK: questions

  /// One table's copies together, and the columns that all have.
  private struct Sides {
    let before: Copy
    let after: Copy
    let last: Copy
    let shared: [String]

    init?(_ copies: [Moment: Copy]) {
      guard let after = copies[.after], let last = copies[.last] else { return nil }
      // A table that the migration created was empty before.
      before = copies[.before] ?? after
      (self.after, self.last) = (after, last)
      var shared = after.columns
      for other in [before, last] {
        shared.removeAll { name in !other.columns.contains(name) }
      }
      self.shared = shared
      hasBefore = copies[.before] != nil
    }

    private let hasBefore: Bool
    var beforeSQL: String {
      hasBefore ? before.sql : "(SELECT * FROM \(after.sql) WHERE false)"
    }

    func join(_ sql: String, _ name: String, to other: String) -> String {
      let matches = after.key.map { "\(name).\($0.quoted) = \(other).\($0.quoted)" }
      return "LEFT JOIN \(sql) AS \(name) ON \(matches.allTrue)"
    }

    /// Whether the row exists on that side.
    func has(_ name: String) -> String { "\(name).\(after.key[0].quoted) IS NOT NULL" }

    func differs(_ one: String, _ other: String, _ columns: [String]) -> String {
      columns.map {
        "\(one).\($0.quoted) COLLATE BINARY IS NOT \(other).\($0.quoted)"
      }.anyTrue
    }

    func key(_ name: String) -> String {
      after.key.map { "\(name).\($0.quoted)" }.joined(separator: ", ")
    }
  }

  /// Refuses if a row at the end is not as the migration left it.
  func refuseLaterChanges() throws {
    var found: [String] = []
    var count = 0
    for (number, table) in tables.enumerated() {
      guard let sides = Sides(copies[number]) else { continue }
      for (condition, from, words) in questions(sides) {
        let rows = try connection.rows(
          "SELECT \(sides.key(from)) FROM \(joined(sides, from: from)) WHERE \(condition)")
        count += rows.count
        for row in rows.prefix(max(0, 20 - found.count)) {
          found.append("\(table) \(SourceTable.keyText(sides.after.key, row)) (\(words))")
        }
      }
    }
    if count > 0 { throw SeedbedError.changedLater(folder, found, count: count) }
  }

  private func joined(_ sides: Sides, from: String) -> String {
    if from == "a" {
      return "\(sides.after.sql) AS a " + sides.join(sides.beforeSQL, "b", to: "a") + " "
        + sides.join(sides.last.sql, "l", to: "a")
    }
    return "\(sides.beforeSQL) AS b " + sides.join(sides.after.sql, "a", to: "b") + " "
      + sides.join(sides.last.sql, "l", to: "b")
  }

  private func questions(_ sides: Sides) -> [(String, String, String)] {
    let (a, b, l) = (sides.has("a"), sides.has("b"), sides.has("l"))
    let changedTwice = sides.shared.map { name in
      let column = name.quoted
      return "(a.\(column) COLLATE BINARY IS NOT b.\(column)"
        + " AND l.\(column) COLLATE BINARY IS NOT a.\(column)"
        + " AND l.\(column) COLLATE BINARY IS NOT b.\(column))"
    }
    let inserted = [sides.differs("a", "l", sides.shared), "l.\(Copy.later.quoted)"].anyTrue
    return [
      ("NOT \(b) AND \(l) AND (\(inserted))", "a", "changed later"),
      ("NOT \(a) AND \(l) AND (\(sides.differs("b", "l", sides.shared)))", "b", "added later"),
      (
        "\(b) AND NOT \(l) AND (\(sides.differs("a", "b", sides.shared)))", "a",
        "retired later"
      ),
      ("\(b) AND \(l) AND (\(changedTwice.anyTrue))", "a", "changed later"),
    ]
  }

  /// Compares the scratch database with the expected state: rows that the migration touched as
  /// before it, all others unchanged.
  func confirm() throws {
    try keep(.reverted)
    for (number, table) in tables.enumerated() {
      guard let sides = Sides(copies[number]) else { continue }
      let reverted = copies[number][.reverted]
      let now = reverted?.sql ?? "(SELECT * FROM \(sides.after.sql) WHERE false)"
      let shared = sides.shared.filter { reverted?.columns.contains($0) ?? true }
      let (a, b, l, f) = (sides.has("a"), sides.has("b"), sides.has("l"), sides.has("f"))
      let wrong = shared.map { name in
        let column = name.quoted
        return "f.\(column) COLLATE BINARY IS NOT CASE WHEN a.\(column) COLLATE BINARY IS NOT "
          + "b.\(column) THEN b.\(column) ELSE l.\(column) END"
      }.anyTrue
      let checks = [
        ("a", "NOT \(b) AND \(f)"),
        ("a", "\(b) AND \(l) AND (NOT \(f) OR \(wrong))"),
        ("b", "NOT \(a) AND (NOT \(f) OR \(sides.differs("f", "b", shared)))"),
      ]
      for (from, condition) in checks {
        let query =
          "SELECT \(sides.key(from)) FROM \(joined(sides, from: from)) "
          + sides.join(now, "f", to: from) + " WHERE \(condition) LIMIT 1"
        if let row = try connection.rows(query).first {
          throw SeedbedError.notAsBefore(table, SourceTable.keyText(sides.after.key, row))
        }
      }
      let others =
        "\(sides.last.sql) AS l " + sides.join(sides.after.sql, "a", to: "l") + " "
        + sides.join(sides.beforeSQL, "b", to: "l") + " " + sides.join(now, "f", to: "l")
      let lost = try connection.rows(
        "SELECT \(sides.key("l")) FROM \(others) WHERE NOT \(a) AND NOT \(b) AND "
          + "(NOT \(f) OR \(sides.differs("f", "l", shared))) LIMIT 1")
      if let row = lost.first {
        throw SeedbedError.notAsBefore(table, SourceTable.keyText(sides.after.key, row))
      }
    }
  }
}

extension SeedbedError {
  fileprivate static func notAsBefore(_ table: String, _ key: String) -> SeedbedError {
    SeedbedError(
      .verify,
      "Applied to the catalog's own rows, the inverse does not restore the earlier state of "
        + "'\(table)': \(key) differs. A trigger may change it, SQL of a migration may have, or a "
        + "delete file may hold less than the row. Nothing was written: correct the source CSV and "
        + "make a release: migrate make.")
  }
}
