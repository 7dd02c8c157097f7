/// How a run calls the app's closures.
extension Migrator.Hooks {
  /// The app's answer; nil if it has none to give.
  func adopted(on connection: any DatabaseSession) throws -> Migrator.Adoption? {
    guard let adoption else { return nil }
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
