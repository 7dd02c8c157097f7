/// The rows of one migration: decide, then write once.
///
///     1 stage    each update and delete file, and inserts that may meet something, enter their
///                table's plan. Names of other rows are looked up first
///     2 decide   as it enters, each row is held against the user's: a column's `why` says whose
///                value it takes, a row's `fate` says apply, or why not. An insert whose key a
///                user's row has may make it move to a fresh id (`moveUser`)
///     3 demote   until nothing changes, one statement a rule, against the table without what goes
///                and with what comes. Rules only ever turn something off, so this ends, and the
///                order of statements and of rows does not matter:
///                  UNIQUE    a value is held by what stays        → the columns keep what they
///                            have; an insert is skipped. What an index computes is a value, too
///                  parent    neither stays nor comes, or is the   → the columns keep what they
///                            user's                                 have; an insert is skipped
///                  referred  going, or becoming NULL, but a row   → the row stays, or the value
///                            that stays refers
///                Rows of disposable tables go with what goes. When the rules rest: of two rows
///                that come to one value the one with the lower key has it, a row that is there
///                before a new one; then they run again
///     4 explain  a parent's reason is named before a UNIQUE value's. That changes the reason only
///     5 log      base, mine, seed and why are in the plan
///     6 refuse   a policy `fail` that met something lists every key
///     7 write    a list of steps, made before the first is taken: rows of disposable tables whose
///                keys follow users' rows that move → users' rows move → who gives up a UNIQUE
///                value that another gets steps aside → update → delete, children first, with the
///                disposable rows that go along → new keys, and what refers to them follows →
///                insert, parents first. If the engine checks a foreign key after each statement,
///                new rows come before those that change or go, and rows of one table that refer to
///                each other go in one statement
///     8 trial    CHECK, NOT NULL and triggers speak up only now, and so do an index that is not
///                understood and one under which no row can step aside. The step that meets one is
///                taken row by row, to find the rows in question. A row that mixes the user's
///                values with the seed's, or that such an index refuses, stays as it was, or is
///                skipped if it is to come: roll back to before 5, then on with 3. Any other row
///                that a rule refuses is the author's error, with file and line; for a broken
///                foreign key only if nothing else is refused, from which it may follow
///     9 prove    each statement changed as many rows as the plan says, and before a DELETE no row
///                that stays refers to one that goes
///
/// An insert file is streamed at step 7 as one statement. If fewer rows go in than it has, or a key
/// of its table or of a parent was left to the user, roll back to before 5, stage it, and begin
/// again.
struct MigrationMerge {
  let context: MergeContext
  private var connection: any DatabaseSession { context.connection }

  func run(_ files: [RowFile]) throws {
    try connection.comparing {
      var staged = try insertsToStage(files)
      while try !merge(files, staged: &staged) {}
    }
  }

  /// False if an insert file could not be streamed completely. It is staged from now on.
  private func merge(_ files: [RowFile], staged: inout [RowFile]) throws -> Bool {
    // 1 and 2
    let plans = try PlanSet(files, staged: staged, context: context)
    try PlanNames(plans: plans, read: read).resolve()
    for plan in plans.plans { try stage(plan) }
    context.host.reached(.rowsStaged)
    let places = Set(staged.map(\.place))
    let streamed = files.filter { $0.role == .insert && !places.contains($0.place) }
    assert(
      Set(plans.plans.flatMap(\.inserts).map(\.place)) == places, "A file is in no plan.")
    var toStage: [RowFile] = []
    var isDone = false
    while !isDone, toStage.isEmpty {
      // 3 and 4
      repeat { try demote(plans) } while try !giveIDs(plans)
      try explain(plans)
      context.host.reached(.rowsExplained)
      let trial = PlanTrial(plans: plans)
      isDone = try context.attempt {
        // 5 and 6
        for plan in plans.plans { try PlanLog(plan: plan, plans: plans).write() }
        if let error = context.findings.refusals.error {
          // All rows that a policy `fail` refuses are listed, also those in streamed files.
          if streamed.isEmpty { throw error }
          toStage = streamed
          return false
        }
        // 7 to 9
        let isAsRead = try plans.findsRowsAsTheyWere()
        assert(isAsRead, "Something was written before all was decided.")
        guard try trial.write() else { return false }
        if let file = try InsertMerge(plans: plans).stream(streamed) { toStage = [file] }
        return toStage.isEmpty
      }
      // 8
      if !isDone, toStage.isEmpty { try trial.demoteRefusedRows() }
    }
    if isDone { context.host.reached(.rowsWritten) }
    try plans.drop()
    staged = withParents((staged + toStage).map(\.target.name).asTexts, files)
    return isDone
  }

  // MARK: 1 and 2, stage and decide

  private func stage(_ plan: TablePlan) throws {
    try connection.execute(plan.creation)
    for (number, file) in plan.files.enumerated() {
      let decide = try plan.decide(file, number: number)
      if plan.isBuffered(file) || context.mode.readsTable {
        try connection.execute(decide)
      } else {
        try read(file, decide)
      }
    }
    do {
      _ = try context.attempt {
        try connection.execute(plan.keyIndex)
        return true
      }
    } catch let failure as any EngineFailure where failure.isUniqueness {
      throw try plan.duplicateKey()
    }
    if let keep = plan.keepEditedRows { try connection.execute(keep) }
    for index in try plan.nextIndexes() { try connection.execute(index) }
    for set in plan.uniqueSets { try plan.refuseTwins(set) }
  }

  /// Runs a statement that reads the rows of a file from their stream.
  private func read(_ file: RowFile, _ sql: String) throws {
    let rows = try context.rows(of: file, isStaged: true)
    do {
      try connection.execute(sql)
    } catch {
      throw rows.failure ?? error
    }
    context.digests[file.migrationFile.name] = rows.totals.digest
  }

  /// The insert files whose rows must be compared one by one: because keys are left to the user,
  /// because an update may need a parent from the file, or because the rows refer to each other.
  private func insertsToStage(_ files: [RowFile]) throws -> [RowFile] {
    let inserts = files.filter { $0.role == .insert }
    let awaited = files.filter { $0.role == .update }.flatMap { file in
      file.parents.filter { key in key.childColumns.contains { file.index(of: $0) != nil } }
        .map(\.parent)
    }
    // A row that is a different one by `identity` is left to the user now.
    let mayBeOthers = files.filter { !$0.identity.isEmpty }.map(\.target.name).asTexts
    // A row of a disposable table does not go with its parent if a file names it.
    let retires = files.contains { $0.role == .delete }
    let disposable = context.keyOptions.disposable.values.joined().asTexts
    var names = retires ? disposable.intersection(inserts.map(\.target.name).asTexts) : []
    for group in LoadOrder.groups(of: inserts) {
      let own = group.files.map(\.target.name).asTexts
      let tables = own.union(group.files.flatMap(\.parents).map(\.parent).asTexts)
      let isLeft = try tables.contains {
        try mayBeOthers.contains($0)
          || !context.ledger.keysLeftToUser(table: $0.text, on: connection).isEmpty
      }
      if isLeft || group.isCyclic || context.collectsKeys || !own.isDisjoint(with: awaited.asTexts)
        || !group.files.allSatisfy(canStream)
      {
        names.formUnion(own)
      }
    }
    return withParents(names, files)
  }

  private func canStream(_ file: RowFile) -> Bool {
    // SQLite joins at most 64 tables. If a name may mean two rows, each row must be compared.
    file.naturals.count < 60 && file.naturals.allSatisfy(\.isUnique)
      && file.streamedTypes.count <= connection.dialect.mostColumns && !file.target.endsTransactions
      && !file.target.schema.indexes.contains(where: \.isDeferrable)
      // A rule cannot rewrite an INSERT that skips existing rows.
      && !file.target.triggers.contains(where: \.isRule) && !file.target.mayChangeKeys
  }

  /// The files of these tables, and those of the tables that they refer to: a row can only be
  /// inserted if its parent is.
  private func withParents(_ names: Set<ExactText>, _ files: [RowFile]) -> [RowFile] {
    let found = files.filter { $0.role == .insert && names.contains($0.target.name) }
    let all = names.union(found.flatMap(\.parents).map(\.parent).asTexts)
    return all == names ? found : withParents(all, files)
  }

  // MARK: 3 and 4, demote and explain

  /// False if users' rows have to keep their ids because no free ones are left.
  private func giveIDs(_ plans: PlanSet) throws -> Bool {
    for plan in plans.plans where plan.movesUsers {
      let count = try connection.count("SELECT count(*) FROM (\(plan.userMoves)) AS moves")
      if count == 0 { continue }
      let last = try plan.lastID(before: count)
      try connection.execute(last.map(plan.giveIDs) ?? plan.keepUsersInPlace)
      if last == nil { return false }
    }
    return true
  }

  private func demote(_ plans: PlanSet) throws {
    let rules = try plans.plans.flatMap { plan in
      try plan.parents.flatMap { try plan.parentRules($0, plans) }
        + plan.uniqueSets.flatMap { plan.uniqueRules($0, plans) }
        + plan.children.flatMap { try plan.referredRules($0, plans) }
    }
    let ties = plans.plans.flatMap { plan in plan.uniqueSets.flatMap(plan.uniqueTies) }
    let insertTies = plans.plans.flatMap { plan in plan.uniqueSets.flatMap(plan.insertTies) }
    _ = try plans.disposal.recompute(plans)
    repeat {
      // Whether a row of a disposable table goes depends on which other rows go.
      while try changes(rules, plans) > 0 || plans.disposal.recompute(plans) {}
    } while try changes(ties, plans) > 0 || changes(insertTies, plans) > 0
  }

  /// Runs rules, and returns the number of rows that they changed. Rules only turn something off.
  private func changes(_ rules: [String], _ plans: PlanSet) throws -> Int64 {
    let claim = try PlanSet.Claim(plans)
    var count: Int64 = 0
    for sql in rules {
      try connection.execute(sql)
      count += connection.changes
    }
    let isOff = try claim.onlyTurnedOff()
    assert(isOff, "A rule turned something on.")
    return count
  }

  /// Changes only the reasons.
  private func explain(_ plans: PlanSet) throws {
    let claim = try PlanSet.Claim(plans)
    for plan in plans.plans {
      for key in plan.parents {
        for sql in try plan.explanations(key, plans) { try connection.execute(sql) }
      }
    }
    let isUnchanged = try claim.isUnchanged()
    assert(isUnchanged, "An explanation changed a fate.")
    for plan in plans.plans { try plan.refuseMissingParents(plans) }
  }
}
