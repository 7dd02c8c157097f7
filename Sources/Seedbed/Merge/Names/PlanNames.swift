/// References by natural key. Each name is looked up once, before anything is decided.
///
///     keep      the rows of files that name rows, and of insert files whose rows are named
///     look up   each name among the rows that this migration inserts, or else those that are there
///     number    rows that are named, if their file leaves the key to the database
///
/// A name that no row has, or several rows have, becomes a value that no key can equal
/// (`Unresolved`), so its row has no parent. A name of a row to insert means that row, whatever
/// happens to it: the reference is never attached to a user's row instead.
struct PlanNames {
  let plans: PlanSet
  /// Runs a statement that reads a file's rows from its stream.
  let read: (RowFile, String) throws -> Void
  private var context: MergeContext { plans.context }
  private var connection: any DatabaseSession { context.connection }

  func resolve() throws {
    for plan in plans.plans {
      for (number, file) in plan.files.enumerated() where plan.isBuffered(file) {
        try connection.execute(plan.rowsCreation(number))
        try read(file, plan.bufferRows(number))
        for natural in file.naturals {
          try plan.refuseHalfEmpty(natural, number)
          try lookUpThere(natural, plan, number)
          if comesBefore(natural, plan) { try lookUpComing(natural, plan, number) }
        }
      }
      try giveNumbers(plan)
    }
    // Rows of one table, or of tables that refer to each other, may name each other.
    for plan in plans.plans {
      for (number, file) in plan.files.enumerated() {
        for natural in file.naturals where !comesBefore(natural, plan) {
          try lookUpComing(natural, plan, number)
        }
      }
    }
  }

  private func comesBefore(_ natural: NaturalReference, _ plan: TablePlan) -> Bool {
    (plans.plan(of: natural.parent.name)?.number ?? -1) < plan.number
  }

  // MARK: look up

  private func lookUpThere(_ natural: NaturalReference, _ plan: TablePlan, _ number: Int) throws {
    let others = try keepHeldNames(natural)
    try connection.execute(
      TablePlan.lookUp(
        natural, for: plan.rows(number), among: natural.parent.sql,
        where: natural.isKeyed("p") + others, connection.dialect))
    if !others.isEmpty { try connection.execute("DROP TABLE \(heldSQL)") }
  }

  private func lookUpComing(_ natural: NaturalReference, _ plan: TablePlan, _ number: Int) throws {
    let file = plan.files[number]
    guard file.looksAhead(natural), let parent = plans.plan(of: natural.parent.name),
      let rows = parent.namedRows(natural)
    else { return }
    if plan.isNamed, file.isKey(natural), !comesBefore(natural, plan) {
      throw SeedbedError(
        .csv,
        "The key of these rows depends on a name, and other rows refer to them by name. Ship the "
          + "rows that they name in an earlier migration.",
        at: SeedbedError.Place(file.place, line: 1))
    }
    try connection.execute(
      TablePlan.lookUp(natural, for: plan.rows(number), among: rows, connection.dialect))
  }

  private var heldSQL: String { connection.dialect.temporary("seedbed:held") }

  /// A user's row may hold the name of a seed's row that was skipped because of it in an earlier
  /// release. The name does not mean the user's row.
  private func keepHeldNames(_ natural: NaturalReference) throws -> [String] {
    let names = natural.naturalColumns
    let name = { (row: Migrator.Row) in RowJSON.collatedKey(names, row.values(of: names)) }
    let columns = names + context.keyColumns(of: natural.parent)
    // An update that collides with a UNIQUE value logs only its own columns, which identify no row.
    let held = try context.ledger.holders(table: natural.parent.name, on: connection)
      .filter { name($0.row).isSameText(as: name($0.seed)) }.map { $0.row.values(of: columns) }
      .filter { !$0.contains(where: \.isNull) }
    if held.isEmpty { return [] }
    let types = columns.enumerated().map { "c\($0) \(connection.dialect.bareType(of: $1))" }
    try connection.makeTable(heldSQL, types, held)
    let own = columns.map { "p.\($0.name.quoted)" }.listed
    return ["(\(own)) NOT IN (SELECT \(columns.indices.map { "c\($0)" }.listed) FROM \(heldSQL))"]
  }

  // MARK: number

  /// Existing rows have the values that others receive. New rows get them here.
  private func giveNumbers(_ plan: TablePlan) throws {
    let target = plan.target
    var last: Int64?
    for (number, file) in plan.files.enumerated() {
      for (index, field) in file.fields.enumerated() where field.source == .assigned {
        let isRow = zip(target.key, file.keyIndexes).map { "m.\($0.name.quoted) = s.c\($1)" }
        var new = field.column.defaultSQL.map { "(\($0))" } ?? "NULL"
        if target.schema.rowidAlias?.name.isSameName(as: field.column.name) == true {
          let count = try connection.count("SELECT count(*) FROM \(plan.rows(number))")
          let start = try lastNumber(plan, field.column, count, after: last)
          (new, last) = ("\(start) + s.row", start + count)
        }
        try connection.execute(
          """
          UPDATE \(plan.rows(number)) AS s SET c\(index) = coalesce(
            (SELECT m.\(field.column.name.quoted) FROM \(target.sql) AS m
              WHERE \(isRow.allTrue)), \(new))
          """)
      }
    }
  }

  /// The number after which this many numbers are free, chosen as SQLite would.
  private func lastNumber(
    _ plan: TablePlan, _ id: ColumnSchema, _ count: Int64, after before: Int64?
  ) throws -> Int64 {
    var used = [try connection.highestID(of: plan.target.schema, id), before]
    for (number, file) in plan.files.enumerated() where file.role == .insert {
      guard let index = file.index(of: id.name), !file.isAssigned(id) else { continue }
      used.append(try connection.number("SELECT max(c\(index)) FROM \(plan.rows(number))"))
    }
    let last = max(used.compactMap(\.self).max() ?? 0, 0)
    if last <= connection.dialect.greatestID(id) - count { return last }
    // A row has one of the last possible numbers. Some numbers below it are free.
    let below = try connection.number(
      """
      SELECT id FROM (SELECT id, lead(id) OVER (ORDER BY id) - id AS next
        FROM (SELECT \(before ?? 0) AS id UNION SELECT \(id.name.quoted) FROM \(plan.target.sql))
        AS ids WHERE id >= 0) AS gaps
      WHERE next > ? ORDER BY id DESC LIMIT 1
      """, [.integer(count)])
    if let below { return below }
    throw SeedbedError(
      .constraint,
      "The table '\(plan.target.name)' has no run of free ids left for the rows of this "
        + "migration. Ship the ids.")
  }
}

extension PlanSet {
  /// Whether the key was given to a row to insert that is skipped.
  func isUnresolvedNumber(_ natural: NaturalReference, _ number: Value) throws -> Bool {
    let column = natural.keyColumns[0]
    guard let plan = plan(of: natural.parent.name),
      plan.inserts.contains(where: { $0.isAssigned(column) })
    else { return false }
    let slot = try plan.slot(of: column.name)
    return try context.connection.finds(
      """
      SELECT 1 FROM \(plan.sql) AS q WHERE q.x\(slot) = ? AND q.m\(slot) IS NULL
        AND q.kind = '\(TablePlan.Kind.insert)' AND NOT \(plan.coming("q"))
      """, [number])
  }
}
