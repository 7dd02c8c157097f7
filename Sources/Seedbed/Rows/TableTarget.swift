/// A table that a migration's files fill, with its options.
package final class TableTarget {
  package let schema: TableSchema
  package let options: TableOptions
  /// The columns that identify a row.
  package let key: [ColumnSchema]
  /// The valid foreign keys with the parent's columns spelled out, and the references that only the
  /// options declare.
  package let parents: [ParentKey]
  let triggers: [TriggerSchema]
  /// The columns that must have the values that the seed expects. Otherwise, the row under a key is
  /// a different one.
  package let identity: [ColumnSchema]

  package var name: String { schema.name }
  /// The column with the owner of a row; nil if the table is not per owner, or if its rows belong
  /// to the owner of their parents.
  package var owner: ColumnSchema? { options.per?.column.flatMap { schema.column($0.value) } }
  /// Whether a trigger may end the transaction with the statement, which removes everything that
  /// could show which row it was.
  var endsTransactions: Bool { triggers.contains(where: \.mayRollBack) }
  /// Whether a trigger may give new rows other keys than a file does.
  var mayChangeKeys: Bool { triggers.contains(where: \.mayChangeNewRows) }
  /// The columns by which its rows refer to others.
  var childColumns: [String] {
    schema.foreignKeys.flatMap(\.childColumns) + parents.flatMap(\.childColumns)
  }
  /// The table as an author sees it: row files do not name an owner.
  package var ofAnyOwner: TableTarget {
    guard let owner else { return self }
    let target = TableTarget(
      schema: schema, options: options, key: key.filter { $0 !== owner }, parents: parents,
      triggers: triggers, identity: identity, dialect: dialect)
    target.view = view
    return target
  }

  /// Whether the column has the id by which the app knows a row, and no owner's is another's.
  func isID(_ column: ColumnSchema) -> Bool {
    schema.primaryKey.names == [column.name] && !key.names.contains(name: column.name)
      && (dialect.isText(column, in: schema) || column.declaredType.asciiLowercased() == "uuid")
  }

  let dialect: any Dialect
  /// The table in SQL where rows are read, changed or deleted.
  package var sql: String { view ?? schema.sql }
  /// A view of some of its rows; nil for all.
  private(set) var view: String?
  /// The same for inserting rows.
  var destination: String { dialect.table(name) }

  init(
    schema: TableSchema, options: TableOptions, key: [ColumnSchema], parents: [ParentKey],
    triggers: [TriggerSchema], identity: [ColumnSchema], dialect: any Dialect
  ) {
    (self.schema, self.options, self.key, self.parents) = (schema, options, key, parents)
    (self.triggers, self.identity, self.dialect) = (triggers, identity, dialect)
  }

  /// The same, of which only the rows in a view are read.
  func reading(_ view: String) -> TableTarget {
    let target = TableTarget(
      schema: schema, options: options, key: key, parents: parents, triggers: triggers,
      identity: identity, dialect: dialect)
    target.view = view
    return target
  }
}

extension TableTarget {
  /// Whether the option makes an empty field of the column an empty text.
  func takesEmptyText(_ column: ColumnSchema) -> Bool {
    mayTakeEmptyText(column)
      && (options.empty.names(column.name) || options.empty == .inTable(.text) && column.isNotNull)
  }

  /// Whether the option could have that effect. The column must hold text.
  package func mayTakeEmptyText(_ column: ColumnSchema) -> Bool {
    column.generated == .no && options.blob(column.name) == nil
      && !key.names.contains(name: column.name) && dialect.isText(column, in: schema)
  }

  /// Whether the option `compare` makes line ends and white space at the end of lines no
  /// difference. The column must hold text.
  package func comparesPlainText(_ column: ColumnSchema) -> Bool {
    options.compare.contains { $0.column.isSameName(as: column.name) }
      && dialect.isText(column, in: schema)
  }

  /// Whether two values in SQL are the same, as far as the column can distinguish them and its
  /// options want it to.
  @inline(never) func same(_ first: String, _ second: String, _ column: ColumnSchema) -> String {
    guard comparesPlainText(column) else { return sameBytes(first, second, column) }
    return sameBytes(dialect.plainText(first), dialect.plainText(second), column)
  }

  /// The same, whatever the options of the column want.
  func sameBytes(_ first: String, _ second: String, _ column: ColumnSchema) -> String {
    dialect.same(first, second, column, of: schema)
  }

  /// Whether two values of a column are the same by its options.
  package func isSame(_ first: Value?, _ second: Value?, in name: String) -> Bool {
    if first == second { return true }
    guard case .text(let first) = first, case .text(let second) = second,
      let column = schema.column(name), comparesPlainText(column)
    else { return false }
    return PlainText.isSame(first, second)
  }

  /// Reads the table. If no ordinary table has the name, the error suggests the nearest one.
  package static func read(
    _ name: String, options: TableOptions, keyOptions: KeyOptions, place: SeedbedError.Place,
    ledger: Ledger, on connection: any DatabaseSession
  ) throws -> TableTarget {
    guard let found = try connection.object(named: name), try connection.mayFill(found.name) else {
      throw SeedbedError.noSuchTable(name, among: try connection.tableNames(), place)
    }
    guard found.kind == .table, !ledger.owns(found.name) else {
      throw SeedbedError.tableRefused(found.name, found.kind, place)
    }
    let schema = try connection.schema(of: found.name)
    if let whole = schema.whole {
      throw SeedbedError.partitionRefused(found.name, of: whole, place)
    }
    return TableTarget(
      schema: schema, options: options, key: try key(of: schema, options, place),
      parents: try connection.parentKeys(of: schema, and: keyOptions),
      triggers: try connection.triggers(of: found.name),
      identity: keyOptions.identity[schema.name] ?? [], dialect: connection.dialect)
  }

  private static func key(
    of schema: TableSchema, _ options: TableOptions, _ place: SeedbedError.Place
  ) throws -> [ColumnSchema] {
    guard let names = options.key else {
      guard !schema.primaryKey.isEmpty else { throw SeedbedError.noKey(schema.name, place) }
      return schema.primaryKey
    }
    let columns = try names.map { name in
      guard let column = schema.column(name) else {
        throw SeedbedError.catalog(
          "The options name the key column '\(name.shortened(to: 40))', which the table "
            + "'\(schema.name)' does not have.", place)
      }
      return column
    }
    guard schema.isUnique(columns.names) else {
      throw SeedbedError.keyIsNotUnique(names, table: schema.name, place)
    }
    return columns
  }
}

extension DatabaseSession {
  /// The valid foreign keys of a table, and the references that only the options declare.
  package func parentKeys(of schema: TableSchema, and options: KeyOptions) throws -> [ParentKey] {
    let declared = try parentKeys(of: schema).sound
    return declared
      + options.parents(of: schema.name).filter { key in !declared.contains { $0.isSame(as: key) } }
  }
}
