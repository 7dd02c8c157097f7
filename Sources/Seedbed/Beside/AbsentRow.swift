extension Migrator {
  /// A row of the seed that the database does not have.
  public struct AbsentRow: Sendable, Hashable {
    /// By the schema's spelling.
    public let table: String
    /// The key of the row, by the names that the catalog's files give its columns, as `reseed`
    /// takes it. A reference by natural key, `word_id:words.lemma`, has the name in place of the
    /// id.
    public let key: Row
    /// The row in the catalog, in the columns that the catalog fills.
    public let row: Row
    /// Why it is absent: `deletedByUser`, or the kind of the conflict in which a release left it
    /// out.
    public let reason: Conflict.Kind
    /// The version of the database, which is the newest one that has the row.
    public let version: Version
  }
}

extension JSON {
  package static func absent(_ rows: [Migrator.AbsentRow]) -> JSON {
    .document([
      (
        "absent",
        .array(
          rows.map {
            .object([
              ("table", .string($0.table)), ("key", .raw($0.key.json)),
              ("reason", .string($0.reason.rawValue)), ("row", .raw($0.row.json)),
              ("version", .number($0.version)),
            ])
          })
      )
    ])
  }
}
