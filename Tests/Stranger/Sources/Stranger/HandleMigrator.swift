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
    try tryOwners(folder)
  }

  /// A copy of the catalog for each team of the app.
  private static func tryOwners(_ folder: String) throws {
    let files = [
      "catalog.json": """
      {"tables": {"labels": {"key": ["code"],
        "per": {"table": "teams", "key": "id", "column": "team_id"}}}}
      """,
      "0001_labels/up.sql": """
      CREATE TABLE teams (id INTEGER PRIMARY KEY);
      CREATE TABLE labels (team_id INTEGER REFERENCES teams (id), code TEXT, name TEXT,
        PRIMARY KEY (team_id, code));
      INSERT INTO teams VALUES (1);
      """,
      "0001_labels/labels.csv": "code,name\nnew,New\nold,Old\n",
    ]
    let catalog = try Catalog(files: files.mapValues { Array($0.utf8) })
    let path = folder + "/teams.sqlite"
    let migrator = Migrator(catalog: catalog, at: path)
    let migration = given("migration", try migrator.up().migrations.last)
    expect("a new owner", migration.newOwners, 1)
    let handle = try Handle(path)
    let handleMigrator = HandleMigrator(catalog: catalog)
    try handle.run("BEGIN; INSERT INTO teams VALUES (2)")
    let report = try handleMigrator.fill(owner: 2, on: handle.pointer, sourceID: sourceID)
    expect("its rows", report.counts.inserted, 2)
    try handle.run("COMMIT")
    expect("they stay", handle.number("SELECT count(*) FROM labels WHERE team_id = 2"), 2)
    expect("once is enough", try migrator.fill(owner: 2).outcome, .upToDate)
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
