/// A table as the database's own schema spells it.
package struct TableSchema: Sendable, Equatable {
  package var name: String
  package var isWithoutRowid: Bool
  package var isStrict: Bool
  package let columns: [ColumnSchema]
  package var indexes: [IndexSchema]
  package var foreignKeys: [ForeignKey]
  /// The columns' places by their names in lower case, since a table may have 2,000.
  private let places: [String: Int]

  init(
    name: String, isWithoutRowid: Bool, isStrict: Bool, columns: [ColumnSchema],
    indexes: [IndexSchema], foreignKeys: [ForeignKey]
  ) {
    self.name = name
    self.isWithoutRowid = isWithoutRowid
    self.isStrict = isStrict
    self.columns = columns
    self.indexes = indexes
    self.foreignKeys = foreignKeys
    places = Dictionary(columns.enumerated().map { ($1.name.asciiLowercased(), $0) }) {
      first, _ in first
    }
  }

  /// By SQLite's rule for names: ASCII letters without regard to case.
  package func column(_ name: String) -> ColumnSchema? { index(of: name).map { columns[$0] } }

  func index(of name: String) -> Int? { places[name.asciiLowercased()] }

  /// The columns of the primary key in its order.
  package var primaryKey: [ColumnSchema] {
    columns.filter { $0.primaryKeyPosition > 0 }
      .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }
  }

  /// The column that is the rowid under another name.
  package var rowidAlias: ColumnSchema? {
    let key = primaryKey
    guard !isWithoutRowid, key.count == 1, key[0].declaredType.asciiLowercased() == "integer",
      !indexes.contains(where: { $0.origin == "pk" })
    else { return nil }
    return key[0]
  }

  /// The names under which the rowid can be read, if no column has taken them all.
  package var rowidName: String? {
    isWithoutRowid ? nil : ["rowid", "_rowid_", "oid"].first { column($0) == nil }
  }
}

package struct ColumnSchema: Sendable, Equatable {
  package enum Generated: Sendable { case no, virtual, stored }

  package var name: String
  package var declaredType: String
  package var isNotNull: Bool
  /// What the DEFAULT clause says, as an expression that may stand anywhere.
  var defaultSQL: String?
  /// From 1; 0 if the column is not in the primary key.
  var primaryKeyPosition: Int
  package var generated: Generated
  package var collation: String
  package var isAutoincrement = false

  /// In SQL, one of the column's values without what its collation passes over.
  func folded(_ value: String) -> String {
    switch collation.asciiLowercased() {
    case "nocase": "lower(\(value))"
    case "rtrim": "rtrim(\(value), ' ')"
    default: value
    }
  }
}

package struct IndexSchema: Sendable, Equatable {
  var name: String
  package var isUnique: Bool
  /// `c` for CREATE INDEX, `u` for a UNIQUE constraint, `pk` for the primary key.
  var origin: String
  package var isPartial: Bool
  /// nil for an expression.
  package var columns: [String?]
  package var collations: [String]

  package var isPlain: Bool { !isPartial && !columns.contains(nil) }
}

package struct ForeignKey: Sendable, Equatable {
  var id: Int64
  /// As the declaration spells it.
  package var parent: String
  package var childColumns: [String]
  /// Empty if the declaration leaves them to the parent's primary key.
  package var parentColumns: [String]
}

/// What a name stands for.
package enum TableKind: Sendable { case table, view, virtual, shadow }
