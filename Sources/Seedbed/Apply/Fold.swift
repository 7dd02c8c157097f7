/// What a catalog makes of an empty database: all its migrations up to a version, applied to a
/// scratch database that SQLite removes.
struct Fold {
  let connection: Connection
  let ledger: Ledger
  /// With a base, the snapshot that stands for those below it comes first.
  let migrations: [Migration]
  private let catalog: Catalog
  private let host: Host
  /// The snapshot that it begins with; nil for the first migration.
  let start: Migration?
  private let onStatement: ((MigrationFile.Kind, Script.Announced) throws -> Void)?

  init(
    _ catalog: Catalog, to version: Version, ledger: String, host: Host,
    cancellation: Cancellation?, startingWith snapshot: Migration? = nil,
    atOtherTime: Bool = false,
    onStatement: ((MigrationFile.Kind, Script.Announced) throws -> Void)? = nil
  ) throws {
    self.catalog = catalog
    self.host = host
    self.onStatement = onStatement
    self.ledger = try Ledger(prefix: ledger)
    let start = try snapshot ?? catalog.beginning(to: version)
    let first = start?.version ?? 0
    self.start = start
    migrations =
      try (start.map { [$0] } ?? [])
      + catalog.migrations().filter {
        $0.version <= version && !$0.isWithdrawn && $0.version > first
      }
    connection = try Connection(
      "", .temporary, cancellation: cancellation, vfs: atOtherTime ? OtherTime.vfs : nil)
    try connection.configureForWriting(foreignKeys: true)
    guard let last = migrations.last else { return }
    _ = try run(catalog, to: last.version, Policies(), cancellation)
  }

  /// Applies what goes on behind the catalog.
  func goOn(
    with next: Catalog, _ policies: Policies, _ cancellation: Cancellation?
  ) throws -> Report {
    try run(Catalog([catalog, next]), to: nil, policies, cancellation)
  }

  /// Applies more of the catalog itself.
  func goOn(to version: Version, _ cancellation: Cancellation?) throws {
    _ = try run(catalog, to: version, Policies(), cancellation)
  }

  private func run(
    _ catalog: Catalog, to version: Version?, _ policies: Policies,
    _ cancellation: Cancellation?
  ) throws -> Report {
    var options = MigratorOptions()
    options.policies = policies
    options.backs = false
    options.ledger = ledger.prefix
    let run = try Run(
      catalog: catalog, path: "", options: options, host: host, cancellation: cancellation,
      meter: ProgressMeter(nil), connection: connection)
    run.isOnScratch = true
    run.onStatement = onStatement
    run.usesSnapshot = { [start] in $0.folder == start?.folder }
    return try run.up(to: version)
  }

  /// The table as the last migration that serves it sees it.
  func target(_ table: String) throws -> TableTarget {
    let serving = try serving(table)
    guard let serving else {
      let seeded = Set(migrations.flatMap(\.files).compactMap(\.table)).sorted()
      throw SeedbedError.notSeeded(table, among: seeded)
    }
    let options = try catalog.options(of: serving)
    let keys = try KeyOptions(options, ledger: ledger, on: connection) { _ in false }
    return try TableTarget.read(
      table, options: options.table(table), keyOptions: keys,
      place: SeedbedError.Place(serving.folder), ledger: ledger, on: connection)
  }

  /// The options of the last migration that serves a table.
  func options(of table: String) throws -> MigrationOptions {
    try serving(table).map(catalog.options) ?? MigrationOptions()
  }

  /// The last migration that has files for a table, or the snapshot that stands for such.
  func serving(_ table: String) throws -> Migration? {
    try migrations.last { migration in
      guard migration.isSnapshot else { return migration.files.contains { $0.serves(table) } }
      return try filled(by: migration, table) != nil
    }
  }

  private func filled(by snapshot: Migration, _ table: String) throws -> [String]? {
    try catalog.options(of: snapshot).snapshot?.columns.first {
      $0.key.asciiLowercased() == table.asciiLowercased()
    }?.value
  }

  /// Of each file of a migration for a table the names of its columns. What a snapshot holds
  /// besides, such as the ids that SQLite gave, no file ever said.
  private func headers(
    in migration: Migration, _ schema: TableSchema
  ) throws -> [[String]] {
    if migration.isSnapshot { return try filled(by: migration, schema.name).map { [$0] } ?? [] }
    return try migration.files.filter { $0.serves(schema.name) }.map {
      try header(of: $0, in: migration, schema)
    }
  }

  /// The columns that the catalog's files fill, in the table's order: the others are the user's.
  func seededColumns(of target: TableTarget) throws -> [ColumnSchema] {
    let reading = HeaderReading(target.schema, on: connection)
    var found: Set<String> = []
    for migration in migrations {
      for names in try headers(in: migration, target.schema) {
        for name in names {
          for column in try reading.columns(name) { found.insert(column.name) }
        }
      }
    }
    return target.schema.columns.filter { found.contains($0.name) }
  }

  /// The names by which the catalog's files fill the table, each column as the last file has it.
  func seededNames(of target: TableTarget) throws -> [String] {
    let reading = HeaderReading(target.schema, on: connection)
    var found: [(name: String, columns: [String], file: Int)] = []
    var last: [String: Int] = [:]
    var number = 0
    for migration in migrations {
      for names in try headers(in: migration, target.schema) {
        number += 1
        // In an update file each column may stand twice.
        var seen: Set<String> = []
        for name in names where seen.insert(name).inserted {
          // A column that was dropped since is none.
          let columns = try reading.columns(name).map(\.name)
          if columns.isEmpty { continue }
          found.append((name, columns, number))
          for column in columns { last[column] = number }
        }
      }
    }
    let places = Dictionary(
      uniqueKeysWithValues: target.schema.columns.enumerated().map { ($1.name, $0) })
    let current = found.filter { entry in
      entry.columns.allSatisfy { last[$0] == entry.file }
        && entry.columns.allSatisfy { target.schema.column($0)?.generated == .no }
    }
    return current.sorted { (places[$0.columns[0]] ?? 0) < (places[$1.columns[0]] ?? 0) }
      .map(\.name)
  }

  /// The names of the columns, without what says that a value is a base.
  private func header(
    of file: MigrationFile, in migration: Migration, _ schema: TableSchema
  ) throws -> [String] {
    try RowReader(
      try catalog.open(file, in: migration), place: migration.folder + "/" + file.name,
      isCompressed: file.isCompressed, locked: file.locked
    ).header.map { field in
      // A column that really has this name wins.
      let isBase = field.name.hasPrefix("was:") && schema.column(field.name) == nil
      return isBase ? String(field.name.dropFirst(4)) : field.name
    }
  }
}

extension MigrationFile {
  /// Of a row file.
  package var table: String? {
    switch kind {
    case .insert(let table), .update(let table), .delete(let table): table
    default: nil
    }
  }

  package func serves(_ name: String) -> Bool {
    table?.asciiLowercased() == name.asciiLowercased()
  }
}
