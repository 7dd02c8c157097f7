/// What rows referred to before keys and UNIQUE columns changed, so that they followed: that is
/// what the log says, and what `down` brings back, since by then those are the old ones again.
extension Stage {
  private var referencesSQL: String { "temp." + "\(name):references".quoted }

  struct Before {
    var mine: Value
    var base: Value
  }

  func keepReferences(_ columns: [String]) throws {
    let columns = Set(columns).subtracting(file.target.key.map(\.name))
    if columns.isEmpty { return }
    try connection.execute(
      """
      CREATE TABLE \(referencesSQL) (row INTEGER, name TEXT, mine, base, PRIMARY KEY (row, name))
      WITHOUT ROWID
      """)
    hasBefore = true
    let matches = zip(file.target.key, file.oldKeyIndexes)
      .map { "m.\($0.name.quoted) = s.c\($1)" }.allTrue
    for column in columns.sorted() {
      let base = file.oldIndex(of: column).map { field($0) } ?? "NULL"
      try connection.execute(
        """
        INSERT INTO \(referencesSQL) SELECT s.row, ?, m.\(column.quoted), \(base)
        FROM \(sql) AS s LEFT JOIN \(file.target.sql) AS m ON \(matches)
        """, [.text(column)])
    }
  }

  /// Another migration may have a stage of this name.
  func forgetOldKeys() throws {
    for table in [referencesSQL, renamedSQL] {
      try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
  }

  /// By the columns' names; empty where nothing follows.
  func before(row: Value) throws -> [String: Before] {
    guard hasBefore else { return [:] }
    let rows = try connection.rows(
      "SELECT name, mine, base FROM \(referencesSQL) WHERE row = ?", [row])
    return Dictionary(
      uniqueKeysWithValues: rows.map { ($0[0].text ?? "", Before(mine: $0[1], base: $0[2])) })
  }
}
