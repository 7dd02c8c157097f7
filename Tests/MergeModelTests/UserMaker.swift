import TestSupport

/// What a user does between two releases, as SQL.
struct UserMaker {
  let shape: Shape
  let rows: [[[Cell]]]
  /// By table, what the next release ships: its keys are the user's as well.
  var coming: [Int: [SeedRow]] = [:]

  func actions(_ dice: inout Dice) -> [String] {
    (0..<dice.below(9)).flatMap { _ in action(&dice) }
  }

  private func action(_ dice: inout Dice) -> [String] {
    let table = dice.below(shape.tables.count)
    let chosen = rows[table].isEmpty ? nil : dice.pick(rows[table])
    guard let row = chosen, dice.chance(75) else { return [insert(table, nil, &dice)] }
    switch dice.below(12) {
    case 0...2: return [delete(table, row)]
    case 3: return [delete(table, row), insert(table, row, &dice)]
    case 4: return [flipCase(table, row, &dice)]
    case 5, 6: return [favourite(table, row, &dice)]
    case 7: return dice.chance(30) ? [rename(table, row, &dice)] : []
    default: return [edit(table, row, &dice)]
    }
  }

  /// A row of the user's own, or one that reuses a freed key.
  private func insert(_ table: Int, _ freed: [Cell]?, _ dice: inout Dice) -> String {
    insert(newRow(of: table, freed, &dice), into: table)
  }

  func newRow(of table: Int, _ freed: [Cell]?, _ dice: inout Dice) -> [Cell] {
    let target = shape.tables[table]
    var row = SourceMaker.row(of: table, in: shape, rows, &dice, owner: owner(of: freed, table))
    for column in referred(table) { row[column] = apart(row[column]) }
    if let freed {
      for column in target.key { row[column] = freed[column] }
    } else if let seed = coming[table]?.randomElement(using: &dice), dice.chance(40) {
      for (column, value) in zip(target.key, seed.newKey ?? seed.key) {
        row[column] = value
      }
    } else if !target.isKeyPrimary || target.isRowid, dice.chance(target.isRowid ? 30 : 50) {
      row[target.key[0]] = .null
    }
    return row
  }

  func insert(_ row: [Cell], into table: Int) -> String {
    let target = shape.tables[table]
    let values = row.map(\.sql).joined(separator: ", ")
    return "INSERT INTO \(target.name) (\(target.names)) VALUES (\(values))"
  }

  /// UNIQUE columns that others refer to: no page says whose child refers to whom.
  private func referred(_ table: Int) -> Set<Int> {
    SourceMaker(shape).referredColumns(of: table)
  }

  private func apart(_ value: Cell) -> Cell {
    switch value {
    case .integer(let number): .integer(number + 1000)
    case .text(let text): .text(text + "-mine")
    default: value
    }
  }

  private func edit(_ table: Int, _ row: [Cell], _ dice: inout Dice) -> String {
    let target = shape.tables[table]
    let other = SourceMaker.row(of: table, in: shape, rows, &dice, owner: owner(of: row, table))
    var columns = target.columns.indices.filter {
      target.settable.contains($0) && dice.chance(30)
    }
    if columns.isEmpty { columns = [target.settable.randomElement(using: &dice) ?? 0] }
    let referred = referred(table)
    return update(
      table, row, columns.map { ($0, referred.contains($0) ? apart(other[$0]) : other[$0]) })
  }

  private func flipCase(_ table: Int, _ row: [Cell], _ dice: inout Dice) -> String {
    let texts = row.indices.compactMap { column -> (Int, Cell)? in
      guard case .text(let text) = row[column] else { return nil }
      return (column, .text(text == text.uppercased() ? text.lowercased() : text.uppercased()))
    }
    return texts.isEmpty ? favourite(table, row, &dice) : update(table, row, [dice.pick(texts)])
  }

  private func favourite(_ table: Int, _ row: [Cell], _ dice: inout Dice) -> String {
    let target = shape.tables[table]
    if let column = target.columns.firstIndex(where: { $0.role == .user }) {
      return update(table, row, [(column, dice.chance(80) ? 1 : 0)])
    }
    if let column = target.columns.firstIndex(where: { $0.role == .ignored }) {
      return update(table, row, [(column, .integer(Int64(dice.below(100))))])
    }
    guard target.hasStamp else {
      return edit(table, row, &dice)
    }
    return "UPDATE \(target.name) SET stamp = 'then' WHERE \(place(table, row))"
  }

  private func rename(_ table: Int, _ row: [Cell], _ dice: inout Dice) -> String {
    let target = shape.tables[table]
    let old = target.folded(target.key, of: row)
    // No file has an owner.
    let moving = coming[table]?.first {
      $0.newKey != nil && target.folded(key: $0.key)[...] == old.prefix($0.key.count)
    }
    // What the next release will do, or half of it.
    if let key = moving?.newKey, dice.chance(70) {
      return update(table, row, Array(zip(target.key, key)))
    }
    let columns = target.key.filter { $0 != target.owner }
    var key = columns.map { ($0, Pool.distinct(target.columns[$0], &dice)) }
    if let owner = target.owner, dice.chance(20) { key.append((owner, shape.owner(&dice))) }
    return update(table, row, key)
  }

  private func delete(_ table: Int, _ row: [Cell]) -> String {
    "DELETE FROM \(shape.tables[table].name) WHERE \(place(table, row))"
  }

  private func update(_ table: Int, _ row: [Cell], _ columns: [(Int, Cell)]) -> String {
    let target = shape.tables[table]
    let list = columns.map { "\(target.columns[$0.0].name) = \($0.1)" }.joined(separator: ", ")
    return "UPDATE \(target.name) SET \(list) WHERE \(place(table, row))"
  }

  private func place(_ table: Int, _ row: [Cell]) -> String {
    let target = shape.tables[table]
    // Rows without a seed's key are found by all they hold.
    let columns = target.key.contains { row[$0].isNull } ? Array(row.indices) : target.key
    return columns.map { "\(target.columns[$0].name) IS \(row[$0])" }.joined(separator: " AND ")
  }
}
