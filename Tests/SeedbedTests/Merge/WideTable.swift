import Testing

@testable import Seedbed

/// A table of 2,000 columns, the most that SQLite has: `id` and `c1` to `c1999`.
enum WideTable {
  static let columns = 1...1999
  static let names = ["id"] + columns.map { "c\($0)" }

  static func schema(id: String = "INTEGER PRIMARY KEY", _ types: [Int: String] = [:]) -> String {
    let columns = columns.map { "c\($0) \(types[$0] ?? type($0))" }
    return "CREATE TABLE wide (id \(id), \(columns.joined(separator: ", ")));\n"
  }

  private static func type(_ column: Int) -> String {
    ["TEXT DEFAULT ''", "INTEGER", "REAL", "TEXT COLLATE NOCASE"][column % 4]
  }

  /// What a column has in a release.
  static func value(_ column: Int, _ row: Int, _ release: Int) -> String {
    switch column % 4 {
    case 1: "\(column * 10 + release)"
    case 2: "\(row).\(release)5"
    default: "\(row)/\(column)/\(release)"
    }
  }

  static func row(_ id: Int, _ release: Int, _ other: [Int: String] = [:]) -> String {
    (["\(id)"] + columns.map { other[$0] ?? value($0, id, release) }).joined(separator: ",")
  }

  static func file(_ rows: [String]) -> String {
    ([names.joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
  }

  /// An update from one release to another: 3,999 fields.
  static func update(
    _ ids: [Int], from old: Int = 1, to new: Int = 2, was: [Int: [Int: String]] = [:],
    becomes: [Int: [Int: String]] = [:]
  ) -> String {
    let header = names + columns.map { "was:c\($0)" }
    let rows = ids.map { id in
      row(id, new, becomes[id] ?? [:]) + ","
        + columns.map { was[id]?[$0] ?? value($0, id, old) }.joined(separator: ",")
    }
    return ([header.joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
  }
}

extension Device {
  /// A device with three rows of the wide table.
  static func wide(
    schema: String = WideTable.schema(), options: String = "", ids: [Int] = [1, 2, 3],
    _ more: [String: String] = [:]
  ) throws -> Device {
    let files = [
      "catalog.json": "{\"tables\": {\"wide\": {\(options)}}}", "1_wide/up.sql": schema,
      "1_wide/wide.csv": WideTable.file(ids.map { WideTable.row($0, 1) }),
    ]
    let device = try Device(files.merging(more) { $1 })
    try device.up(to: 1)
    return device
  }

  /// Whether each row of the wide table is, in all its columns, as a release has it.
  func wideRows(_ found: [(id: Int, release: Int, other: [Int: String])]) throws -> Bool {
    let names = WideTable.names.map(\.quoted).joined(separator: ", ")
    let rows = try rows("SELECT \(names) FROM wide ORDER BY id")
    let expected = found.map {
      WideTable.row($0.id, $0.release, $0.other).split(separator: ",").joined(separator: "|")
    }
    for (row, wanted) in zip(rows, expected) where row != wanted {
      let pairs = zip(row.split(separator: "|"), wanted.split(separator: "|"))
      let first = pairs.enumerated().first { $1.0 != $1.1 }
      Issue.record("column \(first?.offset ?? -1): \(first?.element as Any)")
    }
    return rows == expected
  }
}
