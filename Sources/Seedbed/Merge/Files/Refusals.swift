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
