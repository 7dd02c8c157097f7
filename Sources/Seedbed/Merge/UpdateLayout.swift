/// Where everything is in the rows that an update looks at: the staged row beside the user's.
struct UpdateLayout {
  enum Side { case base, mine, seed }

  let changes: [RowFile.Change]
  /// Those that may follow columns of other tables before they are looked at themselves.
  let following: [Int]
  let file: RowFile
  let mark: Int64
  /// The table's other columns that foreign keys and unique indexes need, in lower case.
  private let others: [ColumnSchema]
  /// The fields of the file's natural keys.
  let naturals: [Int]
  /// By the columns' names in lower case.
  private var changePlaces: [String: Int] = [:]
  private var otherPlaces: [String: Int] = [:]
  /// Those of which the second table of rows that step aside has the old values.
  private var lateAside: Set<String> = []
  /// The changes that get values of nobody's while a row steps aside.
  private let contested: Set<Int>

  init(file: RowFile, changes: [RowFile.Change], mark: Int64, following: [Int] = []) {
    self.file = file
    self.following = following
    self.mark = mark
    naturals = file.naturals.flatMap(\.fields)
    self.changes = changes
    let schema = file.target.schema
    let set = Set(changes.map(\.column.name))
    let named =
      file.target.childColumns
      + schema.indexes.filter(\.isUnique).flatMap { $0.columns.compactMap { $0 } }
    var seen: Set<String> = []
    contested = Self.contested(changes, file.target)
    others = named.compactMap { schema.column($0) }.filter {
      !set.contains($0.name) && seen.insert($0.name).inserted
    }
    changePlaces = Self.places(changes.map(\.column))
    otherPlaces = Self.places(others)
    lateAside = Set(asideColumns.dropFirst().joined().map(\.name))
  }

  private static func places(_ columns: [ColumnSchema]) -> [String: Int] {
    Dictionary(columns.enumerated().map { ($1.name.asciiLowercased(), $0) }) { first, _ in first }
  }

  private static func contested(_ changes: [RowFile.Change], _ target: TableTarget) -> Set<Int> {
    let unique = target.schema.indexes.filter(\.isUnique)
    let names = Set(unique.flatMap(\.columns).compactMap { $0?.asciiLowercased() })
    let children = Set(target.childColumns.map { $0.asciiLowercased() })
    // What an index over an expression or a part of the table looks at, nobody tells.
    let isAnyContested = unique.contains { !$0.isPlain }
    return Set(
      changes.indices.filter {
        let name = changes[$0].column.name.asciiLowercased()
        return names.contains(name) || isAnyContested && !children.contains(name)
      })
  }

  /// A value that no other row has, for the time in which a row steps aside; nil for a column that
  /// gets its new value at once.
  func valueAside(_ change: Int, _ mark: Int64) -> Value? {
    guard contested.contains(change) else { return nil }
    return Self.valueAside(
      changes[change].column, isStrict: file.target.schema.isStrict, mark)
  }

  static func valueAside(_ column: ColumnSchema, isStrict: Bool, _ mark: Int64) -> Value {
    switch Affinity(of: column, isStrict: isStrict) {
    case .integer, .numeric: .integer(.min / 2 + mark)
    case .real: .real(-1e15 - Double(mark))
    case .blob where isStrict: .blob(Array("seedbed:\(mark)".utf8))
    case .text, .blob: .text("\u{1}seedbed:\(mark)")
    }
  }

  // The columns of `select`, in this order.
  var keyStart: Int { 2 }
  private var oldKeyStart: Int { keyStart + file.target.key.count }
  var seedStart: Int { oldKeyStart + file.target.key.count }
  var baseStart: Int { seedStart + changes.count }
  private var mineStart: Int { baseStart + changes.count }
  private var otherStart: Int { mineStart + changes.count }
  var naturalStart: Int { otherStart + others.count }
  private var beforeStart: Int { naturalStart + naturals.count }

  /// The rows to look at.
  enum Selection {
    case verdict(Stage.Verdict)
    /// Those that are to be looked at yet, beside the rows with their old keys.
    case underOldKeys
    /// Those that wait, the last one first: rows that move up one place after the other come free
    /// in this order.
    case waitingBackwards
    /// Those that wait, beside what they were before they stepped aside.
    case aside
    /// Those that hope for a parent.
    case hoping(Int)
  }

  /// A row without its match in the table has NULL in the second column.
  func read(_ stage: Stage, _ selection: Selection) throws -> RowReading {
    let (source, condition, order) = source(stage, selection)
    return try RowReading(
      columns(stage, selection), from: source, "WHERE \(condition) ORDER BY \(order)",
      on: stage.connection)
  }

  /// One of these rows, and no table any more; nil where it is none of them by now.
  func read(_ stage: Stage, _ selection: Selection, row: Int64) throws -> RowReading? {
    let (source, condition, _) = source(stage, selection)
    let rows = try RowReading(
      columns(stage, selection), from: source, "WHERE \(condition) AND s.row = \(row)",
      on: stage.connection)
    return try rows.step() ? rows.detached(on: stage.connection) : nil
  }

  func numbers(_ stage: Stage, _ selection: Selection) throws -> [Int64] {
    let (source, condition, order) = source(stage, selection)
    return try stage.connection.rows(
      "SELECT s.row FROM \(source) WHERE \(condition) ORDER BY \(order)"
    ).compactMap { $0[0].integer }
  }

  private func columns(_ stage: Stage, _ selection: Selection) -> [String] {
    var columns = ["s.row", "m.\(file.target.key[0].name.quoted)"]
    columns += (file.keyIndexes + file.oldKeyIndexes).map(stage.joined)
    columns += changes.map { stage.joined($0.seed) }
    columns += changes.map { $0.base.map(stage.joined) ?? "NULL" }
    columns += (changes.map(\.column) + others).map { mine($0, selection) }
    columns += naturals.map(stage.joined)
    return columns + following.map { "b.\(changes[$0].column.name.quoted)" }
  }

  /// What to read, which rows of it, and in which order.
  private func source(
    _ stage: Stage, _ selection: Selection
  ) -> (source: String, condition: String, order: String) {
    let before = following.isEmpty ? "" : stage.joinedBefore
    let table = "LEFT JOIN \(file.target.sql) AS m ON \(MergeSQL.sameKey(file))" + before
    let waiting = "s.verdict = \(Stage.Verdict.postponed.rawValue)"
    switch selection {
    case .verdict(let verdict):
      return ("\(stage.joinedSQL) \(table)", "s.verdict = \(verdict.rawValue)", "s.row")
    case .underOldKeys:
      let matches = zip(file.target.key, file.oldKeyIndexes)
        .map { "m.\($0.name.quoted) = s.c\($1)" }.allTrue
      return (
        "\(stage.joinedSQL) LEFT JOIN \(file.target.sql) AS m ON \(matches)",
        "s.verdict = \(Stage.Verdict.insert.rawValue)", "s.row"
      )
    case .waitingBackwards:
      return ("\(stage.joinedSQL) \(table)", waiting, "s.row DESC")
    case .aside:
      let tables = asideColumns.indices.map { number in
        let name = Self.aside(number)
        return " JOIN \(stage.asideSQL(number)) AS \(name) ON \(name).\"seedbed:row\" = s.row"
      }
      return (stage.joinedSQL + tables.joined() + before, waiting, "s.row")
    case .hoping(let parent):
      return (
        "\(stage.joinedSQL) JOIN \(stage.hopesSQL) AS h ON h.row = s.row \(table)",
        "h.parent = \(parent)", "s.row"
      )
    }
  }

  // MARK: rows that step aside

  /// The columns to be kept while they do, in as many tables as that takes.
  private var asideColumns: [ArraySlice<ColumnSchema>] {
    var seen: Set<String> = []
    let all = (file.target.key + changes.map(\.column) + others)
      .filter { seen.insert($0.name).inserted }
    let most = RowTable.mostColumns - 1
    return stride(from: 0, to: all.count, by: most).map { all[$0..<min($0 + most, all.count)] }
  }

  private static func aside(_ number: Int) -> String { number == 0 ? "m" : "m\(number)" }

  /// A column of the user's row.
  private func mine(_ column: ColumnSchema, _ selection: Selection) -> String {
    if case .aside = selection, lateAside.contains(column.name) {
      return "\(Self.aside(1)).\(column.name.quoted)"
    }
    return "m.\(column.name.quoted)"
  }

  /// What the rows that wait are, to be kept while they step aside.
  func makeAside(_ stage: Stage) throws {
    for (number, some) in asideColumns.enumerated() {
      let columns = some.map { "m.\($0.name.quoted) AS \($0.name.quoted)" }
      try stage.connection.execute(
        """
        CREATE TABLE \(stage.asideSQL(number)) AS
        SELECT s.row AS "seedbed:row", \(columns.joined(separator: ", "))
        FROM \(stage.sql) AS s JOIN \(file.target.sql) AS m ON \(MergeSQL.sameKey(file))
        WHERE s.verdict = \(Stage.Verdict.postponed.rawValue)
        """)
    }
  }

  func dropAside(_ stage: Stage) throws {
    for number in asideColumns.indices {
      try stage.connection.execute("DROP TABLE \(stage.asideSQL(number))")
    }
  }

  /// Sets these changes and no other column: SQLite takes a column that is set to what it holds
  /// for a change, fires triggers for it, and counts an old orphan as a new one.
  func update(_ columns: [Int]) -> String {
    let set = columns.map { "\(changes[$0].column.name.quoted) = ?" }.joined(separator: ", ")
    let key = file.target.key.map { "\($0.name.quoted) = ?" }.allTrue
    return "UPDATE OR ABORT \(file.target.sql) SET \(set) WHERE \(key)"
  }

  func isPresent(_ rows: RowReading) -> Bool { !rows.isNull(1) }

  func column(_ change: Int, _ side: Side) -> Int {
    switch side {
    case .seed: seedStart + change
    case .base: baseStart + change
    case .mine: mineStart + change
    }
  }

  /// What the user had, where a change may have followed another column since.
  func beforeColumn(_ change: Int) -> Int {
    following.firstIndex(of: change).map { beforeStart + $0 } ?? column(change, .mine)
  }

  func keyColumn(_ index: Int) -> Int { keyStart + index }

  var keyCount: Int { file.target.key.count }

  func keyValues(_ rows: RowReading) -> [Value] {
    rows.values(from: keyStart, count: keyCount)
  }

  func oldKeyValues(_ rows: RowReading) -> [Value] {
    rows.values(from: oldKeyStart, count: keyCount)
  }

  /// Whether the row has another key now than before.
  func isRekeyed(_ rows: RowReading) -> Bool {
    file.hasKeyChanges
      && (0..<keyCount).contains { !rows.isSame(keyStart + $0, oldKeyStart + $0) }
  }

  /// Where a column of the table is that the update does not set; nil where nobody needed it.
  func other(_ name: String) -> Int? {
    otherPlaces[name.asciiLowercased()].map { otherStart + $0 }
  }

  func change(_ name: String) -> Int? {
    changePlaces[name.asciiLowercased()]
  }
}
