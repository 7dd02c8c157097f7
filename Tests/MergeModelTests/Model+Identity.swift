/// Rows under a seed's key that are other rows by now.
extension Model {
  /// They are left to the user, and what the release says of those keys says nothing of them.
  mutating func withoutStrangers(_ release: Release) -> Release {
    var release = release
    for index in release.files.indices where release.files[index].kind != .insert {
      let file = release.files[index]
      let strangers = file.rows.filter { isStranger($0, file) }
      for seed in strangers {
        left.insert(rowKey(seed.key, file.table))
        count(file.table, file.kind == .delete ? \.unchanged : \.kept)
        if file.kind == .delete { continue }
        clashes.append(
          clash(
            "deletedByUser", file.table, seed.key, policy: nil, "keptUser",
            base: file.isBaseless ? nil : columns(file, seed.was, isBase: true), mine: nil,
            seed: columns(file, seed.values)))
      }
      let keys = Set(strangers.map { rowKey($0.key, file.table) })
      release.files[index].rows.removeAll { keys.contains(rowKey($0.key, file.table)) }
    }
    return release
  }

  private func isStranger(_ seed: SeedRow, _ file: SeedFile) -> Bool {
    guard !left.contains(rowKey(seed.key, file.table)),
      let place = place(of: seed.key, in: file.table), let mine = self[place]
    else { return false }
    return shape.tables[file.table].identity.contains { column in
      guard let index = file.columns.firstIndex(of: column) else { return false }
      let known = [seed.values[index]] + (seed.was.isEmpty ? [] : [seed.was[index]])
      return !known.contains { mine[column].isSame(as: $0) }
    }
  }
}
