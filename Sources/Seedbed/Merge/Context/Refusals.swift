/// The conflicts for which a policy `fail` refuses a migration: for each table and kind, the first
/// 20 keys and the number of all.
struct Refusals {
  private struct Group {
    let kind: Migrator.Conflict.Kind
    let table: String
    /// The place of the first row.
    let place: SeedbedError.Place?
    var keys: [String] = []
    var count = 0

    var sentence: String {
      let list = keys.listed + (count > keys.count ? ", …" : "")
      let policy = Reason(kind).isTaken ? "onTaken" : "onEdited"
      return "The policy \(policy) is 'fail', and \(count) \(count == 1 ? "row" : "rows") of "
        + "'\(table)' \(count == 1 ? "is" : "are") in conflict (\(kind)): \(list)."
    }
  }

  private var groups: [Group] = []

  mutating func add(
    _ kind: Migrator.Conflict.Kind, table: String, key: String,
    at place: @autoclosure () throws -> SeedbedError.Place?
  ) rethrows {
    let index = groups.firstIndex { $0.kind == kind && $0.table == table } ?? groups.count
    if index == groups.count { groups.append(Group(kind: kind, table: table, place: try place())) }
    if groups[index].keys.count < 20 { groups[index].keys.append(key) }
    groups[index].count += 1
    assert(groups[index].keys.count <= min(20, groups[index].count), "A key is listed twice.")
  }

  /// An error that lists all of them, at the place of the first; the others are listed with their
  /// own places. nil if there are none.
  var error: SeedbedError? {
    guard let first = groups.first else { return nil }
    let others = groups.dropFirst().map { group in
      (group.place.map { "\($0): " } ?? "") + group.sentence
    }
    return SeedbedError(
      .conflict, ([first.sentence] + others).joined(separator: " "), at: first.place)
  }
}
