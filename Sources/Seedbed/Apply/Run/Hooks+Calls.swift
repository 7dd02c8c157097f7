/// How a run calls the app's closures.
extension Migrator.Hooks {
  /// The app's answer; nil if it has none.
  func adopted(on connection: any DatabaseSession) throws -> Adoption? {
    guard let adoption else { return nil }
    do {
      return try connection.shown(to: adoption)
    } catch let failure as any EngineFailure {
      let error = SeedbedError.from(failure)
      guard error.code == .sql else { throw error }
      throw SeedbedError(.sql, "While asking the adoption: \(error.message)")
    }
  }

  /// Runs the app's closure. Any error that it throws rolls the migration back.
  func verify(_ migration: Migration, on connection: any DatabaseSession) throws {
    do {
      try connection.shown { try beforeCommit?(migration.version, $0) }
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

extension DatabaseSession {
  /// Lets a closure of the app read the database. The closure gets errors as `SeedbedError`. The
  /// run gets the engine's own error, by which it may try again.
  fileprivate func shown<Answer>(
    to body: (Migrator.DatabaseReader) throws -> Answer
  ) throws -> Answer {
    var failure: (any EngineFailure)?
    func look<Found>(_ body: () throws -> Found) throws(SeedbedError) -> Found {
      do {
        return try body()
      } catch {
        failure = error as? any EngineFailure
        throw SeedbedError.from(error)
      }
    }
    let reader = Migrator.DatabaseReader(
      isTable: { (name) throws(SeedbedError) in
        try look { try self.object(named: name)?.kind == .table }
      },
      firstValue: { (query) throws(SeedbedError) in try look { try self.look(query) } })
    do {
      return try body(reader)
    } catch let error as SeedbedError {
      if let failure, failure.seedbedError == error { throw failure }
      throw error
    }
  }
}
