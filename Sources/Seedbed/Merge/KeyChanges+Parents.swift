/// New keys of which a part refers to a parent.
extension KeyChanges {
  /// After the inserts: the rows that have no parent under their new key, or the user's.
  func newOrphans() throws -> [Int64: Conflict.Kind] {
    var orphans: [Int64: Conflict.Kind] = [:]
    let changed = Set(file.keyChanges.map { $0.name.asciiLowercased() })
    for parent in file.target.parents
    where parent.childColumns.contains(where: { changed.contains($0.asciiLowercased()) }) {
      orphans.merge(try newOrphans(parent)) { first, _ in first }
    }
    return orphans
  }

  private func newOrphans(_ parent: ParentKey) throws -> [Int64: Conflict.Kind] {
    let schema = try connection.schema(of: parent.parent)
    let key = context.keyColumns(of: schema)
    let columns = parent.parentColumns.compactMap { schema.column($0) }
    let left = try context.parentsLeftToUser(parent.parent)
    let values = parent.childColumns.map { "m.\($0.quoted)" }
    let matches = zip(parent.parentColumns, values).map { "p.\($0.quoted) = \($1)" }
    let found = ["p.\(parent.parentColumns[0].quoted)"] + key.map { "p.\($0.name.quoted)" }
    let rows = try connection.rows(
      """
      SELECT v.row, \((values + found).joined(separator: ", "))
      FROM \(moves) AS v JOIN \(file.target.sql) AS m ON \(same("m", "n", of: "v"))
      LEFT JOIN main.\(parent.parent.quoted) AS p ON \(matches.allTrue)
      WHERE v.row > 0 AND \(values.map { "\($0) IS NOT NULL" }.allTrue)
      """)
    var orphans: [Int64: Conflict.Kind] = [:]
    for row in rows {
      let number = row[0].integer ?? 0
      let wanted = Array(row[1..<(1 + values.count)])
      if row[1 + values.count] != .null {
        let own = Array(row[(2 + values.count)...])
        if left.contains(RowJSON.collatedKey(key, own)) { orphans[number] = .parentTaken }
      } else if left.contains(RowJSON.collatedKey(columns, wanted)) {
        orphans[number] = .parentTaken
      } else if try context.isSeedsFault(parent.parent, columns.map(\.name), wanted) {
        throw SeedbedError.parentNotFound(
          isAmbiguous: false, table: file.target.name, parent: parent.parent,
          key: RowJSON.object(columns.map(\.name), wanted), try stage.place(of: row[0]))
      } else {
        orphans[number] = .parentDeleted
      }
    }
    return orphans
  }
}
