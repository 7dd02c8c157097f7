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
