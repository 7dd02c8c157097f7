import TestSupport

/// Tables of which each owner has a copy of the catalog's rows.
extension Shape {
  static let ownerOption = #""per": {"table": "owners", "key": "id", "column": "owner"}"#
  static let ownerReference = "FOREIGN KEY (owner) REFERENCES owners (id) ON DELETE CASCADE"

  var isPerOwner: Bool { tables.contains { $0.owner != nil } }

  /// The owners' own table, and those that an app has from the beginning.
  var ownersSQL: String {
    if !isPerOwner { return "" }
    return "CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT);\n"
      + owners.map { "INSERT INTO owners VALUES (\($0), 'from the beginning');\n" }.joined()
  }

  /// No two owners' rows have the same id, so no id is the key of the catalog's rows. And a
  /// reference that has the owner in it cannot become NULL as a whole.
  mutating func becomePerOwner() {
    for table in tables.indices {
      for key in tables[table].foreignKeys.indices
      where tables[table].foreignKeys[key].action.contains("ON DELETE SET") {
        tables[table].foreignKeys[key].action = "ON DELETE CASCADE"
      }
    }
    for table in tables.indices where tables[table].isRowid {
      (tables[table].isRowid, tables[table].isAutoincrement) = (false, false)
      tables[table].reserve = nil
      for column in tables[table].key { tables[table].columns[column].isNotNull = true }
    }
  }

  /// The tables of an app, with the owner in the last column, in each key, in what is UNIQUE and in
  /// each reference.
  var perOwner: Shape {
    var shape = self
    for table in tables.indices {
      let owner = tables[table].columns.count
      shape.tables[table].owner = owner
      shape.tables[table].columns.append(
        ColumnShape(name: "owner", kind: .integer, isNotNull: true))
      shape.tables[table].key.append(owner)
      for unique in tables[table].uniques.indices {
        shape.tables[table].uniques[unique].columns.append(owner)
      }
      for (index, key) in tables[table].foreignKeys.enumerated() {
        shape.tables[table].foreignKeys[index].columns.append(owner)
        shape.tables[table].foreignKeys[index].parentColumns
          .append(tables[key.parent].columns.count)
      }
    }
    return shape
  }

  /// One for whom a user makes a row.
  func owner(_ dice: inout Dice) -> Cell { owners.isEmpty ? 0 : dice.pick(owners) }
}

extension TableShape {
  /// As an app would declare its keys.
  func ownerFirst(_ columns: [Int]) -> [Int] {
    columns.filter { $0 == owner } + columns.filter { $0 != owner }
  }
}

extension UserMaker {
  /// The owner of a row, who stays the owner of what takes its place.
  func owner(of row: [Cell]?, _ table: Int) -> Cell? {
    shape.tables[table].owner.flatMap { row?[$0] }
  }
}

extension Release {
  /// What the files say to the merge: each row once for each owner.
  func each(_ owners: [Cell], _ shape: Shape) -> Release {
    var release = self
    for (index, file) in files.enumerated() {
      guard let owner = shape.tables[file.table].owner else { continue }
      let hasOwner = file.kind != .update
      if hasOwner { release.files[index].columns.append(owner) }
      release.files[index].rows = file.rows.flatMap { row in
        owners.map { id in
          var copy = row
          copy.key.append(id)
          copy.newKey?.append(id)
          if hasOwner { copy.values.append(id) }
          return copy
        }
      }
    }
    return release
  }
}
