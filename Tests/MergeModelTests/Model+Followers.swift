import TestSupport

/// Rows that refer to others by UNIQUE columns follow where these change.
extension Model {
  /// By row: who refers to it, and by which columns.
  struct Links {
    struct Link {
      var child: Place
      var key: ForeignKey
    }

    var all: [Place: [Link]] = [:]
  }

  /// As all are before the first update.
  func links() -> Links {
    var links = Links()
    for (child, table) in tables.enumerated() {
      for key in shape.tables[child].foreignKeys
      where key.parentColumns != shape.tables[key.parent].key {
        for (index, row) in table.enumerated() {
          guard let row,
            let parent = find(key.parentColumns, key.columns.map { row[$0] }, in: key.parent)
          else { continue }
          links.all[parent, default: []].append(
            Links.Link(child: Place(table: child, index: index), key: key))
        }
      }
    }
    return links
  }

  /// What refers to columns that change follows. Nothing can follow to NULL: it refers to nobody
  /// then, unless the release points it elsewhere.
  mutating func follow(_ place: Place, _ changes: [Int: Cell], _ links: Links) {
    for link in links.all[place] ?? [] {
      let before = self[link.child]
      for (column, parent) in zip(link.key.columns, link.key.parentColumns) {
        guard let new = changes[parent] else { continue }
        self[link.child]?[column] = new.isNull ? Self.nobody(place, parent) : new
      }
      // Other files speak of what was there before, as long as the row waits.
      guard waiting.contains(place), let after = self[link.child], let before else { continue }
      let columns = link.key.columns
      followingLate.append((link, columns.map { before[$0] }, columns.map { after[$0] }))
      self[link.child] = before
    }
  }

  /// What does not refer to others by now.
  mutating func followLate() {
    for (link, old, new) in followingLate {
      let columns = link.key.columns
      guard let row = self[link.child], columns.map({ row[$0] }) == old else { continue }
      for (column, cell) in zip(columns, new) { self[link.child]?[column] = cell }
      notePassedOn(UniqueValue(place: link.child, set: columns), link.key)
    }
  }

  /// Rows whose new UNIQUE values are held by one to retire, or by others that wait. Where one of a
  /// table waits, those that exchange their values do as well.
  func waitingRows(_ places: [Place]) -> Set<Place> {
    var holders: [Place: Set<Place>] = [:]
    for place in places {
      guard let row = self[place], let old = beforeUpdates[place.table][place.index] else {
        continue
      }
      let table = shape.tables[place.table]
      for set in table.uniques where table.folded(set, of: row) != table.folded(set, of: old) {
        let wanted = table.folded(set, of: row)
        guard !wanted.contains(.null) else { continue }
        for (index, other) in beforeUpdates[place.table].enumerated() where index != place.index {
          if let other, table.folded(set, of: other) == wanted {
            holders[place, default: []].insert(Place(table: place.table, index: index))
          }
        }
      }
    }
    // Who waits for nobody goes first.
    var waiting = Set(holders.keys)
    while case let free = waiting.filter({ place in
      holders[place, default: []].allSatisfy { !going.contains($0) && !waiting.contains($0) }
    }), !free.isEmpty {
      waiting.subtract(free)
    }
    let tables = Set(
      holders.filter { !$0.value.isDisjoint(with: going) }.keys.map(\.table))
    return waiting.filter { tables.contains($0.table) }
  }

  private static let nobody = "\u{1}nobody"

  private static func nobody(_ place: Place, _ column: Int) -> Cell {
    .text("\(nobody) \(place.table) \(place.index) \(column)")
  }

  /// The columns that became NULL and to whose old values rows still refer.
  var needed: Set<UniqueValue> {
    var needed: Set<UniqueValue> = []
    for row in tables.joined() {
      for case .text(let text)? in row ?? [] where text.hasPrefix(Self.nobody) {
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        needed.insert(
          UniqueValue(place: Place(table: numbers[0], index: numbers[1]), set: [numbers[2]]))
      }
    }
    return needed
  }

  /// What comes to refer to a UNIQUE value of a row to retire means the row that is to get it.
  mutating func notePassedOn(_ changes: [Int: Cell], _ child: Place) {
    for key in shape.tables[child.table].foreignKeys {
      let value = UniqueValue(place: child, set: key.columns)
      let isReferred = key.columns.contains { column in
        shape.tables.contains { other in
          other.foreignKeys.contains {
            $0.parent == child.table && $0.parentColumns.contains(column)
          }
        }
      }
      guard key.parentColumns != shape.tables[key.parent].key, !isReferred,
        key.columns.contains(where: { changes[$0] != nil })
      else { continue }
      notePassedOn(value, key)
    }
  }

  /// So does what follows the row that gets it.
  private mutating func notePassedOn(_ value: UniqueValue, _ key: ForeignKey) {
    guard let row = self[value.place] else { return }
    let isPassedOn = going.contains { place in
      place.table == key.parent && self[place].map { shape.refers(row, key, to: $0) } == true
    }
    if isPassedOn { passedOn.insert(value) } else { passedOn.remove(value) }
  }

  private func parent(of value: UniqueValue, _ key: ForeignKey) -> Place? {
    guard let row = self[value.place] else { return nil }
    return find(key.parentColumns, key.columns.map { row[$0] }, in: key.parent)
  }

  /// Where nobody got it.
  var passedOnInVain: Set<UniqueValue> {
    passedOn.filter { value in
      shape.tables[value.place.table].foreignKeys.contains {
        $0.columns == value.set && parent(of: value, $0) == nil
      }
    }
  }

  /// Update files, those of a table before those of the tables that may follow it.
  func inOrder(_ files: [SeedFile]) -> [SeedFile] {
    var rest = files
    var ordered: [SeedFile] = []
    while !rest.isEmpty {
      let tables = Set(rest.map(\.table))
      let place = rest.firstIndex { file in
        !shape.followed(by: file.table).contains { tables.contains($0) && $0 != file.table }
      }
      ordered.append(rest.remove(at: place ?? 0))
    }
    return ordered
  }
}

extension Shape {
  /// The tables whose changes rows of this one may follow.
  func followed(by table: Int) -> [Int] {
    tables[table].foreignKeys.filter { key in
      key.parentColumns.contains { movable(key.parent).contains($0) }
    }.map(\.parent)
  }

  /// The UNIQUE columns of a table that others refer to and that releases change. Keys that would
  /// change with them, and tables that refer to each other, are left out.
  func movable(_ table: Int) -> Set<Int> {
    let keys = tables.enumerated().flatMap { child, other in
      other.foreignKeys.filter { $0.parent == table }.map { (child, $0) }
    }
    let referred = Set(keys.flatMap { $0.1.parentColumns }).subtracting(tables[table].key)
    return referred.filter { column in
      keys.filter { $0.1.parentColumns.contains(column) }.allSatisfy { child, key in
        Set(key.columns).isDisjoint(with: tables[child].key) && !reaches(table, child)
      }
    }
  }

  /// Whether a table refers to another, over any number of references.
  private func reaches(_ start: Int, _ end: Int) -> Bool {
    var seen: Set = [start]
    var open = [start]
    while let table = open.popLast() {
      if table == end { return true }
      for parent in tables[table].foreignKeys.map(\.parent) where seen.insert(parent).inserted {
        open.append(parent)
      }
    }
    return false
  }
}

extension TruthMaker {
  /// A UNIQUE value that others refer to changes, or two rows exchange theirs.
  mutating func changeReferred(_ dice: inout Dice) {
    let tables = shape.tables.indices.filter { !shape.movable($0).isEmpty && !truth[$0].isEmpty }
    guard !tables.isEmpty else { return }
    let table = dice.pick(tables)
    let column = dice.pick(shape.movable(table).sorted())
    let row = dice.below(truth[table].count)
    var new = [
      row: dice.chance(25) ? .null : Pool.distinct(shape.tables[table].columns[column], &dice)
    ]
    if dice.chance(35) {
      let other = dice.below(truth[table].count)
      if other == row { return }
      new = [row: truth[table][other][column], other: truth[table][row][column]]
    }
    let old = truth
    for (row, value) in new.sorted(by: { $0.key < $1.key }) {
      for (child, target) in shape.tables.enumerated() {
        for key in target.foreignKeys where key.parent == table && key.parentColumns == [column] {
          for index in old[child].indices
          where shape.refers(old[child][index], key, to: old[table][row]) {
            set(child, index, key.columns[0], to: dice.chance(80) ? value : nil, &dice)
          }
        }
      }
      set(table, row, column, to: value, &dice)
    }
  }
}
