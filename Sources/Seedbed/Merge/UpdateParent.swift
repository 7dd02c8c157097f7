/// A foreign key that an update file may point elsewhere.
struct UpdateParent {
  enum Judgement { case there, hoped, missing, taken }

  /// A row's new parent that this migration is about to insert.
  struct Hope: Hashable {
    var table: String
    var row: Int64
    /// The foreign key's place among those of the table.
    var parent: Int
    var outcome = Outcome.missing

    /// Why it was vain.
    enum Outcome {
      case missing
      /// The parent turned out to be the user's.
      case taken
      /// The parent is there, but another row holds the UNIQUE value that it would give.
      case held
    }

    static func == (left: Hope, right: Hope) -> Bool {
      (left.table, left.row, left.parent) == (right.table, right.row, right.parent)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(table)
      hasher.combine(row)
      hasher.combine(parent)
    }
  }

  /// Columns that stay since their parent is not to be had.
  struct Skip {
    var kind: Conflict.Kind
    var columns: [Int]
  }

  /// The changes that set its child columns.
  let changes: [Int]
  let key: ParentKey
  /// The foreign key's place among those of the table.
  let index: Int
  /// Whether this migration inserts into the parent's table.
  let isFilled: Bool
  /// The reference by natural key that sets it.
  let reference: NaturalReference?
  private let layout: UpdateLayout
  private let stage: Stage
  private let connection: Connection
  private let query: String
  private let keyColumns: [ColumnSchema]
  private let parentColumns: [ColumnSchema]
  private let left: Set<String>

  var name: String { key.parent }

  /// The foreign keys of the file's table that it can change.
  static func all(
    of stage: Stage, layout: UpdateLayout, context: MergeContext
  ) throws -> [UpdateParent] {
    try stage.file.parents.enumerated().compactMap { index, key in
      let changes = key.childColumns.compactMap { layout.change($0) }
      guard !changes.isEmpty else { return nil }
      return try UpdateParent(key, index, changes, stage, layout, context)
    }
  }

  private init(
    _ key: ParentKey, _ index: Int, _ changes: [Int], _ stage: Stage, _ layout: UpdateLayout,
    _ context: MergeContext
  ) throws {
    self.key = key
    self.index = index
    self.changes = changes
    self.stage = stage
    self.layout = layout
    reference = stage.file.natural(of: key)
    isFilled = context.tablesToFill.contains(key.parent)
    connection = context.connection
    let schema = try connection.schema(of: key.parent)
    keyColumns = context.keyColumns(of: schema)
    parentColumns = key.parentColumns.compactMap { schema.column($0) }
    left = try context.parentsLeftToUser(key.parent, named: reference?.naturalColumns)
    let matches = key.parentColumns.map { "\($0.quoted) = ?" }.allTrue
    let names = keyColumns.map(\.name)
    query =
      "SELECT \(names.isEmpty ? "1" : names.quotedList) "
      + "FROM main.\(key.parent.quoted) WHERE \(matches)"
  }

  /// Before the inserts: whether the row may refer to what it would refer to.
  func judge(_ row: UpdateRow, _ rows: RowReading) throws -> Judgement {
    guard changes.contains(where: { row.takesSeed[$0] }) else { return .there }
    // Of a composite key the user may have emptied another column.
    if let named = try named(row, rows) { return named }
    let found = try look(row, rows)
    // Whose a row under the key of a new one is shows only when that one comes.
    return isFilled && found != .taken && !values(row, rows).contains(.null) ? .hoped : found
  }

  /// Where names stand for nothing yet, or for nothing at all.
  private func named(_ row: UpdateRow, _ rows: RowReading) throws -> Judgement? {
    guard reference != nil, values(row, rows).contains(.null) else { return nil }
    let mark = stage.mark + rows.integer(0)
    for change in changes where row.takesSeed[change] {
      let (value, index) = (rows[layout.column(change, .seed)], layout.changes[change].seed)
      if stage.file.isUnresolved(value, index) {
        return try names(row.number).map(isLeft) == true ? .taken : .missing
      }
      if stage.file.isUnresolved(value, index, mark) { return .hoped }
    }
    return nil
  }

  /// What the row refers to now.
  func look(_ row: UpdateRow, _ rows: RowReading) throws -> Judgement {
    let values = values(row, rows)
    if values.contains(.null) { return .there }
    guard let found = try connection.rows(query, values).first else {
      if let names = try names(row.number) { return isLeft(names) ? .taken : .missing }
      return left.contains(RowJSON.collatedKey(parentColumns, values)) ? .taken : .missing
    }
    return left.contains(RowJSON.collatedKey(keyColumns, found)) ? .taken : .there
  }

  /// The parent's columns by which the row would find it, and their values.
  func wanted(
    _ row: UpdateRow, _ rows: RowReading
  ) throws -> (columns: [ColumnSchema], values: [Value]) {
    if let reference, let names = try names(row.number) { return (reference.naturalColumns, names) }
    return (parentColumns, values(row, rows))
  }

  /// The names in a row that stand for nothing.
  private func names(_ row: Value) throws -> [Value]? {
    try reference.flatMap { try stage.lookup($0).unresolvedKey(of: row) }
  }

  /// Whether they are a key that is the user's.
  func isLeft(_ names: [Value]) -> Bool {
    reference.map { left.contains($0.collated(names, like: keyColumns)) } ?? false
  }

  func values(_ row: UpdateRow, _ rows: RowReading) -> [Value] {
    var values: [Value] = []
    for name in key.childColumns { values.append(row.value(of: name, rows, layout: layout)) }
    return values
  }
}

extension RowFile {
  /// Whether the file's rows may come to refer to rows of these tables.
  func setsParent(in tables: Set<String>) -> Bool {
    let changed = Set(changes.map { $0.column.name.asciiLowercased() })
    return parents.contains { key in
      tables.contains(key.parent)
        && key.childColumns.contains { changed.contains($0.asciiLowercased()) }
    }
  }
}
