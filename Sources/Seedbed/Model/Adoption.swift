extension Migrator {
  /// How a database that an app filled before it had Seedbed is taken over.
  ///
  ///     let migrator = Migrator(
  ///       catalog: catalog, at: path,
  ///       adopting: .version(1) { try $0.integer("SELECT count(*) FROM words") ?? 0 > 0 })
  ///
  /// `up` asks while its ledger is empty, and then never again. What the app had done is noted
  /// without touching a row: since the migrations carry the values that were there before, what
  /// users deleted stays deleted and what they edited is merged from then on.
  public struct Adoption: Sendable {
    /// How far the app's old way of filling had come.
    public enum Found: Sendable, Equatable {
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

    let find: @Sendable (DatabaseReader) throws -> Found

    /// The database is at this version where `isThere` says so, and else has nothing.
    public static func version(
      _ version: Version, where isThere: @escaping @Sendable (DatabaseReader) throws -> Bool
    ) -> Adoption {
      Adoption { try isThere($0) ? .version(version) : .nothing }
    }

    /// The app tells how far it was, from its own counters and a look at the database.
    public static func asking(
      _ find: @escaping @Sendable (DatabaseReader) throws -> Found
    ) -> Adoption {
      Adoption(find: find)
    }
  }
}
