/// A kind of database: how it is opened, read and backed up.
package protocol DatabaseKind: Sendable {
  var dialect: any Dialect { get }
  /// The name for reports and errors. A URL is shown without its password.
  var name: String { get }
  /// The file whose disk must have room for a run; empty if the disk is not ours to check.
  var path: String { get }
  /// How many bytes it has, about; nil if that is not known. Canaries are of all sizes.
  var size: Int64? { get }
  /// How each SQLite connection is opened. A server does not use it.
  var setup: ConnectionSetup? { get set }
  /// Whether the database exists. Otherwise the first run creates it.
  var exists: Bool { get }

  func refuseMissing() throws
  /// Throws if no database can be created there.
  func refuseBadPlace() throws

  /// Opens it for a run.
  func open(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> any DatabaseSession
  /// Opens it after a failed COMMIT, as soon as that COMMIT can have no effect any more.
  func openAgain(_ options: Migrator.Options) throws -> any DatabaseSession
  /// A session without a database, to replace one that has to be closed first.
  func nowhere() throws -> any DatabaseSession
  /// Creates an empty database next to it, to try something and throw it away.
  func empty(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> EmptyDatabase
  /// Reads it without leaving a trace. All queries see the same state.
  func reading<Result>(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?,
    _ body: (any DatabaseSession) throws -> Result
  ) throws -> Result
  /// The last version in the ledger and its chain, read as fast as possible; nil if that is not
  /// available.
  func head(
    of ledger: Ledger, _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> (version: Version, chain: String)?

  /// Tries one by one what a run needs, and changes nothing. `tables` are those of the catalog.
  func needs(of tables: [String], _ options: Migrator.Options) throws -> [EngineNeed]

  /// Whether a run on it begins with a backup, if the options allow one. `tables` are those of the
  /// catalog.
  func needsBackup(
    _ ledger: Ledger, of tables: @autoclosure () throws -> [String],
    on session: any DatabaseSession
  ) throws -> Bool
  /// Backs it up before the first change, while the write lock is held.
  func backUp(
    _ options: Migrator.Options, _ host: Host, _ ledger: Ledger, on session: any DatabaseSession,
    _ cancellation: Migrator.Cancellation?, _ onProgress: () -> Void
  ) throws -> Migrator.Backup
}

/// A database for one user, removed when this value is released.
package struct EmptyDatabase {
  package let kind: any DatabaseKind
  let session: any DatabaseSession
  /// Removes the database when it is released.
  private let keeper: AnyObject?

  package init(kind: any DatabaseKind, session: any DatabaseSession, keeper: AnyObject? = nil) {
    (self.kind, self.session, self.keeper) = (kind, session, keeper)
  }
}
