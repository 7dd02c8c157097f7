import TestSupport

/// Files that name rows of other tables instead of holding their keys.
extension SourceMaker {
  /// The last release, with names as the source has them: the old source's for what was there
  /// before, the new source's for what comes.
  func naming(_ release: Release, share: Int, _ dice: inout Dice) -> Release {
    var named = release
    for index in release.files.indices {
      let table = shape.tables[release.files[index].table]
      for key in table.foreignKeys {
        for isBase in [false, true] {
          name(key, isBase: isBase, in: &named.files[index], of: release, share, &dice)
        }
      }
    }
    return named
  }

  private func name(
    _ key: ForeignKey, isBase: Bool, in file: inout SeedFile, of release: Release, _ share: Int,
    _ dice: inout Dice
  ) {
    let table = shape.tables[file.table]
    let parent = shape.tables[key.parent]
    if isBase, file.kind != .update || file.isBaseless { return }
    // The format has no room for two names that give one column its value.
    if !Self.shared(with: key, table).isEmpty { return }
    let isKey = key.columns.allSatisfy(table.key.contains)
    let isThere = key.columns.allSatisfy(file.columns.contains)
    guard isThere || isKey && file.kind == .update && !isBase else { return }
    // What no file knows must be named.
    let mustName = parent.assigned.map { key.parentColumns.contains($0) } ?? false
    guard mustName || dice.chance(share) else { return }
    var sets = parent.uniques.filter(\.isPlain).map(\.columns).filter { $0 != key.parentColumns }
    if parent.key != key.parentColumns || dice.chance(25) { sets.append(parent.key) }
    var natural = NaturalNames(
      columns: key.columns, parent: key.parent, received: key.parentColumns, names: [],
      isBase: isBase, headers: [])
    let rows = file.isOld(natural, table) ? old : source
    while !sets.isEmpty {
      natural.names = sets.remove(at: dice.below(sets.count))
      if dice.chance(30) { natural.names.reverse() }
      let names = file.rows.map { self.names(of: key, natural, $0, file, rows) }
      if names.contains(nil) { continue }
      if !mayName(natural, names, file, release) { continue }
      // Whether a row that names itself lacks a parent or a place, the log may say either.
      if file.kind == .insert, !mustName, namesItself(file, natural, names) { return }
      natural.headers = headers(natural, table)
      file.naturals.append(natural)
      for (index, names) in names.enumerated() { file.rows[index].names.append(names ?? []) }
      return
    }
    precondition(!mustName, "rows without a name")
  }

  /// What names the row that one of the file refers to; nil where nothing does.
  private func names(
    of key: ForeignKey, _ natural: NaturalNames, _ seed: SeedRow, _ file: SeedFile,
    _ rows: [[[Cell]]]
  ) -> [Cell]? {
    let table = shape.tables[file.table]
    var row = table.columns.map { _ in Cell.null }
    for (column, value) in zip(table.key, seed.key) { row[column] = value }
    for (column, value) in zip(file.columns, natural.isBase ? seed.was : seed.values) {
      row[column] = value
    }
    if key.columns.allSatisfy({ row[$0].isNull }) { return natural.names.map { _ in .null } }
    guard let parent = rows[key.parent].first(where: { shape.refers(row, key, to: $0) }) else {
      return nil
    }
    let names = natural.names.map { parent[$0] }
    return names.contains(.null) ? nil : names
  }

  /// A name means a row as it is before the migration, or one that comes; and none depends on
  /// another name.
  private func mayName(
    _ natural: NaturalNames, _ names: [[Cell]?], _ file: SeedFile, _ release: Release
  ) -> Bool {
    let parent = shape.tables[natural.parent]
    if natural.names.contains(where: parent.refers) { return false }
    let isCircle = shape.reaches(natural.parent, file.table)
    if isCircle, natural.received.contains(where: parent.refers) { return false }
    if isCircle, natural.columns.contains(where: shape.tables[file.table].key.contains) {
      return false
    }
    let moved = movedNames(natural, release)
    let uses = names.compactMap(\.self).map { folded($0, natural) }
    if uses.contains(where: { name in moved.contains { $0.allSatisfy { name[$0] == $1 } } }) {
      return false
    }
    // Rows to insert would have the old value or the new one, as they are staged or streamed; those
    // of a delete file are inserted by `down`.
    if file.kind != .update, uses.contains(where: { changesMeaning($0, natural) }) { return false }
    if file.isOld(natural, shape.tables[file.table]) { return true }
    let named = { (rows: [[[Cell]]], names: [Cell]) in
      rows[natural.parent].first { parent.folded(natural.names, of: $0) == names }
        .map { parent.folded(parent.key, of: $0) }
    }
    let oldKeys = keys(of: natural.parent, in: old)
    return names.allSatisfy { names in
      let folded = folded(names ?? [], natural)
      guard !folded.contains(.null), let key = named(source, folded) else { return true }
      let before = named(old, folded)
      return before == key || before == nil && !oldKeys.contains(key)
    }
  }

  /// Whether what a name stands for changes in the row that has it.
  private func changesMeaning(_ name: [Cell], _ natural: NaturalNames) -> Bool {
    let parent = shape.tables[natural.parent]
    let rows = [old, source].compactMap { rows in
      rows[natural.parent].first { parent.folded(natural.names, of: $0) == name }
    }
    let isSameRow = Set(rows.map { parent.folded(parent.key, of: $0) }).count == 1
    // No file has a number.
    let received = natural.received.filter { $0 != parent.assigned }
    return isSameRow && Set(rows.map { row in received.map { row[$0] } }).count > 1
  }

  /// What rows have of a name before and after an update that changes it, as far as its file has
  /// the columns: no row of the same migration may use such a name. Without old values a file may
  /// change all that it has.
  private func movedNames(_ natural: NaturalNames, _ release: Release) -> [[Int: Cell]] {
    let parent = shape.tables[natural.parent]
    let files = release.files.filter { $0.table == natural.parent && $0.kind == .update }
    return files.flatMap { file in
      let places = natural.names.indices.compactMap { index in
        file.columns.firstIndex(of: natural.names[index]).map { (index, $0) }
      }
      return file.rows.flatMap { row -> [[Int: Cell]] in
        let part = { (values: [Cell]) in
          Dictionary(
            uniqueKeysWithValues: places.map { index, place in
              (
                index,
                values[place].folded(ignoringCase: parent.columns[natural.names[index]].ignoresCase)
              )
            })
        }
        let next = part(row.values)
        if file.isBaseless { return next.isEmpty ? [] : [next] }
        let before = part(row.was)
        return before == next ? [] : [before, next]
      }
    }
  }

  private func folded(_ names: [Cell], _ natural: NaturalNames) -> [Cell] {
    zip(natural.names, names).map {
      $1.folded(ignoringCase: shape.tables[natural.parent].columns[$0].ignoresCase)
    }
  }

  private func namesItself(
    _ file: SeedFile, _ natural: NaturalNames, _ names: [[Cell]?]
  ) -> Bool {
    guard natural.parent == file.table else { return false }
    return zip(file.rows, names).contains { seed, names in
      natural.names.map { file.value(of: $0, in: seed) ?? .null } == names
    }
  }

  private func headers(_ natural: NaturalNames, _ table: TableShape) -> [String] {
    let parent = shape.tables[natural.parent]
    var columns = natural.columns.map { table.columns[$0].name }
    // The same ones in the same order, so that the log is.
    if natural.columns[0] % 2 == 0 { columns.reverse() }
    let left = columns.count == 1 ? columns[0] : "(\(columns.joined(separator: ",")))"
    return natural.names.map { "\(left):\(parent.name).\(parent.columns[$0].name)" }
  }
}
