/// What was decided for one row of an update file.
struct UpdateRow {
  let number: Value
  /// False where the user deleted the row.
  let isPresent: Bool
  /// For each change, whether the row gets the seed's value; else it keeps its own.
  private(set) var takesSeed: [Bool]
  /// For each change, whether that alters the row.
  private var differs: [Bool]
  /// Changes where the user has neither the old value nor the new one.
  private(set) var edited: [Int] = []
  /// Changes that the row had before us.
  private(set) var alreadyThere: [Int] = []
  /// Whether the user's values give way to the seed's.
  private(set) var givesWay = false
  /// Whether the row is an edited one as a whole.
  private(set) var isWhole = false
  /// Whether something of the user's stays: what the seed wanted to change, or a column that the
  /// file holds without changing it.
  private(set) var keepsMine = false
  /// By their places, the parents that this migration has yet to insert.
  var hopes: [Int] = []

  init(_ rows: RowReading, layout: UpdateLayout) {
    number = rows[0]
    isPresent = layout.isPresent(rows)
    takesSeed = Array(repeating: false, count: layout.changes.count)
    differs = takesSeed
  }

  /// The table of the reference page, column by column.
  mutating func judge(_ rows: RowReading, layout: UpdateLayout, overwrites: Bool) {
    for (index, change) in layout.changes.enumerated() {
      let (mine, seed) = (layout.column(index, .mine), layout.column(index, .seed))
      let base = layout.column(index, .base)
      let isSettled = rows.isSame(mine, seed)
      differs[index] = !isSettled
      if change.base != nil, rows.isSame(base, seed) {
        // The seed does not change it: a CSV is rectangular.
        if isSettled { continue }
        if overwrites, !change.isIgnored { edited.append(index) } else { keepsMine = true }
      } else if isSettled {
        if change.base != nil { alreadyThere.append(index) }
      } else if change.base == nil || change.isIgnored
        || rows.isSame(layout.beforeColumn(index), base)
      {
        takesSeed[index] = true
      } else {
        edited.append(index)
      }
    }
  }

  /// What the policy makes of a row that the user edited.
  mutating func apply(_ policy: OnEdited) {
    guard !edited.isEmpty else { return }
    switch policy {
    case .keepEdits, .fail: keepsMine = true
    case .preferSeed, .overwriteRow:
      givesWay = true
      for index in edited { takesSeed[index] = true }
    case .keepRow:
      keepsMine = true
      for index in takesSeed.indices { takesSeed[index] = false }
    }
  }

  /// Whether the policy gives the seed more of the row than it has, where that breaks a rule.
  func mayTakeMore(_ policy: OnEdited) -> Bool {
    (policy == .preferSeed || policy == .overwriteRow) && !isWhole && takesSeed != differs
  }

  /// Column by column it breaks a rule, so all of it takes the seed's values.
  mutating func takeWhole() {
    edited = Array(takesSeed.indices)
    takesSeed = differs
    givesWay = true
    isWhole = true
  }

  /// These columns keep what they have, after all.
  mutating func keep(_ columns: [Int]) {
    for index in columns { takesSeed[index] = false }
    keepsMine = true
  }

  /// The changes that alter the row.
  var written: [Int] { takesSeed.indices.filter { takesSeed[$0] && differs[$0] } }

  var changesSomething: Bool { !written.isEmpty }

  /// Binds the new values of the changes that `update` sets, and the key.
  func bind(
    _ columns: [Int], to update: borrowing Statement, from rows: RowReading,
    layout: UpdateLayout
  ) {
    for (index, change) in columns.enumerated() {
      rows.bind(column: layout.column(change, .seed), to: update, at: index + 1)
    }
    for index in 0..<layout.keyCount {
      rows.bind(column: layout.keyColumn(index), to: update, at: columns.count + index + 1)
    }
  }

  /// The value that a column of the table will have.
  func value(of name: String, _ rows: RowReading, layout: UpdateLayout) -> Value {
    if let index = layout.change(name) {
      return rows[layout.column(index, takesSeed[index] ? .seed : .mine)]
    }
    return layout.other(name).map { rows[$0] } ?? .null
  }
}
