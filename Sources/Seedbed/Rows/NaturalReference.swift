/// A reference by natural key: the fields of a file that name a row of another table, and the
/// columns that receive that row's key.
package final class NaturalReference {
  /// The table of the named rows.
  package let parent: TableSchema
  /// The positions in the file of the fields that name a row.
  package let fields: [Int]
  /// The positions, after the file's own fields, of the columns that receive the key.
  package let receivers: [Int]
  /// The receiving columns of the file's table.
  let receivingColumns: [ColumnSchema]
  /// The parent's columns that the fields are compared with, one for each field.
  let naturalColumns: [ColumnSchema]
  /// If the parent is per owner: the field with the row's own owner, and the parent's column.
  let owner: (field: Int, column: ColumnSchema)?
  /// The parent's columns whose values are received.
  package let keyColumns: [ColumnSchema]
  /// The parent's option `key`. A row with NULL in it is a user's, and cannot be named.
  let optionKey: [ColumnSchema]
  /// The foreign key of the reference.
  package let key: ParentKey

  init(
    parent: TableSchema, fields: [Int], receivers: [Int], receivingColumns: [ColumnSchema],
    naturalColumns: [ColumnSchema], owner: (field: Int, column: ColumnSchema)?,
    keyColumns: [ColumnSchema], optionKey: [ColumnSchema],
    key: ParentKey
  ) {
    (self.parent, self.fields, self.receivers) = (parent, fields, receivers)
    (self.receivingColumns, self.naturalColumns) = (receivingColumns, naturalColumns)
    (self.keyColumns, self.optionKey, self.key) = (keyColumns, optionKey, key)
    self.owner = owner
  }

  /// The fields by which a row is found, and the parent's columns that are compared with them.
  var matches: [(field: Int, column: ColumnSchema)] {
    zip(fields, naturalColumns).map { ($0, $1) } + [owner].compactMap(\.self)
  }

  /// Whether the schema guarantees that at most one row has the name.
  var isUnique: Bool { parent.tellsApart(matches.map(\.column.name)) }

  /// A condition for rows of the parent that may be the seed's.
  func isKeyed(_ table: String) -> [String] {
    optionKey.map { "\(table).\($0.name.quoted) IS NOT NULL" }
  }

  func unresolvedSQL(_ slot: Int, stage: String = "s", _ dialect: any Dialect) -> String {
    // The same names may have another order or case.
    let parts = matches.ordered(by: \.column.name).map {
      "\($1.name.quotedLiteral) || \(dialect.literal($1.folded("\(stage).c\($0)")))"
    }
    let name = "'\(Unresolved.mark)' || \(parts.joined(separator: " || ',' || "))"
    return dialect.unresolved(name, receivingColumns[slot])
  }
}

extension RowFile {
  /// The reference that fills a column.
  func natural(of name: String) -> NaturalReference? {
    guard let index = index(of: name) else { return nil }
    return naturals.first { $0.receivers.contains(index) }
  }

  /// Whether the reference fills columns of the key.
  func isKey(_ reference: NaturalReference) -> Bool {
    reference.receivers.contains { keyIndexes.contains($0) }
  }

  /// The reference that fills the columns of a foreign key.
  func natural(of parent: ParentKey) -> NaturalReference? {
    parent.childColumns.lazy.compactMap { self.natural(of: $0) }.first {
      $0.parent.name.isSameText(as: parent.parent)
    }
  }

  func isUnresolved(_ index: Int, _ value: Value) -> Bool {
    target.dialect.isUnresolved(value, fields[index].column)
  }
}
