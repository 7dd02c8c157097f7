/// Finds the rows that the natural keys of a stage name, and fills in their keys.
///
/// Where there is no such row, or several, the receiver gets what no key is like
/// (`NaturalReference.unresolvedSQL`): so it is missing to all who look for it.
struct NaturalLookup {
  let reference: NaturalReference
  let stage: Stage
  let connection: Connection

  private static let name = "seedbed:found"
  /// The rows that are asked for: their natural keys and keys.
  private let sql = "temp." + name.quoted

  private var parent: String { "main." + reference.parent.name.quoted }
  private var natural: [String] { reference.naturalColumns.indices.map { "n\($0)" } }
  private var key: [String] { reference.keyColumns.indices.map { "k\($0)" } }

  /// `incoming` are stages of rows that are about to go in, and may be meant too; `condition` says
  /// which rows of `s` to look at.
  func fill(_ incoming: [Stage] = [], where condition: String = "true") throws {
    try find(where: condition) {
      for other in incoming { try addIncoming(other) }
      try indexed { try addFound(condition, incomingConditions(incoming)) }
    }
  }

  /// Names rows as the migration is to leave them: with the values that `updates` have for them,
  /// as far as those are not written yet, and without those that `deletes` have.
  func fillAhead(_ updates: [Stage], _ deletes: [Stage]) throws {
    let open = updates.filter(mayRename)
    let condition = stage.isOpen(reference.receivers)
    try find(where: condition) {
      for other in open { try addUpdated(other) }
      let gone = deletes.map { isNotIn($0, verdict: .insert) }
      let changed = open.map { isNotIn($0, verdict: pending($0)) }
      try indexed { try addFound(condition, gone + changed) }
    }
  }

  private func find(where condition: String, _ body: () throws -> Void) throws {
    let columns =
      zip(natural, reference.naturalColumns).map { "\($0) \(reference.type(of: $1))" }
      + zip(key, reference.keyColumns).map { "\($0) \(reference.type(of: $1))" }
    try connection.execute("CREATE TABLE \(sql) (\(columns.joined(separator: ", ")))")
    try body()
    try fillReceivers(condition)
    try connection.execute("DROP TABLE \(sql)")
  }

  /// From here on each name is looked for.
  private func indexed(_ body: () throws -> Void) throws {
    let index = "temp.\("\(Self.name):key".quoted) ON \(Self.name.quoted)"
    try connection.execute("CREATE INDEX \(index) (\(natural.joined(separator: ", ")))")
    try body()
  }

  // MARK: rows that have yet to change

  private func mayRename(_ other: Stage) -> Bool {
    let changed = Set(other.file.changes.map(\.column.name))
    return (reference.naturalColumns + reference.keyColumns).contains { changed.contains($0.name) }
  }

  private func pending(_ other: Stage) -> Stage.Verdict { other.isWritten ? .postponed : .insert }

  private func isNotIn(_ other: Stage, verdict: Stage.Verdict) -> String {
    let isSame = MergeSQL.sameKey(other.file, table: "p", stage: "q")
    return "NOT EXISTS (SELECT 1 FROM \(other.sql) AS q "
      + "WHERE q.verdict = \(verdict.rawValue) AND \(isSame))"
  }

  private func addUpdated(_ other: Stage) throws {
    let values = (reference.naturalColumns + reference.keyColumns).map { column -> String in
      let own = "m.\(column.name.quoted)"
      guard let change = other.file.changes.first(where: { $0.column.name == column.name }) else {
        return own
      }
      let seed = other.joined(change.seed)
      guard let base = change.base.map(other.joined) else { return seed }
      return "CASE WHEN \(seed) IS \(base) COLLATE BINARY THEN \(own) ELSE \(seed) END"
    }
    try connection.execute(
      """
      INSERT INTO \(sql) SELECT \(values.joined(separator: ", "))
      FROM \(other.joinedSQL) JOIN \(parent) AS m ON \(MergeSQL.sameKey(other.file))
      WHERE s.verdict = \(pending(other).rawValue)
      """)
  }

  // MARK: rows that are there, or come

  private func addIncoming(_ other: Stage) throws {
    let columns = (reference.naturalColumns + reference.keyColumns)
      .compactMap { other.file.index(of: $0.name) }
    guard columns.count == natural.count + key.count else { return }
    // Those that are there already are found there.
    try connection.execute(
      """
      INSERT INTO \(sql) SELECT \(columns.map { other.field($0) }.joined(separator: ", "))
      FROM \(other.sql) AS s
      WHERE s.verdict = 3 OR s.verdict = 0 AND NOT \(MergeSQL.keyExists(other.file))
      """)
  }

  private func incomingConditions(_ incoming: [Stage]) -> [String] {
    var conditions = incoming.map { isNotIn($0, verdict: .replace) }
    if !incoming.isEmpty, reference.isUnique {
      // Only one of the two can have it: the incoming row, or its place will turn out to be taken.
      let isSame = zip(natural, fields).map { "f.\($0) = \($1)" }.allTrue
      conditions.append("NOT EXISTS (SELECT 1 FROM \(sql) AS f WHERE \(isSame))")
    }
    return conditions
  }

  private var fields: [String] { reference.fields.map { "s.c\($0)" } }

  /// Of the rows that are there, `p`, those that are asked for.
  private func addFound(_ condition: String, _ more: [String]) throws {
    let asked = ([condition] + fields.map { "\($0) IS NOT NULL" }).allTrue
    let columns = reference.naturalColumns + reference.keyColumns
    let conditions = matches("p", fields) + reference.isKeyed("p") + more
    // From the stage to the table, each natural key once: the cost follows the change.
    try connection.execute(
      """
      INSERT INTO \(sql) SELECT \(columns.map { "p.\($0.name.quoted)" }.joined(separator: ", "))
      FROM (SELECT DISTINCT \(reference.fields.map { "c\($0)" }.joined(separator: ", "))
        FROM \(stage.sql) AS s WHERE \(asked)) AS s
      CROSS JOIN \(parent) AS p ON \(conditions.allTrue)
      """)
  }

  /// The parent's column is the left operand: its collation decides.
  private func matches(_ table: String, _ fields: [String]) -> [String] {
    zip(reference.naturalColumns, fields).map { "\(table).\($0.name.quoted) = \($1)" }
  }

  private func fillReceivers(_ condition: String) throws {
    let isSame = zip(natural, reference.fields).map { "f.\($0) = s.c\($1)" }
      .allTrue
    let isEmpty = reference.fields.map { "s.c\($0) IS NULL" }.allTrue
    let values = zip(reference.receivers, key).map { receiver, key in
      """
      c\(receiver) = CASE WHEN NOT (\(isEmpty)) THEN coalesce(
        (SELECT CASE count(*) WHEN 1 THEN max(f.\(key)) END FROM \(sql) AS f WHERE \(isSame)),
        \(reference.unresolvedSQL())) END
      """
    }
    try connection.execute(
      "UPDATE \(stage.sql) AS s SET \(values.joined(separator: ", ")) WHERE \(condition)")
  }

  /// A row is named by all its natural fields or by none.
  func refuseHalfEmpty() throws {
    let fields = reference.fields.map { "c\($0) IS NULL" }
    guard fields.count > 1 else { return }
    let row = try connection.value(
      """
      SELECT row FROM \(stage.sql)
      WHERE (\(fields.joined(separator: ") + ("))) NOT IN (0, \(fields.count)) LIMIT 1
      """)
    guard let row else { return }
    throw SeedbedError.naturalHalfEmpty(
      reference.fields.map { stage.file.fields[$0].header }, try stage.place(of: row))
  }

  /// Holds for rows of `s` whose natural key names no row, or several.
  var isUnresolved: String { "s.c\(reference.receivers[0]) = \(reference.unresolvedSQL())" }

  /// The natural key of a row that is not resolved; nil where it is.
  func unresolvedKey(of row: Value) throws -> [Value]? {
    let fields = reference.fields.map { "s.c\($0)" }.joined(separator: ", ")
    return try connection.rows(
      "SELECT \(fields) FROM \(stage.sql) AS s WHERE s.row = ? AND \(isUnresolved)", [row]
    ).first
  }

  /// Whether several rows have this natural key.
  func isAmbiguous(_ values: [Value]) throws -> Bool {
    let matches = (matches("p", values.map { _ in "?" }) + reference.isKeyed("p")).allTrue
    let found = try connection.value(
      "SELECT count(*) FROM (SELECT 1 FROM \(parent) AS p WHERE \(matches) LIMIT 2)", values)
    return found == 2
  }
}

extension Stage {
  func lookup(_ reference: NaturalReference) -> NaturalLookup {
    NaturalLookup(reference: reference, stage: self, connection: connection)
  }
}
