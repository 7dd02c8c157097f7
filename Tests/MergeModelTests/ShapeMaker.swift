import TestSupport

/// Makes up the tables of a history.
struct ShapeMaker {
  var dice: Dice
  private var tables: [TableShape] = []

  init(_ dice: Dice) { self.dice = dice }

  static func make(_ dice: inout Dice) -> Shape {
    var maker = ShapeMaker(dice)
    let count = 1 + maker.dice.below(4)
    for index in 0..<count { maker.addTable(index) }
    for index in 0..<count { maker.addForeignKeys(index) }
    dice = maker.dice
    return Shape(tables: maker.tables)
  }

  private mutating func addTable(_ index: Int) {
    var table = TableShape(name: "t\(index)", columns: [], key: [])
    // Nothing is drawn for it: a seed makes the tables that it always made.
    table.leavesTextsEmpty = index % 2 == 0
    addKey(to: &table)
    for number in 0..<(1 + dice.below(3)) { table.columns.append(dataColumn("d\(number)")) }
    if dice.chance(15) { table.identity = [table.key.count] }
    if dice.chance(50) {
      var column = ColumnShape(name: "u0", kind: dice.chance(50) ? .text : .integer)
      column.ignoresCase = column.kind == .text && dice.chance(40)
      table.columns.append(column)
      table.uniques.append(Unique(columns: [table.columns.count - 1]))
    }
    if dice.chance(25) {
      table.columns.append(ColumnShape(name: "p0", kind: .integer))
      table.columns.append(ColumnShape(name: "p1", kind: .text))
      table.uniques.append(Unique(columns: [table.columns.count - 2, table.columns.count - 1]))
    }
    if dice.chance(20) {
      for name in ["low", "high"] { table.columns.append(ColumnShape(name: name, kind: .integer)) }
      table.ordered = (table.columns.count - 2, table.columns.count - 1)
    }
    if dice.chance(25) {
      table.columns.append(ColumnShape(name: "touched", kind: .integer, role: .ignored))
    }
    if dice.chance(40) {
      var column = ColumnShape(name: "favourite", kind: .integer, role: .user)
      if dice.chance(70) { column.standard = 0 }
      column.isNotNull = !column.standard.isNull && dice.chance(50)
      table.columns.append(column)
    }
    if dice.chance(20) { table.hidden.append("stamp TEXT DEFAULT CURRENT_TIMESTAMP") }
    if dice.chance(15) { table.hidden.append("twice INTEGER AS (2 * 21) VIRTUAL") }
    tables.append(table)
  }

  private mutating func addKey(to table: inout TableShape) {
    switch dice.below(6) {
    case 0, 1:
      table.columns = [ColumnShape(name: "id", kind: .integer)]
      table.columns[0].isNotNull = dice.chance(30)
      table.isRowid = true
      table.isAutoincrement = dice.chance(30)
      if table.isAutoincrement, dice.chance(50) { table.reserve = 20 }
    case 2:
      var column = ColumnShape(name: "code", kind: .text)
      column.ignoresCase = dice.chance(50)
      column.isNotNull = true
      table.columns = [column]
      table.isWithoutRowid = dice.chance(40)
    case 3:
      table.hidden.append("row INTEGER PRIMARY KEY")
      table.columns = [ColumnShape(name: "seed_id", kind: .text)]
      table.isKeyPrimary = false
    default:
      table.columns = [
        ColumnShape(name: "k0", kind: .integer, isNotNull: true),
        ColumnShape(name: "k1", kind: .text, ignoresCase: dice.chance(30), isNotNull: true),
      ]
      table.isWithoutRowid = dice.chance(50)
    }
    table.key = Array(table.columns.indices)
  }

  private mutating func dataColumn(_ name: String) -> ColumnShape {
    var column = ColumnShape(name: name, kind: dice.pick([.integer, .real, .text, .text, .blob]))
    column.ignoresCase = column.kind == .text && dice.chance(30)
    if dice.chance(30) {
      column.standard = Pool.value(column, &dice)
      column.isNotNull = !column.standard.isNull
    }
    return column
  }

  private mutating func addForeignKeys(_ index: Int) {
    for number in 0..<dice.below(3) {
      let parent: Int =
        switch dice.below(10) {
        case 0, 1: index
        case 2: dice.below(tables.count)
        default: index == 0 ? 0 : dice.below(index)
        }
      addForeignKey(index, number, parent)
    }
  }

  private mutating func addForeignKey(_ index: Int, _ number: Int, _ parent: Int) {
    let target = tables[parent]
    var parentColumns = target.key
    if dice.chance(25), let set = target.uniques.map(\.columns).first(where: { $0.count == 1 }) {
      parentColumns = set
    }
    // SQLite miscounts a row that comes to refer to itself in another case (seen in 3.40): such a
    // reference is not declared.
    let isMiscounted =
      parent == index && parentColumns.contains { target.columns[$0].ignoresCase }
    if isMiscounted, !mayBeUndeclared(index, parent, parentColumns) { return }
    let actions = ["CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION"]
    var action = dice.chance(15) ? "" : "ON DELETE " + dice.pick(actions)
    if dice.chance(20) { action += " DEFERRABLE INITIALLY DEFERRED" }
    var columns: [Int] = []
    let own = tables[index]
    // A part of the key may be the parent's: texts (word, language).
    let isPart =
      parent < index && own.key.count == 2 && parentColumns.count == 1 && number == 0
      && target.columns[parentColumns[0]].kind == .integer && dice.chance(50)
    if isPart {
      columns = [0]
    } else {
      // Two references may share a column: a note is about an item and a shelf of one shop.
      let shared =
        parentColumns.count > 1 && dice.chance(60) ? sharedColumn(of: index, target) : nil
      for (place, column) in parentColumns.enumerated() {
        if place == 0, let shared {
          columns.append(shared)
          continue
        }
        var copy = target.columns[column]
        copy.name = "f\(number)\(place)"
        copy.isNotNull = false
        copy.standard = .null
        copy.role = .seeded
        if action.contains("DEFAULT") { copy.standard = Pool.distinct(copy, &dice) }
        if isMiscounted { copy.standard = .null }
        tables[index].columns.append(copy)
        columns.append(tables[index].columns.count - 1)
      }
    }
    let isUndeclared =
      isMiscounted || mayBeUndeclared(index, parent, parentColumns) && dice.chance(25)
    tables[index].foreignKeys.append(
      ForeignKey(
        columns: columns, parent: parent, parentColumns: parentColumns, action: action,
        isDeclared: !isUndeclared))
  }

  /// A column of the table's own that refers to the first column of such a key.
  private func sharedColumn(of index: Int, _ target: TableShape) -> Int? {
    let first = target.columns[target.key[0]]
    return tables[index].foreignKeys.first { $0.columns.count > 1 }?.columns.first { column in
      let own = tables[index].columns[column]
      return own.kind == first.kind && own.ignoresCase == first.ignoresCase
        && !tables[index].key.contains(column)
    }
  }

  /// The options have room for one reference from a table to the primary key of another.
  private func mayBeUndeclared(_ index: Int, _ parent: Int, _ columns: [Int]) -> Bool {
    let target = tables[parent]
    return target.isKeyPrimary && columns == target.key
      && !tables[index].foreignKeys.contains { !$0.isDeclared && $0.parent == parent }
  }
}

/// Small stores of values, so that the user and the seed often meet.
enum Pool {
  static func value(_ column: ColumnShape, _ dice: inout Dice) -> Cell {
    if !column.isNotNull, dice.chance(12) { return .null }
    switch column.kind {
    case .integer: return dice.pick([0, 1, 2, 3, 4, 9_007_199_254_740_993, -1])
    case .real: return .real(dice.pick([0.5, 1, 2.25, -3.125, 1e300, 0.1]))
    case .text: return dice.pick(["red", "Red", "RED", "", "blue", "Ü", "1", "1.0", "NULL", "a,b"])
    case .blob: return .blob(dice.pick([[], [1], [255, 0], [0x31]]))
    }
  }

  /// For keys and UNIQUE columns.
  static func distinct(_ column: ColumnShape, _ dice: inout Dice) -> Cell {
    let number = dice.below(14)
    switch column.kind {
    case .integer: return .integer(Int64(number))
    case .real: return .real(Double(number) / 4)
    case .blob: return .blob([UInt8(number), 255])
    case .text: break
    }
    let letter = String(UnicodeScalar(UInt8(97 + number)))
    return .text(
      (column.ignoresCase || column.variesCase) && dice.chance(30) ? letter.uppercased() : letter)
  }
}
