/// All editions of the catalog's rows. A scratch database plays them one by one, before anything is
/// locked.
///
/// Each row has an identity, which it keeps under a new key, and which ends when it is retired. In
/// temporary tables of the scratch database:
///
///     now     the rows of the edition that was played last: identity, key `r0`…, values `v0`…,
///             and of each reference the identity `x0`… of the row that it means
///     states  what an identity was from one edition on until another: values and references
///
/// A state refers to a row, not to a key: a parent with a new key is no new state of its children.
struct Editions {
  /// The number of an edition that never comes.
  static let never = 1 << 30

  private let scratch: Scratch
  let tables: [PlayedTable]
  private let names: (Version) -> NamesSince
  private var session: any DatabaseSession { scratch.session }
  private var dialect: any Dialect { session.dialect }
  /// The last identity that was given in each table.
  private var lastIdentity: [Int64]
  /// For each table and column, the first edition that had it.
  private(set) var firstEditions: [[Int]]

  /// - Parameters:
  ///   - scratch: nothing is applied to it yet.
  ///   - names: the names that tables and columns got since a version.
  init(_ scratch: Scratch, _ tables: [PlayedTable], names: @escaping (Version) -> NamesSince) {
    (self.scratch, self.tables, self.names) = (scratch, tables, names)
    lastIdentity = tables.map { _ in 0 }
    firstEditions = tables.map { $0.columns.map { _ in 1 } }
  }

  mutating func play(_ versions: [Version]) throws {
    for table in tables { try create(table) }
    for (index, version) in versions.enumerated() {
      try session.cancellation?.check()
      let first = scratch.newKeys.count
      let played = try scratch.begin(to: version)
      let since = names(version)
      let edition = Edition(number: index + 1, tables: try session.tableNames(), since, session)
      let touched = tables.filter {
        guard let name = edition.name(of: $0) else { return true }
        return index == 0 || played.touchedTables.contains(name: name)
      }
      try session.comparing {
        try session.withFixedSchema {
          for keys in scratch.newKeys[first...] where index > 0 { try follow(keys.keys, since) }
          for table in touched { try read(table, edition) }
          for table in touched { try note(table, edition) }
        }
      }
    }
  }

  /// Copies the states into the database that is adopted.
  func copy(_ table: PlayedTable, to connection: any DatabaseSession) throws {
    try connection.execute("CREATE TABLE \(table.states) (\(stateTypes(table).listed))")
    let names = stateNames(table)
    let insert = try connection.cursor(
      "INSERT INTO \(table.states) (\(names.listed)) VALUES (\(names.map { _ in "?" }.listed))")
    let rows = try session.cursor("SELECT \(names.listed) FROM \(states(table))")
    while try rows.step() {
      try connection.cancellation?.check()
      try insert.run(rows.values(from: 0))
    }
    let (name, index) = (table.stateName, connection.dialect.temporaryIndex)
    let keys = table.keys.map { table.identityColumn($0) ?? "v\($0)" }
    try connection.execute("CREATE INDEX \(index(name + ":key", name)) (\(keys.listed))")
    try connection.execute("CREATE INDEX \(index(name + ":row", name)) (identity)")
    try connection.execute("CREATE INDEX \(index(name + ":until", name)) (until)")
  }

  // MARK: the temporary tables

  private func nowName(_ table: PlayedTable) -> String { "seedbed:now:\(table.number)" }
  private func now(_ table: PlayedTable) -> String { dialect.temporary(nowName(table)) }
  private func next(_ table: PlayedTable) -> String {
    dialect.temporary("seedbed:next:\(table.number)")
  }
  func states(_ table: PlayedTable) -> String { dialect.temporary(table.stateName) }

  private func stateNames(_ table: PlayedTable) -> [String] {
    ["identity", "edition", "until"] + table.valueNames
  }

  private func types(_ table: PlayedTable, _ session: any DatabaseSession) -> [String] {
    table.columns.enumerated().map {
      "v\($0) \(session.dialect.type(of: $1, in: table.target.schema))"
    } + table.references.indices.map { "x\($0) BIGINT" }
  }

  private func stateTypes(_ table: PlayedTable) -> [String] {
    ["identity BIGINT", "edition BIGINT", "until BIGINT"] + types(table, session)
  }

  private func create(_ table: PlayedTable) throws {
    let keys = table.keys.enumerated().map {
      "r\($0) \(dialect.type(of: table.columns[$1], in: table.target.schema))"
    }
    let columns = (["identity BIGINT"] + keys + types(table, session)).listed
    for name in [now(table), next(table)] {
      try session.execute("CREATE TABLE \(name) (\(columns)\(dialect.numberedRows))")
    }
    try session.execute("CREATE TABLE \(states(table)) (\(stateTypes(table).listed))")
    let key = table.keys.indices.map { "r\($0)" }.listed
    for (index, columns) in ["key": key, "row": "identity"].ordered(by: \.key) {
      try session.execute(
        "CREATE INDEX \(dialect.temporaryIndex("\(nowName(table)):\(index)", on: nowName(table))) "
          + "(\(columns))")
    }
    try session.execute(
      "CREATE INDEX \(dialect.temporaryIndex(table.stateName + ":row", on: table.stateName)) "
        + "(identity)")
  }

  // MARK: one edition

  /// The tables of an edition by their present names.
  private struct Edition {
    let number: Int
    let tables: [String]
    let since: NamesSince
    let session: any DatabaseSession

    init(number: Int, tables: [String], _ since: NamesSince, _ session: any DatabaseSession) {
      (self.number, self.tables, self.since, self.session) = (number, tables, since, session)
    }

    func name(of table: PlayedTable) -> String? {
      tables.first { since.table($0).isSameName(as: table.target.name) }
    }

    /// Its name for a column; nil if the column came later.
    func column(_ name: String, of table: String) throws -> String? {
      try session.schema(of: table).columns.first {
        since.column($0.name, of: table).isSameName(as: name)
      }?.name
    }
  }

  /// Gives rows of the edition before the keys that they have now.
  private func follow(_ keys: MergeContext.NewKeys, _ since: NamesSince) throws {
    guard
      let table = tables.first(where: { since.table(keys.table).isSameName(as: $0.target.name) })
    else { return }
    let columns = keys.columns.map { since.column($0, of: keys.table) }
    let slots = table.keys.map { slot in
      columns.firstIndex { $0.isSameName(as: table.columns[slot].name) }
    }
    // The option `key` names other columns now.
    guard slots.compactMap(\.self).count == columns.count else { return }
    let order = slots.compactMap(\.self)
    let moved = dialect.temporary("seedbed:moved")
    let types = (["o", "n"]).flatMap { side in
      table.keys.enumerated().map {
        "\(side)\($0) \(dialect.type(of: table.columns[$1], in: table.target.schema))"
      }
    }
    let rows = keys.rows.map { row in order.map { row[$0] } + order.map { row[$0 + columns.count] }
    }
    try session.makeTable(moved, types, rows)
    let set = order.indices.map { "r\($0) = m.n\($0)" }
    let same = order.indices.map { "n.r\($0) = m.o\($0)" }
    try session.execute(
      "UPDATE \(now(table)) AS n SET \(set.listed) FROM \(moved) AS m WHERE \(same.allTrue)")
    try session.execute("DROP TABLE \(moved)")
  }

  /// Reads the rows of a table, each under the identity that it had before.
  private mutating func read(_ table: PlayedTable, _ edition: Edition) throws {
    let (now, next) = (now(table), next(table))
    try session.execute("DELETE FROM \(next)")
    if let name = edition.name(of: table) {
      let values = try table.columns.enumerated().map { slot, column in
        if let own = try edition.column(column.name, of: name) { return "t.\(own.quoted)" }
        firstEditions[table.number][slot] = edition.number + 1
        return try session.constantDefault(of: column) ?? "NULL"
      }
      let keys = table.keys.map { values[$0] }
      let into = table.keys.indices.map { "r\($0)" } + table.columns.indices.map { "v\($0)" }
      try session.execute(
        "INSERT INTO \(next) (\(into.listed)) SELECT \((keys + values).listed) "
          + "FROM \(session.schema(of: name).sql) AS t "
          + "WHERE \(keys.map { "\($0) IS NOT NULL" }.allTrue)")
    }
    let same = table.keys.indices.map { "n.r\($0) = q.r\($0)" }
    try session.execute(
      "UPDATE \(next) AS q SET identity = n.identity FROM \(now) AS n WHERE \(same.allTrue)")
    let last = lastIdentity[table.number]
    try session.execute(
      "UPDATE \(next) SET identity = \(last) + \(dialect.fileRow) WHERE identity IS NULL")
    lastIdentity[table.number] =
      max(last, try session.number("SELECT max(identity) FROM \(next)") ?? 0)
    let columns = (["identity"] + table.keys.indices.map { "r\($0)" } + table.valueNames).listed
    try session.execute("DELETE FROM \(now)")
    try session.execute("INSERT INTO \(now) (\(columns)) SELECT \(columns) FROM \(next)")
    try session.execute("DELETE FROM \(next)")
  }

  /// Notes what changed, once all rows of the edition have identities.
  private func note(_ table: PlayedTable, _ edition: Edition) throws {
    let (now, states) = (now(table), states(table))
    for (number, reference) in table.references.enumerated() {
      guard let found = try meant(reference, table, edition) else { continue }
      try session.execute("UPDATE \(now) AS n SET x\(number) = \(found)")
    }
    let same = table.columns.indices.map { table.isSame("s", "n", $0) }.allTrue
    let names = table.valueNames
    try session.execute(
      """
      INSERT INTO \(states) (identity, edition, until, \(names.listed))
      SELECT n.identity, \(edition.number), \(Self.never), \(names.map { "n.\($0)" }.listed)
      FROM \(now) AS n LEFT JOIN \(states) AS s
        ON s.identity = n.identity AND s.until = \(Self.never)
      WHERE s.identity IS NULL OR NOT (\(same)) ORDER BY n.\(dialect.fileRow)
      """)
    try session.execute(
      """
      UPDATE \(states) AS s SET until = \(edition.number)
      WHERE s.until = \(Self.never) AND s.edition < \(edition.number) AND (
        NOT EXISTS (SELECT 1 FROM \(now) AS n WHERE n.identity = s.identity) OR EXISTS (
          SELECT 1 FROM \(states) AS z
          WHERE z.identity = s.identity AND z.edition = \(edition.number)))
      """)
  }

  /// The identity of the row that `n` refers to; nil if the edition has no such reference.
  private func meant(
    _ reference: PlayedTable.Reference, _ table: PlayedTable, _ edition: Edition
  ) throws -> String? {
    let parent = reference.parent
    guard let name = edition.name(of: parent) else { return nil }
    let columns = try reference.pairs.compactMap { try edition.column($0.parent, of: name) }
    let keys = try parent.keys.compactMap {
      try edition.column(parent.columns[$0].name, of: name)
    }
    guard columns.count == reference.pairs.count, keys.count == parent.keys.count else {
      return nil
    }
    let refers = zip(columns, reference.pairs).map { "p.\($0.quoted) = n.v\($1.slot)" }
    let isKey = keys.enumerated().map { "w.r\($0) = p.\($1.quoted)" }
    return """
      (SELECT w.identity FROM \(try session.schema(of: name).sql) AS p
        \(dialect.orderedJoin) \(now(parent)) AS w ON \(isKey.allTrue)
        WHERE \(refers.allTrue))
      """
  }
}
