import Foundation
import Seedbed

extension Stranger {
  static func tryMigrator(_ folder: String, _ locked: String) throws {
    let path = folder + "/words.sqlite"
    try Words.edited(path)
    var migrator = try Migrator(
      catalog: Words.catalog(), at: URL(fileURLWithPath: path), options: options(folder),
      hooks: Migrator.Hooks(), beginningWith: nil)
    var options = migrator.options
    options.backupsToKeep = 9
    migrator.options = options
    let cancellation = Migrator.Cancellation()
    var fractions: [Double] = []
    let planned = try migrator.plan(
      to: nil, createsDatabase: false, cancellation: cancellation
    ) { progress in
      fractions.append(progress.fraction)
    }
    expect("a plan", planned.outcome, .planned)
    expect("progress begins and ends", [fractions.first, fractions.last], [0, 1])
    try tryUp(migrator)
    try tryWaysBack(migrator)
    try tryAbsentRows(migrator, path)
    cancellation.cancel()
    let seedbedError = try error {
      try migrator.down(
        to: 0, discardsUserRows: false, cancellation: cancellation, progress: nil)
    }
    expect("a cancelled call", seedbedError.code, .cancelled)
    expect("it changed nothing", seedbedError.isDatabaseUnchanged)
    try tryFirstStarts(folder)
  }

  private static func options(_ folder: String) -> Migrator.Options {
    var options = Migrator.Options()
    options.onEdited = .keepEdits
    options.onTaken = .moveUser
    options.takesBackup = true
    options.backupFolder = folder + "/kept"
    options.backupsToKeep = 1
    options.ledger = "seedbed"
    options.lockTimeout = .seconds(2)
    options.allowsOutOfOrder = false
    options.allowsNewer = false
    options.reporting = .keys
    return options
  }

  private static func tryUp(_ migrator: Migrator) throws {
    var phases: Set<Migrator.Progress.Phase> = []
    let report = try migrator.up(
      to: 2, createsDatabase: false, cancellation: nil
    ) { progress in
      phases.insert(progress.phase)
      expect("progress counts", progress.rows >= 0 && progress.version <= 2)
      expect("its table", [nil, "words"].contains(progress.table))
    }
    expect("progress was told", !phases.isEmpty)
    expect("the outcome", report.outcome, .applied)
    expect("from and to", [report.from, report.to], [1, 2])
    expect("the tables", report.touchedTables, ["words"])
    expect("nothing to note", report.notes, [])
    expect("no plan", report.neededBytes, nil)
    expect("the document", report.json.contains("\"applied\""))
    let counts = report.counts
    expect("added and changed", [counts.inserted, counts.updated, counts.deleted], [1, 1, 1])
    expect("left alone", [counts.unchanged, counts.kept], [0, 1])
    let movedRow = given("moved row", report.moved.first)
    expect("it is of", movedRow.table, "words")
    expect("its old and new key", [movedRow.from, movedRow.to], [["id": 5], ["id": 6]])
    try look(at: given("migration", report.migrations.first))
    let backup = given("backup", report.backup)
    expect("its version", backup.version, 1)
    expect("it is there", FileManager.default.fileExists(atPath: backup.path))
    expect("its size", backup.bytes > 0)
    expect("its state", backup.isVerified && !backup.isDamaged)
    expect("its time", backup.takenAt.text.hasPrefix("2"))
  }

  private static func look(at migration: Migrator.Report.Migration) throws {
    expect("the name", migration.name, "louder")
    expect("the version", migration.version, 2)
    expect("it took time", migration.duration > .zero)
    expect("conflicts", migration.conflictCount, migration.conflicts.count)
    expect("there are two", migration.conflicts.count, 2)
    expect("what moved", migration.moved.count, 1)
    let table = given("table", migration.tables.first)
    expect("the table", table.table, "words")
    expect("its rows", table.counts.inserted, 1)
    expect("the keys", given("keys", table.changedKeys).contains(["id": 2]))
  }

  private static func tryWaysBack(_ migrator: Migrator) throws {
    let reverted = try migrator.down(
      to: 1, discardsUserRows: false, cancellation: nil, progress: nil)
    expect("down", reverted.outcome, .reverted)
    let restoreReport = try migrator.restore(nil, cancellation: nil, progress: nil)
    expect("the backup", restoreReport.restored.version, 2)
    expect("from and to", [restoreReport.from, restoreReport.to], [1, 2])
    expect("what it replaced", given("backup", restoreReport.backup).version, 1)
    expect("the document", restoreReport.json.contains("\"restored\""))
    expect("the backups", try migrator.backups().count >= 3)
    let reseedReport = try migrator.reseed("words", keys: ["1"], cancellation: nil)
    expect("one row", reseedReport.counts.updated, 1)
    expect("its key", reseedReport.changedKeys, [["id": 1]])
    expect("it was the seed's", reseedReport.replacedKeys, [])
    expect("of the table", reseedReport.table == "words" && reseedReport.version == 2)
    expect("which changed", reseedReport.touchedTables, ["words"])
    expect("after a backup", reseedReport.backup != nil && reseedReport.notes.isEmpty)
    expect("the document", reseedReport.json.contains("\"reseeded\""))
  }

  private static func tryAbsentRows(_ migrator: Migrator, _ path: String) throws {
    try Handle(path).run("DELETE FROM words WHERE id = 2")
    let absentRow = given("row", try migrator.absent().first)
    expect("its table and version", absentRow.table == "words" && absentRow.version == 2)
    expect("its key", absentRow.key, ["id": 2])
    expect("as the catalog has it", absentRow.row["word"], "TWO")
    expect("why", absentRow.reason, .deletedByUser)
    let back = try migrator.reseed([absentRow.key], in: "words", cancellation: nil)
    expect("it is there again", back.counts.inserted, 1)
    var counted = -1
    let all = try migrator.reseed(missingFrom: nil, cancellation: nil) { counted = $0.count }
    expect("nothing is absent", counted == 0 && all.allSatisfy { $0.backup == nil })
  }

  /// A database that begins with another, and two that the app had filled before.
  private static func tryFirstStarts(_ folder: String) throws {
    let first = folder + "/first.sqlite"
    try Migrator(catalog: Words.catalog(1), at: first).up()
    let begun = Migrator(
      catalog: try Words.catalog(), at: folder + "/begun.sqlite", options: Migrator.Options(),
      hooks: Migrator.Hooks(), beginningWith: first)
    expect("it begins with the other", try begun.up().from, 0)
    for (adoption, name) in [
      (Adoption.version(1), "whole"), (.version(1, absent: .missing), "part"),
    ] {
      let path = "\(folder)/\(name).sqlite"
      try fillByHand(path)
      var hooks = Migrator.Hooks()
      hooks.adoption = { databaseReader in
        try databaseReader.hasTable("words") ? adoption : .nothing
      }
      let migrator = Migrator(catalog: try Words.catalog(), at: path, hooks: hooks)
      expect("what the app had done is adopted", try migrator.up().to, 3)
      expect("its words are louder", try Handle(path).number(Words.louder), 2)
    }
    let adopted = folder + "/adopted.sqlite"
    try fillByHand(adopted)
    var options = Migrator.Options()
    options.adopt = 1
    let adopting = Migrator(catalog: try Words.catalog(), at: adopted, options: options)
    expect("an option adopts it", try adopting.up().adopted?.version, 1)
    let path = folder + "/baseline.sqlite"
    try fillByHand(path)
    let migrator = Migrator(catalog: try Words.catalog(), at: path)
    let plan = try migrator.baselinePlan(at: 1, absent: .byEdition, cancellation: nil)
    expect("it would change nothing", plan.outcome, .planned)
    let absent = Adoption.AbsentRows(rawValue: "deleted") ?? .missing
    let report = try migrator.baseline(
      at: 1, absent: absent, cancellation: nil, progress: nil)
    expect("it is marked", report.outcome, .applied)
    expect("it was adopted", report.adopted.map(isAdopted) ?? false)
    expect("and goes on", try migrator.up().migrations.map(\.version), [2, 3])
  }

  private static func isAdopted(_ report: Adoption.Report) -> Bool {
    guard let table = report.tables.first else { return false }
    let changes = [table.refreshed, table.edited, table.inserted, table.retired, table.deleted]
    let columns = table.columns.map { column in "\(column.name) \(column.rows)" }
    let edits = table.edits.map { edit in
      "\(edit.key.values) \(edit.column) \(edit.base) \(edit.mine)"
    }
    let editions = table.editions.map { edition in
      edition.version == 1 && edition.rows == 4 && edition.found == 4 && edition.hasArrived
    }
    return editions == [true] && report.version == 1 && report.edition == 1
      && report.conflictCount == 0
      && report.conflicts.isEmpty
      && table.table == "words" && table.unchanged == 4 && changes.allSatisfy { $0 == 0 }
      && columns.isEmpty && edits.isEmpty
  }

  private static func fillByHand(_ path: String) throws {
    try Handle(path).run(
      """
      CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL, note TEXT);
      INSERT INTO words (id, word) VALUES (1, 'one'), (2, 'two'), (3, 'three'), (4, 'four');
      """)
  }

  /// What the app gives to each connection and looks at before each COMMIT.
  static func tryConnections(_ folder: String, _ locked: String) throws {
    var migrator = Migrator(
      catalog: try Words.catalogWithFunction(), at: folder + "/answers.sqlite")
    let (opened, committed) = (Counter(), Counter())
    var hooks = Migrator.Hooks()
    hooks.onConnection = { handle in
      addAnswer(handle)
      opened.add()
    }
    hooks.beforeCommit = { version, databaseReader in
      expect("the version", version, 1)
      expect("there", try databaseReader.hasTable("answers"))
      expect("number", try databaseReader.integer("SELECT answer FROM answers"), 42)
      expect("text", try databaseReader.text("SELECT 'a'"), "a")
      committed.add()
    }
    migrator.hooks = hooks
    migrator.options.reporting = .outcome
    expect("a plan", try migrator.plan().outcome, .planned)
    expect("it runs with the function", try migrator.up().outcome, .applied)
    expect("both were called", opened.count >= 2 && committed.count == 2)
    migrator.hooks.onConnection = { _ in throw Refusal() }
    expect("an error of the app", try error { try migrator.up() }.message.isEmpty, false)
  }

  struct Refusal: Error {}
}
