/// A reference by natural key: fields of a file that name a row of another table, and columns that
/// receive the key of that row.
package final class NaturalReference {
  /// The table of the rows that are named.
  package let parent: TableSchema
  /// The places in the file of the fields that name a row.
  package let fields: [Int]
  /// The places, after the file's own fields, of the columns that receive its key.
  package let receivers: [Int]
  /// The columns of the file's table that these are.
  let receivingColumns: [ColumnSchema]
  /// The parent's columns by which it is named, one for each field.
  let naturalColumns: [ColumnSchema]
  /// The parent's columns that are received.
  package let keyColumns: [ColumnSchema]
  /// The option `key` of the parent: a row with NULL in it is a user's, and has no name.
  let optionKey: [ColumnSchema]
  /// The foreign key that this is.
  package let key: ParentKey

  init(
    parent: TableSchema, fields: [Int], receivers: [Int], receivingColumns: [ColumnSchema],
    naturalColumns: [ColumnSchema], keyColumns: [ColumnSchema], optionKey: [ColumnSchema],
    key: ParentKey
  ) {
    (self.parent, self.fields, self.receivers) = (parent, fields, receivers)
    (self.receivingColumns, self.naturalColumns) = (receivingColumns, naturalColumns)
    (self.keyColumns, self.optionKey, self.key) = (keyColumns, optionKey, key)
  }

  /// Whether the schema says that no two rows can be meant.
  var isUnique: Bool { parent.tellsApart(naturalColumns.names) }

  /// Holds for rows of the parent that a seed may have.
  func isKeyed(_ table: String) -> [String] {
    optionKey.map { "\(table).\($0.name.quoted) IS NOT NULL" }
  }

  func unresolvedSQL(_ place: Int, stage: String = "s", _ dialect: any Dialect) -> String {
    // The same name may stand in another order, and in another case.
    let parts = zip(naturalColumns, fields).ordered(by: \.0.name).map {
      "\($0.name.quotedLiteral) || \(dialect.literal($0.folded("\(stage).c\($1)")))"
    }
    let name = "'\(Unresolved.mark)' || \(parts.joined(separator: " || ',' || "))"
    return dialect.nobody(name, receivingColumns[place])
  }
}

extension RowFile {
  /// The reference that fills a column.
  func natural(of name: String) -> NaturalReference? {
    guard let index = index(of: name) else { return nil }
    return naturals.first { $0.receivers.contains(index) }
  }

  /// Whether it fills columns of the key.
  func isKey(_ reference: NaturalReference) -> Bool {
    reference.receivers.contains { keyIndexes.contains($0) }
  }

  /// The reference that fills columns of a foreign key.
  func natural(of parent: ParentKey) -> NaturalReference? {
    parent.childColumns.lazy.compactMap { self.natural(of: $0) }.first {
      $0.parent.name == parent.parent
    }
  }

  func isUnresolved(_ index: Int, _ value: Value) -> Bool {
    target.dialect.isUnresolved(value, fields[index].column)
  }
}
