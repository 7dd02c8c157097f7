import Testing

@testable import Seedbed

/// A table of many columns: `id`, and `c1` to the last.
struct WideTable {
  /// How many columns it has besides `id`.
  let count: Int

  private var columns: ClosedRange<Int> { 1...count }
  var names: [String] { ["id"] + columns.map { "c\($0)" } }

  var schema: String {
    let columns = columns.map { "c\($0) \(Self.type($0))" }
    return "CREATE TABLE wide (id INTEGER PRIMARY KEY AUTOINCREMENT, "
      + columns.joined(separator: ", ") + ");\n"
  }

  private static func type(_ column: Int) -> String {
    ["TEXT DEFAULT ''", "INTEGER", "REAL", "TEXT COLLATE NOCASE"][column % 4]
  }

  /// What a column has in a release.
  private static func value(_ column: Int, _ row: Int, _ release: Int) -> String {
    switch column % 4 {
    case 1: "\(column * 10 + release)"
    case 2: "\(row).\(release)5"
    default: "\(row)/\(column)/\(release)"
    }
  }

  func row(_ id: Int, _ release: Int, _ other: [Int: String] = [:]) -> String {
    (["\(id)"] + columns.map { other[$0] ?? Self.value($0, id, release) }).joined(separator: ",")
  }

  func file(_ rows: [String]) -> String {
    ([names.joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
  }

  /// An update of all columns from the first release to the second.
  func update(_ ids: [Int]) -> String {
    let header = names + columns.map { "was:c\($0)" }
    let rows = ids.map { id in
      row(id, 2) + "," + columns.map { Self.value($0, id, 1) }.joined(separator: ",")
    }
    return ([header.joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
  }

  /// A row of the user's.
  func insert(_ id: Int, _ release: Int) -> String {
    let values = row(id, release).split(separator: ",").map { "'\($0)'" }
    return "INSERT INTO wide VALUES (\(values.joined(separator: ",")));"
  }

  /// A device that has the rows 1 to 3.
  func device(options: String = "", _ more: [String: String] = [:]) throws -> Device {
    let files = [
      "catalog.json": "{\"tables\": {\"wide\": {\(options)}}}", "1_wide/up.sql": schema,
      "1_wide/wide.csv": file([1, 2, 3].map { row($0, 1) }),
    ]
    let device = try Device(files.merging(more) { $1 })
    try device.up(to: 1)
    return device
  }

  /// Whether each row is, in all its columns, as a release has it.
  func isIn(
    _ device: Device, _ found: [(id: Int, release: Int, other: [Int: String])]
  ) throws -> Bool {
    let expected = found.map {
      row($0.id, $0.release, $0.other).split(separator: ",").joined(separator: "|")
    }
    return try device.rows("SELECT * FROM wide ORDER BY id") == expected
  }
}
