/// The plans of all tables of a release, and what the rules ask of other tables.
final class PlanSet {
  let context: MergeContext
  /// Parents before children.
  let plans: [TablePlan]
  private let left: [String: String]
  private var connection: Connection { context.connection }

  /// - Parameter staged: the insert files that are part of the plan.
  init(_ files: [RowFile], staged: [RowFile], context: MergeContext) throws {
    self.context = context
    let groups = LoadOrder.groups(of: files).flatMap(\.files).grouped(by: \.target.name)
    var tables = Set(groups.map { $0[0].target.name })
    for file in files { tables.formUnion(file.parents.map(\.parent)) }
    left = try Self.loadLeft(tables.sorted(), context)
    var plans: [TablePlan] = []
    for group in groups {
      let target = group[0].target
      plans.append(
        try TablePlan(
          target, number: plans.count, group,
          staged: staged.filter { $0.target.name == target.name }, leftSQL: left[target.name],
          context: context))
    }
    self.plans = plans
  }

  func plan(of table: String) -> TablePlan? { plans.first { $0.target.name == table } }

  func schema(of table: String) throws -> TableSchema { try connection.schema(of: table) }

  // MARK: keys that were left to the user

  /// A temporary table for each table of which keys were left to the user.
  private static func loadLeft(
    _ tables: [String], _ context: MergeContext
  ) throws -> [String: String] {
    let connection = context.connection
    var left: [String: String] = [:]
    for (number, table) in tables.enumerated() {
      let keys = try context.ledger.keysLeftToUser(table: table, on: connection)
      if keys.isEmpty { continue }
      let schema = try connection.schema(of: table)
      let key = context.keyColumns(of: schema)
      let columns = key.map { column in
        let type = Affinity(of: column, isStrict: schema.isStrict).rawValue
        return "k\(schema.index(of: column.name) ?? 0) \(type) COLLATE \(column.collation.quoted)"
      }
      let name = "seedbed:left:\(number)"
      let sql = "temp." + name.quoted
      try connection.execute("CREATE TABLE \(sql) (\(columns.joined(separator: ", ")))")
      let marks = key.map { _ in "?" }.joined(separator: ", ")
      let insert = try connection.prepare("INSERT INTO \(sql) VALUES (\(marks))")
      for text in keys {
        let row = try LoggedRow(text, number: 0)
        try insert.run(key.map { row[$0.name] ?? .null })
      }
      let list = key.map { "k\(schema.index(of: $0.name) ?? 0)" }.joined(separator: ", ")
      try connection.execute(
        "CREATE INDEX temp.\((name + ":key").quoted) ON \(name.quoted) (\(list))")
      left[table] = sql
    }
    return left
  }

  func drop() throws {
    for plan in plans { try connection.execute("DROP TABLE IF EXISTS \(plan.sql)") }
    for sql in left.values { try connection.execute("DROP TABLE \(sql)") }
  }

  // MARK: parents

  /// Whether a parent with these values is there now, and whether there will be none to refer to:
  /// neither stays nor comes, or it is the user's.
  func parent(_ key: ParentKey, of values: [String]) -> (isThere: String, isMissing: String) {
    let matches = zip(key.parentColumns, values).map { "t.\($0.quoted) = \($1)" }.allTrue
    let table = "main.\(key.parent.quoted) AS t"
    let plan = plan(of: key.parent)
    var stays = [matches]
    if let plan {
      let places = plan.places(of: key.parentColumns)
      if plan.moving("v", places) != "false" { stays.append("NOT \(plan.vacates("t", places))") }
    }
    if let isLeft = isLeft(key.parent, plan) { stays.append("NOT \(isLeft)") }
    var there = ["EXISTS (SELECT 1 FROM \(table) WHERE \(stays.allTrue))"]
    if let plan {
      let places = plan.places(of: key.parentColumns)
      let comes = zip(places, values).map { "\(plan.next($0, "q")) = \($1)" }.allTrue
      there.append(
        "EXISTS (SELECT 1 FROM \(plan.sql) AS q WHERE \(comes) AND "
          + "(\(plan.coming("q")) OR \(plan.moving("q", places))))")
    }
    let notNull = values.map { "\($0) IS NOT NULL" }
    return (
      "EXISTS (SELECT 1 FROM \(table) WHERE \(matches))",
      "(\((notNull + ["NOT (\(there.anyTrue))"]).allTrue))"
    )
  }

  /// Whether the row `t` of a parent's table is the user's, since this release or before.
  private func isLeft(_ table: String, _ plan: TablePlan?) -> String? {
    var reasons: [String] = []
    if let sql = left[table], let schema = try? schema(of: table) {
      let key = context.keyColumns(of: schema).map {
        "l.k\(schema.index(of: $0.name) ?? 0) = t.\($0.name.quoted)"
      }
      reasons.append("EXISTS (SELECT 1 FROM \(sql) AS l WHERE \(key.allTrue))")
    }
    if let plan, !plan.inserts.isEmpty {
      reasons.append(
        "EXISTS (SELECT 1 FROM \(plan.sql) AS q WHERE \(plan.isSameRow("q", "t")) "
          + "AND q.fate IN ('\(TablePlan.Fate.keyTaken)', '\(TablePlan.Fate.uniqueTaken)'))")
    }
    return reasons.isEmpty ? nil : "(\(reasons.anyTrue))"
  }
}

extension PlanSet {
  /// Whether the plan has the parent, which is not to be had for a reason of its own.
  func isKnown(_ key: ParentKey, _ values: [Value]) throws -> Bool {
    guard let plan = plan(of: key.parent), !plan.inserts.isEmpty else { return false }
    let places = plan.places(of: key.parentColumns)
    let matches = places.map { plan.columns[$0] == nil ? "k\($0) = ?" : "n\($0) = ?" }
    return try connection.value(
      "SELECT 1 FROM \(plan.sql) WHERE kind IN ('insert', 'replace') AND \(matches.allTrue)",
      values) != nil
  }
}
