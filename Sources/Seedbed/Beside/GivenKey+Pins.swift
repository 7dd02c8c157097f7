// Keys as a person gives them, held against those of pinned rows.

extension GivenKey {
  /// Whether it gives these values, by their names or in this order.
  func isKey(_ key: Migrator.Row) -> Bool {
    switch self {
    case .row(let row): key.isSame(as: row)
    case .text(let text):
      SeededTable.text(key.values).isSameName(as: text)
        || (object.map { key.isSame(as: $0) } ?? false)
    }
  }

  /// Whether it is an object with the names of the columns of a key.
  func namesColumns(of pins: [Migrator.UserOwnedKey]) -> Bool {
    guard let object else { return false }
    return pins.contains { pin in
      object.columns.allSatisfy { name in pin.key.columns.contains { $0.isSameName(as: name) } }
    }
  }
}

extension Migrator.Row {
  /// Whether it has the same columns and values, in any order and any case.
  fileprivate func isSame(as other: Migrator.Row) -> Bool {
    if other.isPositional { return isSame(as: Migrator.Row(columns, other.values)) }
    return columns.count == other.columns.count && values.count == other.values.count
      && zip(other.columns, other.values).allSatisfy { name, value in
        columns.firstIndex { $0.isSameName(as: name) }.map {
          values[$0] == value
            || SeededTable.text([values[$0]]).isSameName(as: SeededTable.text([value]))
        } ?? false
      }
  }
}
