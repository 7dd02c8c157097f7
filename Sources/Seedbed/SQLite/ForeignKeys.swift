extension Connection {
  /// The broken foreign keys of other tables that refer to these: with enforcement on, SQLite looks
  /// at them too when it writes a parent.
  package func brokenChildren(of tables: [String]) throws -> [BrokenForeignKey] {
    let parents = Set(tables.map { $0.asciiLowercased() })
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
