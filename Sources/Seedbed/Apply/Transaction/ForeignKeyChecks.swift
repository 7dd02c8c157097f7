/// The check of a migration that runs with foreign keys off because it rebuilds tables: it must not
/// add rows whose parent is missing.
///
/// References are distinguished by their values, since rows move when a table is rebuilt. With a
/// count alone, an old violation that was fixed could hide a new one. If enforcement is on,
/// SQLite's own check at COMMIT and the merge's check do this, at a cost that follows the change.
final class ForeignKeyChecks {
  private let connection: any DatabaseSession
  /// Whether all declared foreign keys count.
  private let isNeeded: Bool
  /// The references that only the options declare, if their tables exist.
  private let references: () throws -> [Reference]
  /// The new names of tables and columns since then.
  private let renamed: () -> [Ledger.Renamed]
  private let referencesBefore: [Reference]
  private var before: [Dangling: Int] = [:]

  private struct Dangling: Hashable {
    var child: ExactText
    var parent: ExactText
    /// The missing key as JSON, without the names of the columns, since these may be renamed.
    var key: ExactText
  }

  /// Records the violations that exist now.
  init(
    _ connection: any DatabaseSession, isNeeded: Bool,
    renamed: @escaping () -> [Ledger.Renamed] = { [] },
    references: @escaping () throws -> [Reference]
  ) throws {
    (self.connection, self.isNeeded, self.references) = (connection, isNeeded, references)
    self.renamed = renamed
    // Before SQL exchanges names, the column that an option means may be another one.
    referencesBefore = try references().filter { try connection.canCompare($0) }
    before = try count(referencesBefore)
  }

  /// Whether there were violations when this was created.
  var foundViolations: Bool { !before.isEmpty }

  func refuseNewViolations() throws {
    let renamed = renamed()
    // A new table may bring orphans of the user's, and a renamed one is not the one that the
    // options meant before.
    let known =
      try referencesBefore.isEmpty
      ? []
      : references().filter { reference in
        referencesBefore.contains(reference) && !renamed.contains { $0.concerns(reference) }
      }
    let names = Dictionary(renamed.map { (ExactText($0.old), ExactText($0.new)) }) { first, _ in
      first
    }
    let old = before.map { dangling, count in
      var dangling = dangling
      dangling.child = names[dangling.child] ?? dangling.child
      dangling.parent = names[dangling.parent] ?? dangling.parent
      return (dangling, count)
    }
    let before = Dictionary(old, uniquingKeysWith: +)
    let more = try count(known).map { ($0, $1 - before[$0, default: 0]) }.filter { $1 > 0 }
    let first = more.map(\.0).min { ($0.child, $0.parent) < ($1.child, $1.parent) }
    guard let first else { return }
    let count = more.filter { ($0.0.child, $0.0.parent) == (first.child, first.parent) }
      .reduce(0) { $0 + $1.1 }
    throw SeedbedError(
      .foreignKey,
      "\(count) \(count == 1 ? "row" : "rows") of '\(first.child.text)' would refer to "
        + "rows of '\(first.parent.text)' that do not exist. The migration was rolled back.")
  }

  private func count(_ references: [Reference]) throws -> [Dangling: Int] {
    var counts: [Dangling: Int] = [:]
    for child in references { try count(child.table, child.key, &counts) }
    if !isNeeded { return counts }
    for name in try connection.tableNames() where try connection.object(named: name)?.kind == .table
    {
      // Without an index on the parent, this would take rows times rows. Preflight reports that.
      for parent in try connection.parentKeys(of: connection.schema(of: name)).sound
      where try connection.schema(of: parent.parent).tellsApart(
        parent.parentColumns, isExact: true)
      {
        try count(name, parent, &counts)
      }
    }
    return counts
  }

  /// The values in rows of `child` whose parent is missing, with the number of rows.
  private func count(
    _ child: String, _ parent: ParentKey, _ counts: inout [Dangling: Int]
  ) throws {
    let schema = try connection.schema(of: child)
    let collations = parent.childColumns.map { schema.column($0)?.collation ?? "BINARY" }
    let columns = parent.childColumns.map { "s.\($0.quoted)" }
    let list = columns.joined(separator: ", ")
    // The parent's column is the left operand, because its affinity and collation decide.
    let matches = zip(parent.parentColumns, columns).map { "p.\($0.quoted) = \($1)" }
    let rows = try connection.rows(
      """
      SELECT \(list), count(*) FROM \(schema.sql) AS s
      WHERE \(columns.map { "\($0) IS NOT NULL" }.allTrue) AND NOT EXISTS (
        SELECT 1 FROM \(connection.schema(of: parent.parent).sql) AS p WHERE \(matches.allTrue))
      GROUP BY \(list)
      """)
    for row in rows {
      // SQLite counts values that a collation treats as equal together, under any one spelling.
      let values = zip(row, collations).map { RowJSON.collated($0, $1) }
      let key = RowJSON.object(columns.indices.map { String($0) }, values)
      let dangling = Dangling(
        child: ExactText(child), parent: ExactText(parent.parent), key: ExactText(key))
      counts[dangling, default: 0] += Int(row.last?.integer ?? 0)
    }
  }

  /// Names the rows because of which SQLite refused COMMIT.
  static func refusedCommit(on connection: any DatabaseSession) -> SeedbedError {
    // A failed check adds nothing: the refusal is the error.
    let detail = (try? connection.danglingRow())?.map { row in
      " One is a row of '\(row.child)' whose row of '\(row.parent)' is missing."
    }
    return SeedbedError(
      .foreignKey,
      "The SQL of this migration leaves rows that refer to rows that do not exist."
        + (detail ?? "") + " The migration was rolled back.")
  }
}

extension DatabaseSession {
  /// Whether the columns of a reference have values that can be compared.
  fileprivate func canCompare(_ reference: Reference) throws -> Bool {
    let (child, parent) = try (schema(of: reference.table), schema(of: reference.key.parent))
    return zip(reference.key.childColumns, reference.key.parentColumns).allSatisfy {
      own, referred in
      guard let own = child.column(own), let referred = parent.column(referred) else { return true }
      return dialect.canCompare(own, referred)
    }
  }
}

extension Ledger.Renamed {
  /// Whether one side of a reference has a new name.
  fileprivate func concerns(_ reference: Reference) -> Bool {
    let key = reference.key
    return [(reference.table, key.childColumns), (key.parent, key.parentColumns)].contains {
      $0.isSameText(as: new)
        && (!old.isSameText(as: new) || !$1.asNames.isDisjoint(with: columns.values.asNames))
    }
  }
}
