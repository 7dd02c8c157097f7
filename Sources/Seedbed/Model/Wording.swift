// The wording of errors stands in the files `Wording*.swift`, one function an error: what was
// found, what was expected, and the remedy at the end. The user's input is in single quotes.

extension SeedbedError {
  package static func cancelled() -> SeedbedError {
    SeedbedError(.cancelled, "Interrupted. The migration in flight was rolled back.")
  }

  static func noFileURL(_ url: String) -> SeedbedError {
    SeedbedError(
      .usage, "'\(url)' is no file URL. Make one of a path with URL(fileURLWithPath:).")
  }
}

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
        + "Drop the ledger's tables and mark what is there: migrate baseline N.")
  }

  static func ledgerIsBroken(_ missing: [String], _ prefix: String) -> SeedbedError {
    SeedbedError(
      .corrupt,
      "The ledger is broken: the database has tables of it, but not "
        + "\(missing.map { "'\($0)'" }.joined(separator: ", ")). Put a backup back: migrate "
        + "restore. Without one, drop the other tables of the ledger and mark what is there: "
        + "migrate baseline N. If tables whose names begin with \(prefix)_ are not Seedbed's, "
        + "choose another name for the ledger.")
  }
}
