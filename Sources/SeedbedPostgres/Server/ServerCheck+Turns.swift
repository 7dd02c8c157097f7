import Seedbed

/// Whether two runs take turns, which only a second connection shows: a server may accept locks
/// that no one has to wait for, or show a run that waited what was there before.
extension ServerCheck {
  private static let remedy = "Connect to a PostgreSQL server, which has this."

  func turns() throws -> [EngineNeed] {
    let other: PostgresSession
    do {
      other = try openOther()
    } catch let error as SeedbedError {
      return [
        EngineNeed(
          "advisory locks", found: "not tried: \(error.message)",
          remedy: "Allow the role a second connection.")
      ]
    }
    let lock = try lock(other)
    return try lock.isMet ? [lock, readCommitted(other)] : [lock]
  }

  /// A lock of our own, since a run may hold the ledger's now.
  private var trialName: String {
    "hashtextextended(\("seedbed_check:\(session.sessionName)".quotedLiteral), 0)"
  }

  private func lock(_ other: PostgresSession) throws -> EngineNeed {
    let name = "advisory locks"
    return try trial(name) {
      let take = { (session: PostgresSession, lock: String) in
        try session.value("SELECT pg_try_advisory_xact_lock(\(lock))") == 1
      }
      guard try take(session, trialName) else {
        return EngineNeed(name, found: "one that is free is refused", remedy: Self.remedy)
      }
      if try take(other, trialName) {
        return EngineNeed(name, found: "two connections hold one at once", remedy: Self.remedy)
      }
      return try take(session, session.lockName)
        ? nil : EngineNeed(name, found: "a run holds it now")
    }
  }

  /// Begins as a run does and waits for a transaction to end, which must then be over for what the
  /// run reads.
  ///
  /// > pg_visible_in_snapshot: Is the given transaction ID visible according to this snapshot (that
  /// > is, was it completed before the snapshot was taken)?
  ///
  /// - Parameter isolation: of the transaction that waits.
  func readCommitted(
    _ other: PostgresSession, isolation: String = PostgresSession.isolation
  ) throws -> EngineNeed {
    let name = "READ COMMITTED after a wait"
    return try trial(name) {
      try session.execute("SELECT pg_advisory_xact_lock(\(trialName))")
      let mine = try session.value("SELECT pg_current_xact_id()::text")?.text ?? ""
      var waits = 0
      other.whileWaiting {
        waits += 1
        // The request has arrived, even if it travels far.
        if waits == 10 { session.rollBack() }
      }
      defer { other.rollBack() }
      _ = try other.begin(isolation, and: "SELECT pg_advisory_xact_lock(\(trialName))")
      let isOver = try other.value(
        "SELECT pg_visible_in_snapshot(\(mine.quotedLiteral)::xid8, pg_current_snapshot())")
      if isOver == 1 { return nil }
      return EngineNeed(
        name, found: "a run that waited sees what was there before",
        remedy: "Make READ COMMITTED of the server what it is in PostgreSQL.")
    }
  }
}
