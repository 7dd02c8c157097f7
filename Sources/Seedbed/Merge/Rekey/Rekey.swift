/// Gives rows new keys, and changes all references to them.
///
/// First it finds every row that changes, while all are unchanged. What follows must refer to the
/// same rows as before, by all of its references. Then it writes them, children first: when a row's
/// key changes, nothing refers to the old key any more, so ON UPDATE has no effect. In between, the
/// children refer to nothing, which deferred foreign keys allow.
struct Rekey {
  let context: MergeContext
  /// Whether what follows must keep its parents. A mark is the key of no row in the end.
  var keepsParents = true
  /// Conditions under which a later step moves the row to which one of a table refers to where it
  /// will refer.
  var movesLater: (RekeyTable, RekeyTable.Follower, _ parent: String) -> [String] = { _, _, _ in []
  }
  /// Whether the seed changes the keys. Then keys left to the user change with them.
  var isSeeds = false
  /// A condition for rows `k` of a child that do not follow.
  var stays: (Reference) throws -> String? = { _ in nil }
  /// Called with the rows that are about to change.
  var onFound: ([RekeyTable]) throws -> Void = { _ in }
  private var connection: any DatabaseSession { context.connection }

  /// Changes columns of the rows that a query finds, or of those for which conditions of `body`
  /// hold. The query returns their identity, and then the new values, none of them NULL. No other
  /// row of the table may have one of the new keys.
  ///
  /// A server keeps a lock for each table that a transaction made, dropped or not, so rows that are
  /// changed one by one share the tables.
  func run<Result>(
    _ schema: TableSchema, set columns: [String], to query: String,
    _ body: (_ change: Change) throws -> Result
  ) throws -> Result {
    assert(!columns.isEmpty, "Nothing changes.")
    let tables = try tables(from: schema, columns)
    for table in tables { try connection.executeAll(table.creation) }
    let result = try body(Change(rekey: self, tables: tables, columns: columns, query: query))
    for table in tables { try connection.execute("DROP TABLE \(table.sql)") }
    return result
  }

  final class Change {
    private let (rekey, tables): (Rekey, [RekeyTable])
    private let (columns, query): ([String], String)
    private var isUsed = false

    fileprivate init(rekey: Rekey, tables: [RekeyTable], columns: [String], query: String) {
      (self.rekey, self.tables, self.columns, self.query) = (rekey, tables, columns, query)
    }

    /// Returns the number of rows that changed in the table itself.
    @discardableResult
    func run(_ condition: String = "") throws -> Int {
      let connection = rekey.connection
      if isUsed { for table in tables { try connection.execute("DELETE FROM \(table.sql)") } }
      isUsed = true
      return try rekey.change(tables, columns, query + condition)
    }
  }

  private func change(_ tables: [RekeyTable], _ columns: [String], _ query: String) throws -> Int {
    try connection.execute(tables[0].collect(columns, query))
    let count = Int(connection.changes)
    if count == 0 { return 0 }
    let turns = try follow(tables)
    if keepsParents { for table in tables { try refuseOtherParents(table, tables) } }
    let left = isSeeds ? try keysLeftToUser(tables) : []
    if !context.mode.hasUser { try noteNewKeys(tables) }
    try onFound(tables)
    try RekeyWriter(context: context, tables: tables, turns: turns).write()
    for (table, key, rows) in left { try context.renameKeysLeftToUser(table, key, rows) }
    for table in tables { try note(table) }
    return count
  }

  // MARK: which tables may change, and by which references

  private func tables(from schema: TableSchema, _ columns: [String]) throws -> [RekeyTable] {
    var tables = [RekeyTable(schema: schema, number: 0, dialect: connection.dialect)]
    tables[0].given = Set(columns.compactMap(schema.index))
    tables[0].changing = tables[0].given
    var open = [0]
    while let number = open.popLast() {
      // If the table was searched before, more of its columns change now: its followers are found
      // again.
      tables[number].followers = []
      for child in try context.children(of: tables[number].schema.name) {
        let known = tables.firstIndex { $0.schema.name.isSameText(as: child.table) }
        let slot = known ?? tables.count
        let schema = try connection.schema(of: child.table)
        if known == nil {
          tables.append(RekeyTable(schema: schema, number: slot, dialect: connection.dialect))
        }
        var key = RekeyTable.Follower(child.key, slot, of: tables[number].schema, schema)
        key.stays = try stays(child)
        let more = key.changes(of: tables[number]).map(\.child)
        if !more.isEmpty { tables[number].followers.append(key) }
        if tables[slot].changing.isSuperset(of: more) { continue }
        tables[slot].changing.formUnion(more)
        open.append(slot)
      }
    }
    return tables
  }

  // MARK: which rows

  /// Finds the rows that refer to those found last, until there are no more. A row is found again
  /// only if another of its columns is to change, so this ends for any references. Returns the
  /// number of turns.
  private func follow(_ tables: [RekeyTable]) throws -> Int {
    var found: Set = [0]
    var turn = 0
    while !found.isEmpty {
      var next: Set<Int> = []
      for table in tables where found.contains(table.number) {
        for follower in table.followers {
          let child = tables[follower.table]
          try connection.execute(child.collect(follower, of: table, turn: turn))
          if connection.changes == 0 { continue }
          // A generated column cannot be set.
          let columns = follower.changes(of: table).map { child.schema.columns[$0.child] }
          if let column = columns.first(where: { $0.generated != .no }) {
            throw SeedbedError(
              .constraint,
              "A row of '\(table.schema.name)' cannot get another key: rows of "
                + "'\(child.schema.name)' refer to it by the generated column '\(column.name)'. "
                + "Keep the key, or make it an ordinary column.")
          }
          next.insert(follower.table)
        }
      }
      found = next
      turn += 1
    }
    return turn
  }

  /// Throws if a row that follows would refer to another row than before, or to none:
  ///     note 1 refers to item 7 and to shelf 5 of shop 1, by one column 'shop'
  ///     the item moves to shop 2: the note cannot follow, unless its shelf moves there, too
  private func refuseOtherParents(_ table: RekeyTable, _ tables: [RekeyTable]) throws {
    for key in try connection.parentKeys(of: table.schema, and: context.keyOptions) {
      let parent = try connection.schema(of: key.parent)
      let follower = RekeyTable.Follower(key, table.number, of: parent, table.schema)
      if table.changing.isDisjoint(with: follower.pairs.map(\.child)) { continue }
      let moving = tables.first { $0.schema.name.isSameText(as: key.parent) }
      let later = movesLater(table, follower, key.parent)
      let query = table.changesParent(by: follower, parent, moving, or: later)
      guard try connection.finds(query) else { continue }
      throw SeedbedError(
        .constraint,
        "A row of '\(tables[0].schema.name)' cannot get another key: rows of "
          + "'\(table.schema.name)' that follow would refer to other rows of '\(key.parent)'.")
    }
  }

  /// The old and new keys of rows that are about to follow, in tables with keys left to the user.
  /// The first table is not among them: a key left to the user does not change by itself.
  private func keysLeftToUser(
    _ tables: [RekeyTable]
  ) throws -> [(table: String, key: [ColumnSchema], rows: [[Value]])] {
    try tables.dropFirst().compactMap { table in
      let (name, key) = (table.schema.name, context.keyColumns(of: table.schema))
      let slots = key.compactMap { table.schema.index(of: $0.name) }
      if table.changing.isDisjoint(with: slots) { return nil }
      if try context.ledger.keysLeftToUser(table: name, on: connection).isEmpty { return nil }
      return (name, key, try connection.rows(table.keys(slots)))
    }
  }

  /// Those of rows that follow: the first table's are the seed's own.
  private func noteNewKeys(_ tables: [RekeyTable]) throws {
    for table in tables.dropFirst() {
      let key = context.keyColumns(of: table.schema)
      let slots = key.compactMap { table.schema.index(of: $0.name) }
      if table.changing.isDisjoint(with: slots) { continue }
      context.noteNewKeys(
        table.schema.name, key.names, try connection.rows(table.keys(slots)))
    }
  }

  // MARK: what SQLite and an app will want to know

  private func note(_ table: RekeyTable) throws {
    guard try connection.finds("SELECT 1 FROM \(table.sql) LIMIT 1") else { return }
    let name = table.schema.name
    try connection.noteMovedIDs(of: table.schema)
    context.findings.followed.insert(name)
    if !context.collectsKeys { return }
    let key = context.keyColumns(of: table.schema).names
    // The caller knows the keys of the first table's rows. These are the keys of those that
    // followed.
    for values in try connection.rows(table.followed(key, after: table.number == 0 ? 1 : 0))
    where !values.contains(where: \.isNull) {
      context.noteChanged(name, key: RowJSON.object(key, values))
    }
  }
}
