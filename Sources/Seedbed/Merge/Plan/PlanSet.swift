/// The plans of all tables in a release, and the conditions that rules need about other tables.
final class PlanSet {
  let context: MergeContext
  /// The plans, parents before children.
  let plans: [TablePlan]
  let disposal: PlanDisposal
  private let left: [ExactText: UsersKeys]
  private var connection: any DatabaseSession { context.connection }

  /// - Parameter staged: the insert files that are part of the plan.
  init(_ files: [RowFile], staged: [RowFile], context: MergeContext) throws {
    self.context = context
    let groups = LoadOrder.groups(of: files).flatMap(\.files).grouped(by: \.target.name)
    // A row to retire is compared in all its references.
    let parents = files.flatMap { $0.role == .delete ? $0.target.parents : $0.parents }
    let tables = (files.map(\.target.name) + parents.map(\.parent)).asTexts
    var left: [ExactText: UsersKeys] = [:]
    for (number, table) in tables.ordered().enumerated() {
      left[table] = try UsersKeys(table.text, number: number, context)
    }
    self.left = left
    let naming = files.filter { $0.role == .update } + staged
    let naturals = naming.flatMap { file in file.naturals.filter(file.looksAhead) }
    let targets = groups.map { $0[0].target }
    plans = try zip(targets, groups).enumerated().map { number, group in
      let (target, files) = group
      let named = naturals.filter { $0.parent.name.isSameText(as: target.name) }
      let received = named.flatMap(\.keyColumns).filter { $0.generated == .no }
      return try TablePlan(
        target, number: number, files,
        staged: staged.filter { $0.target.name.isSameText(as: target.name) }
          .map { $0.assigning(received) },
        isNamed: !named.isEmpty, left: left,
        movesUsers: Self.movesUsers(target, beside: targets, context), context: context)
    }
    disposal = try PlanDisposal(plans, context: context)
    assert(plans.map(\.target.name).asTexts.count == plans.count, "A table has two plans.")
    assert(plans.indices.allSatisfy { plans[$0].number == $0 }, "A plan has another's number.")
  }

  /// Only an id that the database chose can be replaced by another, and only if the database allows
  /// ids to change. A key that refers to another row cannot: it would mean a different row. Rows of
  /// the release are found by their keys, so a key must not contain such an id.
  private static func movesUsers(
    _ target: TableTarget, beside targets: [TableTarget], _ context: MergeContext
  ) throws -> Bool {
    guard context.onTaken(target).effect.moves, let id = target.schema.rowidAlias,
      !id.isFixed, target.key.names.hasSameNames(as: [id.name]),
      !target.parents.contains(where: { $0.childColumns.contains(name: id.name) })
    else { return false }
    return try !context.children(of: target.name).contains { child in
      let key = targets.first { $0.name.isSameText(as: child.table) }?.key ?? []
      return key.contains { child.key.childColumns.contains(name: $0.name) }
    }
  }

  func plan(of table: String) -> TablePlan? { plans.first { $0.target.name.isSameText(as: table) } }

  /// Whether new rows are written before others change or are deleted: a changed row may refer to a
  /// new one, and the engine checks that after each statement. Changed keys come first.
  func insertsFirst() throws -> Bool {
    guard
      plans.contains(where: { $0.hasImmediateKeys && (!$0.updates.isEmpty || $0.replaces) }),
      plans.contains(where: { !$0.inserts.isEmpty })
    else { return false }
    return try !plans.contains { plan in
      try plan.followed().contains { try connection.finds(plan.rowsToFollow($0) + " LIMIT 1") }
    }
  }

  func drop() throws {
    for plan in plans {
      try connection.execute("DROP TABLE IF EXISTS \(plan.sql)")
      for (number, file) in plan.files.enumerated() where plan.isBuffered(file) {
        try connection.execute("DROP TABLE \(plan.rows(number))")
      }
    }
    try disposal.drop()
    for left in left.values { try connection.execute("DROP TABLE \(left.sql)") }
  }

  // MARK: parents

  /// A condition for a missing parent of a row `p` with these values, and the reason:
  ///     p refers to 113, and there is no row 113                      → parentDeleted
  ///     p refers to 113, and the row 113 is the user's, not the seed's → parentTaken
  /// `isNowhere`: neither the database nor the release has it.
  func parent(
    _ key: ParentKey, of values: [String], in child: TablePlan
  ) throws -> (why: String, isMissing: String, isNowhere: String) {
    let matches = zip(key.parentColumns, values).map { "t.\($0.quoted) = \($1)" }.allTrue
    let table = try "\(connection.schema(of: key.parent).sql) AS t"
    let plan = plan(of: key.parent)
    let slots = try plan?.slots(of: key.parentColumns) ?? []
    var (stays, comes) = ([matches], "false")
    if let plan, plan.tracks(slots) {
      // A row to retire stays if another row will refer to it.
      stays.append("NOT \(plan.vacates("t", slots, goes: false))")
      let isParent = zip(slots, values).map { "\(plan.next($0, "q")) = \($1)" }
      comes = plan.exists("q", isParent + ["(\(plan.coming("q")) OR \(plan.moving("q", slots)))"])
    }
    if key.parent.isSameText(as: child.target.name) {
      // SQLite refuses a row that would refer to itself in another case.
      let isItself = zip(key.parentColumns, values).map {
        "NOT (\(connection.dialect.differExactly("t.\($0.quoted)", $1)))"
      }
      stays.append("(NOT (\(child.isSameRow("p", "t"))) OR \(isItself.allTrue))")
    }
    if let isLeft = isLeft(key.parent, plan) { stays.append("NOT \(isLeft)") }
    let there = "EXISTS (SELECT 1 FROM \(table) WHERE \(stays.allTrue)) OR \(comes)"
    let isMissing = (values.map { "\($0) IS NOT NULL" } + ["NOT (\(there))"]).allTrue
    var isThere = ["EXISTS (SELECT 1 FROM \(table) WHERE \(matches))"]
    if let plan, plan.tracks(slots), !plan.inserts.isEmpty {
      let isSeed = zip(slots, values).map { slot, value in
        "q.\(plan.columns[slot] == nil ? "k" : "n")\(slot) = \(value)"
      }
      isThere.append(plan.exists("q", isSeed + ["q.kind = 'insert' AND q.fate <> 'left'"]))
    }
    return (
      """
      CASE WHEN EXISTS (SELECT 1 FROM \(table) WHERE \(matches))
        THEN '\(TablePlan.Why.parentTaken)' ELSE '\(TablePlan.Why.parentDeleted)' END
      """,
      "(\(([isMissing] + child.isUnresolved(key, values)).anyTrue))", "NOT (\(isThere.anyTrue))"
    )
  }

  /// Conditions for a child's row `c` that stays, and keeps its reference.
  func staysAsChild(_ c: String, _ child: Reference) throws -> [String] {
    let vacates = try plan(of: child.table).map { plan in
      plan.vacates(c, try plan.slots(of: child.key.childColumns))
    }
    return [vacates, disposal.removes(child.table, c)].compactMap(\.self).map { "NOT \($0)" }
  }

  /// True if the release spells out the child's reference, including its case. A natural key does
  /// not. nil if no file does.
  func saysLetters(_ k: String, _ child: Reference) throws -> String? {
    guard let plan = plan(of: child.table) else { return nil }
    let slots = try plan.slots(of: child.key.childColumns)
    let files = plan.files.indices.filter { plan.files[$0].natural(of: child.key) == nil }
    if plan.decided(slots).isEmpty || files.isEmpty { return nil }
    let isSaid = "v.row >> 36 IN (\(files.map(String.init).listed))"
    return plan.exists(
      "v", [plan.isSameRow("v", k), plan.moving("v", slots, exactly: true), isSaid])
  }

  /// Whether the row `t` of a parent's table is the user's, since this release or before.
  private func isLeft(_ table: String, _ plan: TablePlan?) -> String? {
    var reasons: [String] = []
    if let left = left[table] {
      let isSeeds = plan.map { " AND NOT \(has([.same], in: $0))" } ?? ""
      // A pinned row has the user's values, but can still be referred to as the seed's. So can one
      // that was kept from retiring, as by `down` before the release comes again.
      let others = Reason.ofLeftKeys.filter { $0 != .pinned && !$0.isKept }.literals
      reasons.append(
        "EXISTS (SELECT 1 FROM \(left.sql) AS l WHERE \(left.isRow("t")) "
          + "AND l.kind IN (\(others)))" + isSeeds)
    }
    if let plan, !plan.inserts.isEmpty || !plan.target.identity.isEmpty {
      reasons.append(has(Self.fatesOfUsers, in: plan))
    }
    return reasons.isEmpty ? nil : "(\(reasons.anyTrue))"
  }

  /// The fates of rows whose keys the release leaves to the user.
  static let fatesOfUsers = Reason.allCases.filter(\.isUsers).map(TablePlan.Fate.not)

  /// Whether the row `t` is in the plan with one of these fates.
  private func has(_ fates: [TablePlan.Fate], in plan: TablePlan) -> String {
    plan.exists(
      "q", [plan.isSameRow("q", "t"), "q.fate IN (\(fates.map { "'\($0)'" }.listed))"])
  }

  // MARK: what an error says

  /// True if the parent is in this release, too; its own entry says why it was skipped.
  func isKnown(_ key: ParentKey, _ values: [Value]) throws -> Bool {
    guard let plan = plan(of: key.parent), !plan.inserts.isEmpty else { return false }
    let matches = try plan.slots(of: key.parentColumns).map {
      plan.columns[$0] == nil ? "k\($0) = ?" : "n\($0) = ?"
    }
    return try connection.finds(
      "SELECT 1 FROM \(plan.sql) WHERE kind IN ('insert', 'replace') AND \(matches.allTrue)",
      values)
  }

  /// Whether several rows have a name.
  func isAmbiguous(_ natural: NaturalReference, _ name: [Value]) throws -> Bool {
    let names = natural.matches.map(\.column.name).equalsParameters(of: "p")
    let there = (natural.parent.sql, names + natural.isKeyed("p"))
    let coming = plan(of: natural.parent.name)?.namedRows(natural).map { ($0, names) }
    return try [there, coming].compactMap(\.self).contains { parents, conditions in
      try connection.count(
        "SELECT count(*) FROM \(parents) AS p WHERE \(conditions.allTrue)", name) > 1
    }
  }
}
