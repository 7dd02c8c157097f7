import Seedbed
import SeedbedCells

// The parts of a scratch database that lint needs.

extension ScratchDatabase {
  /// Applies one more migration. Rows that do not fit the state before it are logged, and no policy
  /// makes it fail.
  ///
  /// - Parameters:
  ///   - files: the names of files to leave out.
  ///   - onStatement: called with each statement of its SQL files before it runs.
  func apply(
    _ migration: Migration, without files: Set<ExactText>,
    onStatement: @escaping (MigrationFile.Kind, Script.UpcomingStatement) throws -> Void
  ) throws -> [Migrator.Report.Table] {
    var migration = migration
    migration.files = migration.files.filter { !files.contains($0.name) }
    // The digests are not compared, so no file is read for them.
    migration.checksum = Checksum.of([])
    options[migration.folder] = try lenient(migration)
    let report = try up(
      .authored(Catalog(catalog, migrations + [migration], options)), to: migration.version,
      passesOverMissingParents: true, onStatement: onStatement)
    migrations.append(migration)
    return report.migrations.first?.tables ?? []
  }

  /// With these policies, the rows become what their author meant, and each conflict is logged.
  private func lenient(_ migration: Migration) throws -> MigrationOptions {
    var options = try catalog.options(of: migration)
    for name in migration.files.compactMap(\.table) {
      var table = options.table(name)
      if table.onEdited != .overwriteRow { table.onEdited = .preferSeed }
      table.columns = []
      // Under `replaceUser` a migration may hold less.
      if table.onTaken != .replaceUser { table.onTaken = .keepUser }
      options.tables[name] = table
    }
    return options
  }

  // MARK: what it came to

  func conflicts(of migration: Migration) throws -> [Migrator.Conflict] {
    try ledger.conflicts(on: connection, version: migration.version, limit: 1000)
  }

  /// The columns that a row file fills, spelled as in its table.
  func columns(
    of file: MigrationFile, in migration: Migration, _ schema: TableSchema
  ) throws -> [String] {
    let reading = HeaderParser(schema, on: connection)
    return try reader(file, migration).header.flatMap { try reading.columns($0.name) }.map(\.name)
  }

  /// The tables that exist now, without those of the ledger and of SQLite.
  func tables() throws -> [TableSchema] {
    try connection.tableNames().filter { !ledger.owns($0) }.compactMap { name in
      guard try connection.object(named: name)?.kind == .table else { return nil }
      return try connection.schema(of: name)
    }
  }

  func isOrdinaryTable(_ name: String) throws -> Bool {
    try connection.object(named: name)?.kind == .table
  }

  /// A sentence for each foreign key of a table that SQLite cannot enforce.
  func brokenReferences(of schema: TableSchema) throws -> [String] {
    try connection.parentKeys(of: schema).broken
      .filter { !connection.leftToApp.contains($0.parent) }.map(\.sentence)
  }

  private func reader(_ file: MigrationFile, _ migration: Migration) throws -> RowReader {
    try RowReader(
      try catalog.open(file, in: migration), place: migration.place(of: file),
      isCompressed: file.isCompressed, locked: nil, limits: .ofAuthor)
  }
}

// MARK: places

extension ScratchDatabase {
  /// The place of a logged row, by its key; only the file if the line is unknown.
  func place(
    of key: String, _ table: String, in migration: Migration,
    where isWanted: (MigrationFile.Kind) -> Bool
  ) throws -> SeedbedError.Place {
    let files = migration.files.filter { $0.serves(table) && isWanted($0.kind) }
    let json = try JSONParser.parse(Array(key.utf8), file: "the ledger")
    if case .object(let members) = json.value {
      for file in files {
        if let line = try line(of: members, in: file, migration) {
          return SeedbedError.Place(migration.place(of: file), line: line)
        }
      }
    }
    return SeedbedError.Place(
      migration.folder + (files.first.map { "/" + $0.name } ?? ""), line: files.isEmpty ? nil : 1)
  }

  private func line(
    of key: [ParsedJSON.Member], in file: MigrationFile, _ migration: Migration
  ) throws -> Int? {
    let reader = try reader(file, migration)
    reader.decoders = reader.header.map { _ in .verbatim }
    let wanted = key.compactMap { member -> (place: Int, text: String)? in
      let names = ["was:" + member.key, member.key]
      let place = names.lazy.compactMap { name in
        reader.header.firstIndex { $0.name.isSameName(as: name) }
      }.first
      switch member.value.value {
      case .string(let text), .number(let text): return place.map { ($0, text) }
      default: return nil
      }
    }
    guard wanted.count == key.count else { return nil }
    let width = reader.header.count
    var chunk: Chunk?
    while let next = try reader.next(returning: chunk) {
      for record in 0..<next.recordCount {
        let isFound = wanted.allSatisfy { field in
          next.text(next.cells[record * width + field.place]).isSameText(as: field.text)
        }
        if isFound { return next.records[record].line }
      }
      chunk = next
    }
    return nil
  }
}
