extension Migrator {
  /// An app's additions to the calls of a migrator: its own closures, all optional.
  ///
  ///     migrator.hooks.beforeCommit = { version, database in
  ///       if try database.integer("SELECT count(*) FROM words") == 0 { throw NoWords() }
  ///     }
  ///
  /// They may throw any error, so their `throws` is untyped. The call then throws a `SeedbedError`
  /// with its message, and the migration in progress is rolled back.
  public struct Hooks: Sendable {
    /// Called inside the transaction of each migration, after its rows, SQL files and checks, and
    /// before COMMIT. If it throws, the migration is rolled back.
    ///
    /// `plan` calls it too; `down` does not.
    public var beforeCommit: (@Sendable (Version, DatabaseReader) throws -> Void)?
    /// Called with each connection that Seedbed opens, before anything else is done with it: for
    /// `PRAGMA key`, and for functions, collations and tokenizers of the app. Register these before
    /// the key: some copies of SQLite refuse it for a database without a file, which is ignored.
    public var onConnection: (@Sendable (_ handle: OpaquePointer) throws -> Void)?
    /// Called while the ledger is empty, for databases that the app filled before it had Seedbed.
    public var adoption: (@Sendable (DatabaseReader) throws -> Adoption)?

    /// The VFS of the app's own connection to the database; nil for SQLite's default.
    package var vfs: String?

    /// Hooks with the given closures.
    public init(
      beforeCommit: (@Sendable (Version, DatabaseReader) throws -> Void)? = nil,
      onConnection: (@Sendable (_ handle: OpaquePointer) throws -> Void)? = nil,
      adoption: (@Sendable (DatabaseReader) throws -> Adoption)? = nil
    ) {
      (self.beforeCommit, self.onConnection) = (beforeCommit, onConnection)
      self.adoption = adoption
    }

    package var setup: ConnectionSetup? {
      get { ConnectionSetup(vfs: vfs, onConnection) }
      set { (vfs, onConnection) = (newValue?.vfs, newValue?.body) }
    }
  }
}
