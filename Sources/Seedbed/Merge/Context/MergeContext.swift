/// The state of the merge of one migration: what it needs, and its results.
final class MergeContext {
  private let run: RunContext
  let connection: any DatabaseSession
  let version: Version
  let mode: MergeMode
  let policies: Migrator.Policies
  let options: MigrationOptions
  let keyOptions: KeyOptions
  /// The tables that this run created. No user can have deleted a row of theirs.
  private let createdTables: Set<Name>
  /// The digests of the contents that were read, by the names of the files.
  var digests: [String: String] = [:]
  var childrenByParent: [ExactText: [Reference]] = [:]
  /// The engine's message about a rule of the table that refused a row of `reseed`.
  var ruleBroken: String?
  /// The tables that refuse rows of some owners, with the engine's last message.
  private(set) var refusals: [ExactText: String] = [:]
  var findings = Findings()
  private var conflictInsert: (any Cursor)?

  /// The results for the rows so far. If a trial fails, they are undone.
  struct Findings {
    var counts: [ExactText: Migrator.Counts] = [:]
    /// The keys of the rows that were written, by table; nil if they were not requested.
    var changedKeys: [ExactText: [String]]?
    /// On a scratch database: the old and the new values of keys that changed, in order.
    var newKeys: [NewKeys] = []
    /// Tables whose rows followed a key that changed, or were deleted with a retired row.
    var followed: Set<ExactText> = []
    /// The rows for which a policy `fail` refuses the migration.
    var refusals = Refusals()
  }

  struct NewKeys {
    var table: String
    var columns: [String]
    /// The old values of each row, and after them the new ones.
    var rows: [[Value]]
  }

  init(
    run: RunContext, version: Version, mode: MergeMode, options: MigrationOptions,
    keyOptions: KeyOptions, collectsKeys: Bool, createdTables: Set<Name>
  ) {
    (self.run, self.version, self.mode) = (run, version, mode)
    policies = mode.policies(run.options.policies)
    connection = run.connection
    (self.options, self.keyOptions, self.createdTables) = (options, keyOptions, createdTables)
    findings.changedKeys = collectsKeys ? [:] : nil
  }

  var ledger: Ledger { run.ledger }
  var host: Host { run.host }

  /// Whether a row that is there already may be the base's, or another pack's.
  var isOfPack: Bool { mode == .release && run.catalog.pack != nil }

  func isCreatedByRun(_ table: String) -> Bool { createdTables.contains(table) }

  func count(_ table: String, _ change: (inout Migrator.Counts) -> Void) {
    change(&findings.counts[table, default: Migrator.Counts()])
  }

  func noteNewKeys(_ table: String, _ columns: [String], _ rows: [[Value]]) {
    if !rows.isEmpty {
      findings.newKeys.append(NewKeys(table: table, columns: columns, rows: rows))
    }
  }

  func noteRefusal(_ table: String, _ reason: String) { refusals[table] = reason }

  var collectsKeys: Bool { findings.changedKeys != nil }

  func noteChanged(_ table: String, key: String) {
    findings.changedKeys?[table, default: []].append(key)
  }

  /// The app's policy, otherwise the migration's or the catalog's, otherwise the default.
  func onTaken(_ target: TableTarget) -> Migrator.CollisionPolicy {
    let policy = policies.onTaken ?? target.options.onTaken ?? .keepUser
    return policy == .fail && run.passesFail ? .keepUser : policy
  }

  func onEdited(_ target: TableTarget) -> Migrator.EditPolicy {
    let policy = policies.onEdited ?? target.options.onEdited ?? .keepEdits
    return policy == .fail && run.passesFail ? .preferSeed : policy
  }

  /// The policy for one column. The app's is for everything.
  func onEdited(_ column: ColumnSchema, of target: TableTarget) -> Migrator.EditPolicy {
    policies.onEdited ?? target.options.policy(of: column.name) ?? onEdited(target)
  }

  /// Logs a conflict in the transaction of the rows, so that the losing side's values are never
  /// lost. A conflict that a policy `fail` refuses is treated as if the user's side stayed, so that
  /// the others are found too.
  func log(
    _ entry: Ledger.Entry, at place: @autoclosure () throws -> SeedbedError.Place? = nil
  ) throws {
    // Both kinds of policies have it by this name.
    if entry.policy == Migrator.EditPolicy.fail.rawValue {
      try findings.refusals.add(entry.kind, table: entry.table, key: entry.key, at: place())
    }
    let insert = try conflictInsert ?? ledger.conflictInsert(on: connection)
    conflictInsert = insert
    try ledger.insert(entry, version: version, by: insert)
  }

  /// Runs `body` in a savepoint. If it returns false or throws, everything that it did and found is
  /// rolled back.
  func attempt(_ body: () throws -> Bool) throws -> Bool {
    assert(!connection.isOutsideTransaction, "A savepoint outside of a transaction would be one.")
    let before = FindingsBefore(findings)
    try connection.execute("SAVEPOINT seedbed_attempt")
    do {
      let isDone = try body()
      if !isDone { try rollBackAttempt(to: before) }
      try connection.execute("RELEASE seedbed_attempt")
      return isDone
    } catch {
      giveUpAttempt(before)
      throw error
    }
  }

  private func rollBackAttempt(to before: FindingsBefore) throws {
    before.putBack(into: &findings)
    try connection.execute("ROLLBACK TO seedbed_attempt")
  }

  private func giveUpAttempt(_ before: FindingsBefore) {
    before.putBack(into: &findings)
    // SQLite may have rolled back the whole transaction. Then the savepoint is gone, and the first
    // error is the one that counts.
    if connection.isInTransaction {
      try? connection.execute("ROLLBACK TO seedbed_attempt")
      try? connection.execute("RELEASE seedbed_attempt")
    }
  }

  /// The findings to which a failed attempt returns. Keys are cut off after the last one to keep:
  /// if an old array were kept, the next key would copy it.
  private final class FindingsBefore {
    private var findings: Findings
    private let keyCounts: [ExactText: Int]?

    init(_ findings: Findings) {
      (self.findings, keyCounts) = (findings, findings.changedKeys?.mapValues(\.count))
      self.findings.changedKeys = nil
    }

    func putBack(into findings: inout Findings) {
      let keys = findings.changedKeys
      findings = self.findings
      findings.changedKeys = keyCounts.map { counts in
        counts.reduce(into: [:]) { $0[$1.key] = Array((keys?[$1.key] ?? []).prefix($1.value)) }
      }
    }
  }

  /// Whether a constraint refused a row, so that others can be tried. After a trigger's
  /// RAISE(ROLLBACK) the transaction is over, and anything written later would be committed at
  /// once.
  func isBrokenRow(_ error: any Error) -> Bool {
    guard let failure = error as? any EngineFailure else { return false }
    return failure.isConstraint && connection.isInTransaction
  }
}

/// Reads the rows of files, and reports the progress of the merge.
extension MergeContext {
  struct Advance {
    /// The progress of reading and merging, from 0 to 1.
    var part: Double
    var readBytes: Int64?
    var handledRows: Int?

    /// Reading and deciding take about a quarter of the time, and writing the rest.
    private static let staging = 0.25

    /// The progress after `bytes` of the file were read. Its rows were either handled as they were
    /// read, or are handled later.
    static func read(_ bytes: Int64, of size: Int64, rows: Int, isStaged: Bool) -> Advance {
      let part = size > 0 ? Double(bytes) / Double(size) : 1
      return isStaged
        ? Advance(part: part * staging, readBytes: bytes)
        : Advance(part: part, readBytes: bytes, handledRows: rows)
    }

    /// The progress after `rows` of a staged file were handled.
    static func handled(_ rows: Int, of count: Int) -> Advance {
      let part = count > 0 ? Double(rows) / Double(count) : 1
      return Advance(part: staging + (1 - staging) * part, handledRows: rows)
    }
  }

  func onAdvance(_ file: RowFile, _ advance: Advance) {
    run.meter.advance(
      table: file.target.name, file: file.place, size: file.migrationFile.size,
      part: advance.part, bytes: advance.readBytes, rows: advance.handledRows)
  }

  private func onRead(_ bytes: Int64, _ rows: Int, of file: RowFile, isStaged: Bool) {
    let size = file.migrationFile.size
    onAdvance(file, .read(bytes, of: size, rows: rows, isStaged: isStaged))
  }

  /// The rows of a file, for one statement to read.
  func rows(of file: RowFile, isStaged: Bool) throws -> any FileRows {
    try connection.read(file.open(), types: file.streamedTypes) { [self] bytes, rows in
      onRead(bytes, rows, of: file, isStaged: isStaged)
    }
  }

  /// Writes the rows of a file into its empty table.
  func load(_ file: RowFile, onRows: (any FileRows) -> Void) throws {
    try connection.load(
      file.open(), into: file.target.name, columns: file.fields.map(\.column.name), onRows: onRows
    ) { [self] bytes, rows in onRead(bytes, rows, of: file, isStaged: false) }
  }
}
