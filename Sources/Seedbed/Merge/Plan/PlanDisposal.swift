/// The rows of disposable tables that go with the rows to retire.
///
/// One to which a row refers that stays has to stay too, and so has what it refers to.
struct PlanDisposal {
  private let context: MergeContext
  private var tables: [Table] = []
  /// The first file of rows to retire.
  private let place: String
  private var connection: any DatabaseSession { context.connection }
  private var dialect: any Dialect { connection.dialect }
  private var join: String { dialect.orderedJoin }

  /// A disposable table, and in a temporary one the rows of it that would go.
  private struct Table {
    let schema: TableSchema
    let number: Int
    /// The references by which its rows go with those of other tables.
    var parents: [ParentKey]

    let dialect: any Dialect

    var sql: String { dialect.temporary("seedbed:disposal:\(number)") }
    /// What identifies its rows; a user's row may have no key of ours.
    var identity: [String] { schema.identity }
    var definitions: String {
      identity.enumerated().map { place, name in
        "k\(place) " + (schema.column(name).map { dialect.bareType(of: $0) } ?? "")
      }.joined(separator: ", ")
    }
    var keys: String { identity.indices.map { "k\($0)" }.joined(separator: ", ") }

    /// Which rows of it go.
    var goes: String {
      "(\(identity.quotedList)) IN (SELECT \(keys) FROM \(sql) WHERE stays = 0)"
    }

    func isRow(_ g: String, _ t: String) -> String {
      // Without the column's collation, by which the temporary table has no index.
      identity.indices.map { "\(g).k\($0) = \(t).\(identity[$0].quoted)" }.allTrue
    }
  }

  init(_ plans: [TablePlan], context: MergeContext) throws {
    self.context = context
    place = plans.flatMap(\.deletes).first?.place ?? ""
    var open = plans.filter { !$0.deletes.isEmpty }.map(\.target.name)
    while let parent = open.popLast() {
      for child in context.keyOptions.disposable[parent] ?? [] {
        let keys = try context.children(of: parent).filter { $0.table == child }.map(\.key)
        if let index = tables.firstIndex(where: { $0.schema.name == child }) {
          let more = keys.filter { !tables[index].parents.contains($0) }
          tables[index].parents += more
        } else {
          let schema = try connection.schema(of: child)
          if schema.identity.isEmpty {
            throw SeedbedError(
              .catalog,
              "The table '\(child)' has no primary key, and its columns hide the rowid, so its "
                + "rows cannot be told apart. Remove it from \"disposable\".")
          }
          tables.append(
            Table(
              schema: schema, number: tables.count, parents: keys, dialect: connection.dialect))
          open.append(child)
        }
      }
    }
    for table in tables {
      try connection.execute(
        """
        CREATE TABLE \(table.sql) (\(table.definitions), stays INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY (\(table.keys))) \(connection.dialect.byKey)
        """)
    }
  }

  func drop() throws {
    for table in tables { try connection.execute("DROP TABLE \(table.sql)") }
  }

  /// Whether the row `t` goes with another; nil if none of the table does.
  func removes(_ table: String, _ t: String) -> String? {
    tables.first { $0.schema.name == table }.map { table in
      "EXISTS (SELECT 1 FROM \(table.sql) AS g WHERE g.stays = 0 AND \(table.isRow("g", t)))"
    }
  }

  // MARK: which rows go

  /// Works out from scratch which rows go along with those that go now; otherwise a ring of them
  /// would never stay. True if a row stays that was to go before.
  func settle(_ plans: PlanSet) throws -> Bool {
    if tables.isEmpty { return false }
    let before = try counts()
    repeat {
      for table in tables { try connection.execute("DELETE FROM \(table.sql) WHERE stays = 0") }
      while try tables.contains(where: { try find($0, plans) }) {}
    } while try tables.contains { try keep($0, plans) }
    return try counts() != before
  }

  private func counts() throws -> [[Value]] {
    try tables.flatMap {
      try connection.rows("SELECT count(*), coalesce(sum(stays), 0) FROM \($0.sql)")
    }
  }

  /// True if there were more.
  private func find(_ table: Table, _ plans: PlanSet) throws -> Bool {
    let keys = table.identity.map { "c.\($0.quoted)" }.joined(separator: ", ")
    // What the files of the migration name is theirs to decide.
    let isFree = plans.plan(of: table.schema.name).map {
      "NOT EXISTS (SELECT 1 FROM \($0.sql) AS v WHERE \($0.isSameRow("v", "c")))"
    }
    var count: Int64 = 0
    for parent in table.parents {
      let refers = zip(parent.childColumns, parent.parentColumns)
        .map { "t.\($1.quoted) = c.\($0.quoted)" }
      for goes in goingRows(of: parent.parent, plans) {
        try connection.execute(
          """
          INSERT INTO \(table.sql) (\(table.keys)) SELECT \(keys)
          FROM \(goes.sql) AS g \(join) \(dialect.table(parent.parent)) AS t ON \(goes.isRow)
          CROSS JOIN \(dialect.table(table.schema.name)) AS c
          WHERE \(([goes.condition] + refers + [isFree].compactMap { $0 }).allTrue)
          ON CONFLICT DO NOTHING
          """)
        count += connection.changes
      }
    }
    return count > 0
  }

  /// Where the rows `g` of a table are that go, as its rows `t`.
  private func goingRows(
    of table: String, _ plans: PlanSet
  ) -> [(sql: String, isRow: String, condition: String)] {
    let planned = plans.plan(of: table).map {
      [($0.sql, $0.isSameRow(dialect.notSearched + "g", "t"), $0.leaving("g"))]
    }
    let own = tables.filter { $0.schema.name == table }
      .map { ($0.sql, $0.isRow("g", "t"), "g.stays = 0") }
    return (planned ?? []) + own
  }

  /// Keeps the rows to which a row refers that stays, or comes to; true if there were any.
  private func keep(_ table: Table, _ plans: PlanSet) throws -> Bool {
    var count: Int64 = 0
    let keys = table.identity.indices.map { "d.k\($0)" }.joined(separator: ", ")
    let keep = { (rows: String) in
      try connection.execute(
        """
        UPDATE \(table.sql) SET stays = 1
        WHERE stays = 0 AND (\(table.keys)) IN (SELECT \(keys) FROM \(rows))
        """)
      count += connection.changes
    }
    for child in try context.children(of: table.schema.name) {
      let refers = zip(child.key.childColumns, child.key.parentColumns)
        .map { "t.\($1.quoted) = c.\($0.quoted)" }
      try keep(
        """
        \(table.sql) AS d
          \(join) \(dialect.table(table.schema.name)) AS t ON \(table.isRow("d", "t"))
          CROSS JOIN \(dialect.table(child.table)) AS c
        WHERE \((refers + plans.staysAsChild("c", child)).allTrue)
        """)
      guard let plan = plans.plan(of: child.table) else { continue }
      let places = plan.places(of: child.key.childColumns)
      guard plan.tracks(places) else { continue }
      let comes = zip(child.key.parentColumns, places)
        .map { "t.\($0.quoted) = \(plan.next($1, "q"))" }
      try keep(
        """
        \(plan.sql) AS q
          \(join) \(dialect.table(table.schema.name)) AS t ON \(comes.allTrue)
          \(join) \(table.sql) AS d ON \(table.isRow("d", "t"))
        WHERE \(plan.coming("q")) OR \(plan.moving("q", places))
        """)
    }
    return count > 0
  }

  // MARK: they go

  /// The names of all tables that may lose rows, children before parents.
  func order(_ plans: [TablePlan]) throws -> [String] {
    var (parents, immediate): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
    for plan in plans { parents[plan.target.name] = Set(plan.target.parents.map(\.parent)) }
    for table in tables {
      let keys = try connection.parentKeys(of: table.schema, and: context.keyOptions)
      parents[table.schema.name] = Set(keys.map(\.parent))
    }
    var names = plans.map(\.target.name)
    names += tables.map(\.schema.name).filter { !names.contains($0) }
    for name in names {
      let keys = try connection.schema(of: name).foreignKeys.filter(\.isImmediateOnDelete)
      immediate[name] = Set(keys.map(\.parent))
    }
    // Of tables that refer to each other, those first whose references cannot wait.
    return LoadOrder.groups(names, parents: parents)
      .flatMap { LoadOrder.groups($0, parents: immediate).joined() }.reversed()
  }

  func delete(_ name: String) throws {
    guard let table = tables.first(where: { $0.schema.name == name }), try hasRows(table) else {
      return
    }
    do {
      try connection.execute("DELETE FROM \(dialect.table(name)) WHERE \(table.goes)")
    } catch let failure as any EngineFailure where context.isBrokenRow(failure) {
      throw refused(table, failure.message)
    }
    try refuseLeftOver(table)
  }

  /// Deletes them together with the rows that the plan retires.
  func delete(with plan: TablePlan) throws {
    let table = try tables.first { try $0.schema.name == plan.target.name && hasRows($0) }
    let goes = [plan.goes(), table?.goes].compactMap(\.self)
    try connection.execute("DELETE FROM \(plan.target.sql) WHERE \(goes.anyTrue)")
    if let table { try refuseLeftOver(table) }
  }

  private func hasRows(_ table: Table) throws -> Bool {
    try connection.value("SELECT 1 FROM \(table.sql) WHERE stays = 0 LIMIT 1") != nil
  }

  /// A trigger may have kept some silently.
  private func refuseLeftOver(_ table: Table) throws {
    let name = table.schema.name
    if try connection.value("SELECT 1 FROM \(dialect.table(name)) WHERE \(table.goes) LIMIT 1")
      != nil
    {
      throw refused(table, "a trigger silently keeps them (RAISE(IGNORE))")
    }
    try connection.execute("DELETE FROM \(table.sql) WHERE stays = 0")
    context.findings.followed.insert(name)
  }

  private func refused(_ table: Table, _ reason: String) -> SeedbedError {
    let (name, parent) = (table.schema.name, table.parents.first?.parent ?? "")
    return SeedbedError(
      .constraint,
      "Rows of '\(name)' could not be deleted with their retired rows of '\(parent)': \(reason). "
        + "Allow it, or remove '\(name)' from \"disposable\".", at: SeedbedError.Place(place))
  }
}
