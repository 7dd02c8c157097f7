/// A foreign key that an update file may point elsewhere.
struct UpdateParent {
  enum Judgement { case there, doubtful, missing, taken }

  /// Columns that stay since their parent is not to be had.
  struct Skip {
    var kind: Conflict.Kind
    var columns: [Int]
  }

  /// The changes that set its child columns.
  let changes: [Int]
  let key: ParentKey
  private let layout: UpdateLayout
  private let connection: Connection
  private let query: String
  private let keyColumns: [ColumnSchema]
  private let parentColumns: [ColumnSchema]
  private let left: Set<String>
  private let doubtful: Set<String>

  var name: String { key.parent }

  /// The foreign keys of the file's table that it can change.
  static func all(of merge: UpdateMerge) throws -> [UpdateParent] {
    let file = merge.stage.file
    let layout = UpdateLayout(file: file, changes: merge.changes)
    return try file.target.parents.compactMap { key in
      let changes = key.childColumns.compactMap { layout.change($0) }
      guard !changes.isEmpty else { return nil }
      return try UpdateParent(key, changes, layout, merge.context)
    }
  }

  private init(
    _ key: ParentKey, _ changes: [Int], _ layout: UpdateLayout, _ context: MergeContext
  ) throws {
    self.key = key
    self.changes = changes
    self.layout = layout
    connection = context.connection
    let schema = try connection.schema(of: key.parent)
    keyColumns = context.keyColumns(of: schema)
    parentColumns = key.parentColumns.compactMap { schema.column($0) }
    doubtful = context.doubtfulKeys[key.parent] ?? []
    left = try context.parentsLeftToUser(key.parent)
    let matches = key.parentColumns.map { "\($0.quoted) = ?" }.joined(separator: " AND ")
    let names = keyColumns.map(\.name)
    query =
      "SELECT \(names.isEmpty ? "1" : names.quotedList) "
      + "FROM main.\(key.parent.quoted) WHERE \(matches)"
  }

  func judge(_ row: UpdateRow, _ rows: borrowing Statement) throws -> Judgement {
    guard changes.contains(where: { row.takesSeed[$0] }) else { return .there }
    let values = values(row, rows)
    if values.contains(.null) { return .there }
    guard let found = try connection.rows(query, values).first else {
      return left.contains(RowJSON.collatedKey(parentColumns, values)) ? .taken : .missing
    }
    if left.isEmpty, doubtful.isEmpty { return .there }
    let key = RowJSON.collatedKey(keyColumns, found)
    return left.contains(key) ? .taken : doubtful.contains(key) ? .doubtful : .there
  }

  /// The parent's key that the row would refer to, as JSON.
  func key(_ row: UpdateRow, _ rows: borrowing Statement) -> String {
    RowJSON.object(key.parentColumns, values(row, rows))
  }

  private func values(_ row: UpdateRow, _ rows: borrowing Statement) -> [Value] {
    var values: [Value] = []
    for name in key.childColumns { values.append(row.value(of: name, rows, layout: layout)) }
    return values
  }
}
