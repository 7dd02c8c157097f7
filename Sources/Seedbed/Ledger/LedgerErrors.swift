extension SeedbedError {
  static func ledgerIsNewer(_ format: Int64) -> SeedbedError {
    SeedbedError(
      .newer,
      "The ledger in this database has format \(format), written by a newer Seedbed. "
        + "Update the app or the command.")
  }

  static func ledgerIsOlder(_ format: Int64) -> SeedbedError {
    SeedbedError(
      .tooOld,
      "The ledger in this database has format \(format), of a Seedbed before its first release. "
        + "Drop the ledger's tables and mark what is applied."
    ).remedied(by: .markBaseline(nil))
  }

  static func noRunNumber(_ last: Int64) -> SeedbedError {
    SeedbedError(
      .corrupt,
      "The ledger has a run with the number \(last), and there is no higher one. Delete that run "
        + "from its table of runs.")
  }

  static func ledgerIsBroken(_ missing: [String], _ prefix: String) -> SeedbedError {
    SeedbedError(
      .corrupt,
      "The ledger is broken: the database has some of its tables, but not "
        + "\(missing.map { "'\($0)'" }.joined(separator: ", ")). If tables whose names begin with "
        + "\(prefix)_ are not Seedbed's, choose another name for the ledger. Otherwise restore a "
        + "backup or, without one, drop the other tables of the ledger and mark what is applied."
    ).remedied(by: .restoreBackup, .markBaseline(nil))
  }
}
