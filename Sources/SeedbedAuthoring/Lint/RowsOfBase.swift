import Seedbed

/// The base's rows in the tables that a pack's files name, as they are before the pack comes.
struct RowsOfBase {
  private let scratch: Scratch
  private let tables: [(schema: TableSchema, copy: String, migration: Migration)]

  /// - Parameter migrations: those of the pack, of which none was applied.
  init(_ migrations: [Migration], _ scratch: Scratch) throws {
    self.scratch = scratch
    let session = scratch.session
    let files = migrations.flatMap { migration in
      migration.files.compactMap { file in file.table.map { (Name($0), migration) } }
    }
    let last = Dictionary(files) { $1 }
    tables = try last.sorted { $0.key.text < $1.key.text }.compactMap { table, migration in
      guard try scratch.base?.serving(table.text) != nil,
        let found = try session.object(named: table.text), found.kind == .table
      else { return nil }
      let schema = try session.schema(of: found.name)
      let copy = session.dialect.temporary("seedbed:before:\(found.name)")
      try session.execute("CREATE TABLE \(copy) AS SELECT * FROM \(schema.sql)")
      return (schema, copy, migration)
    }
  }

  /// What the pack did to them, and tables with other keys than in the base.
  func changed() throws -> [(migration: Migration, words: String)] {
    let dialect = scratch.session.dialect
    return try tables.compactMap { schema, copy, migration in
      guard let base = try scratch.base?.seededTarget(schema.name) else { return nil }
      let options = try scratch.catalog.generalOptions().table(schema.name)
      let own = options.key ?? schema.primaryKey.names
      guard own.hasSameNames(as: base.key.names) else {
        return (
          migration,
          "The key of '\(schema.name)' is \(base.key.names.joined(separator: ", ")) in the base, "
            + "and \(own.joined(separator: ", ")) here, so that neither knows the rows "
            + "of the other. Give the table one \"key\" in both."
        )
      }
      let key = base.key.names
      // An index finds the row.
      let isRow = key.map { "t.\($0.quoted) = b.\($0.quoted)" }
      let same = schema.columns.names.map {
        "NOT (\(dialect.differExactly("t.\($0.quoted)", "b.\($0.quoted)")))"
      }
      let row = try scratch.session.rows(
        """
        SELECT \(key.map(\.quoted).joined(separator: ", ")) FROM \(copy) AS b
        WHERE NOT EXISTS (SELECT 1 FROM \(schema.sql) AS t WHERE \((isRow + same).allTrue)) LIMIT 1
        """
      ).first
      guard let row else { return nil }
      return (
        migration,
        "The row \(RowJSON.object(key, row)) of '\(schema.name)' is the base's, and a file of the "
          + "pack changes or retires it. Only a release of the base may."
      )
    }
  }
}
