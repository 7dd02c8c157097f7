/// The rows by which an edition differs from the one before it, as the files of a release would
/// have them. Rows that are of that edition already, or of a later one, are not in them.
extension PlayedTable {
  /// The rows that an edition added, and the database does not have. If the edition has arrived,
  /// only those whose keys the user took.
  func inserts(_ play: Play) throws -> RowFile? {
    let isTaken = "EXISTS (SELECT 1 FROM \(mine) AS m WHERE \(hasKey("s", play)))"
    let missing = arrived.contains(play.edition) ? " AND \(isTaken)" : ""
    return try file(
      .insert, fields.map { ($0.header, value($0, of: "s", .after, play)) }, play,
      """
      FROM \(states) AS s WHERE s.edition = \(play.edition) AND \(isNew) AND \(isAbsent)
        AND \(isEarlier("s", .after, play))\(missing)
      """)
  }

  /// The rows that an edition changed.
  func updates(_ play: Play) throws -> RowFile? {
    let pairs = """
      FROM \(states) AS s JOIN \(states) AS b
        ON b.identity = s.identity AND b.until = \(play.edition)
      WHERE s.edition = \(play.edition) AND \(isEarlier("b", .before, play))
      """
    let changed = try columns.indices.filter { slot in
      try connection.finds("SELECT 1 \(pairs) AND NOT (\(isSame("s", "b", slot))) LIMIT 1")
    }
    if changed.isEmpty { return nil }
    let kept = target.identity.compactMap { slot(of: $0.name) }
    let new = fields.filter { field in
      field.slots.contains { keys.contains($0) || changed.contains($0) }
    }
    let old = fields.filter { field in
      field.slots.contains { changed.contains($0) || kept.contains($0) }
    }
    return try file(
      .update,
      new.map { ($0.header, value($0, of: "s", .after, play)) }
        + old.map { ("was:" + $0.header, value($0, of: "b", .before, play)) }, play, pairs)
  }

  /// The rows that an edition retired.
  func deletes(_ play: Play) throws -> RowFile? {
    try file(
      .delete, fields.map { ($0.header, value($0, of: "b", .before, play)) }, play,
      """
      FROM \(states) AS b WHERE b.until = \(play.edition) AND \(isEarlier("b", .before, play))
        AND NOT EXISTS (SELECT 1 FROM \(states) AS s
          WHERE s.identity = b.identity AND s.edition = \(play.edition))
      """)
  }

  /// The rows that a later edition gave other keys, where the row with the new one is there, too.
  func retiredDoubles(_ play: Play) throws -> RowFile? {
    try file(
      .delete, fields.map { ($0.header, value($0, of: "b", .before, play)) }, play,
      "FROM \(doubles) AS d JOIN \(states) AS b "
        + "ON b.identity = d.identity AND b.edition = d.edition")
  }

  /// The keys of rows that an edition added and the user deleted.
  func deletedKeys(_ play: Play) throws -> [[Value]] {
    if !arrived.contains(play.edition) { return [] }
    let values = keys.map { value($0, of: "s", .after, play) }
    let isKept = """
      EXISTS (SELECT 1 FROM \(states) AS z
        WHERE z.identity = s.identity AND z.until = \(Editions.never))
      """
    let found = try connection.rows(
      """
      SELECT \(values.listed), CASE WHEN \(isKept) THEN 1 ELSE 0 END FROM \(states) AS s
      WHERE s.edition = \(play.edition) AND \(isNew) AND \(isAbsent)
        AND NOT EXISTS (SELECT 1 FROM \(mine) AS m WHERE \(hasKey("s", play)))
      """
    ).filter { !$0.contains(where: \.isNull) }
    report.deleted += found.count { $0.last == .integer(1) }
    return found.map { $0.dropLast() }
  }

  private var isNew: String {
    "NOT EXISTS (SELECT 1 FROM \(states) AS z "
      + "WHERE z.identity = s.identity AND z.edition < s.edition)"
  }

  private var isAbsent: String {
    "NOT EXISTS (SELECT 1 FROM \(placed) AS w WHERE w.identity = s.identity)"
  }

  /// Whether a release concerns the row of a state: neither that row nor one that has its key is of
  /// the release's edition already.
  private func isEarlier(_ state: String, _ side: Play.Side, _ play: Play) -> String {
    let later = "w.edition >= \(play.edition)"
    let key = keys.map { "m.v\($0) = \(value($0, of: state, side, play))" }
    return """
      NOT EXISTS (SELECT 1 FROM \(placed) AS w
        WHERE w.identity = \(state).identity AND \(later))
      AND NOT EXISTS (SELECT 1 FROM \(mine) AS m JOIN \(placed) AS w
          ON w.mine = m.\(dialect.fileRow) AND \(later)
        WHERE \(key.allTrue))
      """
  }

  private func hasKey(_ state: String, _ play: Play) -> String {
    keys.map { "m.v\($0) = \(value($0, of: state, .after, play))" }.allTrue
  }

  /// A file of rows that a query finds; nil if there are none.
  private func file(
    _ role: RowFile.Role, _ fields: [(header: String, value: String)], _ play: Play, _ rows: String
  ) throws -> RowFile? {
    if try !connection.finds("SELECT 1 \(rows) LIMIT 1") { return nil }
    let file = try RowFile(
      role, fields.map(\.header), of: target, play.options,
      from: dialect.temporary("seedbed:\(role.rawValue):\(number)"), on: connection)
    try connection.execute(file.tableCreation)
    let order = role == .delete ? "b.identity" : "s.identity"
    try connection.execute(
      "INSERT INTO \(file.table) (\(fields.indices.map { "c\($0)" }.listed)) "
        + "SELECT \(fields.map(\.value).listed) \(rows) ORDER BY \(order)")
    return file
  }

  // MARK: values

  private func value(_ field: Field, of row: String, _ side: Play.Side, _ play: Play) -> String {
    guard let name = field.name else { return value(field.slots[0], of: row, side, play) }
    let parent = references[name.reference].parent
    let identity = "\(row).x\(name.reference)"
    // A name means a row as it is called before the release, or else one that comes with it.
    let found = [Play.Side.before, .after].map {
      parent.value(name.column, meant: identity, $0, play)
    }
    return "coalesce(\(([parent.valueThere(name.column, identity, play)] + found).listed))"
  }

  /// The value that a column of a state has in this database: if it refers to a row, that row's.
  func value(_ slot: Int, of row: String, _ side: Play.Side, _ play: Play) -> String {
    let identity = reference(of: slot).map { "\(row).x\($0)" } ?? ""
    guard let number = reference(of: slot), identity.utf8.count < 200,
      let pair = references[number].pairs.first(where: { $0.slot == slot })
    else { return "\(row).v\(slot)" }
    let parent = references[number].parent
    guard let column = parent.slot(of: pair.parent) else {
      return parent.chosen(pair.parent, identity, side, play)
    }
    let there = parent.valueThere(column, identity, play)
    let found = parent.value(column, meant: identity, side, play)
    return "coalesce(\(there), \(found), \(row).v\(slot))"
  }

  /// The value of a row of this table, if it is of the edition already.
  private func valueThere(_ slot: Int, _ identity: String, _ play: Play) -> String {
    """
    (SELECT m.v\(slot) FROM \(placed) AS w JOIN \(mine) AS m ON m.\(dialect.fileRow) = w.mine
      WHERE w.identity = \(identity) AND w.edition >= \(play.edition))
    """
  }

  private func value(
    _ slot: Int, meant identity: String, _ side: Play.Side, _ play: Play
  ) -> String {
    // Longer than every name around it.
    let row = "s\(number)_\(identity.utf8.count)"
    return """
      (SELECT \(value(slot, of: row, side, play)) FROM \(states) AS \(row)
        WHERE \(row).identity = \(identity) AND \(side.holds(row, play.edition)))
      """
  }

  /// A value that this database chose, of the row with an identity.
  private func chosen(
    _ column: String, _ identity: String, _ side: Play.Side, _ play: Play
  ) -> String {
    let key = zip(keys, target.key).map { slot, column in
      let found = value(slot, meant: identity, side, play)
      return "p.\(column.name.quoted) = coalesce(\(valueThere(slot, identity, play)), \(found))"
    }
    return "(SELECT p.\(column.quoted) FROM \(target.sql) AS p WHERE \(key.allTrue))"
  }
}

/// One edition, as its differences are merged.
struct Play {
  /// From 1 on.
  let edition: Int
  let release: Migration
  let options: MigrationOptions

  /// The states before an edition, or as of it.
  enum Side {
    case before, after

    func holds(_ state: String, _ edition: Int) -> String {
      self == .before
        ? "\(state).edition < \(edition) AND \(state).until >= \(edition)"
        : "\(state).edition <= \(edition) AND \(state).until > \(edition)"
    }
  }
}
