/// The app's closures that a run calls.
struct AppHooks {
  typealias Adoption = @Sendable (Migrator.DatabaseReader) throws -> Migrator.Adoption

  /// Asked while the ledger is empty.
  var adoption: Adoption?
  /// Asked before each COMMIT.
  var beforeCommit: (@Sendable (Version, Migrator.DatabaseReader) throws -> Void)?

  /// The app's answer.
  static func ask(_ adoption: Adoption, on connection: any DatabaseSession) throws
    -> Migrator.Adoption
  {
    do {
      return try adoption(Migrator.DatabaseReader(connection))
    } catch let failure as any EngineFailure {
      let error = SeedbedError.from(failure)
      guard error.code == .sql else { throw error }
      throw SeedbedError(.sql, "While asking the adoption: \(error.message)")
    }
  }

  /// Whatever the app throws rolls the migration back.
  func verify(_ migration: Migration, on connection: any DatabaseSession) throws {
    do {
      try beforeCommit?(migration.version, Migrator.DatabaseReader(connection))
    } catch let error as SeedbedError {
      throw error
    } catch let failure as any EngineFailure {
      throw failure
    } catch {
      throw SeedbedError(
        .verify, "The app refused what \(migration.folder) made: \(error). It was rolled back.")
    }
  }
}

extension Migrator.DatabaseReader {
  init(_ connection: any DatabaseSession) {
    self.init(
      isTable: { try connection.object(named: $0)?.kind == .table },
      firstValue: { try connection.look($0) })
  }
}
