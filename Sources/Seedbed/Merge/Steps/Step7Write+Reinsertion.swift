/// Gives rows new keys that other rows still have, where a row cannot wait under an unused key: a
/// partitioned table may have no partition for it, and a type no value.
///
/// So the rows are copied to a temporary table, deleted, and inserted with their new keys. A row
/// that another refers to keeps its key, because deleting it might delete the other row.
struct Reinsertion {
  let plan: TablePlan
  private var connection: any DatabaseSession { plan.connection }
  private var target: TableTarget { plan.target }
  private var sql: String { plan.dialect.temporary("seedbed:reinsertion") }
  private var isMoving: String { plan.moving("p", plan.key, exactly: true) }

  /// All columns that can be inserted.
  private var slots: [Int] {
    target.schema.columns.indices.filter { target.schema.columns[$0].generated == .no }
  }

  var creation: String { "CREATE TABLE \(sql) AS \(rows) AND false" }
  var removal: String { "DROP TABLE \(sql)" }

  /// The rows with their new values.
  private var rows: String {
    let values = slots.map { slot in
      let value =
        plan.key.contains(slot) ? plan.next(slot, "p") : "t.\(plan.column(slot))"
      return "\(value) AS v\(slot)"
    }
    return """
      SELECT p.row, \(values.listed)
      FROM \(plan.sql) AS p \(plan.dialect.orderedJoin) \(target.sql) AS t
        ON \(plan.isSameRow("p", "t"))
      WHERE \(isMoving)
      """
  }

  /// Both throw if a row was silently not deleted or not inserted. `condition` selects rows `p`.
  func takeOut(_ condition: String) throws {
    assert(!plan.rekeyed.isEmpty, "No key changes.")
    // A row that is made to refer to one meanwhile could be deleted with it.
    try connection.holdOffWriters(of: plan.children.map(\.table))
    for child in plan.children {
      let refers = try plan.isReferred("p", by: child) { "c.\($0.quoted)" }
      let isReferred = try connection.finds(
        """
        SELECT 1 FROM \(plan.sql) AS p \(plan.dialect.orderedJoin)
          \(connection.schema(of: child.table).sql) AS c ON \(refers)
        WHERE \(isMoving)\(condition) LIMIT 1
        """)
      if isReferred { throw keyStays }
    }
    try connection.execute("INSERT INTO \(sql) \(rows)\(condition)")
    let count = connection.changes
    let (columns, keys) = (plan.key.map(plan.column).listed, plan.key.map { "p.k\($0)" }.listed)
    try connection.execute(
      """
      DELETE FROM \(target.sql)
      WHERE (\(columns)) IN (SELECT \(keys) FROM \(plan.sql) AS p WHERE \(isMoving)\(condition))
      """)
    if connection.changes != count { throw keyStays }
  }

  func putBack(_ condition: String) throws {
    let rows = "FROM \(sql) AS p WHERE true\(condition)"
    let count = try connection.count("SELECT count(*) \(rows)")
    try connection.execute(
      """
      \(plan.dialect.insert) INTO \(target.destination) (\(slots.map(plan.column).listed))
      \(plan.dialect.withGivenIDs) SELECT \(slots.map { "v\($0)" }.listed) \(rows)
      """)
    if connection.changes != count { throw keyStays }
  }

  private var keyStays: SeedbedError { .keyStays(table: target.name, plan.dialect) }
}
