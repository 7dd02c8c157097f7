/// The state that a run shares with each of its migrations and their merges.
final class RunContext {
  let resolved: ResolvedCatalog
  let ledger: Ledger
  let options: Migrator.Options
  let host: Host
  let meter: ProgressMeter
  /// Replaced after a COMMIT whose outcome only a new connection could show.
  var connection: any DatabaseSession
  /// The tables that the database had when the run began, with their root pages.
  var tablesBefore: [Name: Int64] = [:]
  /// True if there is no user, and schema.sql runs in place of an app that creates its own tables.
  var isOnScratch = false
  /// The owners for whom files are read; nil for those in the ledger, and on a scratch database for
  /// a single made-up owner.
  var owners: [Value]?
  /// True if the scratch database shows the seed's rows of one that got past every policy `fail`.
  var passesFail = false
  /// Whether SQL of `down` may drop or empty tables and columns that still hold users' rows or
  /// values.
  var discardsUserRows = false
  /// Whether a row with a missing parent is logged even if this run created the parent's table.
  var passesOverMissingParents = false
  /// On a scratch database: whether the app makes the rows of a table.
  var isLeftToApp: (String) throws -> Bool = { _ in false }
  /// The new names that the SQL of migrations gave to tables and columns, in order.
  var renamed: [NewNames] = []
  /// Called with each statement of an SQL file before it runs.
  var onStatement: ((MigrationFile.Kind, Script.UpcomingStatement) throws -> Void)?

  struct NewNames {
    var version: Version
    var file: MigrationFile.Kind
    var tables: [Ledger.Renamed]
  }

  var catalog: Catalog { resolved.catalog }

  init(
    _ resolved: ResolvedCatalog, _ options: Migrator.Options, _ host: Host, _ meter: ProgressMeter,
    on connection: any DatabaseSession
  ) throws {
    (self.resolved, self.options, self.host, self.meter) = (resolved, options, host, meter)
    self.connection = connection
    ledger = try Ledger(of: resolved.catalog, beside: options.ledger, connection.dialect)
  }
}
