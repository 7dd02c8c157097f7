/// A table, and the number of a row in it.
struct RowIndex: Hashable {
  var table: Int
  var index: Int
}

struct RowKey: Hashable {
  var table: Int
  var key: [Cell]
}

/// Why a key was left to the user, and by which migration.
/// Why a key is the user's. It may have several reasons, one of each kind.
struct Left: Hashable {
  struct Reason: Hashable {
    var kind: String
    var version: Int
  }

  var reasons: [Reason]

  init(kind: String, version: Int) { reasons = [Reason(kind: kind, version: version)] }

  /// The same, for good.
  var ofNoRelease: Left {
    var left = self
    for index in left.reasons.indices { left.reasons[index].version = 0 }
    return left
  }

  /// With another's. Of one kind, the reason of the first release stays.
  func and(_ other: Left) -> Left {
    var both = self
    for reason in other.reasons.sorted(by: { $0.version < $1.version })
    where !both.reasons.contains(where: { $0.kind == reason.kind }) {
      both.reasons.append(reason)
    }
    both.reasons.sort { $0.kind < $1.kind }
    return both
  }

  /// With those of an entry that gets this key, too. Of one kind, `down` ends both with the first.
  func joined(_ other: Left) -> Left {
    var joined = and(other)
    for index in joined.reasons.indices {
      let same = (reasons + other.reasons).filter { $0.kind == joined.reasons[index].kind }
      joined.reasons[index].version = same.map(\.version).min() ?? 0
    }
    return joined
  }

  /// Without some; nil if there are no others.
  func without(_ isEnded: (Reason) -> Bool) -> Left? {
    var rest = self
    rest.reasons.removeAll(where: isEnded)
    return rest.reasons.isEmpty ? nil : rest
  }

  func has(_ isMeant: (Reason) -> Bool) -> Bool { reasons.contains(where: isMeant) }
}

struct ModelCounts: Equatable {
  var inserted = 0
  var updated = 0
  var deleted = 0
  var unchanged = 0
  var kept = 0
}

/// A conflict, as the log should have it.
struct Clash: Hashable {
  var table: String
  var key: [String: Cell]
  var kind: String
  var policy: String?
  var resolution: String
  var base: [String: Cell]?
  var mine: [String: Cell]?
  var seed: [String: Cell]?
  var movedTo: [String: Cell]?
  /// Of a row that others keep out: whom the log may show.
  var mayShow: [[String: Cell]?] = []
  /// One parent is missing and one is the user's: the log may show either.
  var hasBothReasons = false
}

extension Shape {
  func rowKey(_ key: [Cell], _ table: Int) -> RowKey {
    RowKey(table: table, key: tables[table].folded(key: key))
  }

  func rowKey(of row: [Cell], _ table: Int) -> RowKey {
    rowKey(tables[table].key.map { row[$0] }, table)
  }
}

extension Shape {
  /// Who refers to a table, and by which columns.
  func references(to parent: Int) -> [(child: Int, key: ForeignKey)] {
    tables.enumerated().flatMap { child, table in
      table.foreignKeys.filter { $0.parent == parent }.map { (child, $0) }
    }
  }

  func places(_ slots: [[Slot]]) -> [RowIndex] {
    slots.enumerated().flatMap { table, rows in
      rows.indices.map { RowIndex(table: table, index: $0) }
    }
  }
}

extension [Cell] {
  func merging(_ columns: [Int: Cell]) -> [Cell] {
    var row = self
    for (column, value) in columns { row[column] = value }
    return row
  }
}
