/// What the comments above the merge's steps claim, for `assert`. Release builds do not check it.
///
/// A query that fails is an error like any other: SQLite may have rolled the transaction back. Each
/// query has a mark, so that a trace of the merge can leave it out.
extension PlanSet {
  private static let mark = "/* claim */"

  /// For each plan, the number of rows that are applied, and the number of values that are taken
  /// from the seed. A rule only turns these off.
  fileprivate func appliedCounts() throws -> [Int64] {
    try plans.flatMap { plan -> [Int64] in
      let columns = plan.decided.map {
        "CASE WHEN p.fate = 'apply' AND \(plan.takes($0.slot, "p")) THEN 1 ELSE 0 END"
      }
      let counts = ["CASE p.fate WHEN 'apply' THEN 1 ELSE 0 END"] + columns
      let sums = counts.map { "coalesce(sum(\($0)), 0)" }.listed
      let query = "SELECT \(Self.mark) \(sums) FROM \(plan.sql) AS p"
      return try context.connection.rows(query).flatMap { row in
        try row.indices.map { try row.integer($0) }
      }
    }
  }

  /// Whether users' rows are as they were when the plans read them.
  func findsRowsAsTheyWere() throws -> Bool {
    #if DEBUG
      try findsAllAsTheyWere()
    #else
      true
    #endif
  }

  private func findsAllAsTheyWere() throws -> Bool {
    try plans.allSatisfy { plan in
      let differ = plan.ordered.filter { $0.isHeld && $0.computed == nil }.map {
        "NOT (\(plan.same("p.m\($0.slot)", "t.\($0.schema.name.quoted)", $0.schema)))"
      }
      if differ.isEmpty { return true }
      let changed = try context.connection.finds(
        """
        SELECT \(Self.mark) 1
        FROM \(plan.sql) AS p \(plan.dialect.orderedJoin) \(plan.target.sql) AS t
          ON \(plan.isSameRow("p", "t"))
        WHERE \(differ.anyTrue) LIMIT 1
        """)
      return !changed
    }
  }
}

extension PlanSet {
  /// What is applied and taken now, held against what will be. Empty where no assertion asks.
  struct Claim {
    private let plans: PlanSet
    private let before: [Int64]?

    init(_ plans: PlanSet) throws {
      self.plans = plans
      var before: [Int64]?
      #if DEBUG
        before = try plans.appliedCounts()
      #endif
      self.before = before
    }

    /// Whether nothing was turned on or off since.
    func isUnchanged() throws -> Bool { try holds { $0 == $1 } }

    /// Whether nothing was turned on since.
    func onlyTurnedOff() throws -> Bool { try holds { $0 <= $1 } }

    private func holds(_ isAllowed: (_ now: Int64, _ before: Int64) -> Bool) throws -> Bool {
      guard let before else { return true }
      let now = try plans.appliedCounts()
      return now.count != before.count || zip(now, before).allSatisfy(isAllowed)
    }
  }
}
