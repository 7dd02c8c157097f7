extension Migrator {
  /// How far an app had filled its database before it had Seedbed.
  ///
  ///     let migrator = Migrator(catalog: catalog, at: path) {
  ///       try $0.integer("SELECT count(*) FROM words") ?? 0 > 0 ? .version(1) : .nothing
  ///     }
  ///
  /// `up` asks while its ledger is empty, and then never again. What the app had done is noted
  /// without touching a row: since the migrations carry the values that were there before, what
  /// users deleted stays deleted and what they edited is merged from then on.
  public enum Adoption: Sendable, Equatable {
    /// Not at all: every migration is applied.
    case nothing
    /// All rows of the migrations up to this one were there once.
    case version(Version)
    /// The app was stopped while it did this one: so many rows of each table, in the order of the
    /// migration's insert files, were surely there once, and of those after them nobody knows.
    ///
    /// Migrations below it count as `version` says. Of this one `up.sql` counts as done; rows up
    /// to the number are left as they are, so that what users deleted stays deleted; from there
    /// on they are merged. Say less rather than more: a row that is there already is no conflict,
    /// but one that is wrongly taken for done never comes.
    case partOf(Version, rows: [String: Int])
  }
}
