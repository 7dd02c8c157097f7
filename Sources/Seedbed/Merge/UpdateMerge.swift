/// Merges the rows of an update file, column by column, with what the user has.
final class UpdateMerge {
  /// Rows that have to wait are tried again in a later pass; the last one settles them.
  enum Pass { case first, afterDeletes, last }

  let context: MergeContext
  let stage: Stage
  let changes: [RowFile.Change]
  private let onEdited: OnEdited
  private let onTaken: OnTaken
  private let left: Set<String>
  private var refusedEdits = Refused()
  private var refusedValues = Refused()
  private var parents: [UpdateParent] = []
  private let layout: UpdateLayout
  private let writer: UpdateWriter

  private var connection: Connection { context.connection }
  private var file: RowFile { stage.file }

  init(context: MergeContext, stage: Stage) throws {
    self.context = context
    self.stage = stage
    changes = stage.file.changes
    onEdited = context.onEdited(stage.file.target)
    onTaken = context.onTaken(stage.file.target)
    left = Set(
      try context.ledger.keysLeftToUser(
        table: stage.file.target.name, on: context.connection))
    layout = UpdateLayout(file: stage.file, changes: changes)
    writer = UpdateWriter(layout: layout, connection: context.connection)
  }

  /// Returns how many rows still wait.
  func run(_ pass: Pass) throws -> Int {
    parents = try UpdateParent.all(of: self)
    var waiting = try turn(pass, verdict: pass == .first ? .insert : .postponed)
    // A row that was written may have freed the value for which another waits.
    while waiting > 0, pass != .last {
      let before = waiting
      waiting = try turn(pass, verdict: .postponed)
      if waiting == before { break }
    }
    if pass == .last {
      // First whoever can go, then the rest is settled.
      var before = Int.max
      while waiting > 0, waiting < before {
        before = waiting
        waiting = try turn(.last, verdict: .postponed)
      }
      try refusedEdits.check("edited", policy: "onEdited", stage)
      try refusedValues.check("uniqueTaken", policy: "onTaken", stage)
    }
    return waiting
  }

  private func turn(_ pass: Pass, verdict: Stage.Verdict) throws -> Int {
    let rows = try connection.prepare(layout.select(from: stage, verdict: verdict))
    var waiting = 0
    while try rows.step() {
      var row = UpdateRow(rows, layout: layout)
      if try settle(&row, rows, pass) {
        if verdict == .postponed { try stage.decide(.insert, row: row.number) }
      } else {
        waiting += 1
        if verdict != .postponed { try stage.decide(.postponed, row: row.number) }
      }
    }
    return waiting
  }

  // MARK: one row

  /// False where the row has to wait.
  private func settle(
    _ row: inout UpdateRow, _ rows: borrowing Statement, _ pass: Pass
  ) throws -> Bool {
    if !left.isEmpty, left.contains(layout.collatedKey(rows)) {
      count { $0.kept += 1 }
      return true
    }
    guard row.isPresent else {
      try log(.deletedByUser, .keptUser, rows, Array(changes.indices), hasMine: false)
      count { $0.kept += 1 }
      return true
    }
    row.judge(rows, layout: layout, overwrites: onEdited == .overwriteRow)
    if !row.edited.isEmpty, onEdited == .fail {
      refusedEdits.add(row.number, layout.key(rows))
      return true
    }
    row.apply(onEdited)
    var skipped: [UpdateParent.Skip] = []
    for parent in parents {
      switch try parent.judge(row, rows) {
      case .there: break
      case .doubtful where pass != .last: return false
      case .doubtful: break
      case .missing where pass != .last && context.tablesToFill.contains(parent.name): return false
      case .missing: skipped.append(try skip(&row, parent, rows, .parentDeleted))
      case .taken: skipped.append(try skip(&row, parent, rows, .parentTaken))
      }
    }
    return try write(&row, rows, pass, skipped)
  }

  private func skip(
    _ row: inout UpdateRow, _ parent: UpdateParent, _ rows: borrowing Statement,
    _ kind: Conflict.Kind
  ) throws -> UpdateParent.Skip {
    if kind == .parentDeleted, try context.isSeedsFault(parent.key, parent.key(row, rows)) {
      throw SeedbedError.parentMissing(
        table: file.target.name, parent: parent.name, key: parent.key(row, rows),
        try stage.place(of: row.number))
    }
    let columns = parent.changes.filter { row.takesSeed[$0] }
    row.keep(columns)
    return UpdateParent.Skip(kind: kind, columns: columns)
  }

  private func write(
    _ row: inout UpdateRow, _ rows: borrowing Statement, _ pass: Pass,
    _ skipped: [UpdateParent.Skip]
  ) throws -> Bool {
    var taken: [Int] = []
    while row.changesSomething {
      do {
        guard try writer.run(row, rows) else { throw try stage.swallowed(row.number) }
        break
      } catch let failure as SQLiteFailure where context.isBrokenRow(failure) {
        guard failure.isUniqueness else {
          try refuse(failure, row, rows)
          return true
        }
        if pass != .last { return false }
        let columns = try takenColumns(row, rows)
        if onTaken == .fail {
          refusedValues.add(row.number, layout.key(rows))
          return true
        }
        row.keep(columns)
        taken += columns
      }
    }
    try report(row, rows, skipped, taken)
    return true
  }

  /// The columns whose new values another row holds.
  private func takenColumns(_ row: UpdateRow, _ rows: borrowing Statement) throws -> [Int] {
    var columns: Set<Int> = []
    for index in file.target.schema.indexes where index.isUnique && index.isPlain {
      let names = index.columns.compactMap { $0 }
      let set = changes.indices.filter { change in
        row.takesSeed[change]
          && names.contains {
            $0.asciiLowercased() == changes[change].column.name.asciiLowercased()
          }
      }
      guard !set.isEmpty, try isHeld(names, row, rows) else { continue }
      columns.formUnion(set)
    }
    // An index over an expression or a part of the table: all that the update would set stays.
    return columns.isEmpty ? changes.indices.filter { row.takesSeed[$0] } : columns.sorted()
  }

  private func isHeld(
    _ names: [String], _ row: UpdateRow, _ rows: borrowing Statement
  ) throws -> Bool {
    let matches = names.map { "\($0.quoted) = ?" }.joined(separator: " AND ")
    // IS, since a user's row may have no key of ours.
    let own = file.target.key.map { "\($0.name.quoted) IS ?" }.joined(separator: " AND ")
    let values = names.map { row.value(of: $0, rows, layout: layout) }
    return try connection.value(
      "SELECT 1 FROM \(file.target.sql) WHERE \(matches) AND NOT (\(own)) LIMIT 1",
      values + layout.keyValues(rows)) != nil
  }

  /// The merged row breaks a CHECK or NOT NULL. Where nothing of the row is the user's, the seed
  /// itself is wrong; else the row is an edited one as a whole.
  private func refuse(
    _ failure: SQLiteFailure, _ row: UpdateRow, _ rows: borrowing Statement
  ) throws {
    let isTrigger = failure.code == 19 | (7 << 8)
    let isOurs = row.edited.isEmpty && !row.keepsMine
    if try isTrigger || isOurs && isPristine(row.number) {
      throw SeedbedError.rowRefused(
        table: file.target.name, reason: failure.message, try stage.place(of: row.number))
    }
    if onEdited == .fail {
      refusedEdits.add(row.number, layout.key(rows))
      return
    }
    try log(.edited, .keptUser, rows, Array(changes.indices))
    count { $0.kept += 1 }
  }

  private func isPristine(_ row: Value) throws -> Bool {
    let condition = UserColumns.atDefault(file, table: "m")
    return try connection.value(
      """
      SELECT 1 FROM \(stage.sql) AS s JOIN \(file.target.sql) AS m ON \(MergeSQL.sameKey(file))
      WHERE s.row = ? AND \(condition)
      """, [row]) != nil
  }

  // MARK: what happened

  private func report(
    _ row: UpdateRow, _ rows: borrowing Statement, _ skipped: [UpdateParent.Skip], _ taken: [Int]
  ) throws {
    let wrote = row.changesSomething
    if wrote {
      count { $0.updated += 1 }
      context.noteChanged(file.target.name, key: layout.key(rows))
    } else if row.edited.isEmpty, skipped.isEmpty, taken.isEmpty {
      count { $0.unchanged += 1 }
    } else {
      count { $0.kept += 1 }
    }
    // A column that a parent or another row kept from the seed is in that conflict's columns.
    let edited = row.givesWay ? row.edited.filter { row.takesSeed[$0] } : row.edited
    if !edited.isEmpty {
      let resolution: Conflict.Resolution =
        row.givesWay ? .tookSeed : wrote ? .merged : .keptUser
      try log(.edited, resolution, rows, edited)
    }
    for kind in [Conflict.Kind.parentDeleted, .parentTaken] {
      let columns = Set(skipped.filter { $0.kind == kind }.flatMap(\.columns))
      if !columns.isEmpty { try log(kind, .skipped, rows, columns.sorted()) }
    }
    if !taken.isEmpty {
      try log(.uniqueTaken, wrote ? .merged : .keptUser, rows, taken.sorted())
    }
    if !row.alreadyThere.isEmpty {
      try context.ledger.noteAlreadyThere(
        version: context.version, table: file.target.name, key: layout.key(rows),
        columns: row.alreadyThere.map { changes[$0].column.name }, on: connection)
    }
  }

  private func log(
    _ kind: Conflict.Kind, _ resolution: Conflict.Resolution, _ rows: borrowing Statement,
    _ columns: [Int], hasMine: Bool = true
  ) throws {
    let policy: String? =
      switch kind {
      case .edited: onEdited.rawValue
      case .uniqueTaken: onTaken.rawValue
      default: nil
      }
    let hasBase = columns.allSatisfy { changes[$0].base != nil }
    try context.log(
      kind, resolution, table: file.target.name, key: layout.key(rows), policy: policy,
      base: hasBase ? layout.object(columns, rows, .base) : nil,
      mine: hasMine ? layout.object(columns, rows, .mine) : nil,
      seed: layout.object(columns, rows, .seed))
  }

  private func count(_ change: (inout Counts) -> Void) {
    context.count(file.target.name, change)
  }
}
