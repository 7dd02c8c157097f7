/// The rows of one migration: decide, then write once.
///
///     1 stage    each update and delete file, and inserts that may meet something, enter their
///                table's plan …
///     2 decide   … each row beside what the user has: a column's `why` says whose value it takes,
///                a row's `fate` says go, or why not
///     3 demote   until nothing changes, one statement a rule, against the table without what goes
///                and with what comes. Rules only ever turn something off, so this ends, and the
///                order of statements and of rows does not matter:
///                  UNIQUE    a value is held by what stays        → the columns keep the user's
///                            values; an insert is skipped
///                  parent    neither stays nor comes, or is the   → the columns keep the user's
///                            user's                                 values; an insert is skipped
///                  referred  going, but a row that stays refers   → the row stays
///                When they rest: of two rows that come to one value the one with the lower key has
///                it, a row that is there before a new one; then they run again
///     4 explain  a parent's reason is named before a UNIQUE value's; it changes no fate
///     5 log      base, mine, seed and why are in the plan
///     6 refuse   a policy `fail` that met something lists every key
///     7 write    who gives up a UNIQUE value that another gets steps aside → update → delete,
///                children first → insert, parents first
///     8 trial    CHECK, NOT NULL, triggers, and indexes over expressions or a part of the table
///                speak up only now. A row that mixes the user's values with the seed's, or meets a
///                user's row in such an index, stays as it was: roll back to before 5, then on
///                with 3. Any other row that a rule refuses is the author's error, with file and
///                line
///     9 prove    each statement changed as many rows as the plan says, and before a DELETE no row
///                that stays refers to one that goes
///
/// An insert file is streamed at step 7 as one statement. If fewer rows go in than it has, roll
/// back to before 5, stage it, and begin again.
struct PlanMerge {
  let context: MergeContext
  private var connection: Connection { context.connection }

  func run(_ files: [RowFile]) throws {
    let real = try RealFunction(on: connection)
    var staged = try insertsToStage(files)
    while try !merge(files, staged: &staged) {}
    withExtendedLifetime(real) {}
  }

  /// False if an insert file did not go in as a stream: it is staged from now on.
  private func merge(_ files: [RowFile], staged: inout [RowFile]) throws -> Bool {
    let plans = try PlanSet(files, staged: staged, context: context)
    for plan in plans.plans { try stage(plan) }
    let inserts = files.filter { $0.role == .insert }
    var more: [RowFile] = []
    while true {
      try demote(plans)
      try explain(plans)
      var trial = PlanTrial(plans: plans)
      let isDone = try context.trial {
        for plan in plans.plans { try PlanLog(plan: plan, plans: plans).write() }
        if !context.findings.refusals.isEmpty {
          // All that a policy `fail` meets is listed, in streamed files, too.
          more = inserts.filter { !isIn(staged, $0) }
          if more.isEmpty { try context.findings.refusals.check() }
          return false
        }
        guard try trial.write() else { return false }
        let streamed = inserts.filter { !isIn(staged, $0) }
        more = try InsertMerge(context: context, prepare: nil).stream(streamed).map { [$0] } ?? []
        return more.isEmpty
      }
      if isDone || !more.isEmpty { break }
      try trial.demoteRefusedRows()
    }
    try plans.drop()
    if more.isEmpty { return true }
    staged = withParents(Set((staged + more).map(\.target.name)), inserts)
    return false
  }

  private func isIn(_ files: [RowFile], _ file: RowFile) -> Bool {
    files.contains { $0.place == file.place }
  }

  /// What the plan can decide so far; the rest is `MigrationMerge`'s.
  static func serves(_ files: [RowFile], _ context: MergeContext) throws -> Bool {
    if context.isTakingBack || !context.keyOptions.disposable.isEmpty { return false }
    for file in files {
      let target = file.target
      if file.hasKeyChanges || !file.naturals.isEmpty || !target.identity.isEmpty || file.isWide
        || context.onTaken(target) == .moveUser
      {
        return false
      }
      // What refers to a UNIQUE value follows it.
      let key = Set(target.key.map { target.schema.index(of: $0.name) ?? 0 })
      for child in try context.children(of: target.name) where file.role != .delete {
        let places = child.key.parentColumns.compactMap(target.schema.index)
        if places.contains(where: { place in
          !key.contains(place) && file.index(of: target.schema.columns[place].name) != nil
        }), file.role == .update || context.onTaken(target) == .replaceUser {
          return false
        }
      }
    }
    return true
  }

  // MARK: 1 and 2, stage and decide

  private func stage(_ plan: TablePlan) throws {
    try connection.execute(plan.creation)
    for (number, file) in plan.files.enumerated() {
      let decide = try plan.decide(file, number: number, on: connection)
      let rows = try RowTable(file.open(), types: file.streamedTypes, on: connection) {
        bytes, count in
        try context.noteRead(file, bytes, rows: count, isStaged: true)
      }
      do {
        try connection.execute(decide)
      } catch {
        throw rows.failure ?? error
      }
      context.note(digest: rows.totals.digest, of: file.migrationFile.name)
    }
    do {
      try connection.execute(plan.keyIndex)
    } catch let failure as SQLiteFailure where failure.isUniqueness {
      throw try plan.duplicateKey(on: connection)
    }
    if let keep = plan.keepEditedRows { try connection.execute(keep) }
    for index in plan.nextIndexes { try connection.execute(index) }
    for set in plan.uniqueSets { try plan.refuseTwins(set, on: connection) }
  }

  /// A row may meet what was left to the user, or an update may wait for a parent that the file
  /// brings, or its rows refer to each other: then each row is looked at.
  private func insertsToStage(_ files: [RowFile]) throws -> [RowFile] {
    let inserts = files.filter { $0.role == .insert }
    let awaited = Set(
      files.filter { $0.role == .update }.flatMap { file in
        file.parents.filter { key in key.childColumns.contains { file.index(of: $0) != nil } }
          .map(\.parent)
      })
    var names: Set<String> = []
    for group in LoadOrder.groups(of: inserts) {
      let own = Set(group.files.map(\.target.name))
      let tables = own.union(group.files.flatMap(\.parents).map(\.parent))
      let isLeft = try tables.contains {
        try !context.ledger.keysLeftToUser(table: $0, on: connection).isEmpty
      }
      if group.isCyclic || context.collectsKeys || isLeft || !own.isDisjoint(with: awaited) {
        names.formUnion(own)
      }
    }
    return withParents(names, inserts)
  }

  /// The files of these tables, and those of the tables that they refer to: whether a row may come
  /// hangs on whether its parent does.
  private func withParents(_ names: Set<String>, _ inserts: [RowFile]) -> [RowFile] {
    var names = names
    while true {
      let files = inserts.filter { names.contains($0.target.name) }
      let all = names.union(files.flatMap(\.parents).map(\.parent))
      if all == names { return files }
      names = all
    }
  }

  // MARK: 3 and 4, demote and explain

  private func demote(_ plans: PlanSet) throws {
    let rules = try plans.plans.flatMap { plan in
      plan.parents.flatMap { plan.parentRules($0, plans) }
        + plan.uniqueSets.flatMap { plan.uniqueRules($0) }
        + (try plan.children.compactMap { try plan.referredRule($0, plans) })
    }
    let ties = plans.plans.flatMap { plan in plan.uniqueSets.flatMap { plan.uniqueTies($0) } }
    let insertTies = plans.plans.flatMap { plan in
      plan.uniqueSets.flatMap { plan.insertTies($0) }
    }
    repeat {
      while try changes(rules) > 0 {}
    } while try changes(ties) > 0 || changes(insertTies) > 0
  }

  /// Runs statements and returns how many rows they changed.
  private func changes(_ statements: [String]) throws -> Int64 {
    var count: Int64 = 0
    for sql in statements {
      try connection.execute(sql)
      count += connection.changes
    }
    return count
  }

  private func explain(_ plans: PlanSet) throws {
    for plan in plans.plans {
      for key in plan.parents { _ = try changes(plan.explanations(key, plans)) }
      try plan.refuseMissingParents(plans)
    }
  }
}
