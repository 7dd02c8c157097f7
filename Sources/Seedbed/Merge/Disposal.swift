/// The rows of disposable tables that go with the rows about to be retired.
///
/// One that a row refers to which stays has to stay too, and then whatever it refers to is not
/// retired. So this is settled together with the references to the retired rows themselves.
final class Disposal {
  private let context: MergeContext
  private let stages: [Stage]
  private let updates: [Stage]
  private var tables: [Going] = []
  private var connection: Connection { context.connection }

  /// A disposable table, and in a temporary one the rows of it that would go.
  private struct Going {
    let schema: TableSchema
    /// What tells its rows apart; a user's row may have no key of ours.
    let identity: [String]
    let sql: String
    /// The references by which its rows go with those of other tables.
    var parents: [ParentKey]

    func isRow(_ going: String, _ row: String) -> String {
      // Without the column's collation, by which the temporary table has no index.
      identity.indices.map { "\(going).k\($0) = \(row).\(identity[$0].quoted)" }
        .allTrue
    }

    var keys: String { identity.indices.map { "k\($0)" }.joined(separator: ", ") }
  }

  init(context: MergeContext, stages: [Stage], updates: [Stage]) throws {
    self.context = context
    self.stages = stages
    self.updates = updates
    var open = stages.map(\.file.target.name)
    while let parent = open.popLast() {
      for child in context.keyOptions.disposable[parent] ?? [] {
        let keys = try context.children(of: parent).filter { $0.table == child }.map(\.key)
        if let index = tables.firstIndex(where: { $0.schema.name == child }) {
          if tables[index].parents.contains(where: { $0.parent == parent }) { continue }
          tables[index].parents += keys
        } else {
          try add(child, keys)
          open.append(child)
        }
      }
    }
  }

  private func add(_ child: String, _ parents: [ParentKey]) throws {
    let schema = try connection.schema(of: child)
    let going = Going(
      schema: schema, identity: schema.identity,
      sql: "temp." + "seedbed:going:\(tables.count)".quoted, parents: parents)
    if going.identity.isEmpty { throw SeedbedError.cannotTellApart(child) }
    tables.append(going)
    try connection.execute(
      """
      CREATE TABLE \(going.sql) (\(going.keys), stays INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (\(going.keys))) WITHOUT ROWID
      """)
  }

  func drop() throws {
    for table in tables { try connection.execute("DROP TABLE \(table.sql)") }
  }

  // MARK: which rows go

  /// Forgets what was settled before.
  func begin() throws {
    for table in tables { try connection.execute("DELETE FROM \(table.sql)") }
  }

  /// Finds the rows that go with the rows about to be retired, as these are by now.
  func settle() throws {
    if tables.isEmpty { return }
    repeat {
      for table in tables { try connection.execute("DELETE FROM \(table.sql) WHERE stays = 0") }
      while try tables.contains(where: find) {}
    } while try tables.contains(where: keep)
  }

  /// True where there were more.
  private func find(_ table: Going) throws -> Bool {
    let keys = table.identity.map { "k.\($0.quoted)" }.joined(separator: ", ")
    var count = 0
    for parent in table.parents {
      let conditions = [matches(parent)] + isFree(table.schema.name, "k")
      for source in goingRows(of: parent.parent, "p", "g") {
        try connection.execute(
          """
          INSERT OR IGNORE INTO \(table.sql) (\(table.keys))
          SELECT \(keys) FROM \(source.sql) AS g, main.\(parent.parent.quoted) AS p,
            main.\(table.schema.name.quoted) AS k
          WHERE \(([source.condition] + conditions).allTrue)
          """)
        count += Int(connection.changes)
      }
    }
    return count > 0
  }

  /// What the files of the migration name is theirs to decide.
  private func isFree(_ table: String, _ row: String) -> [String] {
    (stages + updates).filter { $0.file.target.name == table }.map { stage in
      let same = MergeSQL.sameKey(stage.file, table: row, stage: "g")
      return "NOT EXISTS (SELECT 1 FROM \(stage.sql) AS g WHERE \(same))"
    }
  }

  /// Keeps the rows that a row refers to which stays; true where there were any.
  private func keep(_ table: Going) throws -> Bool {
    var count = 0
    for child in try context.children(of: table.schema.name) {
      let rows = "\(table.sql) AS d"
      let conditions =
        ["d.stays = 0", table.isRow("d", "p"), matches(child.key)] + stays(child.table, "k")
      let keys = table.identity.indices.map { "d.k\($0)" }.joined(separator: ", ")
      try connection.execute(
        """
        UPDATE \(table.sql) SET stays = 1 WHERE (\(table.keys)) IN (
          SELECT \(keys) FROM \(rows), main.\(table.schema.name.quoted) AS p,
            main.\(child.table.quoted) AS k
          WHERE \(conditions.allTrue))
        """)
      count += Int(connection.changes)
    }
    return count > 0
  }

  private func matches(_ key: ParentKey) -> String {
    zip(key.childColumns, key.parentColumns).map { "p.\($1.quoted) = k.\($0.quoted)" }
      .allTrue
  }

  private func stages(of table: String) -> [Stage] {
    stages.filter { $0.file.target.name == table }
  }

  /// Where the rows of a table are that go, and the condition on its row.
  private func goingRows(
    of table: String, _ row: String, _ going: String
  ) -> [(sql: String, condition: String)] {
    stages(of: table).map { stage in
      let same = MergeSQL.sameKey(stage.file, table: row, stage: going)
      return (stage.sql, "\(going).verdict = 0 AND \(same)")
    }
      + tables.filter { $0.schema.name == table }.map { table in
        (table.sql, "\(going).stays = 0 AND \(table.isRow(going, row))")
      }
  }

  /// Conditions that hold for a row of a table that stays.
  func stays(_ table: String, _ row: String) -> [String] {
    goingRows(of: table, row, "g").map { source in
      "NOT EXISTS (SELECT 1 FROM \(source.sql) AS g WHERE \(source.condition))"
    }
  }

  // MARK: they go

  /// The names of all tables that lose rows, children before parents.
  func order() throws -> [String] {
    var parents: [String: Set<String>] = [:]
    for stage in stages {
      parents[stage.file.target.name] = Set(stage.file.target.parents.map(\.parent))
    }
    for table in tables {
      let keys = try connection.parentKeys(of: table.schema, and: context.keyOptions)
      parents[table.schema.name] = Set(keys.map(\.parent))
    }
    var names = stages.map(\.file.target.name)
    names += tables.map(\.schema.name).filter { !names.contains($0) }
    return LoadOrder.groups(names, parents: parents).flatMap { $0 }.reversed()
  }

  func write(_ name: String) throws {
    guard let table = tables.first(where: { $0.schema.name == name }) else { return }
    let rows = "SELECT \(table.keys) FROM \(table.sql) WHERE stays = 0"
    guard try connection.value("\(rows) LIMIT 1") != nil else { return }
    let condition = "(\(table.identity.quotedList)) IN (\(rows))"
    do {
      try connection.execute("DELETE FROM main.\(name.quoted) WHERE \(condition)")
    } catch let failure as SQLiteFailure where context.isBrokenRow(failure) {
      throw refused(table, failure.message)
    }
    // A trigger may have kept some in silence.
    if try connection.value("SELECT 1 FROM main.\(name.quoted) WHERE \(condition) LIMIT 1") != nil {
      throw refused(table, "a trigger keeps them in silence (RAISE(IGNORE))")
    }
    context.noteFollowed(name)
  }

  private func refused(_ table: Going, _ reason: String) -> SeedbedError {
    let parent = table.parents.first?.parent ?? ""
    let stage = stages.first { $0.file.target.name == parent } ?? stages.first
    return SeedbedError.disposableRefused(
      table.schema.name, parent: parent, reason: reason,
      SeedbedError.Place(stage?.file.place ?? ""))
  }
}
