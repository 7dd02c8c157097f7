/// One table of a database that an app filled, beside all states that its rows had.
///
/// In temporary tables of that database:
///
///     states  the catalog's (`Editions`)
///     mine    the database's rows: values `v0`…, and of each reference the identity `x0`… of the
///             row that it means, NULL for a row of the user's own
///     pairs   each row of the database beside each state of its key: in how many values they
///             differ, and in how many they agree
///     placed  the rows that are the seed's: the identity, and the edition from which the row
///             differs least
final class AdoptedTable {
  let number: Int
  let target: TableTarget
  let scratchTarget: TableTarget
  /// The columns that the catalog fills, as this database has them.
  let columns: [ColumnSchema]
  /// The names by which files fill them.
  private(set) var fields: [Field] = []
  /// The positions of the key among the columns.
  let keys: [Int]
  /// The references to tables that are adopted, too; each column belongs to one at most.
  private(set) var references: [Reference] = []
  /// Whether users' rows may have keys that the catalog uses.
  private let mayHaveStrangers: Bool
  /// The editions whose rows the database has had.
  private(set) var arrived: Set<Int> = []
  private(set) var newest = 0
  var report: Migrator.Report.Adopted.Table
  let connection: any DatabaseSession

  struct Reference {
    /// The parent's number.
    let parent: Int
    let pairs: [(slot: Int, parent: String)]
    /// The columns whose values are those of the row that it means.
    var slots: Set<Int>
  }

  /// A field of a file.
  struct Field {
    let header: String
    /// The columns that it fills.
    let slots: [Int]
    /// For the name of another row, as in `word_id:words.lemma`: the reference, and the column of
    /// the parent.
    var name: (reference: Int, column: Int)?
  }

  var dialect: any Dialect { connection.dialect }
  var stateName: String { "seedbed:states:\(number)" }
  var states: String { dialect.temporary(stateName) }
  var mine: String { dialect.temporary("seedbed:mine:\(number)") }
  var pairs: String { dialect.temporary("seedbed:pairs:\(number)") }
  var placed: String { dialect.temporary("seedbed:placed:\(number)") }
  var valueNames: [String] {
    columns.indices.map { "v\($0)" } + references.indices.map { "x\($0)" }
  }
  /// The columns in which a difference counts.
  var compared: [Int] {
    columns.indices.filter {
      !keys.contains($0) && !target.options.ignore.contains(name: columns[$0].name)
    }
  }

  init(
    _ number: Int, _ target: TableTarget, _ scratchTarget: TableTarget, columns: [ColumnSchema],
    hasLedger: Bool, on connection: any DatabaseSession
  ) throws {
    (self.number, self.target, self.scratchTarget) = (number, target, scratchTarget)
    (self.columns, self.connection) = (columns, connection)
    keys = target.key.compactMap { key in columns.firstIndex { $0.name.isSameName(as: key.name) } }
    mayHaveStrangers = !hasLedger && target.sharesIDs && target.options.identity.isEmpty
    report = .init(table: target.name)
    guard keys.count == target.key.count else {
      throw SeedbedError.noKey(target.name, SeedbedError.Place(target.name))
    }
  }

  /// The columns by which states are kept.
  var layout: [String] { [target.name] + columns.names + fields.map(\.header) }

  func slot(of name: String) -> Int? { columns.firstIndex { $0.name.isSameName(as: name) } }

  /// Finds the references among the tables: by the names that files write, else by the fewest
  /// columns.
  func connect(_ tables: [AdoptedTable], _ file: RowFile) throws {
    for key in file.naturals.map(\.key) + target.parents.ordered(by: \.childColumns.count) {
      guard let parent = tables.first(where: { $0.target.name.isSameText(as: key.parent) })
      else { continue }
      let pairs = zip(key.childColumns, key.parentColumns).compactMap { child, other in
        slot(of: child).map { (slot: $0, parent: other) }
      }
      let taken = references.reduce(into: Set<Int>()) { $0.formUnion($1.slots) }
      let slots = Set(pairs.map(\.slot)).subtracting(taken)
      if pairs.count < key.childColumns.count || slots.isEmpty { continue }
      references.append(Reference(parent: parent.number, pairs: pairs, slots: slots))
    }
    fields = file.fields.enumerated().flatMap { index, field -> [Field] in
      guard field.isStreamed else { return [] }
      guard let natural = file.naturals.first(where: { $0.fields.contains(index) }) else {
        return slot(of: field.column.name).map { [Field(header: field.header, slots: [$0])] } ?? []
      }
      let slots = natural.receivingColumns.compactMap { slot(of: $0.name) }
      let reference = slots.first.flatMap(reference)
      let parent = reference.map { tables[references[$0].parent] }
      if let reference, let column = parent?.slot(of: field.column.name) {
        return [Field(header: field.header, slots: slots, name: (reference, column))]
      }
      // Rows that only the app has are known by no edition.
      let first = natural.fields[0] == index
      return first ? slots.map { Field(header: columns[$0].name, slots: [$0]) } : []
    }
  }

  func reference(of slot: Int) -> Int? { references.firstIndex { $0.slots.contains(slot) } }

  /// The column that identifies what a column of the key refers to.
  func identityColumn(_ slot: Int) -> String? { reference(of: slot).map { "x\($0)" } }

  // MARK: conditions

  /// Whether two rows have the same in a column, or refer by it to the same row.
  func isSame(_ first: String, _ second: String, _ slot: Int) -> String {
    let same = target.sameBytes("\(first).v\(slot)", "\(second).v\(slot)", columns[slot])
    return self.same(first, second, slot, same)
  }

  /// The same as far as the column's options want it.
  private func agrees(_ slot: Int) -> String {
    let same = target.same("m.v\(slot)", "s.v\(slot)", columns[slot])
    return self.same("m", "s", slot, same)
  }

  private func same(_ first: String, _ second: String, _ slot: Int, _ values: String) -> String {
    guard let number = reference(of: slot) else { return values }
    let (one, other) = ("\(first).x\(number)", "\(second).x\(number)")
    return """
      CASE WHEN \(one) IS NOT NULL AND \(other) IS NOT NULL THEN \(one) = \(other)
        ELSE \(one) IS NULL AND \(other) IS NULL AND \(values) END
      """
  }

  private var isKey: String {
    keys.map { slot in
      let name = identityColumn(slot) ?? "v\(slot)"
      return "m.\(name) = s.\(name)"
    }.allTrue
  }

  // MARK: rows of the database

  func makeTables() throws {
    let types = columns.enumerated().map { "v\($0) \(dialect.type(of: $1, in: target.schema))" }
    let values = (types + references.indices.map { "x\($0) BIGINT" }).listed
    try connection.execute("CREATE TABLE \(mine) (\(values)\(dialect.numberedRows))")
    try connection.execute(
      "CREATE TABLE \(pairs) (mine BIGINT, identity BIGINT, edition BIGINT, differing BIGINT, "
        + "agreeing BIGINT, speaking BIGINT)")
    try connection.execute(
      "CREATE TABLE \(placed) (identity BIGINT PRIMARY KEY, edition BIGINT, mine BIGINT, "
        + "differing BIGINT)")
    let names = columns.map { "m.\($0.name.quoted)" }
    try connection.execute(
      "INSERT INTO \(mine) (\(columns.indices.map { "v\($0)" }.listed)) SELECT \(names.listed) "
        + "FROM \(target.sql) AS m WHERE \(keys.map { "\(names[$0]) IS NOT NULL" }.allTrue)")
    let name = "seedbed:mine:\(number)"
    try connection.execute(
      "CREATE INDEX \(dialect.temporaryIndex(name + ":key", on: name)) "
        + "(\(keys.map { "v\($0)" }.listed))")
  }

  func dropTables() throws {
    for table in [mine, pairs, placed] { try connection.execute("DROP TABLE IF EXISTS \(table)") }
  }

  /// Finds the rows that its rows refer to.
  func findReferences(_ tables: [AdoptedTable]) throws {
    for (number, reference) in references.enumerated() {
      let parent = tables[reference.parent]
      let refers = reference.pairs.map { "p.\($0.parent.quoted) = m.v\($0.slot)" }
      let isKey = zip(parent.keys, parent.target.key).map { "q.v\($0) = p.\($1.name.quoted)" }
      try connection.execute(
        """
        UPDATE \(mine) AS m SET x\(number) = (
          SELECT w.identity FROM \(parent.target.sql) AS p
            \(dialect.orderedJoin) \(parent.mine) AS q ON \(isKey.allTrue)
            JOIN \(parent.placed) AS w ON w.mine = q.\(dialect.fileRow)
          WHERE \(refers.allTrue))
        """)
    }
  }

  // MARK: which rows are the seed's

  /// Finds the state from which each row differs least. Among equals it is the newest that the table
  /// has had, as some row shows, else the oldest; if none shows anything, the newest.
  func place(_ tables: [AdoptedTable]) throws {
    try connection.execute("DELETE FROM \(pairs)")
    try connection.execute("DELETE FROM \(placed)")
    let differing = compared.map {
      "CASE WHEN \(agrees($0)) OR \(hasLostParent($0, tables)) THEN 0 ELSE 1 END"
    }
    let agreeing = compared.map { slot in
      "CASE WHEN m.v\(slot) IS NOT NULL AND s.v\(slot) IS NOT NULL AND \(agrees(slot)) "
        + "THEN 1 ELSE 0 END"
    }
    let speaking = compared.map {
      "CASE WHEN m.v\($0) IS NULL AND s.v\($0) IS NULL THEN 0 ELSE 1 END"
    }
    let isSeeds = target.identity.compactMap { column in
      slot(of: column.name).map { target.same("m.v\($0)", "s.v\($0)", columns[$0]) }
    }
    try connection.execute(
      """
      INSERT INTO \(pairs) (mine, identity, edition, differing, agreeing, speaking)
      SELECT m.\(dialect.fileRow), s.identity, s.edition, \(differing.sum), \(agreeing.sum),
        \(speaking.sum)
      FROM \(mine) AS m JOIN \(states) AS s ON \(([isKey] + isSeeds).allTrue)
      """)
    if mayHaveStrangers { try removeStrangers() }
    let newest =
      try connection.number(
        "SELECT max(first) FROM (SELECT min(edition) AS first FROM \(pairs) "
          + "WHERE differing = 0 GROUP BY mine) AS exact") ?? Int64(Editions.never)
    try connection.execute(
      """
      INSERT INTO \(placed) (identity, edition, mine, differing)
      SELECT identity, edition, mine, differing FROM (
        SELECT identity, edition, mine, differing, row_number() OVER (PARTITION BY identity
          ORDER BY CASE WHEN differing = 0 THEN 0 ELSE 1 END, edition, mine) AS turn
        FROM (
          SELECT mine, identity, edition, differing, row_number() OVER (PARTITION BY mine
            ORDER BY differing, CASE WHEN edition > \(newest) THEN edition ELSE -edition END,
              identity DESC) AS place
          FROM \(pairs)) AS each
        WHERE place = 1) AS nearest
      WHERE turn = 1
      """)
  }

  /// Whether the user deleted the row that a state refers to, so that `m` cannot refer to it.
  private func hasLostParent(_ slot: Int, _ tables: [AdoptedTable]) -> String {
    guard let number = reference(of: slot) else { return "false" }
    let (reference, parent) = (references[number], tables[references[number].parent])
    let refers = reference.pairs.map { "p.\($0.parent.quoted) = m.v\($0.slot)" }
    return """
      (m.x\(number) IS NULL AND s.x\(number) IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM \(parent.placed) AS w WHERE w.identity = s.x\(number))
        AND NOT EXISTS (SELECT 1 FROM \(parent.target.sql) AS p WHERE \(refers.allTrue)))
      """
  }

  /// Where users' rows share the ids, a row is the seed's if it has more than half of the values, or
  /// one by which the edition tells its rows apart.
  private func removeStrangers() throws {
    let isDoubtful = "differing > 0 AND agreeing * 2 <= speaking"
    for edition in try connection.numbers(
      "SELECT DISTINCT edition FROM \(pairs) WHERE \(isDoubtful) AND agreeing > 0 ORDER BY 1")
    {
      let telling = try compared.filter { try tellsApart($0, edition) }.map { slot in
        "m.v\(slot) IS NOT NULL AND \(agrees(slot))"
      }
      if telling.isEmpty { continue }
      try connection.execute(
        """
        UPDATE \(pairs) AS p SET agreeing = p.speaking
        WHERE p.edition = \(edition) AND EXISTS (
          SELECT 1 FROM \(mine) AS m JOIN \(states) AS s
            ON s.identity = p.identity AND s.edition = p.edition
          WHERE m.\(dialect.fileRow) = p.mine AND (\(telling.anyTrue)))
        """)
    }
    try connection.execute("DELETE FROM \(pairs) WHERE \(isDoubtful)")
  }

  /// Whether no two rows of an edition have the same value in a column. One row alone tells nothing.
  private func tellsApart(_ slot: Int, _ edition: Int64) throws -> Bool {
    if reference(of: slot) != nil { return false }
    let counts = try connection.rows(
      "SELECT count(v\(slot)), count(DISTINCT v\(slot)) FROM \(states) "
        + "WHERE edition <= \(edition) AND until > \(edition)")[0]
    return counts[0] == counts[1] && counts[0] != .integer(1)
  }

  // MARK: what it found

  /// Counts the rows of each edition, and those of them that are exactly as an edition had them: if
  /// half of them are, it has arrived.
  func countEditions(_ versions: [Version], _ absent: Migrator.AbsentRows) throws {
    let rows = try connection.rows(
      """
      SELECT first, count(*), sum(isThere) FROM (
        SELECT min(s.edition) AS first, max(s.until) AS last,
          CASE WHEN EXISTS (SELECT 1 FROM \(placed) AS w
            WHERE w.identity = s.identity AND w.differing = 0) THEN 1 ELSE 0 END AS isThere
        FROM \(states) AS s GROUP BY s.identity) AS rows
      WHERE last = \(Editions.never) OR isThere = 1 GROUP BY first ORDER BY first
      """)
    for row in rows {
      guard let number = row[0].integer.map(Int.init), let count = row[1].integer.map(Int.init),
        let found = row[2].integer.map(Int.init)
      else { continue }
      let hasArrived = found > 0 && found * 2 >= count
      report.editions.append(
        .init(version: versions[number - 1], rows: count, found: found, hasArrived: hasArrived))
      if hasArrived { newest = number }
      if absent == .deleted || absent == .byEdition && hasArrived { arrived.insert(number) }
    }
  }

  /// Counts what the comparison found, before anything is written.
  func count(_ tables: [AdoptedTable]) throws {
    report.unchanged = try total(
      "SELECT count(*) FROM \(placed) AS w JOIN \(states) AS s ON \(isState) "
        + "WHERE w.differing = 0 AND s.until = \(Editions.never)")
    report.edited = try total("SELECT count(*) FROM \(placed) WHERE differing > 0")
    if report.edited == 0 { return }
    for slot in compared { try addEdits(slot, tables) }
  }

  private var isState: String { "s.identity = w.identity AND s.edition = w.edition" }

  private func addEdits(_ slot: Int, _ tables: [AdoptedTable]) throws {
    let edited = """
      FROM \(placed) AS w JOIN \(states) AS s ON \(isState)
        JOIN \(mine) AS m ON m.\(dialect.fileRow) = w.mine
      WHERE w.differing > 0 AND NOT (\(agrees(slot)) OR \(hasLostParent(slot, tables)))
      """
    let count = try total("SELECT count(*) \(edited)")
    if count == 0 { return }
    report.columns.append(.init(name: columns[slot].name, rows: count))
    let key = keys.map { "m.v\($0)" }.listed
    for row in try connection.rows(
      "SELECT \(key), s.v\(slot), m.v\(slot) \(edited) ORDER BY \(key) LIMIT 100")
    {
      report.edits.append(
        .init(
          key: Migrator.Row(target.key.names, Array(row.prefix(keys.count))),
          column: columns[slot].name, base: row[keys.count], mine: row[keys.count + 1]))
    }
  }

  /// Counts what became of the rows, once all is merged.
  func countResult(_ play: Play) throws {
    let now = "s.until = \(Editions.never)"
    let key = zip(keys, target.key).map { slot, column in
      "t.\(column.name.quoted) = \(value(slot, of: "s", .after, play))"
    }.allTrue
    let there = "EXISTS (SELECT 1 FROM \(target.sql) AS t WHERE \(key)"
    let own = keys.map { "m.v\($0) = \(value($0, of: "s", .after, play))" }.allTrue
    let isPlaced = "EXISTS (SELECT 1 FROM \(placed) AS w WHERE w.identity = s.identity)"
    let changed = columns.enumerated().map {
      dialect.differExactly("t.\($1.name.quoted)", "m.v\($0)")
    }
    report.refreshed = try total(
      """
      SELECT count(*) FROM \(placed) AS w JOIN \(mine) AS m ON m.\(dialect.fileRow) = w.mine
        JOIN \(states) AS s ON s.identity = w.identity AND \(now)
      WHERE \(there) AND (\(changed.anyTrue)))
      """)
    report.inserted = try total(
      """
      SELECT count(*) FROM \(states) AS s WHERE \(now) AND NOT \(isPlaced) AND \(there))
        AND NOT EXISTS (SELECT 1 FROM \(mine) AS m WHERE \(own))
      """)
    report.retired = try total(
      """
      SELECT count(*) FROM \(states) AS s WHERE \(isPlaced) AND NOT (\(there)))
        AND s.until < \(Editions.never) AND NOT EXISTS (SELECT 1 FROM \(states) AS z
          WHERE z.identity = s.identity AND z.edition >= s.until)
      """)
  }

  func total(_ query: String) throws -> Int { Int(try connection.number(query) ?? 0) }
}

extension TableTarget {
  /// Whether the database chooses its keys where a row has none, so that a user's row may get one
  /// that the catalog will use.
  package var sharesIDs: Bool {
    key.count == 1 && schema.rowidAlias?.name.isSameName(as: key[0].name) == true
  }
}

extension [String] {
  /// The sum of terms, in parts: a chain of a thousand is too deep for SQLite.
  fileprivate var sum: String {
    if isEmpty { return "0" }
    return stride(from: 0, to: count, by: 64).map { first in
      "(\(self[first..<Swift.min(first + 64, count)].joined(separator: " + ")))"
    }.joined(separator: " + ")
  }
}
