/// The present names of tables and columns that files of a migration call by older names.
struct NamesSince {
  /// The changes in the order in which SQL made them.
  private let changes: [[Ledger.Renamed]]

  init(_ migration: Migration, _ renamed: [RunContext.NewNames]) {
    changes = renamed.filter { change in
      change.version > migration.version
        || change.version == migration.version && change.file.runsAfterRows
    }.map(\.tables)
  }

  /// The changes that migrations after a version made.
  init(after version: Version, _ renamed: [RunContext.NewNames]) {
    changes = renamed.filter { $0.version > version }.map(\.tables)
  }

  func table(_ name: String) -> String {
    changes.reduce(name) { name, tables in
      tables.first { $0.old.isSameName(as: name) }?.new ?? name
    }
  }

  func column(_ name: String, of table: String) -> String {
    var (name, table) = (name, table)
    for tables in changes {
      guard let found = tables.first(where: { $0.old.isSameName(as: table) }) else { continue }
      name = found.columns[name] ?? name
      table = found.new
    }
    return name
  }

  /// A column, or a reference by natural key such as `(country,city):places.name`.
  func header(_ name: String, of table: String) -> String {
    let cut = name.split(separator: ":", maxSplits: 1).map(String.init)
    let named = (cut.last ?? "").split(separator: ".", maxSplits: 1).map(String.init)
    guard !changes.isEmpty, cut.count == 2, named.count == 2 else {
      return column(name, of: table)
    }
    let isList = cut[0].hasPrefix("(") && cut[0].hasSuffix(")")
    let list = isList ? cut[0].dropFirst().dropLast() : cut[0][...]
    let columns = list.split(separator: ",").map { column(String($0), of: table) }
      .joined(separator: ",")
    return (isList ? "(\(columns))" : columns) + ":" + self.table(named[0]) + "."
      + column(named[1], of: named[0])
  }

  /// The options of a table given by its old name, with the present names of columns.
  func options(_ options: TableOptions, of table: String) -> TableOptions {
    var options = options
    options.ownKey = options.ownKey?.map { column($0, of: table) }
    if var per = options.per {
      per.column = per.column.map { Located(value: column($0.value, of: table), place: $0.place) }
      per.key.value = column(per.key.value, of: per.table.value)
      per.table.value = self.table(per.table.value)
      options.per = per
    }
    options.ignore = options.ignore.map { column($0, of: table) }
    options.columns = self.options(options.columns, of: table)
    let blobs = options.blobs.map { (Name(column($0.key.text, of: table)), $0.value) }
    options.blobs = Dictionary(blobs) { first, _ in first }
    options.compare = self.options(options.compare, of: table)
    if case .inColumns(let columns) = options.empty {
      options.empty = .inColumns(self.options(columns, of: table))
    }
    options.identity = options.identity.map {
      Located(value: column($0.value, of: table), place: $0.place)
    }
    return options
  }

  private func options<Value>(
    _ options: [ColumnOption<Value>], of table: String
  ) -> [ColumnOption<Value>] {
    options.map {
      ColumnOption(column: column($0.column, of: table), value: $0.value, place: $0.place)
    }
  }
}

extension Scratch {
  func names(since migration: Migration) -> NamesSince { NamesSince(migration, renamed) }

  /// The last name of a column that was renamed; nil if no SQL gave the column of this name another
  /// one.
  package func laterName(of column: String, in table: String) throws -> String? {
    for migration in migrations {
      guard let then = try name(of: table, in: migration) else { continue }
      let now = names(since: migration).column(column, of: then)
      if !now.isSameName(as: column) { return now }
    }
    return nil
  }

  /// The files of a migration for a table, whatever its name was then.
  func files(in migration: Migration, of table: String) -> [MigrationFile] {
    let names = names(since: migration)
    return migration.files.filter { file in
      file.table.map(names.table)?.isSameName(as: table) ?? false
    }
  }

  /// A migration's name for a table; nil if it has no files for it.
  func name(of table: String, in migration: Migration) throws -> String? {
    if migration.isSnapshot { return try filled(by: migration, table)?.table }
    return files(in: migration, of: table).first?.table
  }

  /// The columns of a table that a snapshot fills.
  func filled(
    by snapshot: Migration, _ table: String
  ) throws -> (table: String, columns: [String])? {
    let names = names(since: snapshot)
    return try catalog.options(of: snapshot).snapshot?.columns.first {
      names.table($0.key.text).isSameName(as: table)
    }.map { (table: $0.key.text, columns: $0.value) }
  }

  /// The options of a migration, with the table's options under its present name.
  func options(of migration: Migration, for table: String) throws -> MigrationOptions {
    var options = try catalog.options(of: migration)
    if options.tables[table] != nil { return options }
    guard let old = try name(of: table, in: migration), !old.isSameName(as: table) else {
      return options
    }
    options.tables[table] = names(since: migration).options(options.table(old), of: old)
    return options
  }
}

extension MigrationFile.Kind {
  fileprivate var runsAfterRows: Bool { self == .after || self == .afterDown }
}
