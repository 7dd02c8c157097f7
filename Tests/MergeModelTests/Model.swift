/// What a release makes of a database: the pages *How the merge decides* and *When ids collide*
/// again, over small arrays and as plainly as it can be said. It shares nothing with the engine.
struct Model {
  let shape: Shape
  /// By table, whole rows.
  var tables: [[[Cell]]]
  /// Keys that were left to the user.
  var left: [RowKey: Left]
  /// By table, the last id that AUTOINCREMENT gave.
  var lastIds: [Int: Int64]
  /// Users' rows that kept the seed's out, as the log has them.
  var holders: [Holder] = []

  // What the last release reports.
  var counts: [Int: ModelCounts] = [:]
  var clashes: [Clash] = []
  /// Numbers that the database will give rows, by their keys.
  var numbers: [RowKey: Cell] = [:]
  /// Whether a rule kept a row as it was.
  var refuses = false
  /// Rows that went with a retired one.
  var disposed: Set<RowIndex> = []
  /// Rows that releases skipped for want of a parent.
  var skipped: Set<Skipped> = []

  init(_ shape: Shape, _ tables: [[[Cell]]], left: [RowKey: Left], lastIds: [Int: Int64]) {
    self.shape = shape
    self.tables = tables
    self.left = left
    self.lastIds = lastIds
  }

  /// A policy says that the release fails; what it met is all there.
  var fails: Bool { clashes.contains { $0.policy == "fail" } }

  /// The data after a release:
  ///
  ///     1 decide   each row of the files beside what the user has
  ///     2 demote   what a UNIQUE value, a parent or a reference forbids, until nothing changes
  ///     3 explain  of several reasons a parent's is named
  ///     4 refuse   if a policy `fail` met something
  ///     5 try      rows that others cannot follow, or that CHECK or NOT NULL refuse, stay as they
  ///                were; then 2 again
  ///     6 apply
  func after(_ release: Release, _ policies: [Policy]) -> Model {
    var merge = Merge(self, release, policies)
    return run(&merge, release)
  }

  /// The data after a release is taken back: its inverse, merged like any. What the release left to
  /// the user ends with it, but for what the user deleted. What the inverse leaves is of no
  /// release, so that none ends with it: version 0.
  func before(_ release: Release) -> Model {
    var merge = Merge(self, release, shape.tables.map { _ in Policy() })
    merge.isTakingBack = true
    var next = run(&merge, release.inverse)
    next.left = next.left.compactMapValues {
      $0.without { $0.version == release.version && $0.kind != "deletedByUser" }
    }
    return next
  }

  private func run(_ merge: inout Merge, _ release: Release) -> Model {
    merge.decide(merge.resolved(release))
    while true {
      merge.demote()
      merge.explain()
      let next = merge.applied(to: self)
      if next.fails { return next }
      // Only the table can say these, and it speaks when rows are written.
      if merge.keepWhatCannotBeFollowed() { continue }
      if !merge.demoteRefused() { return next }
    }
  }

  /// The data, ready for the next release.
  func withoutReport() -> Model {
    var model = Model(shape, tables, left: left, lastIds: lastIds)
    model.holders = holders
    model.skipped = skipped
    return model
  }
}

struct Skipped: Hashable {
  var version: Int
  var key: RowKey
}

/// One release on its way into the data.
struct Merge {
  let shape: Shape
  let version: Int
  let policies: [Policy]
  let before: [[[Cell]]]
  let left: [RowKey: Left]
  let lastIds: [Int: Int64]
  let holders: [Holder]
  let skipped: Set<Skipped>
  var numbers: [RowKey: Cell] = [:]
  var isTakingBack = false
  /// Those of which the release has files.
  var tables: Set<Int> = []
  var decisions: [Decision] = []
  /// Rows of disposable tables that have to stay.
  var kept: Set<RowIndex> = []

  init(_ model: Model, _ release: Release, _ policies: [Policy]) {
    shape = model.shape
    version = release.version
    self.policies = policies
    before = model.tables
    left = model.left
    lastIds = model.lastIds
    holders = model.holders
    skipped = model.skipped
  }

  func onEdited(_ table: Int) -> String { policies[table].onEdited ?? "keepEdits" }
  func onEdited(_ table: Int, _ column: Int) -> String {
    policies[table].columns?[column] ?? onEdited(table)
  }
  func onTaken(_ table: Int) -> String { policies[table].onTaken ?? "keepUser" }

  /// The row that has this key.
  func place(of key: [Cell], in table: Int) -> RowIndex? {
    find(shape.tables[table].key, key, in: table)
  }

  /// The row whose columns hold these values, by the columns' collations.
  func find(_ set: [Int], _ values: [Cell], in table: Int) -> RowIndex? {
    let wanted = shape.tables[table].folded(set, as: values)
    guard !values.contains(.null) else { return nil }
    return before[table].firstIndex { shape.tables[table].folded(set, of: $0) == wanted }
      .map { RowIndex(table: table, index: $0) }
  }

  subscript(place: RowIndex) -> [Cell] { before[place.table][place.index] }
}

extension TableShape {
  func folded(_ set: [Int], as values: [Cell]) -> [Cell] {
    zip(set, values).map { $1.folded(ignoringCase: columns[$0].ignoresCase) }
  }

  func folded(key: [Cell]) -> [Cell] { folded(self.key, as: key) }
}
