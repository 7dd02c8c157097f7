import TestSupport

/// Random tables that refer to themselves and to each other, their sources, and edits of those that
/// keep every rule of the schema.
struct RandomFamily {
  struct Row {
    var id: Int
    /// UNIQUE.
    var name: String?
    /// The ids of a row of the same table, and of one of another.
    var up: Int?
    var other: Int?
    var text: String
  }

  struct Table {
    var name: String
    var isTree: Bool
    /// The number of the table that `other` refers to; nil for none.
    var other: Int?
    /// Whether the CSV refers by names in place of ids.
    var refersByName: Bool
    var rows: [Row] = []
  }

  private(set) var tables: [Table]
  private var lastId = 0
  private var freeNames: [String] = []

  init(_ dice: inout Dice) {
    let count = 1 + dice.below(3)
    tables = (0..<count).map { number in
      let others = (0..<count).filter { $0 != number }
      return Table(
        name: "t\(number)", isTree: dice.chance(60),
        other: others.isEmpty || dice.chance(40) ? nil : others[dice.below(others.count)],
        refersByName: dice.chance(25))
    }
    for index in tables.indices { for _ in 0..<dice.below(12) { add(to: index, &dice) } }
    refer(&dice, chance: 70)
  }

  var sql: String {
    tables.map { table in
      """
      CREATE TABLE \(table.name) (id INTEGER PRIMARY KEY, n TEXT UNIQUE
        \(table.isTree ? ", up INTEGER REFERENCES \(table.name)" : "")
        \(table.other.map { ", other INTEGER REFERENCES \(tables[$0].name)" } ?? ""), x TEXT);

      """
    }.joined()
  }

  var options: String {
    let tables = tables.map { "\"\($0.name)\": {\"source\": \"data/\($0.name).csv\"}" }
    return "{\"tables\": {\(tables.joined(separator: ", "))}}"
  }

  /// Texts of all tables, by the paths of their sources.
  var csv: [String: String] {
    Dictionary(
      uniqueKeysWithValues: tables.map { table in
        let suffix = { (parent: String) in table.refersByName ? ":\(parent).n" : "" }
        var text =
          "id,n" + (table.isTree ? ",up\(suffix(table.name))" : "")
          + (table.other.map { ",other\(suffix(tables[$0].name))" } ?? "") + ",x\n"
        for row in table.rows {
          text += "\(row.id),\(row.name ?? "")"
          if table.isTree { text += "," + field(row.up, table, table) }
          if let other = table.other { text += "," + field(row.other, tables[other], table) }
          text += ",\(row.text)\n"
        }
        return ("data/\(table.name).csv", text)
      })
  }

  private func field(_ id: Int?, _ parent: Table, _ table: Table) -> String {
    guard let id else { return "" }
    if !table.refersByName { return "\(id)" }
    return parent.rows.first { $0.id == id }?.name ?? ""
  }

  // MARK: edits

  mutating func edit(_ dice: inout Dice) {
    for index in tables.indices {
      let (gone, kept) = tables[index].rows.reduce(into: ([Row](), [Row]())) { rows, row in
        if dice.chance(20) { rows.0.append(row) } else { rows.1.append(row) }
      }
      freeNames += gone.compactMap(\.name)
      tables[index].rows = kept
      for place in tables[index].rows.indices {
        if dice.chance(30) { tables[index].rows[place].text = text(&dice) }
        if dice.chance(10) { rename(index, place, &dice) }
      }
      exchangeNames(index, &dice)
      for _ in 0..<dice.below(8) { add(to: index, &dice) }
      freeNames = []
    }
    refer(&dice, chance: 30)
  }

  private mutating func add(to index: Int, _ dice: inout Dice) {
    lastId += 1
    var row = Row(id: 0, text: text(&dice))
    // A child may well have a lower id than its parent.
    row.id = lastId * 37 % 101 + lastId / 101 * 101
    row.name =
      !freeNames.isEmpty && dice.chance(70)
      ? freeNames.remove(at: dice.below(freeNames.count)) : "n\(lastId)"
    tables[index].rows.append(row)
    tables[index].rows.sort { $0.id < $1.id }
  }

  private mutating func rename(_ index: Int, _ place: Int, _ dice: inout Dice) {
    if let old = tables[index].rows[place].name { freeNames.append(old) }
    lastId += 1
    tables[index].rows[place].name =
      isNamed(index) || dice.chance(70) ? "n\(lastId)" : nil
  }

  /// Two or more rows in a circle, or a chain whose first name is new.
  private mutating func exchangeNames(_ index: Int, _ dice: inout Dice) {
    let places = tables[index].rows.indices.filter { _ in dice.chance(15) }
    guard places.count > 1, !isNamed(index) || dice.chance(20) else { return }
    let names = places.map { tables[index].rows[$0].name }
    for (place, name) in zip(places, names.dropFirst() + names.prefix(1)) {
      tables[index].rows[place].name = name
    }
  }

  private func isNamed(_ index: Int) -> Bool {
    tables.enumerated().contains {
      $1.refersByName && ($0 == index && $1.isTree || $1.other == index)
    }
  }

  /// Where a row that was referred to is gone, the reference goes on to another, or is empty.
  private mutating func refer(_ dice: inout Dice, chance: Int) {
    for index in tables.indices {
      let own = tables[index].rows.map(\.id)
      let others = tables[index].other.map { tables[$0].rows.map(\.id) } ?? []
      for place in tables[index].rows.indices {
        let row = tables[index].rows[place]
        if tables[index].isTree, dice.chance(chance) || row.up.map(own.contains) == false {
          tables[index].rows[place].up = pick(own, &dice)
        }
        if tables[index].other != nil,
          dice.chance(chance) || row.other.map(others.contains) == false
        {
          tables[index].rows[place].other = pick(others, &dice)
        }
      }
    }
  }

  private func pick(_ ids: [Int], _ dice: inout Dice) -> Int? {
    ids.isEmpty || dice.chance(25) ? nil : ids[dice.below(ids.count)]
  }

  private func text(_ dice: inout Dice) -> String { "x\(dice.below(9))" }
}
