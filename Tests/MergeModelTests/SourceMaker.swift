import TestSupport

/// Makes consecutive sources, and releases from them as `make` would.
struct SourceMaker {
  /// Its tables may get other names, and be known by other columns.
  var shape: Shape
  /// What the seed ships, by table: whole rows, user columns at their default.
  var source: [[[Cell]]]
  /// What it was before the last release.
  private(set) var old: [[[Cell]]] = []
  private(set) var version = 0
  /// By table, rows that it had before under keys that it has no more.
  private(set) var gone: [[[Cell]]]
  /// The last number given to a row whose number the database chooses: no file has it.
  private var lastNumber: Int64 = 1000

  init(_ shape: Shape) {
    self.shape = shape
    source = shape.tables.map { _ in [] }
    gone = source
  }

  mutating func release(_ dice: inout Dice) -> Release {
    if version > 0, shape.changesKeys, dice.chance(50) {
      // Most new keys are another's, or what follows cannot be.
      for _ in 0..<8 { if let release = keyRelease(&dice) { return release } }
    }
    take(&dice)
    if version > 1, dice.chance(40) { for _ in 0..<(1 + dice.below(3)) { changeReferred(&dice) } }
    return Release(version: version, files: files(of: Array(shape.tables.indices), &dice))
  }

  /// A release begins where the last one ended.
  mutating func begin() {
    version += 1
    for (table, rows) in old.enumerated() {
      let known = keys(of: table, in: source)
      gone[table] += rows.filter { row in
        !known.contains(shape.tables[table].folded(shape.tables[table].key, of: row))
      }
    }
    old = source
  }

  private mutating func take(_ dice: inout Dice) {
    begin()
    let old = old
    let steps = version == 1 ? 6 + dice.below(14) : 1 + dice.below(10)
    for _ in 0..<steps {
      let before = source
      let table = dice.below(shape.tables.count)
      switch version == 1 ? 0 : dice.below(9) {
      case 0...2: insert(table, old, &dice)
      case 3...5: change(table, &dice)
      case 6: exchange(table, &dice)
      default: retire(table, &dice)
      }
      if !isSound || passesOn { source = before }
    }
  }

  /// Whether a value that others refer to goes from one row to another, which one migration may
  /// not do.
  var passesOn: Bool {
    shape.tables.indices.contains { table in
      let target = shape.tables[table]
      let sets = Set(
        shape.references(to: table).map(\.key.parentColumns).filter { $0 != target.key })
      return sets.contains { set in
        let holders = { (rows: [[Cell]]) in
          Dictionary(rows.map { (target.folded(set, of: $0), target.folded(target.key, of: $0)) }) {
            first, _ in first
          }
        }
        let (before, after) = (holders(old[table]), holders(source[table]))
        return after.contains { value, key in
          !value.contains(.null) && before[value].map { $0 != key } ?? false
        }
      }
    }
  }

  // MARK: steps

  mutating func insert(_ table: Int, _ old: [[[Cell]]], _ dice: inout Dice) {
    var row = Self.row(of: table, in: shape, source, &dice)
    if let column = shape.tables[table].assigned {
      lastNumber += 1
      row[column] = .integer(lastNumber)
    }
    let key = shape.tables[table].folded(shape.tables[table].key, of: row)
    guard !key.contains(.null), !keys(of: table, in: old).contains(key) else { return }
    source[table].append(row)
  }

  /// A row of the user or of the seed: foreign keys point to rows of `rows`, or nowhere.
  static func row(
    of table: Int, in shape: Shape, _ rows: [[[Cell]]], _ dice: inout Dice, owner: Cell? = nil
  ) -> [Cell] {
    let target = shape.tables[table]
    var row = target.columns.indices.map { column -> Cell in
      let isDistinct =
        target.key.contains(column) || target.uniques.contains { $0.columns.contains(column) }
      if column == target.owner { return owner ?? shape.owner(&dice) }
      if target.columns[column].role == .user { return target.columns[column].standard }
      if target.columns[column].role == .assigned { return .null }
      if isDistinct, !target.key.contains(column), dice.chance(8) { return .null }
      return isDistinct
        ? Pool.distinct(target.columns[column], &dice)
        : Pool.value(target.columns[column], &dice)
    }
    var fixed = Set([target.owner].compactMap(\.self))
    for key in target.foreignKeys {
      point(&row, key, rows, &dice, fixed: fixed)
      fixed.formUnion(key.columns)
    }
    return row
  }

  /// - Parameter fixed: columns of other references, which may share some with this one.
  static func point(
    _ row: inout [Cell], _ key: ForeignKey, _ rows: [[[Cell]]], _ dice: inout Dice,
    fixed: Set<Int> = []
  ) {
    let shared = zip(key.columns, key.parentColumns).filter { fixed.contains($0.0) }
    let parents =
      shared.isEmpty
      ? rows[key.parent]
      : rows[key.parent].filter { parent in shared.allSatisfy { row[$0.0] == parent[$0.1] } }
    let parent = dice.chance(85) && !parents.isEmpty ? dice.pick(parents) : nil
    for (column, target) in zip(key.columns, key.parentColumns) where !fixed.contains(column) {
      row[column] = parent?[target] ?? .null
    }
  }

  /// The columns that references share with this one.
  static func shared(with key: ForeignKey, _ table: TableShape) -> Set<Int> {
    Set(table.foreignKeys.filter { $0.columns != key.columns }.flatMap(\.columns))
      .intersection(key.columns)
  }

  /// A new value, or nil for one that points to another row.
  mutating func set(
    _ table: Int, _ row: Int, _ column: Int, to value: Cell?, _ dice: inout Dice
  ) {
    if let value {
      source[table][row][column] = value
    } else if let key = shape.tables[table].foreignKeys.first(where: { $0.columns == [column] }) {
      let rows = source
      let fixed = Self.shared(with: key, shape.tables[table])
      Self.point(&source[table][row], key, rows, &dice, fixed: fixed)
    }
  }

  mutating func change(_ table: Int, _ dice: inout Dice) {
    guard !source[table].isEmpty else { return }
    let index = dice.below(source[table].count)
    let other = Self.row(of: table, in: shape, source, &dice)
    let targets = referredColumns(of: table)
    for column in shape.tables[table].settable where dice.chance(40) {
      // A value that children refer to changes in a later issue.
      if targets.contains(column) { continue }
      source[table][index][column] = other[column]
    }
    // A foreign key changes as a whole.
    let rows = source
    for key in shape.tables[table].foreignKeys {
      let own = Set(key.columns)
      guard own.isDisjoint(with: shape.tables[table].key), own.isDisjoint(with: targets) else {
        continue
      }
      let fixed = Self.shared(with: key, shape.tables[table])
      if dice.chance(50) { Self.point(&source[table][index], key, rows, &dice, fixed: fixed) }
    }
  }

  /// Two rows take each other's UNIQUE values.
  private mutating func exchange(_ table: Int, _ dice: inout Dice) {
    guard source[table].count > 1, !shape.tables[table].uniques.isEmpty else { return }
    let set = dice.pick(shape.tables[table].uniques).columns
    guard referredColumns(of: table).isDisjoint(with: set) else { return }
    let (one, other) = (dice.below(source[table].count), dice.below(source[table].count))
    for column in set {
      let value = source[table][one][column]
      source[table][one][column] = source[table][other][column]
      source[table][other][column] = value
    }
  }

  func referredColumns(of table: Int) -> Set<Int> {
    Set(shape.tables.flatMap(\.foreignKeys).filter { $0.parent == table }.flatMap(\.parentColumns))
      .subtracting(shape.tables[table].key)
  }

  /// Retires a row, with its children or after they were pointed elsewhere.
  private mutating func retire(_ table: Int, _ dice: inout Dice) {
    guard !source[table].isEmpty else { return }
    let row = source[table].remove(at: dice.below(source[table].count))
    let repoints = dice.chance(60)
    let rows = source
    for child in shape.tables.indices {
      for key in shape.tables[child].foreignKeys where key.parent == table {
        let isPartOfKey = shape.tables[child].key.contains(key.columns[0])
        for index in source[child].indices.reversed()
        where shape.refers(source[child][index], key, to: row) {
          if repoints, !isPartOfKey {
            let fixed = Self.shared(with: key, shape.tables[child])
            Self.point(&source[child][index], key, rows, &dice, fixed: fixed)
          } else {
            source[child].remove(at: index)
          }
        }
      }
    }
  }

  // MARK: what must hold

  func keys(of table: Int, in rows: [[[Cell]]]) -> Set<[Cell]> {
    Set(rows[table].map { shape.tables[table].folded(shape.tables[table].key, of: $0) })
  }

  /// The new source is one that a database takes.
  var isSound: Bool {
    for (index, table) in shape.tables.enumerated() {
      if keys(of: index, in: source).count != source[index].count { return false }
      for set in table.uniques {
        let values = source[index].map { table.values(set, of: $0) }
          .filter { !$0.contains(.null) }
        guard Set(values).count == values.count else { return false }
      }
      for row in source[index] {
        if let ordered = table.ordered, case .integer(let low) = row[ordered.low],
          case .integer(let high) = row[ordered.high], low > high
        {
          return false
        }
        for key in table.foreignKeys where !key.columns.contains(where: { row[$0].isNull }) {
          // SQLite refuses a row that refers to itself in another case (seen in 3.40).
          let ignoresCase = key.parentColumns.contains {
            shape.tables[key.parent].columns[$0].ignoresCase
          }
          if key.parent == index, ignoresCase, shape.refers(row, key, to: row) { return false }
          guard source[key.parent].contains(where: { shape.refers(row, key, to: $0) }) else {
            return false
          }
        }
      }
    }
    return true
  }

  // MARK: files

  func files(of tables: [Int], _ dice: inout Dice) -> [SeedFile] {
    tables.flatMap { table in
      TableChange(
        table: table, shape: shape.tables[table], old: old[table], new: source[table]
      ).files(&dice)
    }
  }
}
