/// A table, spelled as in the database's schema.
package final class TableSchema: Sendable {
  package let name: String
  /// The table in SQL that reads, changes or deletes rows: only its own rows, not those of tables
  /// that inherit from it.
  package let sql: String
  package let isWithoutRowid: Bool
  package let isStrict: Bool
  package let columns: [ColumnSchema]
  package let indexes: [IndexSchema]
  package let foreignKeys: [ForeignKey]
  /// The columns that decide in which partition a row is. For other values there may be no
  /// partition.
  let partitionKey: [String]
  /// The table of which this is a partition.
  package let whole: String?
  /// The columns' positions by their names, since a table may have 2,000.
  private let places: [Name: Int]

  package init(
    name: String, sql: String, isWithoutRowid: Bool, isStrict: Bool, columns: [ColumnSchema],
    indexes: [IndexSchema], foreignKeys: [ForeignKey], partitionKey: [String] = [],
    whole: String? = nil
  ) {
    (self.name, self.sql) = (name, sql)
    (self.partitionKey, self.whole) = (partitionKey, whole)
    (self.isWithoutRowid, self.isStrict) = (isWithoutRowid, isStrict)
    (self.columns, self.indexes, self.foreignKeys) = (columns, indexes, foreignKeys)
    let names = columns.map { Name($0.name) }
    places = Dictionary(zip(names, columns.indices)) { first, _ in first }
  }

  /// The column with this name, compared as SQLite does: ASCII letters in either case.
  @inline(never)
  package func column(_ name: String) -> ColumnSchema? { index(of: name).map { columns[$0] } }

  @inline(never) package func index(of name: String) -> Int? { places[name] }

  /// The columns of the primary key, in its order.
  @inline(never) package var primaryKey: [ColumnSchema] {
    columns.filter { $0.primaryKeyPosition > 0 }.ordered(by: \.primaryKeyPosition)
  }

  /// The column that is an alias of the rowid, or that takes its ids from a sequence.
  package var rowidAlias: ColumnSchema? {
    let columns = primaryKey
    guard columns.count == 1, let key = columns.first else { return nil }
    let isRowid =
      !isWithoutRowid && key.declaredType.asciiLowercased() == "integer"
      && !indexes.contains { $0.origin == "pk" }
    return isRowid || key.isAutoincrement ? key : nil
  }

  /// A name under which the rowid can be read; nil if columns use all of them.
  package var rowidName: String? {
    isWithoutRowid ? nil : ["rowid", "_rowid_", "oid"].first { column($0) == nil }
  }
}

package final class ColumnSchema: Sendable {
  package enum Generated: Sendable { case no, virtual, stored }

  package let name: String
  package let declaredType: String
  package let isNotNull: Bool
  /// The value of the DEFAULT clause, as an expression that can be used anywhere.
  package let defaultSQL: String?
  /// The position in the primary key, from 1; 0 if the column is not in it.
  let primaryKeyPosition: Int
  package let generated: Generated
  package let collation: String
  package let isAutoincrement: Bool
  /// The type under a domain.
  package let baseType: String?
  /// The values of an enum type.
  package let labels: [String]
  /// Whether the value of an inserted row can never change: GENERATED ALWAYS AS IDENTITY.
  let isFixed: Bool
  /// Whether the engine reports that DEFAULT makes a different value each time.
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

  /// A value of the column, in SQL, without the differences that its collation ignores.
  func folded(_ value: String) -> String {
    switch collation.asciiLowercased() {
    case "nocase": "lower(\(value))"
    case "rtrim": "rtrim(\(value), ' ')"
    default: value
    }
  }
}

extension Sequence<ColumnSchema> {
  package var names: [String] { map(\.name) }
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
  /// Whether it is a constraint that may be deferred to the end of the transaction. ON CONFLICT
  /// cannot use it then.
  package var isDeferrable = false
  /// Whether only one row may have NULL, as with any other value.
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
  /// The parent's name as the declaration spells it.
  package var parent: String
  package var childColumns: [String]
  /// Empty if the declaration refers to the parent's primary key.
  package var parentColumns: [String]
  /// Whether it is checked after each statement, and cannot be deferred to the end of the
  /// transaction.
  var isImmediate: Bool
  /// Whether a statement may not delete a row that another refers to. RESTRICT is never deferred.
  var isImmediateOnDelete: Bool
  /// `SET NULL` or `SET DEFAULT`: what the reference becomes when its parent is deleted. nil for
  /// any other action, and for one that sets only some of the columns.
  var onDelete: String?

  package init(
    id: Int64, parent: String, childColumns: [String], parentColumns: [String],
    isImmediate: Bool = false, isImmediateOnDelete: Bool = false, onDelete: String? = nil
  ) {
    (self.id, self.parent, self.onDelete) = (id, parent, onDelete)
    (self.childColumns, self.parentColumns) = (childColumns, parentColumns)
    (self.isImmediate, self.isImmediateOnDelete) = (isImmediate, isImmediateOnDelete)
  }
}

/// The kind of object that a name refers to.
package enum TableKind: Sendable { case table, view, virtual, shadow }
