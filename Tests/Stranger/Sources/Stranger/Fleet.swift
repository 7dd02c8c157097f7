import Seedbed

extension Stranger {
  static func tryFleet(_ folder: String, _ locked: String) throws {
    let paths = (1...4).map { "\(folder)/\($0).sqlite" }
    for path in paths.dropLast() { try Words.edited(path) }
    var fleet = Fleet(
      catalog: try Words.catalog(), at: paths, options: Migrator.Options(),
      hooks: Migrator.Hooks())
    let (opened, committed) = (Counter(), Counter())
    var hooks = fleet.hooks
    hooks.onConnection = { _ in opened.add() }
    hooks.beforeCommit = { _, _ in throw Refusal() }
    fleet.hooks = hooks
    fleet.jobs = 2
    fleet.keepsGoing = true
    fleet.options = quickOptions
    fleet.canaries = 1
    expect("after a canary that fails, none is begun", try fleet.up().left, 3)
    fleet.canaries = 0
    fleet.hooks.beforeCommit = { _, _ in committed.add() }
    var names: Set<String> = []
    let planned = try fleet.plan(to: nil, cancellation: nil) { database, _ in
      names.insert(database)
    }
    expect("each is planned", names, Set(paths))
    expect("three would change", planned.changed, 3)
    let summary = try fleet.up(to: nil, cancellation: nil) { database, result in
      if case .success(let report) = result { expect("the version", report.to, 3) }
      names.remove(database)
    }
    expect("each is done", names, [])
    expect("the closures were called", opened.count >= 3 && committed.count >= 6)
    look(at: summary, paths)
    expect("the others are up to date", try fleet.up().upToDate, 3)
    try wayBack(fleet)
    let cancellation = Migrator.Cancellation()
    cancellation.cancel()
    let cancelled = try fleet.up(to: nil, cancellation: cancellation) { _, _ in }
    expect("nothing is begun", cancelled.left, 4)
    try tryFunction(folder)
  }

  private static func wayBack(_ fleet: Fleet) throws {
    let down = try fleet.down(to: 2, discardsUserRows: false, cancellation: nil) { _, _ in }
    expect("each is taken back", down.changed, 3)
    let restored = try fleet.restore(to: 2, cancellation: nil) { _, result in
      if case .success(let report) = result { expect("none was above it", report == nil) }
    }
    expect("nothing to restore", restored.upToDate, 3)
    expect("each goes on again", try fleet.up().changed, 3)
  }

  private static func look(at summary: Fleet.Summary, _ paths: [String]) {
    expect("all of them", summary.databases, 4)
    expect("changed", summary.changed, 3)
    expect("up to date", summary.upToDate, 0)
    expect("left", summary.left, 0)
    expect("with conflicts", summary.withConflicts, 3)
    expect("none is adopted", summary.adopted, 0)
    expect("it took time", summary.duration > .zero)
    expect("the document", summary.json.contains("\"databases\""))
    let conflictCount = given(
      "conflicts", summary.conflicts.first { $0.kind == .edited })
    expect("where", conflictCount.table == "words" && conflictCount.column == "word")
    expect("how many", conflictCount.count, 3)
    expect("the kind", conflictCount.kind, .edited)
    expect("the policy", conflictCount.policy, "keepEdits")
    let failure = given("failure", summary.failures.first)
    expect("what is not there", failure.database, given("path", paths.last))
    expect("is no database", failure.error.isDatabaseUnchanged)
    let slowest = given("slowest", summary.slowest)
    expect("one is the slowest", paths.contains(slowest.database) && slowest.duration > .zero)
  }

  private static func tryFunction(_ folder: String) throws {
    let path = folder + "/answers.sqlite"
    try Handle(path).run("CREATE TABLE own (id)")
    var fleet = Fleet(catalog: try Words.catalogWithFunction(), at: [path])
    fleet.hooks.onConnection = addAnswer
    expect("it runs with the function", try fleet.up().changed, 1)
  }
}
