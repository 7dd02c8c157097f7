/// The rows that an adoption merges, as the files of a release would have them.
extension AdoptedTable {
  private var joined: String {
    "\(nearest) AS w JOIN \(states) AS s ON s.\(dialect.fileRow) = w.state"
  }

  private var retiredNow: String {
    "s.age = \(Age.earlier.rawValue) AND NOT EXISTS (SELECT 1 FROM \(states) AS n "
      + "WHERE \(isSameKey("n")) AND n.age > \(Age.earlier.rawValue))"
  }

  /// The rows that are of an earlier edition, with that edition's values as the old ones.
  func updates() throws -> RowFile? {
    let pairs =
      "\(joined) JOIN \(states) AS n ON \(isSameKey("n")) AND n.age = \(Age.now.rawValue) "
      + "WHERE s.age = \(Age.earlier.rawValue)"
    let rest = columns.indices.filter { !keys.contains($0) }
    var changed: [Int] = []
    for place in rest {
      let isSame = target.sameBytes("n.c\(place)", "s.c\(place)", columns[place])
      if try connection.finds("SELECT 1 FROM \(pairs) AND NOT (\(isSame)) LIMIT 1") {
        changed.append(place)
      }
    }
    if changed.isEmpty { return nil }
    return try file(
      .update, keys + changed, bases: changed,
      "SELECT \((keys + changed).map { "n.c\($0)" }.listed), "
        + "\(changed.map { "s.c\($0)" }.listed) FROM \(pairs) ORDER BY w.state")
  }

  /// The rows that the catalog has retired, as their edition has them.
  func deletes() throws -> RowFile? {
    try file(
      .delete, Array(columns.indices), bases: [],
      "SELECT \(columns.indices.map { "s.c\($0)" }.listed) FROM \(joined) "
        + "WHERE \(retiredNow) ORDER BY w.state")
  }

  /// The rows of editions after `edition` that the database does not have.
  func inserts(after edition: Int) throws -> RowFile? {
    try file(
      .insert, Array(columns.indices), bases: [],
      "SELECT \(columns.indices.map { "s.c\($0)" }.listed) FROM \(states) AS s "
        + "WHERE \(absent) AND \(firstEdition) > \(edition) ORDER BY s.\(dialect.fileRow)")
  }

  /// Leaves the keys of rows that the user deleted to the user.
  ///
  /// - Returns: how many.
  func leaveDeleted(upTo edition: Int, version: Version) throws -> Int {
    let names = target.key.names
    let places = names.compactMap { name in
      keys.first { columns[$0].name.isSameName(as: name) }
    }
    let rows = try connection.rows(
      "SELECT \(places.map { "s.c\($0)" }.listed) FROM \(states) AS s "
        + "WHERE \(absent) AND \(firstEdition) <= \(edition) ORDER BY s.\(dialect.fileRow)")
    for key in rows {
      try seeded.ledger.leaveToUser(
        table: target.name, key: seeded.collated(key), .deletedByUser, version: version,
        on: connection)
    }
    return rows.count
  }

  private var absent: String {
    "s.age = \(Age.now.rawValue) AND NOT EXISTS (SELECT 1 FROM \(target.sql) AS m "
      + "WHERE \(isRow("m")))"
  }

  private var firstEdition: String {
    "(SELECT min(e.edition) FROM \(states) AS e WHERE \(isSameKey("e")))"
  }

  /// A file of rows that a query finds; nil if there are none.
  private func file(
    _ role: RowFile.Role, _ places: [Int], bases: [Int], _ query: String
  ) throws -> RowFile? {
    let source = dialect.temporary("seedbed:\(role.rawValue):\(report.table)")
    let file = RowFile(
      role, places.map { columns[$0] }, bases: bases.map { columns[$0] }, of: target, from: source)
    let types = file.fields.enumerated().map { "c\($0) \($1.type)" }
    try connection.execute(
      "CREATE TABLE \(source) (\(types.listed), line BIGINT\(dialect.numberedRows))")
    try connection.execute(
      "INSERT INTO \(source) (\(file.fields.indices.map { "c\($0)" }.listed)) \(query)")
    if try connection.finds("SELECT 1 FROM \(source) LIMIT 1") { return file }
    try connection.execute("DROP TABLE \(source)")
    return nil
  }

  func drop(_ files: [RowFile]) throws {
    for file in files { try connection.execute("DROP TABLE \(file.source)") }
  }

  func dropTables() throws {
    try connection.execute("DROP TABLE \(nearest)")
    try connection.execute("DROP TABLE \(states)")
  }
}
