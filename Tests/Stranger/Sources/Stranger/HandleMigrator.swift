import Seedbed

extension Stranger {
  /// On a connection of the app.
  static func tryHandle(_ folder: String, _ locked: String) throws {
    let path = folder + "/words.sqlite"
    try Words.edited(path)
    let handle = try Handle(path)
    var handleMigrator = HandleMigrator(
      catalog: try Words.catalog(), options: Migrator.Options(),
      hooks: Migrator.Hooks())
    handleMigrator.options = quickOptions
    let (opened, committed) = (Counter(), Counter())
    handleMigrator.hooks = Migrator.Hooks(
      beforeCommit: { _, databaseReader in
        expect("its rows are there", try databaseReader.hasTable("words"))
        committed.add()
      }, onConnection: { _ in opened.add() }, adoption: nil)
    try handleMigrator.with(handle.pointer, sourceID: sourceID) { migrator in
      expect("a plan", try migrator.plan().outcome, .planned)
      expect("its status", try migrator.status().state, .pending)
      expect("its counts", try migrator.counts().state, .pending)
      guard case .pending = try migrator.outlook() else {
        fail("nothing is pending on the handle")
      }
    }
    var fractions: [Double] = []
    let report = try handleMigrator.up(
      on: handle.pointer, to: 2, sourceID: sourceID, cancellation: nil
    ) { fractions.append($0.fraction) }
    expect("it is applied", report.to, 2)
    expect("progress ends", fractions.last, 1)
    expect("a backup was made", report.backup != nil && opened.count > 0)
    try tryTransaction(handleMigrator, handle)
    expect("nothing to do", try handleMigrator.with(handle.pointer) { try $0.outlook() }, .upToDate)
    expect("before each COMMIT", committed.count >= 4)
    try tryRefusals(handleMigrator, handle)
    try tryFunction()
  }

  /// A migration in a transaction of the app, which is rolled back once.
  private static func tryTransaction(_ handleMigrator: HandleMigrator, _ handle: Handle) throws {
    for end in ["ROLLBACK", "COMMIT"] {
      try handle.run("BEGIN")
      let report = try handleMigrator.applyIfPending(
        3, on: handle.pointer, sourceID: sourceID, cancellation: nil, progress: nil)
      expect("it is applied", report.outcome, .applied)
      try handle.run(end)
    }
    expect("it is there", handle.number("SELECT count(*) FROM words WHERE id = 6"), 1)
  }

  private static func tryRefusals(_ handleMigrator: HandleMigrator, _ handle: Handle) throws {
    let other = try error { try handleMigrator.up(on: handle.pointer, sourceID: "another") }
    expect("another SQLite", other.code, .needsConnection)
    try handle.run("BEGIN")
    expect("in a transaction", try error { try handleMigrator.up(on: handle.pointer) }.code, .usage)
    try handle.run("ROLLBACK")
    let cancellation = Migrator.Cancellation()
    cancellation.cancel()
    let seedbedError = try error {
      try handleMigrator.with(handle.pointer) { try $0.plan(cancellation: cancellation) }
    }
    expect("cancelled", seedbedError.code, .cancelled)
  }

  /// What the app gave its handle works in migrations, in memory too.
  private static func tryFunction() throws {
    let handle = try Handle(":memory:")
    addAnswer(handle.pointer)
    let handleMigrator = HandleMigrator(catalog: try Words.catalogWithFunction())
    expect("it is applied", try handleMigrator.up(on: handle.pointer).outcome, .applied)
    expect("the function ran", handle.number("SELECT answer FROM answers"), 42)
  }
}
