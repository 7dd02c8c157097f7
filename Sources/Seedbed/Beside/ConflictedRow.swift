/// A row about which a person decides, by some of its conflicts.
///
/// The newest conflict decides how. It is about the whole row, or about the columns of all
/// conflicts that are settled with it; for each column, the newest conflict that has it has the
/// user's value. Settling closes all open conflicts of the row. Those that were settled later than
/// the chosen ones are settled again: only the newest knows the user's last value. Those settled
/// before the chosen ones stay as they are.
struct ConflictedRow {
  let chosen: [Migrator.Conflict]
  /// The conflict to settle.
  let conflict: Migrator.Conflict
  /// The numbers of all conflicts that this decides.
  let closed: [Int64]
  /// The first release of its conflicts.
  let since: Version

  /// - Parameters:
  ///   - logged: all conflicts of the row that may be settled, the newest first.
  ///   - chosen: the ones to settle, the newest first.
  init(_ logged: [Migrator.Conflict], chosen: [Migrator.Conflict]) {
    assert(!chosen.isEmpty, "No conflict was chosen.")
    self.chosen = chosen
    let decided = chosen.filter { $0.settledAt != nil }
    let times = Set(decided.compactMap(\.settledAt))
    // By their numbers, since a device's clock may be set back.
    let first = decided.map(\.id).min() ?? .max
    let settled = logged.filter { conflict in
      conflict.id > first || conflict.settledAt.map(times.contains) ?? true
    }
    closed = settled.map(\.id)
    var conflict = settled[0]
    // All are of one row.
    conflict.names = chosen[0].names
    // The ones since the last conflict about the whole row. Older ones no longer matter.
    let recent = settled.prefix(while: \.isOfColumns)
    if !recent.isEmpty {
      let names = recent.flatMap { $0.mine?.columns ?? [] }.asNames.texts
      conflict.mine = Migrator.Row(
        names, names.map { name in recent.lazy.compactMap { $0.mine?[name] }.first ?? .null })
    }
    since = recent.map(\.version).min() ?? conflict.version
    self.conflict = conflict
  }

  /// Why the row is not settled, for each of the chosen conflicts.
  func refusals(_ error: SeedbedError) -> [Migrator.Settlement.Refusal] {
    chosen.map { .init(conflict: $0.id, error: $0.unsettled(by: conflict.unsettled(by: error))) }
  }
}
