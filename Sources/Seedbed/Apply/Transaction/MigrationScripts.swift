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
    let (script, digest) = try read(file)
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
          + "adopt it in place of applying this: Seedbed's page 'Coming from seeds that insert "
          + "what is absent'. Check first what differs."
        $0.remedies = [.checkBaseline]
      }
    }
    return [file.name: digest]
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
