package import Seedbed

/// Writes rows of one table as a CSV file in the catalog's dialect.
///
///     var csv: [UInt8] = []
///     let rows = try TableExport.seedRows(of: "elements", directory: "Migrations") { csv += $0 }
package enum TableExport {
  /// The rows of the catalog, with the columns that its files fill: a source from which `make`
  /// would make no change.
  ///
  /// - Parameters:
  ///   - old: a CSV of the table, whose rows keep their order, with new ones at the end. Without
  ///     it, all rows are in the order of their keys.
  ///   - write: gets the file piece by piece, in whole records.
  /// - Returns: the number of rows.
  package static func seedRows(
    of table: String, directory: String, _ settings: ScratchSettings = ScratchSettings(),
    inPlaceOf old: String? = nil, to write: @escaping ([UInt8]) throws -> Void
  ) throws -> Int {
    try reporting {
      let scratch = try ScratchDatabase(.authored(Catalog(authoring: directory)), settings)
      let target = try scratch.requireTable(table)
      let names = try scratch.seededNames(of: target)
      let fields = try scratch.fields(
        names.isEmpty ? target.writableColumns : names, of: target)
      if let old, let kept = try KeptCSV(old, fields, of: target, on: scratch) {
        return try kept.write(to: write)
      }
      return try read(fields, of: target, on: scratch.connection, to: write) { _ in true }
    }
  }

  /// The result of `userRows`.
  package struct UserRows: Sendable, Equatable {
    /// The number of rows in the file.
    package let rows: Int
    /// The values because of which rows were left out.
    package let unwritable: [Unwritable]
  }

  /// A value that no CSV field can hold, such as text with a NUL.
  package struct Unwritable: Sendable, Equatable {
    /// The row, for people: `id=9`.
    package let key: String
    /// The column, as the schema spells it.
    package let column: String
    /// The kind of value: `text with a NUL character`.
    package let reason: String
  }

  /// The rows of a database that its user made or changed, with all columns.
  ///
  /// Rows that the user deleted are not in it. A row with a value that CSV cannot hold is left out
  /// and reported.
  ///
  /// - Parameter write: gets the file piece by piece, in whole records.
  package static func userRows(
    of table: String, in migrator: Migrator, to write: @escaping ([UInt8]) throws -> Void
  ) throws -> UserRows {
    var unwritable: [Unwritable] = []
    let rows = try reporting {
      try migrator.findingUserRows { found in
        let (connection, scratch) = (found.connection, found.scratch)
        let target = try scratch.requireTable(table, on: connection)
        let names = target.writableColumns
        let fields = try scratch.fields(names, of: target, on: connection)
        let key = target.key.map { column in names.firstIndex { $0 == column.name } }
        let test = try found.test(of: target)
        return try read(
          fields, of: target, on: connection, to: write, onUnwritable: { unwritable.append($0) }
        ) { row in
          guard let test else { return true }
          let values = row.values(from: 0)
          return try test(key.map { $0.map { values[$0] } ?? .null }, Migrator.Row(names, values))
        }
      }
    }
    return UserRows(rows: rows, unwritable: unwritable)
  }

  static func read(
    _ fields: [SourceField], of target: TableTarget, on connection: any DatabaseSession,
    to write: @escaping ([UInt8]) throws -> Void,
    onUnwritable: ((Unwritable) -> Void)? = nil,
    isWanted: (any Cursor) throws -> Bool
  ) throws -> Int {
    var text = try RowFileText(header: fields.map(\.header), to: write)
    let keys = target.key.map { "m.\($0.name.quoted)" }
    let row = try connection.cursor(
      "SELECT \(fields.map(\.sql).joined(separator: ", ")) FROM \(target.sql) AS m "
        + "WHERE \(keys.map { "\($0) IS NOT NULL" }.allTrue) "
        + "ORDER BY \(keys.joined(separator: ", "))")
    let keyIndexes = fields.indices.filter { fields[$0].isKey }
    let keyNames = keyIndexes.map { fields[$0].header }
    while try row.step() {
      guard try isWanted(row) else { continue }
      var record: [String] = []
      record.reserveCapacity(fields.count)
      for (index, field) in fields.enumerated() {
        let key = { (row: any Cursor) in
          SourceTable.keyText(keyNames, keyIndexes.map { row[$0] })
        }
        if let onUnwritable {
          if let text = field.text(of: row[index]) {
            record.append(text)
          } else {
            onUnwritable(
              Unwritable(key: key(row), column: field.header, reason: row[index].reason))
          }
        } else {
          record.append(try field.field(row[index], of: target.name, key: key(row)))
        }
      }
      if record.count == fields.count { try text.add(record) }
    }
    try text.finish()
    return text.rows
  }
}

extension Value {
  /// Why no CSV field can hold it.
  var reason: String {
    switch self {
    case .text(let text) where text.utf8.contains(0): "text with a NUL character"
    case .invalidText: "text that is not UTF-8"
    case .real(let number) where !number.isFinite: "an infinite number"
    case .blob: "a BLOB"
    case .null: "NULL, where an empty field is the empty text"
    case .integer, .real, .text: "a value of another type than its column"
    }
  }
}

extension TableTarget {
  /// All columns but those that SQLite computes.
  var writableColumns: [String] {
    schema.columns.filter { $0.generated == .no }.map(\.name)
  }
}
