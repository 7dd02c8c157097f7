/// One call of `up`, `plan` or `down`: its connection and its backup. Each verb has a file of its
/// own, and so have the log (`Run+Log`), the attempt (`Run+OneMigration`) and the report.
final class Run {
  var context: RunContext
  let database: any DatabaseKind
  let cancellation: Migrator.Cancellation?
  let hooks: Migrator.Hooks
  /// The state that runs at the same time share.
  var disk: SharedDisk?
  /// The snapshots that an empty database may begin with.
  var usesSnapshot: (Migration) -> Bool = { _ in true }

  var connection: any DatabaseSession { context.connection }
  var resolved: ResolvedCatalog { context.resolved }
  var catalog: Catalog { context.catalog }
  var ledger: Ledger { context.ledger }
  var options: Migrator.Options { context.options }
  @inline(never) var host: Host { context.host }
  var meter: ProgressMeter { context.meter }

  var backup: Migrator.Backup?
  /// SQLite's number for the state that the backup has.
  var backedUpAt: Int64?
  var report = RunReport()
  /// Whether rows that the app gave new owners are the catalog's, whatever its options say.
  var adoptsOwners = false
  /// SQLite's number for the state in which catalog and ledger were last compared.
  var plannedAt: Int64?
  /// The versions that were pending then.
  var stillPending: Set<Version> = []

  /// - Parameter connection: an open connection, for a plan on a copy.
  init(
    _ resolved: ResolvedCatalog, database: any DatabaseKind, options: Migrator.Options, host: Host,
    cancellation: Migrator.Cancellation?, meter: ProgressMeter,
    hooks: Migrator.Hooks = Migrator.Hooks(), connection: (any DatabaseSession)? = nil
  ) throws {
    (self.database, self.cancellation, self.hooks) = (database, cancellation, hooks)
    context = try RunContext(
      resolved, options, host, meter, on: connection ?? database.open(options, cancellation))
    prepareConnection()
  }

  func prepareConnection() {
    connection.whileWaiting { [meter = context.meter] in meter.tick() }
    connection.protect(ledger.tableNames)
  }
}
