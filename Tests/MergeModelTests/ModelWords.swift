struct Place: Hashable {
  var table: Int
  var index: Int
}

/// What a row holds in a UNIQUE set.
struct UniqueValue: Hashable {
  var place: Place
  var set: [Int]
}

struct RowKey: Hashable {
  var table: Int
  var key: [Cell]
}

/// A user's row that has what was to name one of the seed's.
struct Holder: Hashable {
  var row: RowKey
  /// The seed's row.
  var instead: RowKey
  var columns: [Int]
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
}
