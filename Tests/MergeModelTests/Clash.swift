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
