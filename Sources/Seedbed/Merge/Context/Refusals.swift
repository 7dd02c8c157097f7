/// The conflicts for which a policy `fail` refuses a migration: of each table and kind the first 20
/// keys and the count.
struct Refusals {
  struct Group {
    let kind: Migrator.Conflict.Kind
    let table: String
    /// Of the first row.
    let place: SeedbedError.Place?
    fileprivate(set) var keys: [String] = []
    fileprivate(set) var count = 0
  }

  private var groups: [Group] = []

  var isEmpty: Bool { groups.isEmpty }

  mutating func add(
    _ kind: Migrator.Conflict.Kind, table: String, key: String,
    at place: @autoclosure () throws -> SeedbedError.Place?
  ) rethrows {
    let known = groups.firstIndex { $0.kind == kind && $0.table == table }
    if known == nil { groups.append(Group(kind: kind, table: table, place: try place())) }
    let index = known ?? groups.count - 1
    if groups[index].keys.count < 20 { groups[index].keys.append(key) }
    groups[index].count += 1
  }

  /// - Throws: the error that lists them all.
  func check() throws {
    if !groups.isEmpty { throw SeedbedError.conflictsRefused(groups) }
  }
}

extension SeedbedError {
  /// At the place of the first; each of the others says its own.
  static func conflictsRefused(_ groups: [Refusals.Group]) -> SeedbedError {
    let sentences = groups.enumerated().map { number, group in
      let place = number == 0 ? nil : group.place.map { "\($0): " }
      return (place ?? "") + sentence(group)
    }
    return SeedbedError(.conflict, sentences.joined(separator: " "), at: groups.first?.place)
  }

  private static func sentence(_ group: Refusals.Group) -> String {
    let list = group.keys.joined(separator: ", ") + (group.count > group.keys.count ? ", …" : "")
    let policy =
      switch group.kind {
      case .keyTaken, .uniqueTaken: "onTaken"
      default: "onEdited"
      }
    return "\(group.count) \(group.count == 1 ? "row" : "rows") of '\(group.table)' met "
      + "\(group.kind), and the policy \(policy) is 'fail': \(list)."
  }
}
