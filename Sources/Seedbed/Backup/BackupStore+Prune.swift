extension BackupStore {
  /// Removes old backups: of each of the last `keep` from-versions the first and the last `keep`
  /// stay, with 0 all; and those at `paths` stay whatever their age: the one just made, or just
  /// restored.
  func prune(keep: Int, protecting paths: String?...) throws {
    let protected = Set(paths.compactMap(\.self))
    try remove(Self.superfluous(try list(), keep: keep, protecting: protected).map(\.path))
  }

  /// The backups that `prune` removes; `backups` are in the order of their age.
  ///
  /// The last from-versions are those backed up last: after a restore, versions go up again from
  /// where they were. The first of a version is from before anything was tried on it, the last have
  /// what the user did until then. Damaged copies are no backups of a version; the last `keep` of
  /// them stay.
  static func superfluous(
    _ backups: [Migrator.Backup], keep: Int, protecting: Set<String>
  ) -> [Migrator.Backup] {
    guard keep > 0 else { return [] }
    var versions: [Version] = []
    for backup in backups.reversed() where !backup.isDamaged {
      if !versions.contains(backup.version) { versions.append(backup.version) }
    }
    var kept = protecting.union(backups.filter(\.isDamaged).suffix(keep).map(\.path))
    for version in versions.prefix(keep) {
      let own = backups.filter { $0.version == version && !$0.isDamaged }
      kept.formUnion((own.prefix(1) + own.suffix(keep)).map(\.path))
    }
    return backups.dropLast().filter { !kept.contains($0.path) }
  }

  /// Removes the backups that failed and interrupted runs from the same version made: the
  /// database is still, or again, what it was then, and `backup` holds it.
  ///
  /// Which run made a backup is in its row, or follows from its time if the process was killed
  /// before it could record it. What a restore has put aside is never taken for one of these.
  ///
  /// The connection holds the write lock; the current run is the last row of the ledger.
  func removeSuperseded(
    by backup: Migrator.Backup, ledger: Ledger, on connection: any DatabaseSession
  ) throws {
    let runs = try ledger.runs(on: connection)
    let kept = Set(runs.filter { $0.direction == "restore" }.compactMap(\.backup))
    let older = try list().filter { $0.version == backup.version && $0.path != backup.path }
    let superseded = older.filter { candidate in
      guard !kept.contains(candidate.path) else { return false }
      return zip(runs, runs.dropFirst()).contains { run, next in
        guard [.failed, .cancelled, .interrupted].contains(run.outcome),
          run.from == backup.version
        else { return false }
        if let path = run.backup { return path == candidate.path }
        // Both are UTC to the millisecond, in one form.
        let taken = candidate.takenAt.text
        return run.startedAt.text <= taken && taken < next.startedAt.text
      }
    }
    try remove(superseded.map(\.path))
  }

  /// Removes all that can be removed, and throws the first error.
  func remove(_ paths: [String]) throws {
    guard !paths.isEmpty, let folder = try openFolder() else { return }
    var first: (any Error)?
    for name in paths.map({ Paths.split($0).name }) {
      do {
        try folder.remove(name)
        // Kept beside a damaged copy.
        if folder.size(of: name + "-wal") != nil { try folder.remove(name + "-wal") }
      } catch {
        first = first ?? error
      }
    }
    try folder.sync()
    if let first { throw first }
  }
}
