/// Writes the rows that `Rekey` found, children before the rows that they refer to.
struct RekeyWriter {
  let context: MergeContext
  let tables: [RekeyTable]
  let turns: Int
  private var connection: any DatabaseSession { context.connection }

  func write() throws {
    let late = tables.indices.map(lateColumns)
    let own = tables.indices.map { tables[$0].ownReferences.subtracting(late[$0]) }
    for (number, table) in tables.enumerated() {
      try write(table, table.changing.subtracting(late[number]).subtracting(own[number]))
      // What refers to itself gets its references with its key.
      let moves = late[number].isEmpty ? "false" : table.changes(in: late[number].ordered())
      for (followers, columns) in ownGroups(of: table, own[number]) {
        let refers = followers.map(table.refersToItself).anyTrue
        try write(table, columns, and: ["NOT (\(moves) AND (\(refers)))"])
      }
    }
    for group in lateGroups(late) {
      let isCyclic = group.contains { child in group.contains { refers(child, to: $0, late) } }
      // If rows of one group refer to each other, those found last are written first.
      for turn in isCyclic ? (0..<turns).reversed().map({ ["r.turn = \($0)"] }) : [[]] {
        for number in group { try writeKeys(tables[number], late[number], own[number], and: turn) }
      }
    }
  }

  /// A table's references to itself, and their columns that change. Those that share a column
  /// change together: if one were written first, the row might seem to refer to itself by another.
  private func ownGroups(
    of table: RekeyTable, _ own: Set<Int>
  ) -> [(followers: [RekeyTable.Follower], columns: Set<Int>)] {
    var groups: [(followers: [RekeyTable.Follower], columns: Set<Int>)] = []
    for follower in table.ownFollowers {
      let columns = own.intersection(follower.changes(of: table).map(\.child))
      let shared = groups.filter { !$0.columns.isDisjoint(with: columns) }
      groups.removeAll { !$0.columns.isDisjoint(with: columns) }
      let all = shared.map(\.columns).reduce(columns) { $0.union($1) }
      groups.append((shared.flatMap(\.followers) + [follower], all))
    }
    return groups
  }

  /// The columns that others refer to, which are written last. A composite key or reference changes
  /// as a whole: half of it would name another row.
  private func lateColumns(of number: Int) -> Set<Int> {
    let table = tables[number]
    if table.carried.isEmpty { return [] }
    var late = table.carried.union(table.identity.compactMap { $0 }.filter(table.changing.contains))
    var together = tables.flatMap { parent in
      parent.followers.filter { $0.table == number }.map { $0.changes(of: parent).map(\.child) }
    }
    while let index = together.firstIndex(where: { !late.isDisjoint(with: $0) }) {
      late.formUnion(together.remove(at: index))
    }
    return late
  }

  private func refers(_ child: Int, to parent: Int, _ late: [Set<Int>]) -> Bool {
    tables[parent].followers.contains { follower in
      follower.table == child
        && follower.changes(of: tables[parent]).contains { late[child].contains($0.child) }
    }
  }

  /// The tables whose keys change, children first.
  private func lateGroups(_ late: [Set<Int>]) -> [[Int]] {
    let names = tables.map(\.schema.name)
    let keyed = tables.indices.filter { !late[$0].isEmpty }
    let parents = keyed.map { child in
      (
        ExactText(names[child]),
        keyed.filter { refers(child, to: $0, late) }.map { names[$0] }.asTexts
      )
    }
    let groups = LoadOrder.groups(
      keyed.map { names[$0] }, parents: Dictionary(parents) { first, _ in first })
    return groups.reversed().map { $0.compactMap { names.firstIndex(where: $0.isSameText) } }
  }

  // MARK: rows

  private func write(
    _ table: RekeyTable, _ columns: Set<Int>, and conditions: [String] = []
  ) throws {
    if columns.isEmpty { return }
    let columns = columns.ordered()
    try write(table, columns, where: ([table.changes(in: columns)] + conditions).allTrue)
  }

  private func write(_ table: RekeyTable, _ columns: [Int], where condition: String) throws {
    let expected = try connection.number(table.count(condition))
    if expected == 0 { return }
    try connection.execute(table.update(columns, where: condition))
    if connection.changes == expected { return }
    // If a table without rowids has references in its keys, ON UPDATE CASCADE may have changed the
    // rows first.
    if try connection.number(table.countWritten(columns, where: condition)) == expected { return }
    throw SeedbedError.keyStays(table: table.schema.name, connection.dialect)
  }

  /// For at least this many rows, building an index is faster than having SQLite search the child
  /// for each of them.
  static let leastRowsForIndex = 5

  /// `own`: a table's references to itself. A row that refers to itself gets its key and its
  /// reference in one statement. If the reference were written first, SQLite would count the row
  /// twice when the key follows, and its count of deferred violations would be too low. Before 3.51
  /// another violation is then overlooked, and since then a valid COMMIT is refused (tried with
  /// 3.38, 3.46, 3.50.4, 3.51.0 and 3.53).
  private func writeKeys(
    _ table: RekeyTable, _ columns: Set<Int>, _ own: Set<Int>, and turn: [String]
  ) throws {
    let condition = ([table.changes(in: columns.ordered())] + turn).allTrue
    let rows = try connection.count(table.count(condition))
    // A server makes no index while checks are delayed.
    let lacking = table.followers.filter {
      rows >= Self.leastRowsForIndex && !connection.locksTables && $0.isDeclared
        && !$0.isIndexed(table, tables[$0.table])
    }
    // > Each time a row is deleted from the parent table, or its key modified, SQLite searches the
    // > child for rows that refer to it. (Foreign Keys, 3. Required and Suggested Database Indexes)
    for (number, follower) in lacking.enumerated() {
      let child = tables[follower.table].schema
      let list = follower.pairs.map {
        connection.dialect.collated(
          child.columns[$0.child].name.quoted, table.schema.columns[$0.parent].collation)
      }.listed
      try connection.execute(
        "CREATE INDEX \(connection.dialect.index(Self.indexName(number), on: child.name)) (\(list))"
      )
    }
    try write(table, columns.union(own).ordered(), where: condition)
    for number in lacking.indices {
      try connection.execute("DROP INDEX \(connection.dialect.table(Self.indexName(number)))")
    }
  }

  /// Not the name of a temporary table: 3.38 refuses an index in `main` with that name.
  private static func indexName(_ number: Int) -> String { "seedbed:child:\(number)" }
}
