/// Rows of update files as the log holds them.
extension UpdateLayout {
  /// The key under which the row is now, as JSON.
  func key(_ rows: RowReading) -> String {
    if naturals.isEmpty { return RowJSON.object(file.target.key.map(\.name), keyValues(rows)) }
    return json(file.keyIndexes, rows)
  }

  /// Fields of the file as JSON, and natural keys where they are not resolved.
  private func json(
    _ indexes: [Int], _ rows: RowReading, behind first: [(String, Value)] = []
  ) -> String {
    var known: [Int: Value] = [:]
    for (place, index) in file.keyIndexes.enumerated() { known[index] = rows[keyStart + place] }
    for (place, change) in changes.enumerated() {
      known[change.seed] = rows[seedStart + place]
      if let base = change.base { known[base] = rows[baseStart + place] }
    }
    for (place, index) in naturals.enumerated() { known[index] = rows[naturalStart + place] }
    return file.json(indexes, behind: first, mark: mark + rows.integer(0)) { known[$0] ?? .null }
  }

  /// The key as the keys left to the user hold it.
  func collatedKey(_ rows: RowReading) -> String {
    RowJSON.collatedKey(file.target.key, keyValues(rows))
  }

  /// Some of the changed columns on one side, as JSON, and the key where it is concerned too.
  func object(
    _ columns: [Int], _ rows: RowReading, _ side: Side, key: [Value]? = nil,
    before: [String: Stage.Before] = [:]
  ) -> String {
    let names = key == nil ? [] : file.target.key.map(\.name)
    if !naturals.isEmpty, side != .mine {
      let fields = columns.compactMap { side == .seed ? changes[$0].seed : changes[$0].base }
      return json(fields, rows, behind: Array(zip(names, key ?? [])))
    }
    var values = key ?? []
    for index in columns {
      let before = before[changes[index].column.name]
      switch side {
      case .mine: values.append(before?.mine ?? rows[column(index, side)])
      case .base: values.append(before?.base ?? rows[column(index, side)])
      case .seed: values.append(rows[column(index, side)])
      }
    }
    return RowJSON.object(names + columns.map { changes[$0].column.name }, values)
  }
}
