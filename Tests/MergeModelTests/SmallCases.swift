import Seedbed

/// Every small case, not a sample: two rows, two columns, three values.
///
/// A row is absent, or has one of `a`, `b` and NULL in each of two columns: ten states, and a
/// hundred of two rows. A case is one state of both rows in release 1, one that the user leaves and
/// one in release 2: a million. They share a table and meet nowhere, since a number of the case is
/// part of each key and of each UNIQUE set. So one run of the engine merges ten thousand of them,
/// all with the same state in release 1, and the model merges each by itself.
struct SmallCases {
  /// What is there beside the rows, or how they are merged.
  enum Variant: String, CaseIterable {
    /// Under the defaults.
    case plain, unique
    /// The user's own row refers to the first one; and release 2 brings a row that does.
    case child, seedsChild
    /// The user pinned the first row.
    case pinned
    /// Release 2 gives rows other keys where it can: one row the key of the other, or each other's.
    case moves, uniqueMoves
    /// Not `moveUser`: it needs a key of one number, by which cases would meet. Random histories
    /// have it.
    case preferSeed, keepRow, overwriteRow, preferColumn
    case replaceUser, uniqueReplace
  }

  /// The number of states of both rows.
  static let states = 100

  let variant: Variant
  /// The state of both rows in release 1.
  let base: Int
  /// The states that the user leaves.
  let mine: Range<Int>

  init(_ variant: Variant, base: Int, mine: Range<Int> = 0..<states) {
    (self.variant, self.base, self.mine) = (variant, base, mine)
  }

  /// One of them. Its number is part of its keys.
  struct Case {
    let base, mine, seed: Int
    var number: Int64 { Int64((base * states + mine) * states + seed) }
  }

  // MARK: what exists

  /// The rows of a state, by their keys 1 and 2; nil for one that is absent.
  static func rows(_ state: Int, of number: Int64) -> [[Cell]?] {
    [state / 10, state % 10].enumerated().map { index, row in
      let values: [Cell] = ["a", "b", .null]
      return row == 0
        ? nil
        : [
          .integer(number), .integer(Int64(index + 1)), values[(row - 1) / 3],
          values[(row - 1) % 3],
        ]
    }
  }

  private var isUnique: Bool { [.unique, .uniqueMoves, .uniqueReplace].contains(variant) }
  private var changesKeys: Bool { [.moves, .uniqueMoves].contains(variant) }
  private var hasChild: Bool { [.child, .seedsChild].contains(variant) }

  /// Whether a database can be in that state.
  private func isPossible(_ state: Int) -> Bool {
    let rows = Self.rows(state, of: 0).compactMap(\.self)
    return !isUnique || rows.count < 2 || rows[0][2].isNull || rows[0][2] != rows[1][2]
  }

  /// Those that can be.
  var cases: [Case] {
    guard isPossible(base) else { return [] }
    let seeds = (0..<Self.states).filter { isPossible($0) && isReleased($0) }
    return mine.filter(isPossible).flatMap { mine in
      seeds.map { Case(base: base, mine: mine, seed: $0) }
    }
  }

  /// Whether one release can bring it. One that changes keys brings and retires no rows.
  private func isReleased(_ seed: Int) -> Bool {
    let counts = [base, seed].map { Self.rows($0, of: 0).count { $0 != nil } }
    return !changesKeys || counts[0] == counts[1]
  }

  var shape: Shape {
    let numbers = ["c", "k"].map { ColumnShape(name: $0, kind: .integer, isNotNull: true) }
    let texts = ["a", "b"].map { ColumnShape(name: $0, kind: .text) }
    var rows = TableShape(name: "t0", columns: numbers + texts, key: [0, 1])
    if isUnique { rows.uniques = [Unique(columns: [0, 2])] }
    var shape = Shape(tables: [rows], changesKeys: changesKeys)
    if hasChild {
      let id = ColumnShape(name: "n", kind: .integer, isNotNull: true)
      var child = TableShape(name: "t1", columns: [id] + numbers, key: [0])
      child.foreignKeys = [
        ForeignKey(columns: [1, 2], parent: 0, parentColumns: [0, 1], action: "")
      ]
      shape.tables.append(child)
    }
    return shape
  }

  var policies: [Policy] {
    var policy = Policy()
    switch variant {
    case .preferSeed, .keepRow, .overwriteRow: policy.onEdited = variant.rawValue
    case .preferColumn: policy.columns = [2: "preferSeed"]
    case .replaceUser, .uniqueReplace: policy.onTaken = "replaceUser"
    case .plain, .unique, .child, .seedsChild, .pinned, .moves, .uniqueMoves: break
    }
    return [policy] + (hasChild ? [Policy()] : [])
  }

  /// What the user leaves, by table.
  func user(_ one: Case) -> [[[Cell]]] {
    let rows = Self.rows(one.mine, of: one.number)
    let number = Cell.integer(one.number)
    let children: [[Cell]] = variant == .child && rows[0] != nil ? [[number, number, 1]] : []
    return [rows.compactMap(\.self)] + (hasChild ? [children] : [])
  }

  func left(_ one: Case) -> [RowKey: Left] {
    guard variant == .pinned, Self.rows(one.base, of: one.number)[0] != nil else { return [:] }
    let key = RowKey(table: 0, key: [.integer(one.number), 1])
    return [key: Left(kind: "pinned", version: 0)]
  }

  // MARK: what is released

  func first(_ cases: [Case]) -> Release {
    Release(version: 1, files: [inserts(cases.flatMap { Self.rows($0.base, of: $0.number) })])
  }

  func second(_ cases: [Case]) -> Release {
    var update = SeedFile(table: 0, kind: .update, columns: [2, 3], rows: [])
    if changesKeys { update.keyChanges = [1] }
    var delete = SeedFile(table: 0, kind: .delete, columns: shape.tables[0].seeded, rows: [])
    var new: [[Cell]?] = []
    for one in cases {
      let old = Self.rows(one.base, of: one.number)
      let next = Self.rows(one.seed, of: one.number)
      for (old, next) in changesKeys ? moved(old, next) : Array(zip(old, next)) {
        switch (old, next) {
        case (let old?, let next?) where old != next:
          update.rows.append(
            SeedRow(
              key: Array(old[...1]), newKey: changesKeys ? Array(next[...1]) : nil,
              values: Array(next[2...]), was: Array(old[2...])))
        case (let old?, nil): delete.rows.append(SeedRow(key: Array(old[...1]), values: old))
        case (nil, let next?): new.append(next)
        default: break
        }
      }
    }
    var files = [update, delete, inserts(new)]
    if variant == .seedsChild {
      let children = cases.filter { Self.rows($0.seed, of: 0)[0] != nil }.map { one in
        let number = Cell.integer(one.number)
        return SeedRow(key: [number], values: [number, number, 1])
      }
      files.append(SeedFile(table: 1, kind: .insert, columns: [0, 1, 2], rows: children))
    }
    return Release(version: 2, files: files)
  }

  private func inserts(_ rows: [[Cell]?]) -> SeedFile {
    SeedFile(
      table: 0, kind: .insert, columns: [0, 1, 2, 3],
      rows: rows.compactMap { row in row.map { SeedRow(key: Array($0[...1]), values: $0) } })
  }

  /// Which row becomes which.
  private func moved(
    _ old: [[Cell]?], _ next: [[Cell]?]
  ) -> [(old: [Cell]?, next: [Cell]?)] {
    let isSwap = [old, next].allSatisfy { !$0.contains(nil) }
    let isMove = (old[0] == nil) != (next[0] == nil)
    return Array(zip(old, isSwap || isMove ? next.reversed() : next))
  }
}
