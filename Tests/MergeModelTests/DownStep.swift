/// The rows of one table before a release, after it, as the user left them then, and after `down`.
struct DownStep {
  struct Worlds {
    let before: [[[Cell]]]
    let after: [[[Cell]]]
    let mine: [[[Cell]]]
    let left: [[[Cell]]]
  }

  let shape: Shape
  let number: Int
  let worlds: Worlds
  /// Rows that went with one that the release had brought.
  let disposed: [[Cell]]
  /// Keys of rows that the release itself took along, or whose parents it did.
  let affected: Set<[Cell]>
  /// Keys of rows that `down` does not find, as the user changed what names them.
  let unnamed: Set<[Cell]>
  /// What the release's files name.
  let naturals: [NaturalNames]
  /// What `down` itself logged.
  let clashes: [Clash]

  private var table: TableShape { shape.tables[number] }

  /// Nothing that the user did since is lost, and everything else is as it was before, unless the
  /// log says why not.
  var problem: String? {
    let (before, after) = (byKey(worlds.before), byKey(worlds.after))
    let (mine, left) = (byKey(worlds.mine), byKey(worlds.left))
    for key in Set(before.keys).union(after.keys).union(mine.keys).union(left.keys) {
      if let lost = lost(after[key], mine[key], left[key]) { return lost }
      if affected.contains(key) || unnamed.contains(key) && mine[key] == left[key] { continue }
      guard after[key] == mine[key], !isLogged(key), !isSame(before[key], left[key]) else {
        continue
      }
      if let before = before[key], left[key] == nil, disposed.contains(before) { continue }
      return "before \(before[key] ?? []), after down \(left[key] ?? [])"
    }
    // Rows without a seed's key are the user's.
    let own = { (rows: [[Cell]]) in rows.filter { table.folded(table.key, of: $0).contains(.null) }
    }
    let rest = own(worlds.left[number])
    let lost = own(worlds.mine[number]).filter { !rest.contains($0) && !disposed.contains($0) }
    return lost.isEmpty ? nil : "the user's \(lost) are gone"
  }

  private func byKey(_ rows: [[[Cell]]]) -> [[Cell]: [Cell]] {
    let keyed = rows[number].map { (table.folded(table.key, of: $0), $0) }
    return Dictionary(keyed.filter { !$0.0.contains(.null) }) { first, _ in first }
  }

  /// What the user did to a row after the release, and `down` undid.
  private func lost(_ after: [Cell]?, _ mine: [Cell]?, _ left: [Cell]?) -> String? {
    guard let mine else {
      return after != nil && left != nil ? "the deleted \(left ?? []) is back" : nil
    }
    // A key in another case is the same key.
    let edited = table.columns.indices.filter {
      after?[$0] != mine[$0] && (after == nil || !table.key.contains($0))
    }
    guard !edited.isEmpty, !disposed.contains(mine) else { return nil }
    guard let left else { return "the user's \(mine) is gone" }
    let isThere = edited.allSatisfy { column in
      mine[column] == left[column] || refersAlike(column, mine, worlds.mine, left)
    }
    return isThere ? nil : "the user's \(mine) is now \(left)"
  }

  private func isLogged(_ key: [Cell]) -> Bool {
    clashes.contains { clash in
      clash.table == table.name
        && [{ $0 }, { $0.retired }].contains { (read: (Cell) -> Cell) in
          zip(table.key, key).allSatisfy { column, value in
            // Where nobody has the name any more, the log has that in place of the key.
            guard let logged = clash.key[table.columns[column].name] else { return true }
            return read(logged).folded(ignoringCase: table.columns[column].ignoresCase) == value
          }
        }
    }
  }

  /// The case of a key that ignores it does not come back, nor that of what followed one; and a
  /// name receives the key in the case that its row has by now.
  private func isSame(_ before: [Cell]?, _ left: [Cell]?) -> Bool {
    guard let before, let left else { return before == nil && left == nil }
    let keys = Set(table.key + table.foreignKeys.flatMap(\.columns))
    return table.columns.indices.allSatisfy { column in
      let folds = keys.contains(column) && table.columns[column].ignoresCase
      guard folds else {
        return before[column] == left[column]
          || refersAlike(column, before, worlds.before, left)
          || isNamedAlike(column, before, left)
          || refersToRenamed(column, before)
      }
      return before[column].folded(ignoringCase: true) == left[column].folded(ignoringCase: true)
    }
  }

  /// Whether a column refers to the row that it referred to, by a UNIQUE value that is another now:
  /// what refers to a row follows it.
  private func refersAlike(
    _ column: Int, _ row: [Cell], _ rows: [[[Cell]]], _ left: [Cell]
  ) -> Bool {
    table.foreignKeys.contains { key in
      let parent = shape.tables[key.parent]
      guard key.columns.contains(column), key.parentColumns != parent.key else { return false }
      let keys = [(row, rows), (left, worlds.left)].map { row, rows in
        rows[key.parent].first { shape.refers(row, key, to: $0) }
          .map { parent.folded(parent.key, of: $0) }
      }
      return keys[0] != nil && keys[0] == keys[1]
    }
  }

  /// Whether a column referred, by a number that the database chose, to a row that the user gave
  /// another key since the release: a row that comes back refers to that one still.
  private func refersToRenamed(_ column: Int, _ row: [Cell]) -> Bool {
    table.foreignKeys.contains { key in
      let parent = shape.tables[key.parent]
      guard key.columns == [column], parent.assigned != nil else { return false }
      let has = { (rows: [[[Cell]]]) in
        rows[key.parent].contains { row[column] == .text("row \($0[parent.key[0]])") }
      }
      return has(worlds.after) && !has(worlds.mine)
    }
  }

  /// A name that the user gave to another row finds that one.
  private func isNamedAlike(_ column: Int, _ before: [Cell], _ left: [Cell]) -> Bool {
    table.foreignKeys.filter { $0.columns.contains(column) }.contains { key in
      naturals.filter { $0.columns == key.columns }.contains { natural in
        let names = [(before, worlds.before), (left, worlds.left)].map { row, rows in
          rows[key.parent].first { shape.refers(row, key, to: $0) }
            .map { shape.tables[key.parent].folded(natural.names, of: $0) }
        }
        return names[0] != nil && names[0] == names[1]
      }
    }
  }
}

extension Shape {
  /// Rows that a release brought, and which nobody finds any more by the names in its files.
  func unnamed(
    _ release: Release, _ after: [[[Cell]]], _ mine: [[[Cell]]]
  ) -> [Place] {
    release.files.filter { $0.kind == .insert }.flatMap { file in
      file.naturals.enumerated().flatMap { number, natural in
        file.rows.compactMap { seed in
          unnamed(seed, file, natural, seed.names[number], after, mine)
        }
      }
    }
  }

  private func unnamed(
    _ seed: SeedRow, _ file: SeedFile, _ natural: NaturalNames, _ names: [Cell],
    _ after: [[[Cell]]], _ mine: [[[Cell]]]
  ) -> Place? {
    let (table, parent) = (tables[file.table], tables[natural.parent])
    guard natural.columns.contains(where: table.key.contains) else { return nil }
    let wanted = zip(natural.names, names).map {
      $1.folded(ignoringCase: parent.columns[$0].ignoresCase)
    }
    let find = { (rows: [[[Cell]]]) in
      rows[natural.parent].first { parent.folded(natural.names, of: $0) == wanted }
    }
    guard let named = find(after) else { return nil }
    let received = Dictionary(
      uniqueKeysWithValues: zip(natural.columns, natural.received.map { named[$0] }))
    let key = zip(table.key, seed.key).map { column, value in
      (received[column] ?? value).folded(ignoringCase: table.columns[column].ignoresCase)
    }
    let same = { (row: [Cell]?) in row.map { parent.folded(natural.received, of: $0) } }
    guard same(find(mine)) != same(named),
      let index = after[file.table].firstIndex(where: { table.folded(table.key, of: $0) == key })
    else { return nil }
    return Place(table: file.table, index: index)
  }
}
