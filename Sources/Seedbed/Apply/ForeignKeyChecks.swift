/// The check of a migration that runs with foreign keys off, since it rebuilds tables: no row may
/// refer to nothing that did not do so before.
///
/// References are told apart by what they refer to, since rows move when a table is rebuilt, and a
/// mere number would let an old violation that was fixed hide a new one. If enforcement is on,
/// SQLite's own check at COMMIT and that of the merge do this at a cost that follows the change.
final class ForeignKeyChecks {
  private let connection: any DatabaseSession
  private let isNeeded: Bool
  /// References that only the options declare, as far as their tables exist.
  private let references: () throws -> [Reference]
  private var before: [Dangling: Int] = [:]
  private var referencesBefore: [Reference] = []

  private struct Dangling: Hashable {
    var relation: Relation
    /// The missing key as JSON, without the names of the columns: they may be renamed.
    var key: String
  }

  private struct Relation: Hashable {
    var child: String
    var parent: String
  }

  init(
    connection: any DatabaseSession, isNeeded: Bool,
    references: @escaping () throws -> [Reference] = { [] }
  ) {
    self.connection = connection
    self.isNeeded = isNeeded
    self.references = references
  }

  func noteOldViolations() throws {
    referencesBefore = try references()
    before = try count(referencesBefore)
  }

  func findsViolations() throws -> Bool { try !count([]).isEmpty }

  func refuseNewViolations() throws {
    // A table that came meanwhile may bring orphans of the user's with it.
    let known = try referencesBefore.isEmpty ? [] : references().filter(referencesBefore.contains)
    var more: [Relation: Int] = [:]
    for (dangling, count) in try count(known) where count > before[dangling, default: 0] {
      more[dangling.relation, default: 0] += count - before[dangling, default: 0]
    }
    let first = more.min { ($0.key.child, $0.key.parent) < ($1.key.child, $1.key.parent) }
    guard let (relation, count) = first else { return }
    throw SeedbedError(
      .foreignKey,
      "\(count) \(count == 1 ? "row" : "rows") of '\(relation.child)' would refer to "
        + "rows of '\(relation.parent)' that do not exist. The migration was rolled back.")
  }

  private func count(_ references: [Reference]) throws -> [Dangling: Int] {
    var counts: [Dangling: Int] = [:]
    for child in references { try count(child.table, child.key, &counts) }
    if !isNeeded { return counts }
    for name in try connection.tableNames() where try connection.object(named: name)?.kind == .table
    {
      // Without an index on the parent this would take rows times rows; preflight names it.
      for parent in try connection.parentKeys(of: connection.schema(of: name)).sound
      where try connection.schema(of: parent.parent).tellsApart(
        parent.parentColumns, isExact: true)
      {
        try count(name, parent, &counts)
      }
    }
    return counts
  }

  private func count(
    _ child: String, _ parent: ParentKey, _ counts: inout [Dangling: Int]
  ) throws {
    let schema = try connection.schema(of: child)
    let collations = parent.childColumns.map { schema.column($0)?.collation ?? "BINARY" }
    for row in try connection.rows(danglingRows(of: child, parent)) {
      let names = parent.childColumns.indices.map { String($0) }
      // SQLite counts what a collation takes for the same together, under any one spelling.
      let values = zip(row, collations).map { RowJSON.collated($0, $1) }
      let key = RowJSON.object(names, values)
      let relation = Relation(child: child, parent: parent.parent)
      counts[Dangling(relation: relation, key: key), default: 0] += Int(row.last?.integer ?? 0)
    }
  }

  /// The values with which rows of `child` refer to nothing, and how many rows do.
  private func danglingRows(of child: String, _ parent: ParentKey) -> String {
    let columns = parent.childColumns.map { "s.\($0.quoted)" }
    let notNull = columns.map { "\($0) IS NOT NULL" }.allTrue
    let list = columns.joined(separator: ", ")
    // The parent's column is the left operand: its affinity and collation decide.
    let matches = zip(parent.parentColumns, columns).map { "p.\($0.quoted) = \($1)" }
    return """
      SELECT \(list), count(*) FROM \(connection.dialect.table(child)) AS s
      WHERE \(notNull) AND NOT EXISTS (
        SELECT 1 FROM \(connection.dialect.table(parent.parent)) AS p WHERE \(matches.allTrue))
      GROUP BY \(list)
      """
  }

  /// Names the rows because of which SQLite refused COMMIT.
  static func refusedCommit(on connection: any DatabaseSession) -> SeedbedError {
    // A check that cannot run says nothing new: the refusal is the error.
    let detail = connection.danglingRow().map { row in
      " One is a row of '\(row.child)' whose row of '\(row.parent)' is missing."
    }
    return SeedbedError(
      .foreignKey,
      "The SQL of this migration leaves rows that refer to rows that do not exist."
        + (detail ?? "") + " The migration was rolled back.")
  }
}
