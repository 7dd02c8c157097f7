extension Migrator {
  /// How far an app had filled its database before it had Seedbed.
  ///
  ///     migrator.hooks.adoption = {
  ///       try $0.integer("SELECT count(*) FROM words") ?? 0 > 0 ? .version(1) : .nothing
  ///     }
  ///
  /// `up` asks only while its ledger is empty. It records what the app had done, and touches no
  /// row. Because the migrations carry the old values, rows that users deleted stay deleted, and
  /// their edits are merged from then on.
  public enum Adoption: Sendable, Equatable {
    /// None: every migration is applied.
    case nothing
    /// The app once inserted all rows of the migrations up to this one.
    case version(Version)
    /// The app was stopped during this migration. `rows` has for each table how many rows of its
    /// insert files, counted in their order, were certainly inserted once. Whether later ones were
    /// is unknown.
    ///
    /// Migrations below it count as with `version`. In this one, `up.sql` counts as done. Rows up
    /// to the number stay as they are, so rows that users deleted stay deleted; the rows after them
    /// are merged. If in doubt, give a lower number: a row that already exists is not a conflict,
    /// but one that is wrongly counted as done is never added.
    case partOf(Version, rows: [String: Int])
  }
}
