/// Applies a catalog migration by migration to a scratch database, for who looks for all that is
/// wrong with it. Whatever disagrees with the state before is logged, and no policy makes it fail.
package final class Inspection {
  package let catalog: Catalog
  package let connection: Connection
  private let ledger: Ledger
  private var applied: [Migration] = []
  private var options: [String: MigrationOptions] = [:]

  package init(
    _ catalog: Catalog, ledger: String = MigratorOptions().ledger,
    cancellation: Cancellation? = nil
  ) throws {
    self.catalog = catalog
    self.ledger = try Ledger(prefix: ledger)
    connection = try Connection("", .temporary, cancellation: cancellation)
    try connection.configureForWriting(foreignKeys: true)
  }

  /// - Parameters:
  ///   - files: by name, those that are left out.
  ///   - onStatement: hears of each statement of its SQL files before it runs.
  package func apply(
    _ migration: Migration, without files: Set<String>,
    onStatement: @escaping (MigrationFile.Kind, Script.Announced) throws -> Void
  ) throws -> [TableReport] {
    var migration = migration
    migration.files = migration.files.filter { !files.contains($0.name) }
    // What is read here is compared with nothing, so that no file is read for its digest.
    migration.checksum = Checksum.of([])
    options[migration.folder] = try lenient(migration)
    var settings = MigratorOptions()
    settings.backs = false
    settings.ledger = ledger.prefix
    let run = try Run(
      catalog: Catalog(catalog, applied + [migration], options), path: "", options: settings,
      host: .real, cancellation: connection.cancellation, meter: ProgressMeter(nil),
      connection: connection)
    run.isOnScratch = true
    run.onStatement = onStatement
    run.passesOverMissingParents = true
    let report = try run.up(to: migration.version)
    applied.append(migration)
    return report.migrations.first?.tables ?? []
  }

  /// Under these the rows become what their author meant, and each disagreement is logged.
  private func lenient(_ migration: Migration) throws -> MigrationOptions {
    var options = try catalog.options(of: migration)
    for name in Set(migration.files.compactMap(\.table)) {
      let key = options.tables.keys.first { $0.asciiLowercased() == name.asciiLowercased() }
      var table = options.table(name)
      if table.onEdited != .overwriteRow { table.onEdited = .preferSeed }
      table.onTaken = .keepUser
      options.tables[key ?? name] = table
    }
    return options
  }

  // MARK: what it came to

  package func conflicts(of migration: Migration) throws -> [Conflict] {
    try ledger.conflicts(on: connection, version: migration.version, limit: 1000)
  }

  /// Whether a file that changes or retires rows does not say what they were.
  package func isWithoutBase(_ file: MigrationFile, in migration: Migration) throws -> Bool {
    try DownRefusals(
      catalog: catalog, ledger: ledger, connection: connection
    ).isWithoutBase(file, migration)
  }

  /// The columns that a row file fills, as its table spells them.
  package func columns(
    of file: MigrationFile, in migration: Migration, _ schema: TableSchema
  ) throws -> [String] {
    let reading = HeaderReading(schema, on: connection)
    return try reader(file, migration).header.flatMap { try reading.columns($0.name) }.map(\.name)
  }

  /// The tables that are there by now, those of the ledger and of SQLite apart.
  package func tables() throws -> [TableSchema] {
    try connection.tableNames().filter { !ledger.owns($0) }.compactMap { name in
      guard try connection.object(named: name)?.kind == .table else { return nil }
      return try connection.schema(of: name)
    }
  }

  package func isOrdinaryTable(_ name: String) throws -> Bool {
    try connection.object(named: name)?.kind == .table
  }

  /// The foreign keys of a table that SQLite cannot enforce, each as a sentence.
  package func brokenReferences(of schema: TableSchema) throws -> [String] {
    try connection.parentKeys(of: schema).broken.map(\.sentence)
  }

  private func reader(_ file: MigrationFile, _ migration: Migration) throws -> RowReader {
    var limits = RowReader.Limits()
    limits.contentBytes = .max
    return try RowReader(
      try catalog.open(file, in: migration), place: migration.folder + "/" + file.name,
      isCompressed: file.isCompressed, locked: nil, limits: limits)
  }
}

// MARK: places

extension Inspection {
  /// Where a row of the log stands, by its key there; the file alone where that cannot be told.
  package func place(
    of key: String, _ table: String, in migration: Migration,
    where isWanted: (MigrationFile.Kind) -> Bool
  ) throws -> SeedbedError.Place {
    let files = migration.files.filter { $0.serves(table) && isWanted($0.kind) }
    let json = try JSONParser.parse(Array(key.utf8), file: "the ledger")
    if case .object(let members) = json.value {
      for file in files {
        if let line = try line(of: members, in: file, migration) {
          return SeedbedError.Place(migration.folder + "/" + file.name, line: line)
        }
      }
    }
    return SeedbedError.Place(
      migration.folder + (files.first.map { "/" + $0.name } ?? ""), line: files.isEmpty ? nil : 1)
  }

  private func line(
    of key: [JSON.Member], in file: MigrationFile, _ migration: Migration
  ) throws -> Int? {
    let reader = try reader(file, migration)
    reader.decoders = reader.header.map { _ in .verbatim }
    let wanted = key.compactMap { member -> (place: Int, text: String)? in
      let names = ["was:" + member.key, member.key].map { $0.asciiLowercased() }
      let place = names.lazy.compactMap { name in
        reader.header.firstIndex { $0.name.asciiLowercased() == name }
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
          next.text(next.cells[record * width + field.place]) == field.text
        }
        if isFound { return next.records[record].line }
      }
      chunk = next
    }
    return nil
  }
}

// MARK: trying

extension Connection {
  /// Looks around while a statement of an SQL file waits, whose rules are not for this.
  package func asSeedbed<Result>(_ body: () throws -> Result) rethrows -> Result {
    try authorizer.with(.own, body)
  }

  /// Runs `body` and takes back all it did.
  package func trying<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SAVEPOINT seedbed_trial")
    defer {
      // Sound: where SQLite ended the transaction by itself there is nothing to take back.
      try? execute("ROLLBACK TO seedbed_trial")
      try? execute("RELEASE seedbed_trial")
    }
    return try body()
  }

  /// Whether SQLite understands a statement as it is only because it takes what stands in double
  /// quotes and is no name for a string; then where that is, in bytes.
  package func doubleQuotedString(in sql: String) throws -> Int? {
    guard takesDoubleQuotedStrings else { return nil }
    try setDoubleQuotedStrings(false)
    defer { try? setDoubleQuotedStrings(true) }  // It was set a moment ago.
    do {
      _ = try prepare(sql)
      return nil
    } catch let failure as SQLiteFailure {
      let offset = failure.offset
      try setDoubleQuotedStrings(true)
      // What is wrong both ways is told when it runs.
      guard (try? prepare(sql)) != nil else { return nil }
      return offset ?? 0
    }
  }
}
