extension MigrationTransaction {
  /// The options about keys, checked against the current schema.
  ///
  /// Tables and columns named in migration.json must exist. Those in catalog.json may come with a
  /// later migration, or with an after.sql that has not run yet.
  func keyOptions(isAfterScripts: Bool) throws -> KeyOptions {
    let mayStillCome =
      try !isAfterScripts && migration.file(.after) != nil
      || catalog.migrations().contains { $0.version > migration.version && !$0.isWithdrawn }
    return try KeyOptions(
      options, ledger: ledger, on: connection,
      insists: (!mayStillCome, isAfterScripts || migration.file(.after) == nil))
  }

  /// The options whose tables and columns exist. In `down`, and before up.sql ran, they need not
  /// exist.
  func keyOptionsSoFar() throws -> KeyOptions {
    try KeyOptions(options, ledger: ledger, on: connection)
  }

  /// Neither SQLite nor the merge checks what SQL files do to references that only the options
  /// declare, so missing parents are counted before and after.
  func foreignKeyChecks(isNeeded: Bool, hasSQL: Bool) throws -> ForeignKeyChecks {
    // What another session commits before its tables are locked would be charged to the SQL.
    let references = try hasSQL && connection.locksTables ? keyOptionsSoFar().references : []
    try connection.holdOffWriters(
      of: references.flatMap { [$0.key.parent, $0.table] }.asTexts.ordered().map(\.text))
    return try ForeignKeyChecks(
      connection, isNeeded: isNeeded, renamed: { [newNames] in newNames.given }
    ) { [self] in
      hasSQL ? try keyOptionsSoFar().references : []
    }
  }

  /// On SQLite, rows whose parents the app makes come without them: the run begins the migration
  /// again, without these references. On a server they are left out.
  func leaveParentsToApp(after number: Int64) throws {
    guard let connection = connection as? Connection,
      try ledger.lastConflict(on: connection) > number,
      try ledger.conflicts(on: connection, version: migration.version, limit: 1000)
        .contains(where: { $0.kind == .parentDeleted })
    else { return }
    let tables = migration.files.compactMap(\.table).asTexts.texts
    let keys = try tables.flatMap { try connection.parentKeys(of: connection.schema(of: $0)).sound }
    let parents = try keys.map(\.parent).filter(context.isLeftToApp)
    if parents.isEmpty { return }
    connection.leftToApp.formUnion(parents.asNames)
    throw BrokenForeignKeys(keys: [])
  }

  /// If the app has not opened the database yet, the app has to create the table, not an up.sql.
  func refuseMissingTableOfApp(_ table: String, _ place: String) throws {
    guard !context.isOnScratch, try connection.object(named: table) == nil,
      try catalog.isNamed(
        table, in: [.schema], of: catalog.migrations() + [migration], connection.dialect.flavour)
    else { return }
    let fact = "There is no table '\(table.shortened(to: 40))' in the database."
    throw SeedbedError.noTableOfApp(fact, SeedbedError.Place(place))
  }
}

extension Run {
  /// A missing database has no tables of the app's, so it is not created: the app would find a
  /// database that is not its own.
  func refuseTablesOfApp(in steps: [Migration]) throws {
    let flavour = connection.dialect.flavour
    for (place, step) in steps.enumerated() where !step.isWithdrawn {
      let before = Array(steps[...place])
      for file in step.files {
        guard let table = file.table, try connection.object(named: table) == nil,
          try catalog.isNamed(table, in: [.schema], of: catalog.migrations() + before, flavour),
          // Some SQL in the catalog may create it, too.
          try !catalog.isNamed(table, in: [.up, .after], of: before, flavour)
        else { continue }
        let fact =
          "There is no database at '\(database.name)', and so no table "
          + "'\(table.shortened(to: 40))'."
        throw SeedbedError.noTableOfApp(fact, SeedbedError.Place(step.place(of: file)))
          .in(step.version)
      }
    }
  }
}

extension Catalog {
  /// Whether SQL files of these kinds contain the name of a table, in any meaning but behind the
  /// word `other`, and one of `phrases` if there are any. Reads the files of `migrations` up to the
  /// last of them.
  func isNamed(
    _ table: String, in kinds: [MigrationFile.Kind], of migrations: [Migration],
    _ flavour: SQLTokens.Flavour, beside phrases: [[String]] = [], behind other: String? = nil
  ) throws -> Bool {
    try migrations.contains { migration in
      guard migration.version <= migrations.last?.version ?? 0 else { return false }
      return try kinds.compactMap(migration.file).contains { file in
        let bytes = try open(file, in: migration).content(limit: MigrationScripts.limit)
        let code = SQLTokens.codeWithStrings(of: String(decoding: bytes, as: UTF8.self), flavour)
        let isNamed = code.indices.contains { index in
          code[index].text.isSameName(as: table)
            && !(index > 0 && other.map(code[index - 1].isWord) ?? false)
        }
        return isNamed && (phrases.isEmpty || phrases.contains(where: code.has))
      }
    }
  }
}

extension SeedbedError {
  fileprivate static func noTableOfApp(_ fact: String, _ place: Place) -> SeedbedError {
    .catalog(
      "\(fact) The app creates this table, as schema.sql says: run the app's own migrations first, "
        + "for example by opening the database in the app, then try again.", place)
  }
}

extension MigrationTransaction {
  /// Locks the tables of the files, parents first, the usual order, and those with rows that refer
  /// to rows that go or whose keys change: no one may begin to refer to one meanwhile. True if some
  /// were not locked before.
  func holdsOffMore(
    for files: [RowFile], _ merge: MergeContext, _ held: inout Set<ExactText>
  ) throws -> Bool {
    if !connection.locksTables { return false }
    let own = LoadOrder.groups(of: files).flatMap(\.files).grouped(by: \.target.name)
      .map { $0[0].target.name }
    let changing = try files.filter { file in
      let moves = file.role == .insert && merge.onTaken(file.target).effect.moves
      let columns = (file.keyChanges + file.changes.map(\.column)).names.asNames
      return try moves || file.role == .delete
        || file.role == .update
          && merge.children(of: file.target.name).contains {
            !columns.isDisjoint(with: $0.key.parentColumns.asNames)
          }
    }
    var open = changing.map(\.target.name)
    var referring: Set<ExactText> = []
    while let table = open.popLast() {
      for child in try merge.children(of: table)
      where referring.insert(ExactText(child.table)).inserted { open.append(child.table) }
    }
    let more = own.asTexts.union(referring).subtracting(held)
    try connection.holdOffWriters(
      of: own.filter { more.contains(ExactText($0)) }
        + referring.subtracting(own.asTexts).intersection(more).ordered().map(\.text))
    held.formUnion(more)
    return !more.isEmpty
  }
}
