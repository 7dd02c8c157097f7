struct SeedFile: Sendable {
  enum Kind: String { case insert = "", update = ".update", delete = ".delete" }

  var table: Int
  var kind: Kind
  /// Tells several files of one kind for one table apart: `a` in `t0.a~.csv`.
  var tag: String?
  /// The columns that the file holds, in an update file those that it sets.
  var columns: [Int]
  var rows: [SeedRow]
  /// Columns of the key that an update file changes, so that `was:` stands before them too.
  var keyChanges: [Int] = []
  /// Whether it holds no old values: an update without `was:`, a delete file with the key alone.
  var isBaseless = false
  /// The references for which it names rows, in place of their keys.
  var naturals: [NaturalNames] = []

  /// Whether its rows stand where others may be.
  var bringsKeys: Bool { kind == .insert || !keyChanges.isEmpty }

  func name(in shape: Shape) -> String {
    shape.tables[table].name + (tag.map { ".\($0)~" } ?? "") + kind.rawValue
  }

  mutating func takeBases(_ table: TableShape) {
    isBaseless = kind == .update || !table.isAllKey
    if kind == .delete { columns = table.key }
    for index in rows.indices {
      rows[index].was = []
      if kind == .delete { rows[index].values = rows[index].key }
    }
  }

  func value(of column: Int, in row: SeedRow) -> Cell? {
    columns.firstIndex(of: column).map { row.values[$0] }
  }

  func csv(_ table: TableShape) -> String {
    let fields = fields(table)
    var text = fields.map(\.header).joined(separator: ",") + "\n"
    for row in rows {
      text += fields.map { table.csv($0.value(row), $0.column) }.joined(separator: ",") + "\n"
    }
    return text
  }
}

struct SeedRow: Sendable {
  /// The one that the row had before.
  var key: [Cell]
  /// Where an update file changes keys, the one that it is to have.
  var newKey: [Cell]?
  /// For the file's columns: the new value; in a delete file the base.
  var values: [Cell]
  /// Of an update file: the bases of its columns.
  var was: [Cell] = []
  /// For each of the file's natural references: what names the row.
  var names: [[Cell]] = []
}

struct Release: Sendable {
  var version: Int
  var files: [SeedFile]
  /// Of this migration's own migration.json, by table.
  var policies: [Policy]?

  var isBaseless: Bool { files.contains(where: \.isBaseless) }
}
