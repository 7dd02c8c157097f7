/// One kind of database, in one place: how it is opened, looked at and kept safe.
package protocol Engine: Sendable {
  var dialect: any Dialect { get }
  /// For reports and errors; of a URL, without its password.
  var name: String { get }
  /// The file whose disk has to have room for a run; empty if the disk is not ours to watch.
  var path: String { get }
  /// For each connection of SQLite's; a server has no use for it.
  var onConnection: ConnectionSetup? { get set }
  /// Whether the database is there, or is only made by the first run.
  var exists: Bool { get }

  func refuseMissing() throws
  /// Throws if no database can be made there.
  func refuseBadPlace() throws

  /// Opens it for a run.
  func open(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> any DatabaseSession
  /// Opens it after a COMMIT that failed, and once that can have no effect any more.
  func openAgain(_ options: Migrator.Options) throws -> any DatabaseSession
  /// A session on no database, to take the place of one that has to be closed first.
  func nowhere() throws -> any DatabaseSession
  /// Makes an empty database beside it, for what is tried and thrown away.
  func empty(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> EmptyDatabase
  /// Looks at it without leaving a trace; all questions see the same state.
  func reading<Result>(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?,
    _ body: (any DatabaseSession) throws -> Result
  ) throws -> Result
  /// The last version in the ledger and its chain, as fast as can be; nil if that is not to be had.
  func head(
    of ledger: Ledger, _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> (version: Version, chain: String)?

  /// What a run needs, tried out one by one; nothing is changed. `tables` are those of the catalog.
  func needs(of tables: [String], _ options: Migrator.Options) throws -> [EngineNeed]

  /// Whether a run on it begins with a backup, if the options allow one.
  func needsBackup(_ ledger: Ledger, on session: any DatabaseSession) throws -> Bool
  /// Before the first change, with the write lock held.
  func backUp(
    _ options: Migrator.Options, _ host: Host, _ ledger: Ledger, on session: any DatabaseSession,
    _ cancellation: Migrator.Cancellation?, _ onProgress: () -> Void
  ) throws -> Migrator.Backup
}

/// A database that nobody else uses, and that is gone when nobody holds this any longer.
package struct EmptyDatabase {
  package let engine: any Engine
  package let session: any DatabaseSession
  /// Removes it at its end.
  private let keeper: AnyObject?

  package init(engine: any Engine, session: any DatabaseSession, keeper: AnyObject? = nil) {
    (self.engine, self.session, self.keeper) = (engine, session, keeper)
  }
}
