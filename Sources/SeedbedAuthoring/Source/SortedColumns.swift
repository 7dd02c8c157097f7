import Seedbed

/// Recognises a spreadsheet column that was sorted alone: almost all rows have another value in it,
/// but the values are the same, only in other rows.
struct SortedColumns {
  private struct Column {
    var changed = 0
    /// The sum of the old values' hashes, less that of the new ones.
    var balance: UInt64 = 0
    /// The first three examples.
    var examples: [(row: Int64, old: String, new: String)] = []
  }

  private var columns: [Int: Column] = [:]

  /// Fewer rows may have exchanged their values on purpose.
  private static let fewest = 10

  mutating func look(_ field: Int, row: Int64, from old: Value, to new: Value) {
    columns[field, default: Column()].changed += 1
    columns[field]?.balance &+= Self.hash(of: old) &- Self.hash(of: new)
    if columns[field]?.examples.count ?? 0 < 3 {
      columns[field]?.examples.append((row, old.display, new.display))
    }
  }

  private static func hash(of value: Value) -> UInt64 {
    // Swift's hash of NULL is the same as that of 0.
    value.isNull ? 1 : UInt64(truncatingIfNeeded: value.hashValue)
  }

  /// - Throws: for the first such column.
  func refuse(_ difference: TableDifference) throws {
    let kept = difference.tableRows - difference.deletes.count
    let source = difference.source
    for (field, column) in columns.sorted(by: { $0.key < $1.key })
    where column.balance == 0 && column.changed >= Self.fewest && column.changed * 10 >= kept * 9
      && !source.fields[field].isKey
    {
      let examples = try column.examples.map { example in
        "\(try source.keyText(of: example.row)): \(example.old) became \(example.new)"
      }
      throw SeedbedError(
        .csv,
        "In the column '\(source.fields[field].header)' \(column.changed) of \(kept) rows change, "
          + "and its values are the same as before, only in other rows, as if that column had been "
          + "sorted alone: \(examples.joined(separator: "; ")). If it is intended, pass --accept.",
        at: try column.examples.first.map { try source.place(of: $0.row) })
    }
  }
}
