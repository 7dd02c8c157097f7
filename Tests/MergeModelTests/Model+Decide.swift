/// One row of a release beside what the user has.
struct Decision {
  enum Kind { case update, delete, insert, replace }

  let file: SeedFile
  let seed: SeedRow
  let key: RowKey
  let keyColumns: [Int]
  /// Where the row is, if it is there.
  let place: RowIndex?
  var kind: Kind
  /// `go`, or why not.
  var fate = "go"
  /// Of a row to retire that the user changed: the policy that decides.
  var policy: String?
  /// A row to insert whose key a user's row has, which moves if this one comes.
  var movesUser = false
  /// What the columns of a new row become whose parent is gone.
  var emptied: [Int: Cell] = [:]
  /// By column, whose value it takes: `take` and `overruled` mean the seed's.
  var why: [Int: String] = [:]

  var table: Int { file.table }

  func takes(_ column: Int) -> Bool { why[column] == "take" || why[column] == "overruled" }

  var goes: Bool { fate == "go" }

  /// The columns in which the row takes the seed's values.
  var changes: [Int: Cell] { goes ? wished : [:] }

  /// The same, whether it goes or not.
  var wished: [Int: Cell] {
    Dictionary(uniqueKeysWithValues: why.keys.filter(takes).map { ($0, value(of: $0)) })
  }

  /// The seed's value.
  func value(of column: Int) -> Cell {
    if let new = seed.newKey, let index = keyColumns.firstIndex(of: column) { return new[index] }
    return file.value(of: column, in: seed) ?? .null
  }
}

extension Decision {
  /// What a column was before, by the file.
  func base(of column: Int) -> Cell {
    if let index = file.columns.firstIndex(of: column) { return seed.was[index] }
    return keyColumns.firstIndex(of: column).map { seed.key[$0] } ?? .null
  }
}

extension Merge {
  mutating func decide(_ release: Release) {
    tables = Set(release.files.map(\.table))
    for file in release.files {
      for seed in file.rows {
        let key = shape.rowKey(seed.key, file.table)
        var decision = Decision(
          file: file, seed: seed, key: key, keyColumns: shape.tables[file.table].key,
          place: place(of: seed.key, in: file.table), kind: .update)
        switch file.kind {
        case .update: decideUpdate(&decision)
        case .delete: decideDelete(&decision)
        case .insert: decideInsert(&decision)
        }
        decisions.append(decision)
      }
    }
  }

  // MARK: rows to change

  private func decideUpdate(_ decision: inout Decision) {
    if left[decision.key] != nil {
      decision.fate = "left"
    } else if let place = decision.place, !isStranger(self[place], decision) {
      let mine = self[place]
      for column in decision.file.keyChanges {
        decision.why[column] = mine[column] == decision.value(of: column) ? "same" : "take"
      }
      for (index, column) in decision.file.columns.enumerated() {
        decision.why[column] = why(column, index, decision, mine)
      }
      keepEditedReferences(&decision, mine)
      let isEdited = decision.why.values.contains("edited")
      if isEdited, onEdited(decision.table) == "keepRow" {
        decision.why = decision.why.mapValues { $0 == "take" ? "kept" : $0 }
      }
    } else {
      decision.fate = "deletedByUser"
    }
  }

  /// A reference of several columns is one value: it stays or gives way as a whole.
  private func keepEditedReferences(_ decision: inout Decision, _ mine: [Cell]) {
    if decision.file.isBaseless { return }
    var before: [Int: String] = [:]
    // References may share columns.
    while before != decision.why {
      before = decision.why
      for key in shape.tables[decision.table].foreignKeys {
        let columns = key.columns.filter(decision.file.columns.contains)
        let isKept = columns.contains { decision.why[$0] == "edited" }
        let isEdited = columns.contains {
          !isSame(mine[$0], decision.base(of: $0), $0, decision.table)
        }
        let isWished = isKept || columns.contains(where: decision.takes)
        guard columns.count > 1, isKept || isEdited, isWished else { continue }
        let gives = !isKept && columns.allSatisfy { givesWay(onEdited(decision.table, $0)) }
        for column in columns where !gives || decision.why[column] == "ours" {
          let (own, seed) = (mine[column], decision.value(of: column))
          let folds = shape.tables[decision.table].columns[column].ignoresCase
          if gives, own.folded(ignoringCase: folds) == seed.folded(ignoringCase: folds) {
            continue
          }
          decision.why[column] = gives ? "overruled" : "edited"
        }
      }
    }
  }

  /// A column of `identity` says that the row is another, under a freed id.
  private func isStranger(_ mine: [Cell], _ decision: Decision) -> Bool {
    shape.tables[decision.table].identity.contains { column in
      guard let index = decision.file.columns.firstIndex(of: column) else { return false }
      let seed = decision.seed
      let known = [seed.values[index]] + (seed.was.isEmpty ? [] : [seed.was[index]])
      return !known.contains { isSame(mine[column], $0, column, decision.table) }
    }
  }

  private func why(
    _ column: Int, _ index: Int, _ decision: Decision, _ mine: [Cell]
  ) -> String {
    let new = decision.seed.values[index]
    let isSame = { self.isSame($0, $1, column, decision.table) }
    // Another spelling is no edit. That of the author's comes where the text was not touched.
    let isUsers = namesUsersRow(mine, column, decision.table)
    let isUntouched =
      !decision.file.isBaseless && !isUsers && mine[column].isSame(as: decision.seed.was[index])
    if isUntouched, !mine[column].isSame(as: new) { return "take" }
    if isSame(mine[column], new) { return "same" }
    // Nobody can tell an edit.
    if decision.file.isBaseless { return "take" }
    let base = decision.seed.was[index]
    let isIgnored = shape.tables[decision.table].columns[column].role == .ignored
    let policy = onEdited(decision.table)
    if isSame(base, new) {
      return policy == "overwriteRow" && !isIgnored ? "overruled" : "ours"
    }
    if isIgnored || isSame(mine[column], base) && !isUsers { return "take" }
    return givesWay(onEdited(decision.table, column)) ? "overruled" : "edited"
  }

  /// Whether the row refers, through this column, to a row that the user made under one of the
  /// seed's keys: then the reference is the user's, too, whatever a release ships.
  private func namesUsersRow(_ mine: [Cell], _ column: Int, _ table: Int) -> Bool {
    shape.tables[table].foreignKeys.contains { key in
      guard key.columns.contains(column),
        let parent = find(key.parentColumns, key.columns.map { mine[$0] }, in: key.parent)
      else { return false }
      let its = self[parent]
      let name = shape.rowKey(shape.tables[key.parent].key.map { its[$0] }, key.parent)
      return left[name]?.has { $0.isOfAUsersRow || $0.kind == "deletedByUser" } == true
    }
  }

  // MARK: rows to retire

  private func decideDelete(_ decision: inout Decision) {
    decision.kind = .delete
    if left[decision.key] != nil {
      decision.fate = "left"
    } else if let place = decision.place, !isStranger(self[place], decision) {
      let edited = editedPolicies(self[place], decision)
      // The table's is named before one of a column, and one that keeps the row before any other.
      let table = onEdited(decision.table)
      let inOrder = edited.filter { $0 == table } + edited.filter { $0 != table }
      let keeping = inOrder.first { !givesWay($0) }
      decision.policy = keeping ?? inOrder.first
      if keeping != nil { decision.fate = "editedRetired" }
    } else {
      decision.fate = "absent"
    }
  }

  private func isSame(_ one: Cell, _ other: Cell, _ column: Int, _ table: Int) -> Bool {
    shape.isSame(one, other, column, table)
  }

  private func givesWay(_ policy: String) -> Bool {
    policy == "preferSeed" || policy == "overwriteRow"
  }

  /// Those of the columns that the user changed.
  private func editedPolicies(_ mine: [Cell], _ decision: Decision) -> [String] {
    let table = shape.tables[decision.table]
    return table.columns.indices.compactMap { column in
      let role = table.columns[column].role
      if role == .ignored || role == .assigned || table.key.contains(column) { return nil }
      guard let base = decision.file.value(of: column, in: decision.seed) else {
        // What the file does not hold is the user's.
        return mine[column] == table.columns[column].standard ? nil : onEdited(decision.table)
      }
      let isEdited =
        !isSame(mine[column], base, column, decision.table)
        || namesUsersRow(mine, column, decision.table)
      return isEdited ? onEdited(decision.table, column) : nil
    }
  }

  // MARK: rows to insert

  private func decideInsert(_ decision: inout Decision) {
    decision.kind = .insert
    guard let place = decision.place else {
      if isKept(decision.key) {
        // The user deleted it since.
        decision.fate = "absent"
      } else if let entry = left[decision.key], isTakingBack || !entry.endsWithItsRow {
        decision.fate = "left"
      }
      return
    }
    let entry = left[decision.key]
    let differing = differing(self[place], decision)
    // `down` makes what its release kept the seed's again, and asks left keys first.
    if isKept(decision.key) {
      decision.fate = "same"
    } else if entry != nil, isTakingBack || !differing.isEmpty {
      decision.fate = "left"
    } else if differing.isEmpty {
      decision.fate = "same"
    } else if onTaken(decision.table) == "replaceUser" {
      decision.kind = .replace
      for column in decision.file.columns {
        decision.why[column] = differing.contains(column) ? "overruled" : "same"
      }
    } else if onTaken(decision.table) == "moveUser", mayMove(decision.table) {
      decision.movesUser = true
    } else {
      decision.fate = "keyTaken"
    }
  }

  /// Whether the release that is taken back was to retire the row, and kept it.
  func isKept(_ key: RowKey) -> Bool {
    isTakingBack && left[key]?.has { $0.version == version && $0.isOfARowToRetire } == true
  }

  private func differing(_ mine: [Cell], _ decision: Decision) -> [Int] {
    let table = shape.tables[decision.table]
    return decision.file.columns.filter { column in
      let seed = decision.file.value(of: column, in: decision.seed) ?? .null
      return table.columns[column].role != .ignored && !table.key.contains(column)
        && !isSame(mine[column], seed, column, decision.table)
    }
  }

  /// A new row: what its file does not hold takes the DEFAULT.
  func new(_ decision: Decision) -> [Cell] {
    new(decision.seed, decision.file).merging(decision.emptied)
  }

  func new(_ seed: SeedRow, _ file: SeedFile) -> [Cell] {
    let table = shape.tables[file.table]
    return table.columns.indices.map { column in
      if column == table.assigned {
        return numbers[shape.rowKey(seed.key, file.table)] ?? .null
      }
      return file.value(of: column, in: seed) ?? table.columns[column].standard
    }
  }
}

extension Left {
  /// It ends when its row is gone and the seed brings another.
  var endsWithItsRow: Bool { reasons.allSatisfy(\.endsWithItsRow) }
}

extension Left.Reason {
  /// A user's row kept the seed's out.
  var isOfAUsersRow: Bool { kind == "keyTaken" || kind == "uniqueTaken" }
  var endsWithItsRow: Bool { kind == "uniqueTaken" || isOfARowToRetire }
  var isOfARowToRetire: Bool { kind == "editedRetired" || kind == "referenced" }
}
