extension Migrator {
  /// How far an app had filled its database before it had Seedbed.
  ///
  ///     migrator.hooks.adoption = {
  ///       try $0.integer("SELECT count(*) FROM words") ?? 0 > 0 ? .version(1) : .nothing
  ///     }
  ///
  /// `up` asks only while its ledger is empty. What the app had done is recorded without touching a
  /// row. Because the migrations carry the old values, what users deleted stays deleted, and what
  /// they edited is merged from then on.
  public enum Adoption: Sendable, Equatable {
    /// Not at all; every migration is applied.
    case nothing
    /// The app once inserted all rows of the migrations up to this one.
    case version(Version)
    /// The app was stopped during this migration. This many rows of each table, in the order of its
    /// insert files, were certainly inserted once; of the rows after them nothing is known.
    ///
    /// Migrations below it count as with `version`. Of this one, `up.sql` counts as done; rows up
    /// to the number stay as they are, so what users deleted stays deleted; the rows after them are
    /// merged. If in doubt, give a lower number: a row that already exists is not a conflict, but
    /// one that is wrongly counted as done is never added.
    case partOf(Version, rows: [String: Int])
  }
}
