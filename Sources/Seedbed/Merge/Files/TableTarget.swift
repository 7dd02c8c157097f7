/// A table of the database that a migration's files serve, with what the options say of it.
package struct TableTarget {
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
  /// The table in SQL: `main.` since an app's TEMP table would shadow it (SQLITE.md 19).
  package var sql: String { "main." + schema.name.quoted }
}

/// A foreign key and the columns of the parent that it means.
package struct ParentKey: Equatable {
  package var parent: String
  package var childColumns: [String]
  package var parentColumns: [String]
}

/// A declared foreign key that SQLite cannot enforce: with enforcement on, every write to the table
/// would be an error.
package struct BrokenForeignKey: Equatable {
  var child: String
  var parent: String
  var reason: String

  package var sentence: String { "\(child) refers to \(parent), \(reason)" }
}

extension TableTarget {
  /// Reads the table; a name that no ordinary table has is refused with the nearest one.
  package static func read(
    _ name: String, options: TableOptions, keyOptions: KeyOptions, place: SeedbedError.Place,
    ledger: Ledger, on connection: Connection
  ) throws -> TableTarget {
    guard let found = try connection.object(named: name) else {
      throw SeedbedError.noSuchTable(name, among: try connection.tableNames(), place)
    }
    guard found.kind == .table, !ledger.owns(found.name) else {
      throw SeedbedError.tableRefused(found.name, kind: "\(found.kind)", place)
    }
    let schema = try connection.schema(of: found.name)
    let parents = try connection.parentKeys(of: schema, and: keyOptions)
    let triggers = try connection.rows(
      "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ?",
      [.text(found.name)]
    ).map { TriggerSchema(name: $0[0].text ?? "", sql: $0[1].text ?? "") }
    return TableTarget(
      schema: schema, options: options, key: try key(of: schema, options, place),
      parents: parents, triggers: triggers, identity: keyOptions.identity[schema.name] ?? [])
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
        throw SeedbedError.noSuchKeyColumn(name, table: schema.name, place)
      }
      return column
    }
    guard schema.isUnique(columns.map(\.name)) else {
      throw SeedbedError.keyIsNotUnique(names, table: schema.name, place)
    }
    return columns
  }
}

extension TableSchema {
  /// Whether at most one row can have the same values in these columns.
  func isUnique(_ names: [String]) -> Bool {
    let wanted = Set(names.map { $0.asciiLowercased() })
    if Set(primaryKey.map { $0.name.asciiLowercased() }) == wanted { return true }
    return indexes.contains { index in
      index.isUnique && index.isPlain
        && Set(index.columns.compactMap { $0?.asciiLowercased() }) == wanted
    }
  }
}

extension TableSchema {
  /// Whether a foreign key may name these columns.
  ///
  /// > The parent key must be a named column or columns in the parent table, not the rowid, and
  /// > subject to a UNIQUE index that uses the collations of the parent's columns. (Foreign Keys)
  func canBeReferred(_ names: [String]) -> Bool {
    let wanted = Set(names.map { $0.asciiLowercased() })
    if let alias = rowidAlias, wanted == [alias.name.asciiLowercased()] { return true }
    return indexes.contains { index in
      guard index.isUnique, index.isPlain, index.columns.count == wanted.count else { return false }
      return zip(index.columns, index.collations).allSatisfy { name, collation in
        guard let name, wanted.contains(name.asciiLowercased()) else { return false }
        return column(name)?.collation.asciiLowercased() == collation.asciiLowercased()
      }
    }
  }
}

extension Connection {
  /// The broken foreign keys of other tables that refer to these: with enforcement on, SQLite looks
  /// at them too when it writes a parent.
  func brokenChildren(of targets: [TableTarget]) throws -> [BrokenForeignKey] {
    let parents = Set(targets.map { $0.name.asciiLowercased() })
    let references = try rows(
      """
      SELECT DISTINCT t.name, lower(k."table")
      FROM pragma_table_list AS t, pragma_foreign_key_list(t.name, 'main') AS k
      WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name
      """)
    let children = references.filter { parents.contains($0[1].text ?? "") }
      .compactMap { $0[0].text }.filter { !parents.contains($0.asciiLowercased()) }
    return try Set(children).sorted().flatMap { child in
      try parentKeys(of: schema(of: child)).broken
        .filter { parents.contains($0.parent.asciiLowercased()) }
    }
  }

  /// The sound foreign keys of a table, and the references that only the options declare.
  func parentKeys(of schema: TableSchema, and options: KeyOptions) throws -> [ParentKey] {
    let declared = try parentKeys(of: schema).sound
    return declared
      + options.parents(of: schema.name).filter { key in !declared.contains { $0.isSame(as: key) } }
  }

  /// The sound foreign keys of a table, and those that SQLite cannot enforce.
  package func parentKeys(
    of schema: TableSchema
  ) throws -> (sound: [ParentKey], broken: [BrokenForeignKey]) {
    var sound: [ParentKey] = []
    var broken: [BrokenForeignKey] = []
    for key in schema.foreignKeys {
      func fail(_ reason: String) {
        broken.append(
          BrokenForeignKey(child: schema.name, parent: key.parent, reason: reason))
      }
      guard let found = try object(named: key.parent) else {
        fail("a table that does not exist")
        continue
      }
      guard found.kind == .table else {
        fail("which is a \(found.kind)\(found.kind == .view ? "" : " table")")
        continue
      }
      let parent = found.name == schema.name ? schema : try self.schema(of: found.name)
      var columns = key.parentColumns
      if columns.isEmpty { columns = parent.primaryKey.map(\.name) }
      guard columns.count == key.childColumns.count,
        columns.allSatisfy({ parent.column($0) != nil })
      else {
        fail("whose columns do not fit the declaration")
        continue
      }
      if !parent.canBeReferred(columns) {
        fail("whose columns (\(columns.joined(separator: ", "))) are not unique")
      }
      sound.append(
        ParentKey(
          parent: found.name, childColumns: key.childColumns,
          parentColumns: columns.map { parent.column($0)?.name ?? $0 }))
    }
    return (sound, broken)
  }
}
