/// Gives rows new keys, and has all that refers to them follow.
///
/// First every row that changes is found, while all are as they were. Then they are written,
/// children first: when a row's key changes, nothing refers to the old one any longer, so that ON
/// UPDATE, whatever it says, finds nothing to do. In between the children refer to nothing, which
/// deferred foreign keys allow.
struct Rekey {
  let context: MergeContext
  /// Whether it is the seed that changes keys: then those left to the user follow.
  var isSeeds = false
  /// Rows `k` of a child that do not follow.
  var stays: (Reference) -> String? = { _ in nil }
  private var connection: any DatabaseSession { context.connection }

  /// Changes columns of the rows that a query finds: it yields their identity, then the new values,
  /// none of them NULL. No other row of the table may have one of the new keys. Returns how many
  /// rows of the table itself it changed.
  @discardableResult
  func run(
    _ schema: TableSchema, set columns: [String], to query: String
  ) throws -> Int {
    let tables = try tables(from: schema, columns)
    for table in tables { try connection.executeAll(table.creation) }
    try connection.execute(tables[0].collect(columns, query))
    let count = Int(connection.changes)
    if count > 0 {
      let turns = try follow(tables, count)
      let left = isSeeds ? try keysLeftToUser(tables) : []
      try RekeyWriter(context: context, tables: tables, turns: turns).write()
      for (table, keys) in left {
        try context.ledger.renameKeysLeftToUser(table: table, keys, on: connection)
      }
      try note(tables)
    }
    for table in tables { try connection.execute("DROP TABLE \(table.sql)") }
    return count
  }

  // MARK: which tables may change, and by which references

  private func tables(from schema: TableSchema, _ columns: [String]) throws -> [RekeyTable] {
    var tables = [RekeyTable(schema: schema, number: 0, dialect: connection.dialect)]
    tables[0].changing = Set(columns.compactMap { schema.index(of: $0) })
    var open = [0]
    while let number = open.popLast() {
      for child in try context.children(of: tables[number].schema.name) {
        let own = tables.firstIndex { $0.schema.name == child.table }
        let place = own ?? tables.count
        if own == nil {
          let schema = try connection.schema(of: child.table)
          tables.append(
            RekeyTable(schema: schema, number: place, dialect: connection.dialect))
        }
        let key = RekeyTable.Follower(child.key, place, of: tables[number], tables[place])
        let more = key.changes(of: tables[number]).map(\.child)
        if tables[place].changing.isSuperset(of: more) { continue }
        tables[place].changing.formUnion(more)
        open.append(place)
      }
    }
    for number in tables.indices {
      for child in try context.children(of: tables[number].schema.name) {
        guard let place = tables.firstIndex(where: { $0.schema.name == child.table }) else {
          continue
        }
        var key = RekeyTable.Follower(child.key, place, of: tables[number], tables[place])
        key.stays = stays(child)
        if !key.changes(of: tables[number]).isEmpty { tables[number].followers.append(key) }
      }
    }
    return tables
  }

  // MARK: which rows

  /// Looks for the rows that refer to those found last, until there are no more. A row is looked
  /// at again only if another of its columns is to change, so this ends, whatever refers to
  /// what. Returns the number of turns.
  private func follow(_ tables: [RekeyTable], _ count: Int) throws -> Int {
    var found = [0: count]
    var turn = 0
    while !found.isEmpty {
      var next: [Int: Int] = [:]
      for (number, table) in tables.enumerated() where found[number] != nil {
        for follower in table.followers {
          let child = tables[follower.table]
          try connection.execute(child.collect(follower, of: table, turn: turn))
          let rows = Int(connection.changes)
          if rows == 0 { continue }
          if let column = follower.generatedColumn(table, child) {
            throw SeedbedError(
              .constraint,
              "A row of '\(table.schema.name)' cannot get another key: rows of "
                + "'\(child.schema.name)' refer to it by the generated column '\(column)'. Keep "
                + "the key, or make it an ordinary column.")
          }
          next[follower.table, default: 0] += rows
        }
      }
      found = next
      turn += 1
    }
    return turn
  }

  /// The keys left to the user under which rows are that are about to follow, with the new ones.
  /// None of those in the first table: what is left to the user does not change its key.
  private func keysLeftToUser(
    _ tables: [RekeyTable]
  ) throws -> [(table: String, keys: [(old: String, new: String)])] {
    try tables.dropFirst().compactMap { table in
      let key = context.keyColumns(of: table.schema)
      let places = key.compactMap { table.schema.index(of: $0.name) }
      if table.changing.isDisjoint(with: places) { return nil }
      let name = table.schema.name
      let left = Set(try context.ledger.keysLeftToUser(table: name, on: connection))
      if left.isEmpty { return nil }
      let keys = try connection.rows(table.keys(places)).map { row in
        (
          old: RowJSON.collatedKey(key, Array(row[..<key.count])),
          new: RowJSON.collatedKey(key, Array(row[key.count...]))
        )
      }
      return (name, keys.filter { left.contains($0.old) })
    }
  }

  // MARK: what SQLite and an app will want to know

  private func note(_ tables: [RekeyTable]) throws {
    for table in tables {
      if try connection.value("SELECT 1 FROM \(table.sql) LIMIT 1") == nil { continue }
      try connection.noteMovedIDs(of: table.schema)
      context.findings.followed.insert(table.schema.name)
      if !context.collectsKeys { continue }
      let key = context.keyColumns(of: table.schema).map(\.name)
      // Whoever moves rows of the first table knows their keys; here are those that followed.
      for values in try connection.rows(table.followed(key, after: table.number == 0 ? 1 : 0))
      where !values.contains(where: \.isNull) {
        context.noteChanged(table.schema.name, key: RowJSON.object(key, values))
      }
    }
  }
}
