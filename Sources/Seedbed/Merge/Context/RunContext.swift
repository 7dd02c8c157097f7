/// What a run works with, made once and handed on to each migration and its merge.
final class RunContext {
  let catalog: Catalog
  let ledger: Ledger
  let options: Migrator.Options
  let host: Host
  let meter: ProgressMeter
  /// Another one after a COMMIT whose outcome only a fresh look could tell.
  var connection: any DatabaseSession
  /// The tables that the database had when the run began, and their root pages.
  var tablesBefore: [String: Int64] = [:]
  /// Whether no user has made anything, and schema.sql runs in place of an app that makes its own
  /// tables.
  var isOnScratch = false
  /// Whether SQL of `down` may drop or empty what still holds rows or values of users.
  var discardsUserRows = false
  /// Whether a row whose parent is not there is logged, even if nobody can have deleted that.
  var passesOverMissingParents = false
  /// The new names that SQL of migrations gave to tables and columns, in their order.
  var renamed: [NewNames] = []
  /// Called with each statement of an SQL file before it runs.
  var onStatement: ((MigrationFile.Kind, Script.UpcomingStatement) throws -> Void)?

  struct NewNames {
    var version: Version
    var file: MigrationFile.Kind
    var tables: [Ledger.Renamed]
  }

  init(
    _ catalog: Catalog, _ options: Migrator.Options, _ host: Host, _ meter: ProgressMeter,
    on connection: any DatabaseSession
  ) throws {
    (self.catalog, self.options, self.host, self.meter) = (catalog, options, host, meter)
    self.connection = connection
    ledger = try Ledger(prefix: options.ledger, dialect: connection.dialect)
  }
}
