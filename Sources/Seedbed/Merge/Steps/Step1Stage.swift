/// Step 1: the rows of files enter the plan of their table.
extension MigrationMerge {
  func stage(_ plan: TablePlan) throws {
    try connection.execute(plan.creation)
    for (number, file) in plan.files.enumerated() {
      let decide = try plan.decide(file, number: number)
      if plan.isBuffered(file) {
        try connection.execute(decide)
      } else {
        try read(file, decide)
      }
    }
    do {
      _ = try context.attempt {
        try connection.execute(plan.keyIndex)
        return true
      }
    } catch let failure as any EngineFailure where failure.isUniqueness {
      throw try plan.duplicateKey()
    }
    try plan.noteStatistics()
    while try changes(plan.keepEditedReferences()) > 0 {}
    if let keep = plan.keepEditedRows { try connection.execute(keep) }
    for index in try plan.nextIndexes() { try connection.execute(index) }
    for set in plan.uniqueSets { try plan.refuseTwins(set) }
  }

  /// Runs a statement that reads the rows of a file from their stream.
  func read(_ file: RowFile, _ sql: String) throws {
    if file.isTable { return try connection.execute(sql) }
    let rows = try context.rows(of: file, isStaged: true)
    do {
      try connection.execute(sql)
    } catch {
      throw rows.failure ?? error
    }
    context.digests[file.migrationFile.name] = rows.totals.digest
  }

  /// The insert files whose rows must be compared one by one: because keys are left to the user,
  /// because an update may need a parent from the file or take back a name, or because the rows
  /// refer to each other.
  func insertsToStage(_ files: [RowFile]) throws -> [RowFile] {
    let inserts = files.filter { $0.role == .insert }
    let awaited = files.filter { $0.role == .update }.flatMap { file in
      file.parents.filter { key in key.childColumns.contains { file.index(of: $0) != nil } }
        .map(\.parent)
    }
    // A row that is a different one by `identity` is left to the user now.
    let mayBeOthers = files.filter { !$0.identity.isEmpty }.map(\.target.name).asTexts
    // A row of a disposable table does not go with its parent if a file names it.
    let retires = files.contains { $0.role == .delete }
    let disposable = context.keyOptions.disposable.values.joined().asTexts
    var names = retires ? disposable.intersection(inserts.map(\.target.name).asTexts) : []
    for group in LoadOrder.groups(of: inserts) {
      let own = group.files.map(\.target.name).asTexts
      let tables = own.union(group.files.flatMap(\.parents).map(\.parent).asTexts)
      let isLeft = try tables.contains {
        try mayBeOthers.contains($0)
          || !context.ledger.keysLeftToUser(table: $0.text, on: connection).isEmpty
      }
      let isCompared = context.mode.comparesCopies && group.files.contains(where: \.isTable)
      if isLeft || group.isCyclic || context.collectsKeys || isCompared
        || !own.isDisjoint(with: awaited.asTexts)
        || !group.files.allSatisfy({ canStream($0, beside: files) })
      {
        names.formUnion(own)
      }
    }
    return withParents(names, files)
  }

  private func canStream(_ file: RowFile, beside others: [RowFile]) -> Bool {
    // SQLite joins at most 64 tables. If a name may mean two rows, or others than before the
    // migration, each row must be compared.
    file.naturals.count < 60 && file.naturals.allSatisfy(\.isUnique)
      && !file.naturals.contains { natural in others.contains { restores($0, natural) } }
      && file.streamedTypes.count <= connection.dialect.mostColumns && !file.target.endsTransactions
      && !file.target.schema.indexes.contains(where: \.isDeferrable)
      && !file.target.schema.computes(file.target.childColumns)
      // A rule cannot rewrite an INSERT that skips existing rows.
      && !file.target.triggers.contains(where: \.isRule) && !file.target.mayChangeKeys
  }

  /// Whether a file may give rows a name that the user changed. `MigrationLimits` refuses to use a
  /// name that a release changes itself.
  private func restores(_ file: RowFile, _ natural: NaturalReference) -> Bool {
    file.role == .update && file.target.name.isSameText(as: natural.parent.name)
      && file.changes.map(\.column).contains {
        context.onEdited($0, of: file.target) == .overwriteRow
          && natural.naturalColumns.names.contains(name: $0.name)
      }
  }

  /// The files of these tables, and those of the tables that they refer to: a row can only be
  /// inserted if its parent is.
  func withParents(_ names: Set<ExactText>, _ files: [RowFile]) -> [RowFile] {
    let found = files.filter { $0.role == .insert && names.contains($0.target.name) }
    let all = names.union(found.flatMap(\.parents).map(\.parent).asTexts)
    return all == names ? found : withParents(all, files)
  }
}

extension TablePlan {
  /// The table of the plan.
  var creation: String {
    // `policy`: the one that decides if the user's row differs from a file that retires it.
    var parts = [
      "row \(dialect.rowNumber) PRIMARY KEY", "line BIGINT", "kind TEXT", "fate TEXT",
      "policy TEXT",
    ]
    if movesUsers { parts.append("moved BIGINT") }
    parts += key.map { "k\($0) \(dialect.type(of: target.schema.columns[$0], in: target.schema))" }
    for column in ordered {
      let (slot, type) = (column.slot, dialect.type(of: column.schema, in: target.schema))
      if column.isSet { parts.append("n\(slot) \(type)") }
      if column.hasWhy { parts.append("why\(slot) TEXT") }
      if column.hasBase { parts.append("b\(slot) \(type)") }
      guard column.isHeld else { continue }
      for (name, isNext) in [("m", false), ("x", true)] {
        let clause = computation(column, isNext: isNext).map {
          dialect.computed($0, isStored: false)
        }
        parts.append(["\(name)\(slot)", type, clause].compactMap(\.self).joined(separator: " "))
      }
    }
    return "CREATE TABLE \(sql) (\((parts + [outcome]).listed))"
  }

  /// A key occurs once in a table's files, and finds the row in the plan.
  var keyIndex: String {
    "CREATE UNIQUE INDEX \(dialect.temporaryIndex(name + ":key", on: name)) "
      + "(\(key.map { "k\($0)" }.listed))"
  }

  /// The indexes that find rows in the plan by their new values in UNIQUE sets.
  func nextIndexes() throws -> [String] {
    let referred = try children.map { try slots(of: $0.key.parentColumns) }.filter(tracks)
    let sets = Set(uniqueSets.map(\.slots) + referred)
    return sets.filter { $0 != key || !rekeyed.isEmpty }
      .inOrder.enumerated().map { index, slots in
        "CREATE INDEX \(dialect.temporaryIndex("\(name):\(index)", on: name)) "
          + "(\(slots.map { columns[$0] == nil ? "k\($0)" : "x\($0)" }.listed))"
      }
  }
}
