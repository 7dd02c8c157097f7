/// A row of which some conflicts are to be settled.
///
/// A person decides about values, and about each the newest conflict says what the user had. So a
/// conflict decides what no newer one is about; one that has no such value, what they say of its.
struct ConflictedRow {
  let chosen: [Migrator.Conflict]
  /// What is to be settled.
  let conflict: Migrator.Conflict
  /// All that this decides, by their numbers.
  let closed: [Int64]
  /// The release since which the key must be the same.
  let since: Version

  /// - Parameters:
  ///   - logged: all of the row that may be settled, the newest first.
  ///   - chosen: those that are to be, the newest first.
  init(_ logged: [Migrator.Conflict], chosen: [Migrator.Conflict]) {
    self.chosen = chosen
    let numbers = Set(chosen.map(\.id))
    // Those since the last one that was about the whole row. What is older is over.
    let recent = Array(logged.prefix(while: \.isOfColumns))
    if recent.isEmpty {
      (conflict, closed, since) = (logged[0], logged.map(\.id), logged[0].version)
      return
    }
    var newer: Set<String> = []
    let own = recent.map { conflict in
      defer { newer.formUnion(conflict.names) }
      return conflict.names.filter { !newer.contains($0) }
    }
    let isChosen = recent.indices.filter { numbers.contains(recent[$0].id) }
    // An older one says nothing of the row any more.
    let deciding = isChosen.isEmpty ? [0] : isChosen
    let names = Set(deciding.flatMap { own[$0].isEmpty ? recent[$0].names : own[$0] }).ordered()
    var conflict = recent[deciding[0]]
    conflict.mine = Migrator.Row(
      names, names.map { name in recent.lazy.compactMap { $0.mine?[name] }.first ?? .null })
    let open = recent.indices.filter { place in
      !deciding.contains(place)
        && (recent[place].names.allSatisfy { !names.contains($0) }
          || !own[place].allSatisfy(names.contains))
    }.map { recent[$0].id }
    closed = logged.map(\.id).filter { !open.contains($0) }
    since = deciding.map { recent[$0].version }.min() ?? conflict.version
    self.conflict = conflict
  }

  /// Why it is not settled, for each conflict that was to be.
  func refusals(_ error: SeedbedError) -> [Migrator.Settled.Refusal] {
    chosen.map { .init(conflict: $0.id, error: $0.unsettled(by: conflict.unsettled(by: error))) }
  }
}

extension Migrator.Conflict {
  fileprivate var names: [String] { mine?.columns ?? [] }
}
