import Seedbed

/// Checks the tables of the catalog, after all its migrations were applied.
struct SchemaLint {
  let scratch: ScratchDatabase
  let findings: LintFindings
  /// The place at which each table was created, by its name in lower case.
  let makers: [Name: SeedbedError.Place]

  /// The kinds of findings.
  static let codes: Set<LintCode> = [
    .foreignKey, .unindexedChild, .sharedIds, .clockDefault, .idleOption, .trigger,
    .emptyField,
  ]

  func check(_ migrations: [Migration]) throws {
    for table in try scratch.tables() {
      try checkReferences(of: table, migrations)
      try checkIds(of: table, migrations)
      try checkAdoption(of: table, migrations)
      try checkDefaults(of: table, migrations)
      try checkReserve(of: table, migrations)
      try checkColumnOptions(of: table, migrations)
      try checkTriggers(of: table, migrations)
    }
    try checkOptions(migrations)
  }

  /// Options for a misspelt table have no effect, and nothing else reports that.
  private func checkOptions(_ migrations: [Migration]) throws {
    // Tables of a migration that could not be applied do not exist.
    if findings.all.contains(where: { $0.isRefusal && $0.version != nil }) { return }
    // Options that cannot be read were reported before.
    guard let tables = try? scratch.catalog.generalOptions().tables else { return }
    let names = try scratch.connection.tableNames()
    let made = names.asNames
    func check(_ tables: [Name: TableOptions], _ migration: Migration?) throws {
      for (name, options) in tables.map({ ($0.key.text, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
        // A table with a source is created by 'make', which reports that it does not exist yet.
        if options.source != nil || made.contains(name) { continue }
        if migrations.contains(where: { $0.files.contains { $0.serves(name) } }) { continue }
        let near = Nearest.question(about: name, among: names)
        findings.add(
          .unknownTable, try place(of: name, in: migration),
          "No migration makes or fills a table '\(name.shortened(to: 40))'.\(near)", migration)
      }
    }
    try check(tables, nil)
    for migration in migrations where migration.file(.options) != nil && !migration.isSnapshot {
      guard let options = try? scratch.catalog.options(of: migration) else { continue }
      let own = options.tables.filter { name, options in
        // A table for these options must be there when the migration is applied.
        tables[name] == nil && options.references.isEmpty && options.disposable.isEmpty
          && options.identity.isEmpty && options.reserve == nil
      }
      try check(own, migration)
    }
  }

  /// The first line that has the name, in the options of a migration or of all.
  func place(of name: String, in migration: Migration?) throws -> SeedbedError.Place {
    let file = migration?.file(.options)?.name ?? Lock.optionsName
    let path = migration.map { $0.folder + "/" + file } ?? file
    return SeedbedError.Place(path, line: try line(of: name, file, in: migration?.folder))
  }

  private func line(of name: String, _ file: String, in folder: String?) throws -> Int? {
    let text = String(decoding: try scratch.catalog.bytes(of: file, in: folder), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.firstIndex { $0.contains("\"\(name)\"") }.map { $0 + 1 }
  }

  func add(
    _ code: LintCode, _ table: TableSchema, _ message: String, _ migrations: [Migration],
    at place: SeedbedError.Place? = nil
  ) {
    let place = place ?? makers[table.name] ?? SeedbedError.Place(Lock.optionsName)
    let folder = String(place.file.prefix { $0 != "/" })
    findings.add(
      code, SeedbedError.Place(place.file, line: place.line), message,
      migrations.first { $0.folder == folder })
  }

  private func checkReferences(of table: TableSchema, _ migrations: [Migration]) throws {
    for sentence in try scratch.brokenReferences(of: table) {
      add(
        .foreignKey, table, "The foreign key is broken: \(sentence). SQLite cannot enforce it.",
        migrations)
    }
    for key in table.foreignKeys where !table.finds(key.childColumns) {
      let columns = key.childColumns.joined(separator: ", ")
      add(
        .unindexedChild, table,
        "'\(table.name)' refers to '\(key.parent)' by (\(columns)), and no index begins with these "
          + "columns.",
        migrations)
    }
  }

  /// The classic collision: the seed has the ids 1…100,000, a user's row gets 100,001, and the
  /// update ships 100,001.
  private func checkIds(of table: TableSchema, _ migrations: [Migration]) throws {
    guard let id = table.rowidAlias, let serving = try shipping(id, of: table, migrations) else {
      return
    }
    let options = try scratch.catalog.options(of: serving).table(table.name)
    let isMoved = options.onTaken == .moveUser
    let isSeeds = options.identity.contains { $0.value.isSameName(as: id.name) }
    if isMoved || isSeeds || id.isAutoincrement && options.reserve != nil { return }
    let kind = scratch.catalog.isMirrored ? ", from a sequence" : " INTEGER PRIMARY KEY"
    let why =
      id.isAutoincrement
      ? "a user's next row gets the id after the seed's last, which a later release may ship"
      : "a user's next row gets the id after the last one, which a later release may ship, and "
        + "freed ids are used again"
    add(
      .sharedIds, table,
      "The seed ships ids of '\(table.name)' (\(id.name)\(kind)), and users who add rows share "
        + "them: \(why).", migrations)
  }

  /// In a database to be adopted, a user's row may have an id that an edition gave to another.
  private func checkAdoption(of table: TableSchema, _ migrations: [Migration]) throws {
    // Options that cannot be read were reported before.
    guard (try? scratch.catalog.generalOptions())?.adopt != nil, let id = table.rowidAlias,
      let serving = try shipping(id, of: table, migrations),
      try scratch.catalog.options(of: serving).table(table.name).identity.isEmpty
    else { return }
    let columns = try scratch.seededColumns(of: scratch.seededTarget(table.name)).names.filter {
      !$0.isSameName(as: id.name)
    }
    let isTold = try columns.contains { column in
      let count = "count(\(column.quoted)), count(DISTINCT \(column.quoted))"
      let row = try scratch.connection.rows("SELECT \(count) FROM main.\(table.name.quoted)")[0]
      return row[0] == row[1] && row[0] != .integer(0)
    }
    if isTold { return }
    add(
      .sharedIds, table,
      "\"adopt\" adopts databases in which users' rows of '\(table.name)' may have ids that an "
        + "edition gave to others, and no column tells its rows apart. A row that differs in half "
        + "of its values counts as the user's.",
      migrations)
  }

  /// If the files have no ids, the database chooses them. With a reserve it begins above that,
  /// among the users' ids.
  private func checkReserve(of table: TableSchema, _ migrations: [Migration]) throws {
    guard let id = table.rowidAlias,
      let serving = migrations.last(where: { $0.files.contains { $0.serves(table.name) } }),
      let reserve = try scratch.catalog.options(of: serving).table(table.name).reserve?.value,
      try scratch.connection.value(
        "SELECT 1 FROM main.\(table.name.quoted) WHERE \(id.name.quoted) > ? LIMIT 1",
        [.integer(reserve)]) != nil
    else { return }
    add(
      .sharedIds, table,
      "'reserve' reserves the ids of '\(table.name)' up to \(reserve) for the seed, but no file "
        + "has ids: the database gives the seed's rows higher ones, among those of users. Put "
        + "'\(id.name)' into the CSV, or remove 'reserve'.", migrations)
  }

  /// The last migration that inserts rows with their own ids.
  private func shipping(
    _ id: ColumnSchema, of table: TableSchema, _ migrations: [Migration]
  ) throws -> Migration? {
    try insertFiles(of: table, migrations).last { $0.columns.contains(name: id.name) }?.migration
  }

  private func insertFiles(
    of table: TableSchema, _ migrations: [Migration]
  ) throws -> [(migration: Migration, columns: [String])] {
    try migrations.flatMap { migration in
      try migration.files.compactMap { file in
        guard case .insert = file.kind, file.serves(table.name) else { return nil }
        do {
          return (migration, try scratch.columns(of: file, in: migration, table))
        } catch is SeedbedError {
          return nil  // The file was found to be broken before.
        }
      }
    }
  }

  /// It is unknown whether a user changed such a value, so all of them are logged.
  private func checkDefaults(of table: TableSchema, _ migrations: [Migration]) throws {
    let files = try insertFiles(of: table, migrations)
    guard let serving = files.last?.migration else { return }
    let ignored = try scratch.catalog.options(of: serving).table(table.name).ignore
    let known = (ignored + files.flatMap(\.columns)).asNames
    for column in table.columns
    where column.generated == .no && !known.contains(column.name) {
      if try scratch.connection.constantDefault(of: column) != nil { continue }
      add(
        .clockDefault, table,
        "The DEFAULT of '\(table.name).\(column.name)' comes from the clock or from random(), so "
          + "it is unknown whether a user edited it: each retired row is logged as a "
          + "conflict.", migrations)
    }
  }
}

extension TableSchema {
  /// Whether an index finds rows by these columns.
  fileprivate func finds(_ names: [String]) -> Bool {
    let wanted = names.asNames
    func leads(_ columns: [String?]) -> Bool {
      columns.prefix(wanted.count).compactMap { $0 }.asNames == wanted
    }
    if leads(primaryKey.map(\.name)) { return true }
    return indexes.contains { !$0.isPartial && leads($0.columns) }
  }
}
