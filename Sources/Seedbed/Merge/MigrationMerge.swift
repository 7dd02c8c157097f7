/// The rows of one migration: decide, then write once. `Steps` has a file for each step, `Rules`
/// the rules of step 3.
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
///     7 write    a list of steps, made before the first is taken (`writeSteps` has their order).
///                Disposable rows go with their parents. If the engine checks a foreign key after
///                each statement, rows of one table that refer to each other go in one statement
///     8 trial    only now can CHECK, NOT NULL, triggers, and indexes that we cannot read refuse a
///                row, or an index under which no row can step aside. The step that meets one is
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
  var connection: any DatabaseSession { context.connection }

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
    assert(Set(plans.plans.flatMap(\.inserts).map(\.place)) == places, "A file is in no plan.")
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
        toStage = try refuse(beside: streamed)
        if !toStage.isEmpty { return false }
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
}
