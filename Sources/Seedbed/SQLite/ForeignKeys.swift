extension Connection {
  /// Pairs of tables of which one declares a foreign key to the other. Parents are spelled as in
  /// the declaration.
  func references() throws -> [(child: String, parent: String)] {
    try rows(
      """
      SELECT DISTINCT t.name, k."table" COLLATE NOCASE
      FROM pragma_table_list AS t, pragma_foreign_key_list(t.name, 'main') AS k
      WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name
      """
    ).map { try ($0.text(0), $0.text(1)) }
  }

  /// The ordinary tables that declare a foreign key to `parent`.
  package func childNames(of parent: String) throws -> [String] {
    try references().filter { $0.parent.isSameName(as: parent) }.map(\.child)
  }

  /// The broken foreign keys of other tables to these tables. With enforcement on, SQLite also
  /// checks them when it writes to a parent.
  package func brokenChildren(of tables: [String]) throws -> [BrokenForeignKey] {
    let parents = tables.asNames
    let children = try references().filter {
      parents.contains($0.parent) && !parents.contains($0.child)
    }
    return try children.map(\.child).asTexts.texts.flatMap { child in
      try parentKeys(of: schema(of: child)).broken
        .filter { parents.contains($0.parent) }
    }
  }

  /// The valid foreign keys of a table, and those that SQLite cannot enforce.
  package func parentKeys(
    of schema: TableSchema
  ) throws -> (sound: [ParentKey], broken: [BrokenForeignKey]) {
    var sound: [ParentKey] = []
    var broken: [BrokenForeignKey] = []
    for key in schema.foreignKeys {
      if leftToApp.contains(key.parent) {
        broken.append(
          .init(child: schema.name, parent: key.parent, reason: "whose rows the app makes"))
        continue
      }
      let (meant, reason) = try parentKey(key, of: schema)
      if let meant { sound.append(meant) }
      if let reason {
        broken.append(BrokenForeignKey(child: schema.name, parent: key.parent, reason: reason))
      }
    }
    return (sound, broken)
  }

  /// The columns that a declaration refers to, and the reason if SQLite cannot enforce it.
  private func parentKey(
    _ key: ForeignKey, of schema: TableSchema
  ) throws -> (meant: ParentKey?, reason: String?) {
    guard let found = try object(named: key.parent) else {
      return (nil, "a table that does not exist")
    }
    guard found.kind == .table else {
      return (nil, "which is a \(found.kind)\(found.kind == .view ? "" : " table")")
    }
    let parent = found.name.isSameName(as: schema.name) ? schema : try self.schema(of: found.name)
    let names = key.parentColumns.isEmpty ? parent.primaryKey.names : key.parentColumns
    let columns = names.compactMap { parent.column($0)?.name }
    guard names.count == key.childColumns.count, columns.count == names.count else {
      return (nil, "whose columns do not fit the declaration")
    }
    return (
      ParentKey(parent: found.name, childColumns: key.childColumns, parentColumns: columns),
      parent.tellsApart(columns, isExact: true)
        ? nil : "whose columns (\(names.joined(separator: ", "))) are not unique"
    )
  }
}
