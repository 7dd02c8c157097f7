/// The rows of disposable tables that are deleted with the rows to retire.
///
/// A row that is still referred to stays, and so do the rows that it refers to:
///     elements 1 is retired; isotope 7, in a disposable table, refers to it and would go, too
///     note 3 of the user refers to isotope 7: so isotope 7 stays, and element 1 with it
final class PlanDisposal {
  private let context: MergeContext
  private var tables: [Table] = []
  /// The first file with rows to retire.
  private let place: String
  private var connection: any DatabaseSession { context.connection }
  private var dialect: any Dialect { connection.dialect }
  private var join: String { dialect.orderedJoin }

  /// A disposable table, with a temporary table of its rows that would go.
  private final class Table {
    let schema: TableSchema
    let number: Int
    /// The references because of which its rows go with those of other tables.
    var parents: [ParentKey]
    let dialect: any Dialect

    let (target, sql): (String, String)
    /// The columns that identify its rows. A user's row may lack a key.
    var identity: [String] { schema.identity }

    init(schema: TableSchema, number: Int, parents: [ParentKey], dialect: any Dialect) {
      (self.schema, self.number, self.parents) = (schema, number, parents)
      self.dialect = dialect
      target = schema.sql
      sql = dialect.temporary("seedbed:disposal:\(number)")
    }

    func creation() throws -> String {
      let columns = try identity.enumerated().map { slot, name in
        // The number of a row has no declaration.
        if schema.rowidName != nil { return "k\(slot) " }
        return try "k\(slot) " + dialect.bareType(of: schema.columns[schema.slot(of: name)])
      }
      return """
        CREATE TABLE \(sql) (\(columns.listed), stays INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY (\(keys()))) \(dialect.byKey)
        """
    }

    func keys(_ d: String = "") -> String { identity.indices.map { "\(d)k\($0)" }.listed }

    /// A condition for its rows that go.
    var goes: String {
      "(\(identity.quotedList)) IN (SELECT \(keys()) FROM \(sql) WHERE stays = 0)"
    }

    func isRow(_ g: String, _ t: String) -> String {
      // Without the column's collation, for which the temporary table has no index.
      identity.enumerated().map { "\(g).k\($0) = \(t).\($1.quoted)" }.allTrue
    }
  }

  init(_ plans: [TablePlan], context: MergeContext) throws {
    self.context = context
    place = plans.flatMap(\.deletes).first?.place ?? ""
    var open = plans.filter { !$0.deletes.isEmpty }.map(\.target.name)
    while let parent = open.popLast() {
      for child in context.keyOptions.disposable[parent] ?? [] {
        let keys = try context.children(of: parent)
          .filter { $0.table.isSameText(as: child) }.map(\.key)
        if let index = tables.firstIndex(where: { $0.schema.name.isSameText(as: child) }) {
          let known = tables[index].parents
          tables[index].parents += keys.filter { !known.contains($0) }
          continue
        }
        let schema = try connection.schema(of: child)
        if schema.identity.isEmpty {
          throw SeedbedError(
            .catalog,
            "The table '\(child)' has no primary key, and its columns hide the rowid, so its "
              + "rows cannot be told apart. Remove it from \"disposable\".")
        }
        tables.append(
          Table(schema: schema, number: tables.count, parents: keys, dialect: connection.dialect))
        open.append(child)
      }
    }
    for table in tables { try connection.execute(table.creation()) }
  }

  func drop() throws {
    for table in tables { try connection.execute("DROP TABLE \(table.sql)") }
  }

  private func table(_ name: String) -> Table? {
    tables.first { $0.schema.name.isSameText(as: name) }
  }

  /// A condition: the row `t` goes with another; nil if no row of the table does.
  func removes(_ name: String, _ t: String) -> String? {
    table(name).map { table in
      "EXISTS (SELECT 1 FROM \(table.sql) AS g WHERE g.stays = 0 AND \(table.isRow("g", t)))"
    }
  }

  // MARK: which rows go

  /// Finds from scratch the rows that go along with those that go now. Otherwise a ring of rows
  /// would never stay. True if a row stays that was to go before.
  func recompute(_ plans: PlanSet) throws -> Bool {
    if tables.isEmpty { return false }
    assert(tables.allSatisfy { !$0.identity.isEmpty }, "Its rows cannot be told apart.")
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

  private func refers(_ key: ParentKey) -> [String] {
    zip(key.parentColumns, key.childColumns).map { "t.\($0.quoted) = c.\($1.quoted)" }
  }

  /// True if there were more.
  private func find(_ table: Table, _ plans: PlanSet) throws -> Bool {
    // The files of the migration decide about rows that they name. A row with NULL in the columns
    // that identify it cannot be told apart, and stays.
    let isFree =
      (plans.plan(of: table.schema.name).map {
        ["NOT \($0.exists("v", [$0.isSameRow("v", "c")]))"]
      } ?? [])
      + (table.schema.rowidName == nil ? table.identity.map { "c.\($0.quoted) IS NOT NULL" } : [])
    var count: Int64 = 0
    for parent in table.parents {
      let parentSQL = try connection.schema(of: parent.parent).sql
      for goes in goingRows(of: parent.parent, plans) {
        try connection.execute(
          """
          INSERT INTO \(table.sql) (\(table.keys()))
          SELECT \(table.identity.map { "c.\($0.quoted)" }.listed)
          FROM \(goes.sql) AS g \(join) \(parentSQL) AS t ON \(goes.isRow)
          CROSS JOIN \(table.target) AS c
          WHERE \(([goes.condition] + refers(parent) + isFree).allTrue)
          ON CONFLICT DO NOTHING
          """)
        count += connection.changes
      }
    }
    return count > 0
  }

  /// The tables with the rows `g` of a table that go, each with the conditions that `g` is the row
  /// `t`, and that it goes.
  private func goingRows(
    of name: String, _ plans: PlanSet
  ) -> [(sql: String, isRow: String, condition: String)] {
    let planned = plans.plan(of: name).map {
      ($0.sql, $0.isSameRow(dialect.notSearched + "g", "t"), $0.leaving("g"))
    }
    let own = table(name).map { ($0.sql, $0.isRow("g", "t"), "g.stays = 0") }
    return [planned, own].compactMap(\.self)
  }

  /// Keeps the rows that a staying or a changed row refers to; true if there were any.
  private func keep(_ table: Table, _ plans: PlanSet) throws -> Bool {
    var count: Int64 = 0
    func keep(_ rows: String) throws {
      try connection.execute(
        """
        UPDATE \(table.sql) SET stays = 1
        WHERE stays = 0 AND (\(table.keys())) IN (SELECT \(table.keys("d.")) FROM \(rows))
        """)
      count += connection.changes
    }
    for child in try context.children(of: table.schema.name) {
      try keep(
        """
        \(table.sql) AS d \(join) \(table.target) AS t ON \(table.isRow("d", "t"))
          CROSS JOIN \(connection.schema(of: child.table).sql) AS c
        WHERE \((refers(child.key) + plans.staysAsChild("c", child)).allTrue)
        """)
      guard let plan = plans.plan(of: child.table) else { continue }
      let slots = try plan.slots(of: child.key.childColumns)
      guard plan.tracks(slots) else { continue }
      let comes = zip(child.key.parentColumns, slots)
        .map { "t.\($0.quoted) = \(plan.next($1, "q"))" }
      try keep(
        """
        \(plan.sql) AS q \(join) \(table.target) AS t ON \(comes.allTrue)
          \(join) \(table.sql) AS d ON \(table.isRow("d", "t"))
        WHERE \(plan.coming("q")) OR \(plan.moving("q", slots))
        """)
    }
    return count > 0
  }

  // MARK: they go

  /// The names of all tables that may lose rows, children before parents.
  func order(_ plans: [TablePlan]) throws -> [String] {
    var (parents, immediate): ([ExactText: Set<ExactText>], [ExactText: Set<ExactText>]) = (
      [:], [:]
    )
    for plan in plans { parents[plan.target.name] = plan.target.parents.map(\.parent).asTexts }
    for table in tables {
      let keys = try connection.parentKeys(of: table.schema, and: context.keyOptions)
      parents[table.schema.name] = keys.map(\.parent).asTexts
    }
    let planned = plans.map(\.target.name)
    let names = planned + tables.map(\.schema.name).filter { !planned.contains(text: $0) }
    for name in names {
      let keys = try connection.schema(of: name).foreignKeys.filter(\.isImmediateOnDelete)
      immediate[name] = keys.map(\.parent).asTexts
    }
    // Of tables that refer to each other, those with references that cannot wait come first.
    return LoadOrder.groups(names, parents: parents)
      .flatMap { LoadOrder.groups($0, parents: immediate).joined() }.reversed()
  }

  /// Knows rows that follow a user's row that moves by the keys that they are about to get.
  func follow(_ moving: [RekeyTable]) throws {
    for moved in moving {
      guard let table = table(moved.schema.name), let sql = moved.follow(in: table.sql) else {
        continue
      }
      try connection.execute(sql)
    }
  }

  func delete(_ name: String) throws {
    guard let table = try losing(name) else { return }
    do {
      try connection.execute("DELETE FROM \(table.target) WHERE \(table.goes)")
    } catch let failure as any EngineFailure where context.isBrokenRow(failure) {
      throw refused(table, failure.message)
    }
    try refuseLeftOver(table)
  }

  /// Deletes them together with the rows that the plan retires.
  func delete(with plan: TablePlan) throws {
    let table = try losing(plan.target.name)
    let goes = [plan.goes(), table?.goes].compactMap(\.self)
    try connection.execute("DELETE FROM \(plan.target.sql) WHERE \(goes.anyTrue)")
    if let table { try refuseLeftOver(table) }
  }

  /// The table, if some of its rows go.
  private func losing(_ name: String) throws -> Table? {
    guard let table = table(name),
      try connection.finds("SELECT 1 FROM \(table.sql) WHERE stays = 0 LIMIT 1")
    else { return nil }
    return table
  }

  /// Throws if a trigger has silently kept some of them.
  private func refuseLeftOver(_ table: Table) throws {
    if try connection.finds("SELECT 1 FROM \(table.target) WHERE \(table.goes) LIMIT 1") {
      let rules = try connection.triggers(of: table.schema.name).filter { $0.mayIgnore(.delete) }
      let who = rules.first?.word ?? "trigger"
      let how = dialect.passesOver(isRule: rules.first?.isRule == true).how
      throw refused(table, "a \(who) silently keeps them (\(how))")
    }
    try connection.execute("DELETE FROM \(table.sql)")
    context.findings.followed.insert(table.schema.name)
  }

  private func refused(_ table: Table, _ reason: String) -> SeedbedError {
    let (name, parent) = (table.schema.name, table.parents.first?.parent ?? "")
    return SeedbedError(
      .constraint,
      "Rows of '\(name)' could not be deleted with their retired rows of '\(parent)': \(reason). "
        + "Allow it, or remove '\(name)' from \"disposable\".", at: SeedbedError.Place(place))
  }
}
