public import Seedbed

/// Rows of one table as a CSV file in the catalog's dialect.
///
///     let csv = try TableExport.seedRows(of: "elements", directory: "Migrations")
public struct TableExport: Sendable {
  /// The file's content.
  public let bytes: [UInt8]
  /// Its records.
  public let rows: Int

  /// The rows that the catalog makes, with the columns that its files fill: a truth for `make`,
  /// which finds nothing to do then.
  public static func seedRows(
    of table: String, directory: String, ledger: String = Migrator.Options().ledger
  ) throws -> TableExport {
    try reporting {
      let scratch = try Scratch(Catalog(authoring: directory), ledger: ledger)
      let target = try scratch.requireTable(table)
      let names = try scratch.seededNames(of: target)
      let fields = try scratch.fields(
        names.isEmpty ? target.writableColumns : names, of: target)
      return try read(fields, of: target, on: scratch.connection) { _, _ in true }
    }
  }

  /// The rows of a database that its user made or changed, with all columns.
  ///
  /// What the user deleted is in no row of it.
  public static func userRows(
    of table: String, in database: String, directory: String,
    ledger: String = Migrator.Options().ledger, lockTimeoutSeconds: Double = 5
  ) throws -> TableExport {
    try reporting {
      try Scratch.looking(
        at: database, ledger: ledger, lockTimeoutSeconds: lockTimeoutSeconds
      ) { connection, version in
        let scratch = try Scratch(
          Catalog(authoring: directory), to: version, ledger: ledger)
        let target = try scratch.requireTable(table, on: connection)
        let fields = try scratch.fields(target.writableColumns, of: target, on: connection)
        guard let seed = try scratch.target(table) else {
          return try read(fields, of: target, on: connection) { _, _ in true }
        }
        // The app may have added columns of its own.
        let shared = fields.indices.filter { index in
          seed.schema.column(fields[index].header) != nil && !fields[index].isIgnored
        }
        let seeded = try scratch.connection.prepare(
          RowSelection(shared.map { fields[$0] }, of: seed).sql)
        return try read(fields, of: target, on: connection) { row, key in
          seeded.bind(key)
          guard try seeded.step() else { return true }
          return shared.enumerated().contains { !row.isSame($1, as: seeded, $0) }
        }
      }
    }
  }

  private static func read(
    _ fields: [TruthField], of target: TableTarget, on connection: Connection,
    _ isWanted: (borrowing Statement, [Value]) throws -> Bool
  ) throws -> TableExport {
    var text = RowFileText(header: fields.map(\.header))
    let keys = target.key.map { "m.\($0.name.quoted)" }
    let order = keys.joined(separator: ", ")
    // SQLite gives 2,000 columns at most, so the key comes by a statement of its own.
    let numbered = try connection.prepare(
      "SELECT \(order) FROM \(target.sql) AS m WHERE \(keys.map { "\($0) IS NOT NULL" }.allTrue) "
        + "ORDER BY \(order)")
    let row = try connection.prepare(RowSelection(fields, of: target).sql)
    while try numbered.step() {
      let key = numbered.values()
      row.bind(key)
      guard try row.step(), try isWanted(row, key) else { continue }
      var record: [String] = []
      for (index, field) in fields.enumerated() {
        record.append(
          try field.field(
            row[index], of: target.name, key: Truth.keyText(target.key.map(\.name), key)))
      }
      text.add(record)
    }
    return TableExport(bytes: text.bytes, rows: text.rows)
  }
}

extension TableTarget {
  /// All columns but those that SQLite computes.
  var writableColumns: [String] {
    schema.columns.filter { $0.generated == .no }.map(\.name)
  }
}
