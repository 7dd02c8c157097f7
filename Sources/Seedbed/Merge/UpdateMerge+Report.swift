/// What became of the rows of an update file.
extension UpdateMerge {
  func report(
    _ row: UpdateRow, _ rows: RowReading, _ skipped: [UpdateParent.Skip]
  ) throws {
    let number = row.number.integer ?? 0
    let taken = taken[number] ?? []
    let needed = needed[number] ?? []
    let wrote = row.changesSomething || layout.isRekeyed(rows)
    if wrote {
      count { $0.updated += 1 }
      context.noteChanged(file.target.name, key: layout.key(rows))
    } else if row.edited.isEmpty, skipped.isEmpty, taken.isEmpty, needed.isEmpty,
      keys?.taken.contains(number) != true
    {
      count { $0.unchanged += 1 }
    } else {
      count { $0.kept += 1 }
    }
    // A column that a parent or another row kept from the seed is in that conflict's columns.
    let others = Set(skipped.flatMap(\.columns) + taken).union(needed)
    let edited = row.edited.filter {
      row.isWhole ? !others.contains($0) : !row.givesWay || row.takesSeed[$0]
    }
    if !edited.isEmpty {
      noteEdited(rows)
      let gaveWay = row.givesWay && edited.contains { row.takesSeed[$0] }
      let resolution: Conflict.Resolution = gaveWay ? .tookSeed : wrote ? .merged : .keptUser
      try log(.edited, resolution, rows, edited)
    }
    for kind in [Conflict.Kind.parentDeleted, .parentTaken] {
      let columns = Set(skipped.filter { $0.kind == kind }.flatMap(\.columns))
      if !columns.isEmpty { try log(kind, .skipped, rows, columns.sorted()) }
    }
    if !taken.isEmpty {
      try log(.uniqueTaken, wrote ? .merged : .keptUser, rows, taken.sorted())
    }
    if !needed.isEmpty {
      try log(.referenced, wrote ? .merged : .keptUser, rows, needed.sorted())
    }
    if !row.alreadyThere.isEmpty {
      try context.ledger.noteAlreadyThere(
        version: context.version, table: file.target.name, key: try logKey(rows),
        columns: row.alreadyThere.map { changes[$0].column.name }, on: connection)
    }
  }

  /// Such a row has to stay as it is, its key too, which shows only once all keys have changed.
  func noteEdited(_ rows: RowReading) {
    let number = rows.integer(0)
    let wasToChange = layout.isRekeyed(rows) || keys?.taken.contains(number) == true
    if onEdited == .keepRow, wasToChange { rekeyedEdits.insert(number) }
  }

  func log(
    _ kind: Conflict.Kind, _ resolution: Conflict.Resolution, _ rows: RowReading,
    _ columns: [Int], hasMine: Bool = true
  ) throws {
    let policy: String? =
      switch kind {
      case .edited, .referenced: onEdited.rawValue
      case .uniqueTaken: onTaken.rawValue
      default: nil
      }
    let hasBase = columns.allSatisfy { changes[$0].base != nil }
    let new = kind == .edited ? keys?.kept[rows.integer(0)] : nil
    let old = new == nil ? nil : layout.oldKeyValues(rows)
    let before = try stage.before(row: rows[0])
    let number = try context.log(
      kind, resolution, table: file.target.name, key: try logKey(rows), policy: policy,
      base: hasBase ? layout.object(columns, rows, .base, key: old, before: before) : nil,
      mine: hasMine ? layout.object(columns, rows, .mine, key: old, before: before) : nil,
      seed: layout.object(columns, rows, .seed, key: new), at: try stage.place(of: rows[0]))
    if new == nil { stage.noteLogged(number, row: rows[0], columns.map { changes[$0].seed }) }
  }

  /// The log knows a row by the key that the file has for it: the old one, where it changes.
  private func logKey(_ rows: RowReading) throws -> String {
    file.hasKeyChanges || stage.hasRenamed ? try stage.keyText(row: rows[0]) : layout.key(rows)
  }

  func count(_ change: (inout Counts) -> Void) {
    context.count(file.target.name, change)
  }
}
