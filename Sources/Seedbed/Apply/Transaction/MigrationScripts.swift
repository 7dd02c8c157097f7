/// Runs the SQL files of a migration.
package struct MigrationScripts {
  let transaction: MigrationTransaction
  /// In `down`: checks which data the files would delete.
  var losses: DownLosses?
  private var connection: any DatabaseSession { transaction.connection }
  private var migration: Migration { transaction.migration }

  /// An SQL file larger than this is data in disguise.
  package static let limit = 64 << 20

  /// Runs one file, if it exists, and returns the digest of the executed text by the file's name.
  func run(_ kind: MigrationFile.Kind) throws -> [String: String] {
    guard let file = migration.file(kind) else { return [:] }
    var (script, digest) = try read(file)
    var last = ""
    script.onStatement = { [look = script.onStatement] statement in
      last = statement.sql
      return try look?(statement)
    }
    do {
      try transaction.newNames.following(kind) {
        try connection.run(
          script, .change(enforcesForeignKeys: transaction.enforcesForeignKeys)
        ) { _, _ in }
      }
    } catch let error as SeedbedError where kind == .up && isFilledBefore(error) {
      throw error.with {
        $0.message +=
          " The database has tables and no ledger. If an app filled it before it had Seedbed, "
          + "adopt it in place of applying this: Seedbed's page 'Coming from seeds'. Check "
          + "first what differs."
        $0.remedies = [.checkBaseline]
      }
    } catch let error as SeedbedError
      where error.code == .constraint && (kind == .up || kind == .after) && mayMeetUsers(last)
    {
      // On a server no query runs after an error, and the error itself names the values.
      let rows = (try? equalRows(SQLTokens.code(of: last))) ?? nil
      throw error.with {
        $0.message +=
          " If a new database takes this SQL, rows that a user added or changed are in its way"
          + (rows.map { ": \($0). Change or remove the user's" } ?? ". Change or remove them")
          + ", or withdraw the migration, and ship one whose SQL changes such rows first."
      }
    }
    return [file.name: digest]
  }

  /// The rows for which a UNIQUE index cannot be made; nil for another statement.
  private func equalRows(_ code: [SQLToken]) throws -> String? {
    guard code.prefix(2).has(["CREATE", "UNIQUE"]), let on = code.outer("ON"),
      let list = code.brackets(from: on)?.items, !code.hasOuter("WHERE"),
      let table = try connection.object(named: code[on + 1].text)
    else { return nil }
    let schema = try connection.schema(of: table.name)
    let columns = list.compactMap { $0.first.flatMap { schema.column($0.text) }?.name }
    let names = columns.quotedList
    let found = try connection.rows(
      """
      SELECT \(schema.primaryKey.names.quotedList) FROM \(schema.sql) WHERE (\(names)) IN (
        SELECT \(names) FROM \(schema.sql) GROUP BY \(names) HAVING count(*) > 1)
      ORDER BY \(names)
      """)
    if columns.count < list.count || found.isEmpty { return nil }
    let keys = found.prefix(4).map { RowJSON.object(schema.primaryKey.names, $0) }
    return "\(found.count) rows of '\(schema.name)' have values in (\(names)) that another has, "
      + (keys + (found.count > 4 ? ["…"] : [])).joined(separator: ", ")
  }

  /// Whether a statement names a table that was there before this run, with rows of users maybe.
  private func mayMeetUsers(_ statement: String) -> Bool {
    let context = transaction.context
    return !context.isOnScratch
      && SQLTokens.code(of: statement).contains { context.tablesBefore[Name($0.text)] != nil }
  }

  /// Whether SQL creates an object that exists because the database was filled before it had a
  /// ledger. SQLite has no code for that, only a message.
  private func isFilledBefore(_ error: SeedbedError) -> Bool {
    guard error.message.hasSuffix(" already exists."),
      transaction.context.tablesBefore.keys.contains(where: { !transaction.ledger.owns($0.text) })
    else { return false }
    // If the ledger cannot be read, the first error is the one to report.
    return (try? transaction.ledger.applied(on: connection).isEmpty) ?? false
  }

  /// Every query of verify.sql must return no rows. Returns warnings if the options ask for them.
  func verify() throws -> [String] {
    guard let file = migration.file(.verify) else { return [] }
    let (script, _) = try read(file)
    var warnings: [String] = []
    try connection.run(script, .readOnly) { row, piece in
      let values = row.map { "\($0.name) = \($0.value.display)" }
      let found = "found a counter-example: \(values.joined(separator: ", "))."
      guard transaction.options.verify == .warn else {
        throw SeedbedError(
          .verify, "verify.sql \(found) The migration was rolled back.", at: script.place(piece))
      }
      // One example for each query is enough, but their number is not known beforehand.
      if warnings.count < 20 { warnings.append("\(script.place(piece)): \(found)") }
    }
    return warnings
  }

  private func read(_ file: MigrationFile) throws -> (Script, digest: String) {
    let bytes = try transaction.catalog.open(file, in: migration).content(limit: Self.limit)
    let digest = Digest.of(bytes)
    let place = migration.place(of: file)
    if let locked = file.locked, locked.digest != digest {
      throw SeedbedError.lockMismatch("SHA-256", found: digest, expected: locked.digest, place)
    }
    var script = Script(name: place, bytes: bytes)
    let heard = transaction.context.onStatement
    script.onStatement = { [losses, newNames = transaction.newNames] statement in
      let follow = try file.kind == .verify ? nil : newNames.look(statement)
      try heard?(file.kind, statement)
      let note = try losses?.look(statement)
      return {
        note?()
        try follow?()
      }
    }
    return (script, digest)
  }
}
