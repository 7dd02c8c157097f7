extension Migrator {
  /// The records in a database's ledger: its runs, the result of each migration, and the rows left
  /// to the user.
  package struct History: Sendable {
    /// The runs, oldest first.
    package var runs: [Run] = []
    /// The result of each migration for its rows.
    package var migrations: [Version: Applied] = [:]
    /// The rows left to the user, by table and key.
    package var leftToUser: [UserOwnedKey] = []

    /// One call that changed the database, or failed to.
    package struct Run: Sendable {
      package var id: Int64
      /// `up`, `down`, `restore` or `baseline`.
      package var direction: String
      package var from: Version
      package var to: Version
      /// The process in the format of `ProcessIdentity`.
      var process: String
      package var startedAt: Timestamp
      /// nil while it runs, and if it was killed.
      package var finishedAt: Timestamp?
      package var outcome: Status.LastRun.Outcome
      /// Why it failed.
      package var error: String?
      /// The path of the backup that it made.
      package var backup: String?
    }

    /// One applied migration.
    package struct Applied: Sendable {
      package var counts: Counts
      /// nil if no run applied it.
      package var run: Int64?
    }
  }
}
