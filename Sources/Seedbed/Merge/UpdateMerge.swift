/// Merges the rows of an update file, column by column, with what the user has.
///
/// What can be written is written at once. A row that needs a UNIQUE value which another row of the
/// migration holds yet waits (`UpdateMerge+Waiting.swift`).
final class UpdateMerge {
  let context: MergeContext
  let stage: Stage
  let changes: [RowFile.Change]
  let layout: UpdateLayout
  let writer: UpdateWriter
  /// The same table's rows to change and to retire: those may yet give up what others need.
  let updated: [Stage]
  let retired: [Stage]
  let onEdited: OnEdited
  let onTaken: OnTaken
  private let left: Set<String>
  let parents: [UpdateParent]
  /// Parents that are not to be had, though this migration would insert them.
  private let vain: [UpdateParent.Hope: UpdateParent.Hope]
  /// What new names turned out to mean.
  let names: [NewName: NewName.Meaning]
  let keys: KeyChanges?
  /// By row, what it cannot have: the columns whose values others hold for good.
  var taken: [Int64: [Int]] = [:]
  /// Rows whose new values break a rule.
  var broken: Set<Int64> = []
  /// Rows that cannot be merged column by column, and give way to the seed's.
  private var whole: Set<Int64> = []
  /// The changes to which other rows refer, by keys on UNIQUE columns: those follow.
  let referred: Set<Int>
  /// By row, the changes to which others refer and that got no value at all: nobody may still
  /// refer to them in the end.
  var emptied: [Int64: Set<Int>] = [:]
  /// Those to which somebody did, so that they stay.
  let needed: [Int64: Set<Int>]
  /// Under `keepRow`, edited rows that got new keys all the same.
  var rekeyedEdits: Set<Int64> = []
  /// Rows that refer to what one to retire holds and another is to get, by their parents.
  var passedOn: [UpdateParent.Hope: [Int]] = [:]
  var isWaiting = false

  var connection: Connection { context.connection }
  var file: RowFile { stage.file }

  init(
    context: MergeContext, stage: Stage, vain: MigrationMerge.Vain, updated: [Stage],
    retired: [Stage], keys: KeyChanges?, following: Set<String>
  ) throws {
    names = vain.names.filter { $0.key.stage == stage.sql }
    self.keys = keys
    needed = vain.emptied[stage.name] ?? [:]
    self.context = context
    self.stage = stage
    self.updated = updated
    self.retired = retired
    self.vain = Dictionary(uniqueKeysWithValues: vain.parents.map { ($0, $0) })
    changes = stage.file.changes
    onEdited = context.onEdited(stage.file.target)
    onTaken = context.onTaken(stage.file.target)
    // Where another row was to get a key that this one has to keep, that says nothing of this one.
    left = Set(
      try context.ledger.keysLeftToUser(
        table: stage.file.target.name, on: context.connection)
    ).subtracting(keys?.leftNow ?? [])
    layout = UpdateLayout(
      file: stage.file, changes: changes, mark: stage.mark,
      following: changes.indices.filter {
        following.contains(stage.file.changes[$0].column.name.asciiLowercased())
      })
    writer = UpdateWriter(
      layout: layout, mark: stage.mark, connection: context.connection)
    parents = try UpdateParent.all(
      of: stage, layout: layout, context: context)
    let names = try context.referredColumns(of: stage.file.target.name)
    referred = Set(
      stage.file.changes.enumerated()
        .filter { names.contains($0.element.column.name.asciiLowercased()) }.map(\.offset))
    if parents.contains(where: \.isFilled) { try stage.makeHopes() }
    if !layout.following.isEmpty {
      try stage.makeBefore(layout.following.map { changes[$0].column })
    }
  }

  /// Writes all rows that can be written at once.
  func writeFirst() throws {
    try settleNaturals()
    var settled = 0
    try each(.verdict(.insert)) { rows in
      settled += 1
      if settled % 256 == 0 { try context.noteSettled(file, settled, of: stage.rowCount) }
      var row = UpdateRow(rows, layout: layout)
      if try settle(&row, rows) { return }
      isWaiting = true
      try stage.decide(.postponed, row: row.number)
    }
    stage.isWritten = true
    try context.noteSettled(file, stage.rowCount, of: stage.rowCount)
  }

  /// Looks at rows, one after the other. Where what refers to them follows, each is read before: a
  /// table cannot be dropped under a SELECT, and an attempt that is taken back ends it.
  func each(
    _ selection: UpdateLayout.Selection, _ body: (RowReading) throws -> Void
  ) throws {
    if referred.isEmpty {
      let rows = try layout.read(stage, selection)
      while try rows.step() { try body(rows) }
      return
    }
    for number in try layout.numbers(stage, selection) {
      if let row = try layout.read(stage, selection, row: number) { try body(row) }
    }
  }

  func finish() throws {
    try mendLog()
    if !layout.following.isEmpty { try stage.dropBefore() }
    if parents.contains(where: \.isFilled) { try stage.dropHopes() }
  }

  /// After the inserts: the parents that did not come, or that are the user's.
  func vainHopes() throws -> [UpdateParent.Hope] {
    guard parents.contains(where: \.isFilled) else { return [] }
    var vain: [UpdateParent.Hope] = []
    // Anew, since the inserts may have left keys to the user.
    for parent in try UpdateParent.all(of: stage, layout: layout, context: context)
    where parent.isFilled {
      if let reference = parent.reference {
        vain += try settleAwaited(parent, reference)
      }
      let rows = try layout.read(stage, .hoping(parent.index))
      while try rows.step() {
        let row = UpdateRow(rows, layout: layout)
        let found = try parent.look(row, rows)
        if found == .there { continue }
        if found == .missing { try refuseSeedsFault(parent, row, rows) }
        vain.append(hope(parent, row.number, found == .taken ? .taken : .missing))
      }
    }
    return vain
  }

  func hope(
    _ parent: UpdateParent, _ row: Value, _ outcome: UpdateParent.Hope.Outcome = .missing
  ) -> UpdateParent.Hope {
    UpdateParent.Hope(
      table: stage.sql, row: row.integer ?? 0, parent: parent.index, outcome: outcome)
  }

  // MARK: one row

  /// Decides what the row gets; nil where nothing of it is to be written.
  func decide(
    _ row: inout UpdateRow, _ rows: RowReading
  ) throws -> [UpdateParent.Skip]? {
    if !left.isEmpty, left.contains(layout.collatedKey(rows)) {
      count { $0.kept += 1 }
      return nil
    }
    guard row.isPresent else {
      try log(.deletedByUser, .keptUser, rows, Array(changes.indices), hasMine: false)
      count { $0.kept += 1 }
      return nil
    }
    row.judge(rows, layout: layout, overwrites: onEdited == .overwriteRow)
    row.apply(onEdited)
    if whole.contains(row.number.integer ?? 0) { row.takeWhole() }
    if let columns = taken[row.number.integer ?? 0] { row.keep(columns) }
    if let columns = needed[row.number.integer ?? 0] { row.keep(columns.sorted()) }
    var skipped: [UpdateParent.Skip] = []
    for parent in parents {
      switch vain[hope(parent, row.number)]?.outcome {
      case nil: break
      case .held:
        let columns = parent.changes.filter { row.takesSeed[$0] }
        if taken[row.number.integer ?? 0] == nil { leave(columns, of: row) }
        row.keep(columns)
        continue
      case let outcome:
        skipped.append(skip(&row, parent, outcome == .taken ? .parentTaken : .parentDeleted))
        continue
      }
      switch try parent.judge(row, rows) {
      case .there: break
      case .hoped: row.hopes.append(parent.index)
      case .missing:
        try refuseSeedsFault(parent, row, rows)
        skipped.append(skip(&row, parent, .parentDeleted))
      case .taken: skipped.append(skip(&row, parent, .parentTaken))
      }
    }
    return skipped
  }

  private func skip(
    _ row: inout UpdateRow, _ parent: UpdateParent, _ kind: Conflict.Kind
  ) -> UpdateParent.Skip {
    let columns = parent.changes.filter { row.takesSeed[$0] }
    row.keep(columns)
    return UpdateParent.Skip(kind: kind, columns: columns)
  }

  /// False where the row has to wait for a UNIQUE value, or where one that stepped aside breaks a
  /// rule with its new values: it is not what the user has now.
  func settle(
    _ row: inout UpdateRow, _ rows: RowReading, isAside: Bool = false
  ) throws -> Bool {
    guard let skipped = try decide(&row, rows) else { return true }
    let number = row.number.integer ?? 0
    if broken.contains(number) {
      try refuse(row, rows)
      return true
    }
    if row.changesSomething {
      do {
        let isWritten = try stage.writing(row.number) { try write(row, rows) }
        guard isWritten else { throw try stage.swallowed(row.number, by: .update) }
        for parent in row.hopes { try stage.hope(row: row.number, parent: parent) }
        try awaitPassedOn(row, rows)
      } catch let failure as SQLiteFailure where context.isBrokenRow(failure) {
        if failure.isUniqueness { return false }
        try refuseSeedsRow(failure, row)
        if row.mayTakeMore(onEdited), whole.insert(number).inserted {
          row = UpdateRow(rows, layout: layout)
          return try settle(&row, rows, isAside: isAside)
        }
        if isAside {
          broken.insert(number)
          return false
        }
        try refuse(row, rows)
        return true
      }
    }
    try report(row, rows, skipped)
    return true
  }

  /// These columns stay, since other rows hold what they would get.
  func leave(_ columns: [Int], of row: UpdateRow) {
    taken[row.number.integer ?? 0, default: []] += columns
  }

  /// The merged row breaks a CHECK or NOT NULL, and nothing of it is the user's.
  private func refuseSeedsRow(_ failure: SQLiteFailure, _ row: UpdateRow) throws {
    let isTrigger = failure.code == 19 | (7 << 8)
    let isOurs = row.edited.isEmpty && !row.keepsMine
    if try isTrigger || isOurs && isPristine(row.number) {
      throw SeedbedError.rowRefused(
        table: file.target.name, reason: failure.message, try stage.place(of: row.number))
    }
  }

  /// The row is an edited one as a whole, and stays.
  private func refuse(_ row: UpdateRow, _ rows: RowReading) throws {
    noteEdited(rows)
    let isRekeyed = layout.isRekeyed(rows)
    try log(.edited, isRekeyed ? .merged : .keptUser, rows, Array(changes.indices))
    count {
      $0.updated += isRekeyed ? 1 : 0
      $0.kept += isRekeyed ? 0 : 1
    }
  }

  private func isPristine(_ row: Value) throws -> Bool {
    let condition = try UserColumns.atDefault(file, table: "m", on: connection)
    return try connection.value(
      """
      SELECT 1 FROM \(stage.sql) AS s JOIN \(file.target.sql) AS m ON \(MergeSQL.sameKey(file))
      WHERE s.row = ? AND \(condition)
      """, [row]) != nil
  }
}
