/// Where everything is in the rows that an update looks at: the staged row beside the user's.
struct UpdateLayout {
  enum Side { case base, mine, seed }

  let changes: [RowFile.Change]
  private let file: RowFile
  /// The table's other columns that foreign keys and unique indexes need, in lower case.
  private let others: [ColumnSchema]

  init(file: RowFile, changes: [RowFile.Change]) {
    self.file = file
    self.changes = changes
    let schema = file.target.schema
    let set = Set(changes.map(\.column.name))
    let named =
      schema.foreignKeys.flatMap(\.childColumns)
      + schema.indexes.filter(\.isUnique).flatMap { $0.columns.compactMap { $0 } }
    var seen: Set<String> = []
    others = named.compactMap { schema.column($0) }.filter {
      !set.contains($0.name) && seen.insert($0.name).inserted
    }
  }

  // The columns of `select`, in this order.
  private var keyStart: Int { 2 }
  private var seedStart: Int { keyStart + file.target.key.count }
  private var baseStart: Int { seedStart + changes.count }
  private var mineStart: Int { baseStart + changes.count }
  private var otherStart: Int { mineStart + changes.count }

  /// A row without its match in the table has NULL in the second column.
  func select(from stage: Stage, verdict: Stage.Verdict) -> String {
    let key = file.target.key
    var columns = ["s.row", "m.\(key[0].name.quoted)"]
    columns += file.keyIndexes.map { "s.c\($0)" }
    columns += changes.map { "s.c\($0.seed)" }
    columns += changes.map { change in change.base.map { "s.c\($0)" } ?? "NULL" }
    columns += changes.map { "m.\($0.column.name.quoted)" }
    columns += others.map { "m.\($0.name.quoted)" }
    return """
      SELECT \(columns.joined(separator: ", "))
      FROM \(stage.sql) AS s LEFT JOIN \(file.target.sql) AS m ON \(MergeSQL.sameKey(file))
      WHERE s.verdict = \(verdict.rawValue) ORDER BY s.row
      """
  }

  /// Sets these changes and no other column: SQLite takes a column that is set to what it holds
  /// for a change, fires triggers for it, and counts an old orphan as a new one.
  func update(_ columns: [Int]) -> String {
    let set = columns.map { "\(changes[$0].column.name.quoted) = ?" }.joined(separator: ", ")
    let key = file.target.key.map { "\($0.name.quoted) = ?" }.joined(separator: " AND ")
    return "UPDATE OR ABORT \(file.target.sql) SET \(set) WHERE \(key)"
  }

  func isPresent(_ rows: borrowing Statement) -> Bool { !rows.isNull(1) }

  func column(_ change: Int, _ side: Side) -> Int {
    switch side {
    case .seed: seedStart + change
    case .base: baseStart + change
    case .mine: mineStart + change
    }
  }

  func keyColumn(_ index: Int) -> Int { keyStart + index }

  var keyCount: Int { file.target.key.count }

  func keyValues(_ rows: borrowing Statement) -> [Value] {
    rows.values(from: keyStart, count: keyCount)
  }

  /// The key as JSON.
  func key(_ rows: borrowing Statement) -> String {
    RowJSON.object(file.target.key.map(\.name), keyValues(rows))
  }

  /// The key as the keys left to the user hold it.
  func collatedKey(_ rows: borrowing Statement) -> String {
    RowJSON.collatedKey(file.target.key, keyValues(rows))
  }

  /// Some of the changed columns on one side, as JSON.
  func object(_ columns: [Int], _ rows: borrowing Statement, _ side: Side) -> String {
    var values: [Value] = []
    for index in columns { values.append(rows[column(index, side)]) }
    return RowJSON.object(columns.map { changes[$0].column.name }, values)
  }

  /// Where a column of the table is that the update does not set; nil where nobody needed it.
  func other(_ name: String) -> Int? {
    let folded = name.asciiLowercased()
    return others.firstIndex { $0.name.asciiLowercased() == folded }.map { otherStart + $0 }
  }

  func change(_ name: String) -> Int? {
    let folded = name.asciiLowercased()
    return changes.firstIndex { $0.column.name.asciiLowercased() == folded }
  }
}
