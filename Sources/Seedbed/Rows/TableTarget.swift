/// A table of the database that a migration's files serve, with what the options say of it.
package final class TableTarget {
  package let schema: TableSchema
  package let options: TableOptions
  /// The columns by which a row is found again.
  package let key: [ColumnSchema]
  /// The foreign keys whose declaration is sound, with the parent's columns spelled out, and the
  /// references that only the options declare.
  package let parents: [ParentKey]
  let triggers: [TriggerSchema]
  /// What must be as the seed knows it, or the row under a key is another.
  package let identity: [ColumnSchema]

  package var name: String { schema.name }
  /// Whether a trigger says RAISE(ROLLBACK): the transaction ends with the statement, and with it
  /// all that could tell which row it was.
  var endsTransactions: Bool {
    triggers.contains { $0.sql.uppercased().contains("ROLLBACK") }
  }
  /// The columns by which its rows refer to others.
  var childColumns: [String] {
    schema.foreignKeys.flatMap(\.childColumns) + parents.flatMap(\.childColumns)
  }
  let dialect: any Dialect
  /// The table in SQL where rows are read, changed or deleted.
  package var sql: String { schema.sql }
  /// The same where they are inserted.
  var destination: String { dialect.table(name) }

  init(
    schema: TableSchema, options: TableOptions, key: [ColumnSchema], parents: [ParentKey],
    triggers: [TriggerSchema], identity: [ColumnSchema], dialect: any Dialect
  ) {
    (self.schema, self.options, self.key, self.parents) = (schema, options, key, parents)
    (self.triggers, self.identity, self.dialect) = (triggers, identity, dialect)
  }
}

extension TableTarget {
  /// Whether the option says that an empty field of the column is the empty text: it has to be a
  /// text, and may not be NULL.
  func takesEmptyText(_ column: ColumnSchema) -> Bool {
    options.empty == .text && mayTakeEmptyText(column)
  }

  /// Whether the option would say so.
  package func mayTakeEmptyText(_ column: ColumnSchema) -> Bool {
    column.isNotNull && column.generated == .no && options.blob(column.name) == nil
      && !key.contains { $0.name == column.name } && dialect.isText(column, in: schema)
  }

  /// Reads the table; a name that no ordinary table has is refused with the nearest one.
  @inline(never) package static func read(
    _ name: String, options: TableOptions, keyOptions: KeyOptions, place: SeedbedError.Place,
    ledger: Ledger, on connection: any DatabaseSession
  ) throws -> TableTarget {
    guard let found = try connection.object(named: name) else {
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
  /// The sound foreign keys of a table, and the references that only the options declare.
  func parentKeys(of schema: TableSchema, and options: KeyOptions) throws -> [ParentKey] {
    let declared = try parentKeys(of: schema).sound
    return declared
      + options.parents(of: schema.name).filter { key in !declared.contains { $0.isSame(as: key) } }
  }
}
