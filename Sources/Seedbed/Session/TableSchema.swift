/// A table as the database's own schema spells it.
package final class TableSchema: Sendable {
  package let name: String
  /// The table in SQL where rows are read, changed or deleted: its own, and not those of tables
  /// that inherit it.
  package let sql: String
  package let isWithoutRowid: Bool
  package let isStrict: Bool
  package let columns: [ColumnSchema]
  package let indexes: [IndexSchema]
  package let foreignKeys: [ForeignKey]
  /// The columns that say in which of its partitions a row is: other values may have none.
  package let partitionKey: [String]
  /// The table of which it is a partition.
  package let whole: String?
  /// The columns' places by their names in lower case, since a table may have 2,000.
  private let places: [String: Int]

  package init(
    name: String, sql: String, isWithoutRowid: Bool, isStrict: Bool, columns: [ColumnSchema],
    indexes: [IndexSchema], foreignKeys: [ForeignKey], partitionKey: [String] = [],
    whole: String? = nil
  ) {
    (self.name, self.sql) = (name, sql)
    (self.partitionKey, self.whole) = (partitionKey, whole)
    (self.isWithoutRowid, self.isStrict) = (isWithoutRowid, isStrict)
    (self.columns, self.indexes, self.foreignKeys) = (columns, indexes, foreignKeys)
    let names = columns.map { $0.name.asciiLowercased() }
    places = Dictionary(zip(names, columns.indices)) { first, _ in first }
  }

  /// By SQLite's rule for names: ASCII letters without regard to case.
  @inline(never)
  package func column(_ name: String) -> ColumnSchema? { index(of: name).map { columns[$0] } }

  @inline(never) package func index(of name: String) -> Int? { places[name.asciiLowercased()] }

  /// The columns of the primary key in its order.
  @inline(never) package var primaryKey: [ColumnSchema] {
    columns.filter { $0.primaryKeyPosition > 0 }.ordered(by: \.primaryKeyPosition)
  }

  /// The column that is the rowid under another name, or takes its ids from a sequence.
  package var rowidAlias: ColumnSchema? {
    let columns = primaryKey
    guard columns.count == 1, let key = columns.first else { return nil }
    let isRowid =
      !isWithoutRowid && key.declaredType.asciiLowercased() == "integer"
      && !indexes.contains { $0.origin == "pk" }
    return isRowid || key.isAutoincrement ? key : nil
  }

  /// The names under which the rowid can be read, if no column has taken them all.
  package var rowidName: String? {
    isWithoutRowid ? nil : ["rowid", "_rowid_", "oid"].first { column($0) == nil }
  }
}

package final class ColumnSchema: Sendable {
  package enum Generated: Sendable { case no, virtual, stored }

  package let name: String
  package let declaredType: String
  package let isNotNull: Bool
  /// What the DEFAULT clause says, as an expression that may stand anywhere.
  package let defaultSQL: String?
  /// From 1; 0 if the column is not in the primary key.
  package let primaryKeyPosition: Int
  package let generated: Generated
  package let collation: String
  package let isAutoincrement: Bool
  /// What the type is made of, if it is a domain.
  package let baseType: String?
  /// The values that there are, if the type is an enum.
  package let labels: [String]
  /// Whether a row keeps the value that it was inserted with: GENERATED ALWAYS AS IDENTITY.
  package let isFixed: Bool
  /// Whether the engine says that what DEFAULT makes is other each time.
  package let hasVolatileDefault: Bool

  package init(
    name: String, declaredType: String, isNotNull: Bool, defaultSQL: String?,
    primaryKeyPosition: Int, generated: Generated, collation: String,
    isAutoincrement: Bool = false, baseType: String? = nil, labels: [String] = [],
    isFixed: Bool = false, hasVolatileDefault: Bool = false
  ) {
    (self.name, self.declaredType, self.isNotNull) = (name, declaredType, isNotNull)
    (self.defaultSQL, self.primaryKeyPosition) = (defaultSQL, primaryKeyPosition)
    (self.generated, self.collation) = (generated, collation)
    (self.isAutoincrement, self.baseType, self.labels) = (isAutoincrement, baseType, labels)
    (self.isFixed, self.hasVolatileDefault) = (isFixed, hasVolatileDefault)
  }

  /// In SQL, one of the column's values without what its collation passes over.
  @inline(never) func folded(_ value: String) -> String {
    switch collation.asciiLowercased() {
    case "nocase": "lower(\(value))"
    case "rtrim": "rtrim(\(value), ' ')"
    default: value
    }
  }
}

extension Sequence<ColumnSchema> {
  var names: [String] {
    @inline(never) get { map(\.name) }
  }
}

package struct IndexSchema: Sendable, Equatable {
  package var name: String
  package var isUnique: Bool
  /// `c` for CREATE INDEX, `u` for a UNIQUE constraint, `pk` for the primary key.
  package var origin: String
  package var isPartial: Bool
  /// nil for an expression.
  package var columns: [String?]
  package var collations: [String]
  /// Whether it is a constraint that may wait for the transaction's end: ON CONFLICT cannot ask it.
  package var isDeferrable = false
  /// Whether it takes NULL for a value that only one row may have.
  package var hasOneNull = false

  package init(
    name: String, isUnique: Bool, origin: String, isPartial: Bool, columns: [String?],
    collations: [String]
  ) {
    (self.name, self.isUnique, self.origin) = (name, isUnique, origin)
    (self.isPartial, self.columns, self.collations) = (isPartial, columns, collations)
  }

  package var isPlain: Bool { !isPartial && !columns.contains(nil) }
}

package struct ForeignKey: Sendable, Equatable {
  package var id: Int64
  /// As the declaration spells it.
  package var parent: String
  package var childColumns: [String]
  /// Empty if the declaration leaves them to the parent's primary key.
  package var parentColumns: [String]
  /// Whether it is checked after each statement, and cannot wait for the transaction's end.
  package var isImmediate: Bool
  /// Whether a statement may not delete a row to which one refers: RESTRICT never waits.
  package var isImmediateOnDelete: Bool

  package init(
    id: Int64, parent: String, childColumns: [String], parentColumns: [String],
    isImmediate: Bool = false, isImmediateOnDelete: Bool = false
  ) {
    (self.id, self.parent) = (id, parent)
    (self.childColumns, self.parentColumns) = (childColumns, parentColumns)
    (self.isImmediate, self.isImmediateOnDelete) = (isImmediate, isImmediateOnDelete)
  }
}

/// What a name stands for.
package enum TableKind: Sendable { case table, view, virtual, shadow }
