import TestSupport

/// Tables of which the seed has nothing but keys, as those between two others.
extension Shape {
  /// Draws which tables with a key of two columns are such. Those of users' own and those that are
  /// ignored stay beside it.
  mutating func drawAllKey(_ dice: inout Dice) {
    for index in tables.indices where tables[index].key.count == 2 && dice.chance(40) {
      let key = tables[index].key
      if references(to: index).contains(where: { $0.key.parentColumns != key }) { continue }
      tables[index].columns = tables[index].columns.enumerated().filter { place, column in
        key.contains(place) || column.role == .user || column.role == .ignored
      }.map(\.element)
      tables[index].foreignKeys.removeAll { !Set($0.columns).isSubset(of: key) }
      (tables[index].uniques, tables[index].identity) = ([], [])
      tables[index].ordered = nil
      if references(to: index).isEmpty { for column in key { refer(index, by: column, &dice) } }
    }
  }

  /// Draws keys of three columns, and REAL and BLOB columns of keys, where nothing refers to them.
  mutating func drawKeyKinds(_ dice: inout Dice) {
    for index in tables.indices where tables[index].key.count == 2 && dice.chance(30) {
      if !references(to: index).isEmpty || tables[index].key.contains(where: tables[index].refers) {
        continue
      }
      let kinds: [ColumnShape.Kind] = [.real, .blob, .integer, .text]
      tables[index].columns[tables[index].key[0]].kind = dice.pick(kinds)
      if dice.chance(50) { continue }
      tables[index].columns.append(
        ColumnShape(name: "k2", kind: dice.pick(kinds), isNotNull: true))
      tables[index].key.append(tables[index].columns.count - 1)
    }
  }

  /// Has a column of a key refer to an earlier table, if it does not refer to one.
  private mutating func refer(_ index: Int, by column: Int, _ dice: inout Dice) {
    let parents = tables.indices.prefix(index).filter {
      tables[$0].key.count == 1 && tables[$0].isKeyPrimary
    }
    if parents.isEmpty || tables[index].refers(column) || dice.chance(20) { return }
    let parent = dice.pick(parents)
    let target = tables[parent].columns[tables[parent].key[0]]
    tables[index].columns[column].kind = target.kind
    tables[index].columns[column].ignoresCase = target.ignoresCase
    let action = dice.pick(["", "ON DELETE CASCADE", "ON DELETE RESTRICT"])
    tables[index].foreignKeys.append(
      ForeignKey(
        columns: [column], parent: parent, parentColumns: tables[parent].key, action: action))
  }
}

extension TableShape {
  /// Whether the key is all that the seed has, and so a row as it was.
  var isAllKey: Bool { settable.allSatisfy { columns[$0].role == .ignored } }
}

extension SourceMaker {
  /// Rows that earlier releases retired, or whose keys others had, come again.
  mutating func bringBack(_ release: inout Release, _ dice: inout Dice) {
    if release.files.contains(where: { !$0.keyChanges.isEmpty }) || !dice.chance(40) { return }
    var isChanged = false
    for (table, target) in shape.tables.enumerated() where target.assigned == nil {
      for row in gone[table] where dice.chance(50) {
        let key = target.folded(target.key, of: row)
        if [old, source].contains(where: { keys(of: table, in: $0).contains(key) }) { continue }
        let before = source
        source[table].append(row)
        for key in target.foreignKeys where Set(key.columns).isDisjoint(with: target.key) {
          if dice.chance(30) {
            Self.point(&source[table][source[table].count - 1], key, before, &dice)
          }
        }
        if isSound, !passesOn { isChanged = true } else { source = before }
      }
    }
    if isChanged { release.files = files(of: Array(shape.tables.indices), &dice) }
  }
}
