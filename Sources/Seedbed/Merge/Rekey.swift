/// Gives rows new keys, and has all that refers to them follow.
///
/// Children first: when a row's key changes, nothing refers to the old one any more, so that ON
/// UPDATE, whatever it says, finds nothing to do. In between the children refer to nothing, which
/// deferred foreign keys allow. Where a child's own key holds what changed, its children come
/// before it.
struct Rekey {
  let context: MergeContext
  private var connection: Connection { context.connection }

  /// Rows of one table and the new values of some of their columns, in a temporary table: `i0`…
  /// tells a row apart, `n0`… are the values.
  struct Level {
    let schema: TableSchema
    let columns: [String]
    let depth: Int

    var sql: String { "temp." + "seedbed:rekey:\(depth)".quoted }
    var identity: [String] { schema.identity }
  }

  /// Changes columns of the rows that a query finds: it yields their identity, then the new values.
  /// Returns how many rows of the table itself it changed.
  @discardableResult
  func run(
    _ schema: TableSchema, set columns: [String], to query: String, _ values: [Value] = []
  ) throws -> Int {
    let level = Level(schema: schema, columns: columns, depth: 0)
    let count = try collect(level, query, values)
    if count > 0 {
      try move(level, above: [])
      try connection.raiseSequence(of: schema)
    }
    try connection.execute("DROP TABLE \(level.sql)")
    return count
  }

  private func collect(
    _ level: Level, _ query: String, _ parameters: [Value] = []
  ) throws -> Int {
    let identity = level.identity.indices.map { "i\($0)" }
    let values = level.columns.indices.map { "n\($0)" }
    try connection.execute(
      """
      CREATE TABLE \(level.sql) (\((identity + values).joined(separator: ", ")),
        PRIMARY KEY (\(identity.joined(separator: ", "))))
      """)
    try connection.execute("INSERT INTO \(level.sql) \(query)", parameters)
    return Int(connection.changes)
  }

  private func move(_ level: Level, above: [Level]) throws {
    for child in try context.children(of: level.schema.name) {
      let changed = child.key.changed(by: level.columns)
      if changed.isEmpty { continue }
      let next = Level(
        schema: try connection.schema(of: child.table), columns: changed.map(\.child),
        depth: level.depth + 1)
      let found = try collect(next, query(next, child, changed, level, above + [level]))
      if found > 0 { try move(next, above: above + [level]) }
      try connection.execute("DROP TABLE \(next.sql)")
    }
    try write(level)
  }

  /// The rows of a child that refer to rows which are about to change. Rows that this very chain
  /// came from are left out: where rows refer to each other, it would never end.
  private func query(
    _ next: Level, _ child: MergeContext.Child, _ changed: [ParentKey.ChangedColumn],
    _ level: Level, _ above: [Level]
  ) -> String {
    let identity = next.identity.map { "k.\($0.quoted)" }
    let values = changed.map { "r.n\($0.place)" }
    let parent = zip(level.identity.indices, level.identity).map { "p.\($1.quoted) = r.i\($0)" }
    let refers = zip(child.key.childColumns, child.key.parentColumns)
      .map { "p.\($1.quoted) = k.\($0.quoted)" }
    let loops = above.filter { $0.schema.name == next.schema.name && $0.columns == next.columns }
      .map { earlier in
        let same = zip(next.identity.indices, identity).map { "e.i\($0) = \($1)" }
        return "NOT EXISTS (SELECT 1 FROM \(earlier.sql) AS e "
          + "WHERE \(same.joined(separator: " AND ")))"
      }
    return """
      SELECT \((identity + values).joined(separator: ", "))
      FROM \(level.sql) AS r, main.\(level.schema.name.quoted) AS p,
        main.\(child.table.quoted) AS k
      WHERE \((parent + refers + loops).joined(separator: " AND "))
      """
  }

  private func write(_ level: Level) throws {
    let names = level.identity.map(\.quoted)
    let table = "main." + level.schema.name.quoted
    let values = level.columns.indices.map { "n\($0)" }.joined(separator: ", ")
    let same = zip(level.identity.indices, names).map { "r.i\($0) = t.\($1)" }
    let keys = level.identity.indices.map { "i\($0)" }.joined(separator: ", ")
    let own = names.map { "t." + $0 }.joined(separator: ", ")
    try connection.execute(
      """
      UPDATE OR ABORT \(table) AS t
      SET (\(level.columns.quotedList)) = (SELECT \(values) FROM \(level.sql) AS r
        WHERE \(same.joined(separator: " AND ")))
      WHERE (\(own)) IN (SELECT \(keys) FROM \(level.sql))
      """)
    if level.depth > 0 { context.noteFollowed(level.schema.name) }
  }
}

extension TableSchema {
  /// The rowid, or the primary key where there is none: what tells rows apart in SQLite.
  var identity: [String] { rowidName.map { [$0] } ?? primaryKey.map(\.name) }
}

extension ParentKey {
  /// A child's column that follows a change of its parent's.
  struct ChangedColumn {
    var child: String
    /// Among the parent's columns that change.
    var place: Int
  }

  func changed(by columns: [String]) -> [ChangedColumn] {
    let places = columns.map { $0.asciiLowercased() }
    return zip(childColumns, parentColumns).compactMap { child, parent in
      places.firstIndex(of: parent.asciiLowercased()).map { ChangedColumn(child: child, place: $0) }
    }
  }
}
