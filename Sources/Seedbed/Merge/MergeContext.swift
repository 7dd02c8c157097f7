/// What the merge of one migration needs to know, and what it finds out.
final class MergeContext {
  let connection: Connection
  let ledger: Ledger
  let version: Version
  let policies: Policies
  let options: MigrationOptions
  /// Tables that this very run created: nobody can have deleted a row of theirs.
  let isCreatedByRun: (String) -> Bool
  /// Hears how many bytes of a file went by, and how many rows.
  let onChunk: (_ table: String, _ file: String, _ fileBytes: Int64, _ rows: Int) throws -> Void
  private(set) var counts: [String: Counts] = [:]
  /// The digests of the contents that were read, by the names of the files.
  private(set) var digests: [String: String] = [:]
  private var childrenByParent: [String: [(table: String, key: ParentKey)]] = [:]

  init(
    connection: Connection, ledger: Ledger, version: Version, policies: Policies,
    options: MigrationOptions,
    isCreatedByRun: @escaping (String) -> Bool,
    onChunk: @escaping (String, String, Int64, Int) throws -> Void
  ) {
    self.connection = connection
    self.ledger = ledger
    self.version = version
    self.policies = policies
    self.options = options
    self.isCreatedByRun = isCreatedByRun
    self.onChunk = onChunk
  }

  func note(digest: String, of file: String) { digests[file] = digest }

  func count(_ table: String, _ change: (inout Counts) -> Void) {
    change(&counts[table, default: Counts()])
  }

  /// The app's policy, then the migration's and the catalog's, then the default.
  func onTaken(_ target: TableTarget) -> OnTaken {
    policies.onTaken ?? target.options.onTaken ?? .keepUser
  }

  /// Logs a conflict in the transaction of the rows, so that the losing side is never gone.
  func log(
    _ kind: Conflict.Kind, _ resolution: Conflict.Resolution, table: String, key: String,
    policy: String? = nil, mine: String? = nil, seed: String? = nil
  ) throws {
    let conflict = Conflict(
      id: 0, version: version, table: table, key: key, kind: kind, policy: policy,
      resolution: resolution, movedTo: nil, base: nil, mine: mine, seed: seed,
      at: Clock.timestamp(), undoneAt: nil)
    try ledger.insert(conflict, on: connection)
  }

  /// Runs `body` in a savepoint; false from it, or an error, takes back all it did.
  func attempt(_ body: () throws -> Bool) throws -> Bool {
    try connection.execute("SAVEPOINT seedbed_attempt")
    do {
      let isDone = try body()
      if !isDone { try connection.execute("ROLLBACK TO seedbed_attempt") }
      try connection.execute("RELEASE seedbed_attempt")
      return isDone
    } catch {
      // SQLite may have rolled the whole transaction back by itself (SQLITE.md 4); then there is
      // no savepoint left, and the first error is the one that counts.
      if connection.isInTransaction {
        try? connection.execute("ROLLBACK TO seedbed_attempt")
        try? connection.execute("RELEASE seedbed_attempt")
      }
      throw error
    }
  }

  /// Whether a row met a constraint and others may be tried. A trigger that says RAISE(ROLLBACK) has
  /// ended the transaction: what comes after would be committed at once.
  func isBrokenRow(_ error: any Error) -> Bool {
    guard let failure = error as? SQLiteFailure else { return false }
    return failure.isConstraint && connection.isInTransaction
  }

  /// The columns by which a table's rows are known in the ledger.
  func keyColumns(of schema: TableSchema) -> [ColumnSchema] {
    let named = options.table(schema.name).key?.compactMap { schema.column($0) }
    return named ?? schema.primaryKey
  }

  /// Whether any row refers to the row of `target` that `condition` finds.
  func isReferred(
    _ target: TableTarget, where condition: String, _ values: [Value]
  ) throws -> Bool {
    for child in try children(of: target.name) {
      let columns = child.key.parentColumns.quotedList
      let matches = zip(child.key.childColumns, child.key.parentColumns)
        .map { "k.\($0.quoted) = p.\($1.quoted)" }.joined(separator: " AND ")
      let found = try connection.value(
        """
        SELECT 1 FROM (SELECT \(columns) FROM \(target.sql) WHERE \(condition)) AS p
        JOIN main.\(child.table.quoted) AS k ON \(matches) LIMIT 1
        """, values)
      if found != nil { return true }
    }
    return false
  }

  /// The tables that refer to a table, with the foreign key by which they do.
  private func children(of parent: String) throws -> [(table: String, key: ParentKey)] {
    if let known = childrenByParent[parent] { return known }
    var children: [(table: String, key: ParentKey)] = []
    for name in try connection.tableNames() {
      guard try connection.object(named: name)?.kind == .table else { continue }
      let schema = try connection.schema(of: name)
      for key in try connection.parentKeys(of: schema).sound where key.parent == parent {
        children.append((name, key))
      }
    }
    childrenByParent[parent] = children
    return children
  }
}
