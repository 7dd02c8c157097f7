/// Rows that need a UNIQUE value which another row of the migration has yet to give up.
extension UpdateMerge {
  /// Writes the rows whose values came free, and settles those whose values never will.
  func writeWaiting() throws {
    var isProgress = isWaiting
    var goesBackwards = true
    // Each turn goes the other way, since a row frees the value of the one before it or behind it.
    while isWaiting, isProgress {
      isProgress = try turn(goesBackwards ? .waitingBackwards : .verdict(.postponed))
      goesBackwards.toggle()
    }
  }

  /// Returns whether a row was settled.
  private func turn(_ selection: UpdateLayout.Selection) throws -> Bool {
    var isProgress = false
    isWaiting = false
    try each(selection) { rows in
      var row = UpdateRow(rows, layout: layout)
      var isSettled = try settle(&row, rows)
      while !isSettled, case let held = try columnsHeldForGood(row, rows), !held.isEmpty {
        leave(held, of: row)
        row = UpdateRow(rows, layout: layout)
        isSettled = try settle(&row, rows)
      }
      if isSettled {
        isProgress = true
        try stage.decide(.insert, row: row.number)
      } else {
        isWaiting = true
      }
    }
    return isProgress
  }

  // MARK: stepping aside

  /// Gives the rows that wait their new values, but for the UNIQUE ones: there they get values that
  /// nobody has.
  func stepAside() throws {
    guard isWaiting else { return }
    try layout.makeAside(stage)
    try connection.withoutChecks {
      try each(.aside) { rows in
        var row = UpdateRow(rows, layout: layout)
        guard try decide(&row, rows) != nil, row.changesSomething else { return }
        do {
          try followAside(row, rows)
          guard try writer.stepAside(row, rows) else {
            throw try stage.swallowed(row.number, by: .update)
          }
          try awaitPassedOn(row, rows)
        } catch let failure as SQLiteFailure where context.isBrokenRow(failure) {
          // It stays where it is, and is settled with the others.
        }
      }
    }
  }

  private func followAside(_ row: UpdateRow, _ rows: RowReading) throws {
    let mark = stage.mark + (row.number.integer ?? 0)
    let aside = row.written.filter { referred.contains($0) }
      .compactMap { column in layout.valueAside(column, mark).map { (column, $0) } }
    try follow(aside.map(\.0), aside.map(\.1), layout.keyValues(rows))
  }

  /// Returns false where a row did not get them: nothing of this holds then.
  func takeNewValues(isLast: Bool) throws -> Bool {
    guard isWaiting else { return true }
    var waiting = Int.max
    while true {
      let before = waiting
      waiting = 0
      try each(.aside) { rows in
        var row = UpdateRow(rows, layout: layout)
        if try settle(&row, rows, isAside: true) {
          try stage.decide(.insert, row: row.number)
        } else {
          waiting += 1
        }
      }
      if waiting == 0 || waiting == before { break }
    }
    if isLast { try noteObstacles() }
    try layout.dropAside(stage)
    return waiting == 0
  }

  private func noteObstacles() throws {
    let rows = try layout.read(stage, .aside)
    while try rows.step() {
      var row = UpdateRow(rows, layout: layout)
      guard !broken.contains(row.number.integer ?? 0), try decide(&row, rows) != nil else {
        continue
      }
      leave(try heldColumns(row, rows), of: row)
    }
  }

  // MARK: who holds the values

  /// The columns whose new values another row holds that will not give them up.
  private func columnsHeldForGood(
    _ row: UpdateRow, _ rows: RowReading
  ) throws -> [Int] {
    try columns(row, rows) { try !$0.isEmpty && !mayGiveWay($0) }
  }

  /// The columns whose new values another row holds.
  private func heldColumns(_ row: UpdateRow, _ rows: RowReading) throws -> [Int] {
    let columns = try columns(row, rows) { !$0.isEmpty }
    // An index over an expression or a part of the table: all that the update would set stays.
    return columns.isEmpty ? row.written : columns
  }

  /// The columns to be set by whose unique index another row with such a key stands in the way.
  private func columns(
    _ row: UpdateRow, _ rows: RowReading, where isInTheWay: ([Value]) throws -> Bool
  ) throws -> [Int] {
    var columns: Set<Int> = []
    for index in file.target.schema.indexes where index.isUnique && index.isPlain {
      let names = index.columns.compactMap { $0 }
      let set = names.compactMap { layout.change($0) }.filter { row.takesSeed[$0] }
      guard !set.isEmpty else { continue }
      if try isInTheWay(holder(names, row, rows)) { columns.formUnion(set) }
    }
    return columns.sorted()
  }

  /// The key of the other row with these values; empty where there is none.
  private func holder(
    _ names: [String], _ row: UpdateRow, _ rows: RowReading
  ) throws -> [Value] {
    let key = file.target.key
    let matches = names.map { "\($0.quoted) = ?" }.allTrue
    // IS, since a user's row may have no key of ours.
    let own = key.map { "\($0.name.quoted) IS ?" }.allTrue
    let values = names.map { row.value(of: $0, rows, layout: layout) }
    return try connection.rows(
      """
      SELECT \(key.map(\.name).quotedList) FROM \(file.target.sql)
      WHERE \(matches) AND NOT (\(own)) LIMIT 1
      """, values + layout.keyValues(rows)
    ).first ?? []
  }

  /// Whether the row with this key waits too, or its file's turn has yet to come, or it is to be
  /// retired.
  private func mayGiveWay(_ key: [Value]) throws -> Bool {
    try updated.contains { try $0.holds(key, verdict: $0.isWritten ? .postponed : .insert) }
      || retired.contains { try $0.holds(key, verdict: .insert) }
  }
}
