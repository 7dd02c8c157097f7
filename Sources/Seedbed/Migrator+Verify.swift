extension Migrator {
  /// Files against lock, lock against ledger, and the database's integrity. Changes nothing.
  ///
  /// - Returns: what is wrong, in that order; empty where all is well. A finding with the code
  ///   `corrupt` says that the database itself is damaged.
  public func verify() throws -> [Finding] {
    try throwingSeedbedErrors {
      let files = try catalog.findings()
      return files
        + (try reading { connection, ledger in
          try (brokenLedger(connection, ledger) ?? ledgerFindings(connection, ledger))
            + integrityFindings(connection)
        })
    }
  }

  /// Nothing else can be said of what is applied then.
  private func brokenLedger(_ connection: Connection, _ ledger: Ledger) throws -> [Finding]? {
    do {
      _ = try ledger.exists(on: connection)
      return nil
    } catch let error as SeedbedError where error.code == .corrupt {
      return [Finding(error)]
    }
  }

  private func ledgerFindings(_ connection: Connection, _ ledger: Ledger) throws -> [Finding] {
    let plan = try Planning(catalog, ledger).plan(on: connection)
    return plan.tooOldFinding
      + plan.steps.compactMap { step in
        let label = "Migration \(step.version) '\(step.name)'"
        let (code, message): (SeedbedError.Code, String)
        switch step.state {
        case .drifted:
          (code, message) = (
            .drift,
            "\(label) changed after it was applied. Put its files back, and ship the change "
              + "as a new migration."
          )
        case .missing:
          (code, message) = (
            .missing, "\(label) is in the ledger, but not in the catalog. Put its folder back."
          )
        case .newer:
          (code, message) = (
            .newer,
            "\(label) is above the catalog's last, \(plan.target). Use the catalog of the "
              + "newer release."
          )
        case .outOfOrder:
          (code, message) = (
            .outOfOrder,
            "\(label) is pending, below the last applied, \(plan.current). Renumber it, "
              + "or apply it with --allow-out-of-order."
          )
        case .applied, .pending, .baseline, .withdrawn, .superseded: return nil
        }
        return Finding(
          code: code, message: message, place: step.migration.map { .init($0.folder) },
          version: step.version)
      }
  }

  private func integrityFindings(_ connection: Connection) throws -> [Finding] {
    try connection.rows("PRAGMA main.integrity_check(20)").compactMap { row in
      guard let sentence = row[0].text, sentence != "ok" else { return nil }
      return Finding(
        code: .corrupt,
        message: "The database is damaged: \(sentence). Put a backup back: migrate "
          + "restore.", place: nil, version: nil)
    }
  }
}

extension Plan {
  fileprivate var tooOldFinding: [Finding] {
    guard isTooOld, let base else { return [] }
    let error = SeedbedError.tooOld(current: current, base: base.version, advice: base.advice)
    return [Finding(error, version: current)]
  }
}
