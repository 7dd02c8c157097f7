/// The rows of a table that come back.
enum WantedRows {
  /// All but those whose keys are the user's: a user who wants the seed's rows back does not ask
  /// for their own rows to be replaced.
  case all
  /// Those of them that the database does not have.
  case absent
  /// Whatever is there.
  case named([GivenKey])

  var areNamed: Bool { if case .named = self { true } else { false } }
}

extension SeededTable {
  /// The wanted rows of the scratch database.
  func eachRow(_ wanted: WantedRows, _ body: ([Value]) throws -> Void) throws {
    let all = "SELECT \(names.quotedList) FROM \(scratchTarget.sql)"
    switch wanted {
    case .all:
      let rows = try scratch.session.cursor("\(all) ORDER BY \(keyNames.quotedList)")
      while try rows.step() {
        try connection.cancellation?.check()
        try body(rows.values(from: 0))
      }
    case .absent:
      try refuseHalfReferences()
      try eachAbsent { row, _, _ in try body(row.values) }
    case .named(let keys):
      let wanted = Set(try keys.map { try seedKey($0).catalogs })
      for key in wanted.ordered(by: { RowJSON.object(keyNames, $0) }) {
        try connection.cancellation?.check()
        for row in try scratch.session.rows("\(all) WHERE \(isRow)", key) { try body(row) }
      }
    }
  }

  /// The rows of the scratch database that the database does not have.
  ///
  /// - Parameter body: gets a row, its key, and its key in the database; nil if that has an id of a
  ///   row that is absent, too.
  func eachAbsent(
    _ body: (_ row: Migrator.Row, _ key: [Value], _ own: [Value]?) throws -> Void
  ) throws {
    assert(passesOverMissingParents, "A parent that is absent is no error.")
    let found = try connection.cursor("SELECT 1 FROM \(target.sql) WHERE \(isRow)")
    let rows = try scratch.session.cursor(
      "SELECT \((keyNames + names).quotedList) FROM \(scratchTarget.sql) "
        + "ORDER BY \(keyNames.quotedList)")
    while try rows.step() {
      try connection.cancellation?.check()
      let values = rows.values(from: 0)
      let key = Array(values.prefix(keyNames.count))
      let own = try live(key, keyNames, scratchTarget)
      if let own {
        found.bind(own)
        var isThere = false
        while try found.step() { isThere = true }
        if isThere { continue }
      }
      try body(Migrator.Row(names, Array(values.dropFirst(key.count))), key, own)
    }
  }

  func absent() throws -> [Migrator.AbsentRow] {
    var absent: [Migrator.AbsentRow] = []
    try refuseHalfReferences()
    try eachAbsent { row, key, own in
      let values = try live(row.values, names, scratchTarget) ?? row.values
      absent.append(
        try Migrator.AbsentRow(
          table: target.name, key: named(catalogs: key), row: Migrator.Row(names, values),
          reason: absence(of: own), version: version))
    }
    return absent
  }

  /// Why the row with this key of the database is absent.
  func absence(of key: [Value]?) throws -> Migrator.Conflict.Kind {
    // Without its parent, its key is not known here. It went with it.
    guard let key else { return .deletedByUser }
    let reason =
      try reason(key)
      ?? ledger.skipped(
        table: target.name, key: RowJSON.object(keyNames, key), on: connection)
    return reason?.kind ?? .deletedByUser
  }
}
