extension Migrator {
  /// What the ledger of a database records: its runs, what each migration did, and what is left to
  /// the user.
  package struct History: Sendable {
    /// Oldest first.
    package var runs: [Run] = []
    /// What became of the rows of each migration.
    package var migrations: [Version: Applied] = [:]
    /// By table and key.
    package var leftToUser: [UserOwnedKey] = []

    /// One call that changed the database, or failed to.
    package struct Run: Sendable {
      package var id: Int64
      /// `up`, `down`, `restore` or `baseline`.
      package var direction: String
      package var from: Version
      package var to: Version
      /// As `ProcessIdentity` has it.
      package var process: String
      package var startedAt: Timestamp
      /// nil while it runs, and of one that was killed.
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
