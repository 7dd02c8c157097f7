/// References by natural key: a name means a row that the release inserts, or else one that is
/// there; for what was there before, only the latter. Each is looked up once.
extension Merge {
  /// The release with keys in place of names.
  mutating func resolved(_ release: Release) -> Release {
    giveNumbers(release)
    var resolved = release
    // A key may itself hold what others receive, so parents come first.
    for _ in shape.tables {
      let known = resolved
      for (index, file) in release.files.enumerated() {
        for (number, natural) in file.naturals.enumerated() {
          for row in file.rows.indices {
            let names = file.rows[row].names[number]
            let isOld = file.isOld(natural, shape.tables[file.table])
            let values = received(natural, names, among: isOld ? [] : known.files)
            resolved.files[index].fill(natural, values, row, key: shape.tables[file.table].key)
          }
        }
      }
    }
    return resolved
  }

  /// Numbers that the database gives: what a row has, or for a new one a number of nobody's.
  private mutating func giveNumbers(_ release: Release) {
    for file in release.files where file.kind == .insert {
      guard let column = shape.tables[file.table].assigned else { continue }
      for seed in file.rows {
        let known = place(of: seed.key, in: file.table).map { self[$0][column] }
        numbers[shape.rowKey(seed.key, file.table)] =
          known ?? .integer(-(1 << 60) - Int64(numbers.count))
      }
    }
  }

  /// What a name stands for.
  private func received(
    _ natural: NaturalNames, _ names: [Cell], among files: [SeedFile]
  ) -> [Cell] {
    if names.allSatisfy(\.isNull) { return natural.received.map { _ in .null } }
    let parent = shape.tables[natural.parent]
    let wanted = parent.folded(natural.names, as: names)
    let coming = files.filter { $0.table == natural.parent && $0.kind == .insert }
      .flatMap { file in
        // What was kept has the name that the user gave it.
        file.rows.filter { !isKept(shape.rowKey($0.key, file.table)) }.map { new($0, file) }
      }
    let there = before[natural.parent].filter { row in
      !parent.key.contains { row[$0].isNull } && !isHeld(row, natural)
    }
    for rows in [coming, there] {
      guard let row = rows.first(where: { parent.folded(natural.names, of: $0) == wanted }) else {
        continue
      }
      let values = natural.received.map { row[$0] }
      if !values.contains(.null) { return values }
    }
    // Two that name nobody are the same if the names are.
    let sorted = zip(natural.names, wanted).sorted { $0.0 < $1.0 }
    return natural.received.map { _ in .text("\(Self.nobody) \(natural.columns) \(sorted)") }
  }

  private static let nobody = "\u{1}nobody"

  static func isUnresolved(_ cell: Cell) -> Bool {
    if case .text(let text) = cell { text.hasPrefix(nobody) } else { false }
  }

  /// A user's row that has the name of one of the seed's, which stayed out for it.
  private func isHeld(_ row: [Cell], _ natural: NaturalNames) -> Bool {
    let parent = shape.tables[natural.parent]
    let name = { (row: [Cell]) in parent.folded(natural.names, of: row) }
    return holders.contains { holder in
      // Another row may have its key by now.
      holder.table == natural.parent && name(holder.mine) == name(row)
        && parent.folded(parent.key, of: holder.mine) == parent.folded(parent.key, of: row)
        && name(holder.mine) == name(holder.seed)
    }
  }

  // MARK: what the log shows

  /// Names in place of keys that nobody has in the end.
  func shown(
    _ object: [String: Cell], _ decision: Decision, isBase: Bool, _ slots: [[Slot]]
  ) -> [String: Cell] {
    var shown = object
    let columns = shape.tables[decision.table].columns
    for (number, natural) in decision.file.naturals.enumerated() {
      let names = natural.columns.map { columns[$0].name }
      let isOwn =
        natural.isBase == isBase || natural.columns.allSatisfy(decision.keyColumns.contains)
      guard isOwn, names.contains(where: { isUnresolved(shown[$0], natural, slots) }) else {
        continue
      }
      for name in names { shown[name] = nil }
      for (header, name) in zip(natural.headers, decision.seed.names[number]) {
        shown[header] = name
      }
    }
    return shown
  }

  private func isUnresolved(_ cell: Cell?, _ natural: NaturalNames, _ slots: [[Slot]]) -> Bool {
    switch cell {
    case let cell? where Self.isUnresolved(cell): true
    case .integer(let number) where number <= -(1 << 60):
      !slots[natural.parent].contains { $0.next?.contains(.integer(number)) == true }
    default: false
    }
  }
}

extension SeedFile {
  fileprivate mutating func fill(
    _ natural: NaturalNames, _ values: [Cell], _ row: Int, key: [Int]
  ) {
    for (column, value) in zip(natural.columns, values) {
      if let place = columns.firstIndex(of: column) {
        if natural.isBase {
          rows[row].was[place] = value
        } else {
          rows[row].values[place] = value
        }
      }
      if let place = key.firstIndex(of: column) { rows[row].key[place] = value }
    }
  }
}

/// A user's row that kept one of the seed's out, and that one.
struct Holder: Hashable {
  var table: Int
  var mine: [Cell]
  var seed: [Cell]
}

extension Model {
  /// The model with the numbers that the database gave the rows.
  func numbered(like rows: [[[Cell]]]) -> Model {
    var known: [Cell: Cell] = [:]
    for (key, number) in numbers {
      let table = shape.tables[key.table]
      let row = rows[key.table].first { table.folded(table.key, of: $0) == key.key }
      if let row, let column = table.assigned { known[number] = row[column] }
    }
    if known.isEmpty { return self }
    let row = { (row: [Cell]) in row.map { known[$0] ?? $0 } }
    let object = { (object: [String: Cell]?) in object?.mapValues { known[$0] ?? $0 } }
    var model = self
    model.tables = tables.map { $0.map(row) }
    model.left = Dictionary(
      uniqueKeysWithValues: left.map { (RowKey(table: $0.table, key: row($0.key)), $1) })
    model.clashes = clashes.map { clash in
      var clash = clash
      clash.key = object(clash.key) ?? [:]
      (clash.base, clash.mine, clash.seed) =
        (object(clash.base), object(clash.mine), object(clash.seed))
      return clash
    }
    return model
  }
}
