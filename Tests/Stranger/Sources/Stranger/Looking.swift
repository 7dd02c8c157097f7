import Foundation
import Seedbed

extension Stranger {
  /// What only looks: status, outlook, verify.
  static func tryLooking(_ folder: String, _ locked: String) throws {
    let path = folder + "/elements.sqlite"
    let migrator = Migrator(catalog: try Catalog(locked: locked), at: path)
    guard case .pending(let estimate) = try migrator.outlook() else {
      fail("nothing is pending for a new database")
    }
    expect("the versions", estimate.pending, [1, 2, 3, 4])
    expect("the rows", given("rows", estimate.rows) > 118)
    expect("the bytes", estimate.bytes > 0 && estimate.neededBytes > 0)
    expect("what is free", given("free bytes", estimate.freeBytes) > 0)
    expect("no pace is known", estimate.duration, nil)
    expect("the document", estimate.json.contains("pending"))
    var status = try migrator.status()
    expect("all is pending", [status.current, status.target], [0, 4])
    expect("the state", status.state, .pending)
    expect("no run", status.lastRun == nil)
    try migrator.up()
    expect("nothing to do", try migrator.outlook(), .upToDate)
    status = try migrator.status()
    expect("up to date", status.state, .upToDate)
    expect("no new owners", status.newOwners, 0)
    expect("the document", status.json.contains("\"upToDate\""))
    let deviceCounts = try migrator.counts()
    expect("its versions", [deviceCounts.current, deviceCounts.target], [4, 4])
    expect("its state", deviceCounts.state == .upToDate && deviceCounts.lastRun == .applied)
    expect("its days", deviceCounts.lastRunDay, deviceCounts.day)
    expect("its document", deviceCounts.json.contains(deviceCounts.day))
    expect("no conflicts", deviceCounts.conflicts, [])
    let migration = given("migration", status.migrations.first)
    expect("its name", migration.name, "elements")
    expect("its version and state", migration.version == 1 && migration.state == .applied)
    expect("its rows", migration.rows, 118)
    expect("its duration", given("duration", migration.duration) > .zero)
    let timestamp = given("time", migration.appliedAt)
    expect("its date", given("date", timestamp.date) <= Date())
    expect("its text", timestamp.text.hasSuffix("Z"))
    let lastRun = given("last run", status.lastRun)
    expect("its outcome", lastRun.outcome, .applied)
    expect("its start", lastRun.startedAt.text <= timestamp.text)
    expect("nothing was interrupted", lastRun.interruptedCount, 0)
    expect("no error", lastRun.message, nil)
    expect("nothing is wrong", try migrator.verify(), [])
    let older = Migrator(catalog: try Words.catalog(1), at: folder + "/newer.sqlite")
    try Migrator(catalog: Words.catalog(), at: folder + "/newer.sqlite").up()
    expect("the app is older", try older.outlook(), .newer)
    expect("and says so", try older.verify().map(\.code), [.newer, .newer])
  }

  /// What a person decides after a release.
  static func trySettling(_ folder: String, _ locked: String) throws {
    let path = folder + "/words.sqlite"
    try Words.edited(path)
    let migrator = Migrator(catalog: try Words.catalog(), at: path)
    try migrator.up()
    let conflicts = try migrator.conflicts()
    let conflict = given("conflict", conflicts.first { $0.kind == .edited })
    look(at: conflict)
    try count(migrator)
    expect("the document", Migrator.Conflict.json(conflicts).contains("keyTaken"))
    try Handle(path).run("UPDATE words SET word = 'mine' WHERE id = 5")
    let settlement = try migrator.resolve(conflicts, with: .seed, cancellation: nil)
    expect("one is settled", settlement.conflicts, [conflict.id])
    expect("its table", settlement.touchedTables, ["words"])
    expect("none is the user's now", settlement.changedSince, [])
    let refusal = given("refusal", settlement.refused.first)
    expect("the other is not", refusal.conflict != conflict.id)
    expect("since it changed", refusal.error.message.contains("changed since"))
    let after = given("conflict", try migrator.conflicts().first { $0.id == conflict.id })
    expect("the log says so", after.settled, .seed)
    try tryOrigins(migrator, path)
    expect("the log is pruned", try migrator.pruneConflicts(), 2)
  }

  private static func count(_ migrator: Migrator) throws {
    let conflicts = given(
      "number", try migrator.counts().conflicts.first { $0.kind == .edited })
    expect("what it is about", conflicts.table == "words" && conflicts.column == "word")
    expect("its version and kind", conflicts.version == 2 && conflicts.kind == .edited)
    expect("how many, and open", [conflicts.count, conflicts.open], [1, 1])
  }

  private static func look(at conflict: Migrator.Conflict) {
    expect("its id", conflict.id > 0)
    expect("its row", conflict.table == "words" && conflict.key == ["id": 1])
    expect("its kind", conflict.kind, .edited)
    expect("its version", conflict.version, 2)
    expect("its policy", conflict.policy, "keepEdits")
    expect("who won", conflict.resolution, .keptUser)
    expect("nothing moved", conflict.movedTo, nil)
    expect("it has no other names", conflict.names, nil)
    expect("it is open", conflict.settled == nil && conflict.settledAt == nil)
    expect("its time", conflict.at.text.hasSuffix("Z"))
    let column = given("column", conflict.columns.first)
    expect("its column", column.name, "word")
    expect("its sides", [column.base, column.mine, column.seed], ["one", "uno", "ONE"])
  }

  private static func tryOrigins(_ migrator: Migrator, _ path: String) throws {
    let origin = given("origin", try migrator.origin(of: ["id": 3], in: "words"))
    expect("it is the seed's", origin.kind, .seed)
    expect("as it was", given("original", origin.original)["word"], "three")
    expect("it is not pinned", origin.isPinned, false)
    expect("no such row", try migrator.origins(of: [["id": 99]], in: "words"), [nil])
    try trySuggestions(migrator)
    expect("no row is absent", try migrator.absent(from: "words", cancellation: nil), [])
    try migrator.pin(["id": 3], in: "words")
    let userOwnedKey = given("row", try migrator.userOwnedKeys().first { $0.isPinned })
    expect("it is pinned", userOwnedKey.isPinned)
    expect("the row", userOwnedKey.table == "words" && userOwnedKey.key == ["id": 3])
    expect("the reason", !userOwnedKey.reason.isEmpty && userOwnedKey.version == nil)
    try migrator.unpin(["id": 3], in: "words")
    let seedbedError = try error { try migrator.unpin(["id": 3], in: "words") }
    expect("it was pinned once", seedbedError.code, .usage)
  }

  private static func trySuggestions(_ migrator: Migrator) throws {
    let found = try migrator.suggestions(tables: ["words"], deletions: true, additions: true)
    let suggestion = given("suggestion", found.first)
    expect("its row", suggestion.table == "words" && !suggestion.key.values.isEmpty)
    expect("its kind", [.edit, .deletion, .addition].contains(suggestion.kind))
    expect("its column", (suggestion.column != nil) == (suggestion.kind == .edit))
    expect("its sides", (suggestion.base ?? .null) != (suggestion.mine ?? 1))
    expect("its own row", (suggestion.row != nil) == (suggestion.kind == .addition))
    expect("its version", suggestion.version, try migrator.status().current)
    expect("its line", suggestion.json.hasPrefix("{\"kind\":"))
  }
}
