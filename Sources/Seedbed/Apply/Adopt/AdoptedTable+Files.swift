/// The rows that an adoption merges, as the files of a release would have them.
extension AdoptedTable {
  private var joined: String {
    "\(nearest) AS w JOIN \(states) AS s ON s.\(dialect.fileRow) = w.state "
      + "JOIN \(target.sql) AS m ON \(isRow("m"))"
  }

  /// A state's value of a column, or the user's if the state has none.
  private func value(_ slot: Int, of state: String) -> String {
    guard chosen.contains(slot) else { return "\(state).c\(slot)" }
    let mine = "m.\(columns[slot].name.quoted)"
    return "CASE WHEN \(state).u\(slot) = 1 THEN \(mine) ELSE \(state).c\(slot) END"
  }

  /// The old value beside that of the version: the user's, where the version has none.
  private func base(_ slot: Int) -> String {
    guard chosen.contains(slot) else { return "s.c\(slot)" }
    let mine = "m.\(columns[slot].name.quoted)"
    return "CASE WHEN n.u\(slot) = 1 THEN \(mine) ELSE s.c\(slot) END"
  }

  /// The rows that are of an earlier edition, with that edition's values as the old ones.
  func updates() throws -> RowFile? {
    let pairs =
      "\(joined) JOIN \(states) AS n ON \(isSameKey("n")) AND n.age = \(Age.now.rawValue) "
      + "WHERE s.age = \(Age.earlier.rawValue)"
    let rest = columns.indices.filter { !keys.contains($0) }
    var changed: [Int] = []
    for slot in rest {
      let isSame = target.sameBytes("n.c\(slot)", "s.c\(slot)", columns[slot])
      let isKnown = chosen.contains(slot) ? " AND n.u\(slot) = 0" : ""
      if try connection.finds("SELECT 1 FROM \(pairs) AND NOT (\(isSame))\(isKnown) LIMIT 1") {
        changed.append(slot)
      }
    }
    if changed.isEmpty { return nil }
    return try file(
      .update, keys + changed, bases: changed,
      "SELECT \((keys.map { "n.c\($0)" } + changed.map { value($0, of: "n") }).listed), "
        + "\(changed.map(base).listed) FROM \(pairs) ORDER BY w.state")
  }

  /// The rows that the catalog has retired, as their edition has them.
  func deletes() throws -> RowFile? {
    try file(
      .delete, Array(columns.indices), bases: [],
      "SELECT \(columns.indices.map { value($0, of: "s") }.listed) FROM \(joined) "
        + "WHERE s.age = \(Age.earlier.rawValue) AND NOT EXISTS (SELECT 1 FROM \(states) AS n "
        + "WHERE \(isSameKey("n")) AND n.age = \(Age.now.rawValue)) ORDER BY w.state")
  }

  /// The rows of editions after `edition` that the database does not have, and those under whose
  /// keys the user made a row: these stay, and are logged.
  func inserts(after edition: Int) throws -> RowFile? {
    let near = "\(nearest) AS w JOIN \(states) AS e ON e.\(dialect.fileRow) = w.state"
    let isUsers = "NOT EXISTS (SELECT 1 FROM \(near) WHERE \(isSameKey("e")))"
    return try file(
      .insert, Array(columns.indices), bases: [],
      "SELECT \(columns.indices.map { "s.c\($0)" }.listed) FROM \(states) AS s "
        + "WHERE s.age = \(Age.now.rawValue) AND \(isWhole) AND (\(isAbsent) "
        + "AND \(firstEdition) > \(edition) OR NOT (\(isAbsent)) AND \(isUsers)) "
        + "ORDER BY s.\(dialect.fileRow)")
  }

  /// Leaves the keys of rows that the user deleted to the user.
  ///
  /// - Returns: how many.
  func leaveDeleted(upTo edition: Int, version: Version) throws -> Int {
    let names = target.key.names
    let slots = names.compactMap { name in
      keys.first { columns[$0].name.isSameName(as: name) }
    }
    let absent = "s.age = \(Age.now.rawValue) AND \(isAbsent)"
    let rows = try connection.rows(
      "SELECT \(slots.map { "s.c\($0)" }.listed) FROM \(states) AS s "
        + "WHERE \(absent) AND \(firstEdition) <= \(edition) ORDER BY s.\(dialect.fileRow)")
    for key in rows {
      try seeded.ledger.leaveToUser(
        table: target.name, key: seeded.collated(key), .deletedByUser, version: version,
        on: connection)
    }
    return rows.count
  }

  /// Rows of later editions that cannot come, since the user deleted what they refer to.
  func orphans(after edition: Int) throws -> Int {
    let found = try total(
      "SELECT count(*) FROM \(states) AS s WHERE s.age = \(Age.now.rawValue) AND \(isAbsent) "
        + "AND \(firstEdition) > \(edition) AND NOT (\(isWhole))")
    return found + unreachable
  }

  private var isAbsent: String {
    "NOT EXISTS (SELECT 1 FROM \(target.sql) AS m WHERE \(isRow("m")))"
  }

  /// Whether the database has all rows to which the state `s` refers.
  private var isWhole: String { chosen.sorted().map { "s.u\($0) = 0" }.allTrue }

  private var firstEdition: String {
    "(SELECT min(e.edition) FROM \(states) AS e WHERE \(isSameKey("e")))"
  }

  /// A file of rows that a query finds; nil if there are none.
  private func file(
    _ role: RowFile.Role, _ slots: [Int], bases: [Int], _ query: String
  ) throws -> RowFile? {
    let source = dialect.temporary("seedbed:\(role.rawValue):\(number)")
    let file = RowFile(
      role, slots.map { columns[$0] }, bases: bases.map { columns[$0] }, of: target, from: source)
    let types = file.fields.enumerated().map { "c\($0) \($1.type)" }
    try connection.execute(
      "CREATE TABLE \(source) (\(types.listed), line BIGINT\(dialect.numberedRows))")
    try connection.execute(
      "INSERT INTO \(source) (\(file.fields.indices.map { "c\($0)" }.listed)) \(query)")
    if try connection.finds("SELECT 1 FROM \(source) LIMIT 1") { return file }
    try connection.execute("DROP TABLE \(source)")
    return nil
  }

  func dropTables() throws {
    try connection.execute("DROP TABLE \(nearest)")
    try connection.execute("DROP TABLE \(states)")
  }
}
