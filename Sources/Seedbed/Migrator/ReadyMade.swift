/// A ready-made database that a new device is to begin with, as `beginningWith:` names it.
struct ReadyMade {
  let catalog: Catalog
  let options: Migrator.Options
  /// From the root.
  let path: String

  /// Which releases it has and lacks, and how many bytes it takes.
  struct Standing {
    var plan: Plan
    var bytes: Int64
  }

  /// The errors that mean that the file does not fit. Any other may be temporary, or would stop an
  /// ordinary `up` as well.
  private static let unfit: Set<SeedbedError.Code> = [
    .usage, .corrupt, .newer, .tooOld, .outOfOrder,
  ]

  /// Looks at its header and its ledger only: reading all of it would take longer than the copy.
  ///
  /// - Parameter body: gets a connection that reads it and leaves nothing beside it.
  /// - Returns: what `body` returns, or why a database cannot begin with it.
  func look<Value>(
    to last: Version?, _ body: (Connection, Standing) throws -> Value
  ) throws -> Result<Value, SeedbedError> {
    do {
      return .success(try examine(to: last, body))
    } catch {
      let error = SeedbedError.from(error)
      guard Self.unfit.contains(error.code) else { throw error }
      return .failure(error)
    }
  }

  private func examine<Value>(
    to last: Version?, _ body: (Connection, Standing) throws -> Value
  ) throws -> Value {
    guard let size = Paths.size(path) else { throw SeedbedError.readyMade("there is no such file") }
    for companion in ["-wal", "-journal"] where Paths.exists(path + companion) {
      throw SeedbedError.readyMade("'\(Paths.split(path).name)\(companion)' is beside it")
    }
    let connection = try Connection(path, .immutable)
    try connection.configureForReading()
    let bytes = try connection.pageSize() * connection.pageCount()
    guard bytes == size else {
      throw SeedbedError.readyMade("it has \(size) bytes, and its header says \(bytes)")
    }
    let ledger = try Ledger(prefix: options.ledger)
    let plan = try catalog.plan(for: ledger, on: connection)
    guard plan.current > 0 else {
      throw SeedbedError.readyMade("its ledger '\(ledger.prefix)' lists no migration")
    }
    if let last, plan.current > last {
      throw SeedbedError.readyMade("it is at \(plan.current), above \(last)")
    }
    do {
      _ = try plan.migrationsToApply(to: last, allowsOutOfOrder: options.allowsOutOfOrder) {
        try catalog.lineEndings(of: $0, applied: $1.checksum)
      }
    } catch let error as SeedbedError where error.code == .drift || error.code == .missing {
      throw SeedbedError.readyMade("it was made of other migrations than the catalog has")
    }
    return try body(connection, Standing(plan: plan, bytes: bytes))
  }

  /// For the report, if it is not taken.
  func note(_ cause: SeedbedError) -> String {
    "The database did not begin with '\(path)': \(cause.message)"
  }
}

extension SeedbedError {
  fileprivate static func readyMade(_ reason: String) -> SeedbedError {
    SeedbedError(.usage, "\(reason.prefix(1).uppercased())\(reason.dropFirst()).")
  }
}
