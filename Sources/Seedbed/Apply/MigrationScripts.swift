/// Runs the SQL files of a migration.
package struct MigrationScripts {
  let transaction: MigrationTransaction
  /// In `down`: checks what the files would delete.
  var losses: DownLosses?
  private var connection: Connection { transaction.connection }
  private var migration: Migration { transaction.migration }

  /// A SQL file larger than this is data in disguise.
  package static let limit = 64 << 20

  /// Runs one file, if there is one, and returns the digest of what was run by its name.
  func run(_ kind: MigrationFile.Kind) throws -> [String: String] {
    guard let file = migration.file(kind) else { return [:] }
    let (script, digest) = try read(file)
    let legacy = try connection.pragma("legacy_alter_table")
    // > legacy_alter_table: it stays as it was set for the rest of the connection.
    defer { try? connection.execute("PRAGMA legacy_alter_table=\(legacy.integer ?? 0)") }
    do {
      try script.run(on: connection, rules: rules)
      losses?.noteDeleted()
    } catch let error as SeedbedError where kind == .up {
      throw isFilledBefore(error) ? .filledBefore(error) : error
    }
    return [file.name: digest]
  }

  /// Whether it makes what is there, since somebody filled the database before it had a ledger.
  /// SQLite has no code of its own for that, only words.
  private func isFilledBefore(_ error: SeedbedError) -> Bool {
    guard error.message.hasSuffix(" already exists."),
      transaction.context.tablesBefore.keys.contains(where: { !transaction.ledger.owns($0) })
    else { return false }
    // If the ledger cannot be read, the first error is the one to report.
    return (try? transaction.ledger.applied(on: connection).isEmpty) ?? false
  }

  private func rules(for piece: Script.Piece) throws -> Authorizer.Rules {
    let drops = piece.sql.prefix(4).uppercased() == "DROP"
    return .script(
      ledgerTables: transaction.ledger.tableNames,
      protectedTables: drops && transaction.enforcesForeignKeys ? try parentTables() : [])
  }

  /// The tables that others refer to: dropping one would delete from it first, and cascade.
  private func parentTables() throws -> Set<String> {
    let names = try connection.rows(
      """
      SELECT DISTINCT lower(k."table") 
      FROM pragma_table_list AS t, pragma_foreign_key_list(t.name) AS k
      WHERE t.schema = 'main' AND t.type = 'table' AND lower(k."table") <> lower(t.name)
      """)
    return Set(names.compactMap { $0[0].text })
  }

  /// Every query of verify.sql must return no rows; returns warnings if the options say so.
  func verify() throws -> [String] {
    guard let file = migration.file(.verify) else { return [] }
    let (script, _) = try read(file)
    var warnings: [String] = []
    try script.run(
      on: connection, rules: { _ in .readOnly },
      onRow: { statement, piece in
        let values = (0..<statement.columnCount).map { column in
          "\(statement.columnName(column)) = \(statement[column].display)"
        }
        let found = "found a counter-example: \(values.joined(separator: ", "))."
        guard transaction.options.verify == .warn else {
          throw SeedbedError(
            .verify, "verify.sql \(found) The migration was rolled back.", at: script.place(piece))
        }
        // One example of each query is enough, but their number is not known beforehand.
        if warnings.count < 20 { warnings.append("\(script.place(piece)): \(found)") }
      })
    return warnings
  }

  private func read(_ file: MigrationFile) throws -> (Script, digest: String) {
    let bytes = try transaction.catalog.open(file, in: migration).content(limit: Self.limit)
    let digest = Digest.of(bytes)
    let place = migration.folder + "/" + file.name
    if let locked = file.locked, locked.digest != digest {
      throw SeedbedError.lockMismatch("SHA-256", found: digest, expected: locked.digest, place)
    }
    var script = Script(name: place, bytes: bytes)
    if let heard = transaction.context.onStatement {
      script.onStatement = { try heard(file.kind, $0) }
    }
    if let losses { script.onStatement = losses.look }
    return (script, digest)
  }
}

extension Value {
  /// For a person: text in quotes, and no more than 40 characters of it.
  package var display: String {
    switch self {
    case .text(let text): "'\(text.shortened(to: 40))'"
    case .invalidText(let bytes): Value.blob(bytes).description
    default: description
    }
  }
}
