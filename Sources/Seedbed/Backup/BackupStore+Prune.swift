extension BackupStore {
  /// Removes old backups. For each of the last `keep` versions, the first backup and the last
  /// `keep` stay; 0 keeps all. The backups at `paths`, just made or just restored, always stay.
  func prune(keep: Int, protecting paths: String?...) throws {
    let protected = Set(paths.compactMap(\.self))
    try remove(Self.superfluous(try list(), keep: keep, protecting: protected).map(\.path))
  }

  /// The backups that `prune` removes; `backups` are in the order of their age.
  ///
  /// The last versions are the ones backed up last, because after a restore the versions increase
  /// again from an earlier one. The first backup of a version was made before anything was tried on
  /// it; the last ones have what the user did since. Damaged copies belong to no version; the last
  /// `keep` of them stay.
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

  /// Removes the backups that failed and interrupted runs made at the same version: the database is
  /// still, or again, as it was then, and `backup` holds it.
  ///
  /// The run that made a backup has it in its row. If its process was killed before it wrote that,
  /// the backup's time tells. Databases put aside by a restore are never removed here.
  ///
  /// The connection holds the write lock. The current run is the last row of the ledger.
  func removeSuperseded(
    by backup: Migrator.Backup, ledger: Ledger, on connection: any DatabaseSession
  ) throws {
    let (runs, version) = try (
      ledger.runs(on: connection), ledger.head(on: connection)?.version ?? 0
    )
    // The folder may have moved since.
    func name(_ path: String) -> String { Paths.split(path).name }
    let kept = Set(runs.filter { $0.direction == "restore" }.compactMap(\.backup).map(name))
    let older = try list().filter { $0.version == backup.version && $0.path != backup.path }
    let superseded = older.filter { candidate in
      guard !kept.contains(name(candidate.path)) else { return false }
      return zip(runs, runs.dropFirst()).contains { run, next in
        guard [.failed, .cancelled, .interrupted].contains(run.outcome),
          run.from == version
        else { return false }
        if let path = run.backup { return name(path) == name(candidate.path) }
        // Both are UTC to the millisecond, in the same format.
        let taken = candidate.takenAt.text
        return run.startedAt.text <= taken && taken < next.startedAt.text
      }
    }
    try remove(superseded.map(\.path))
  }

  /// Removes as many as possible, and throws the first error.
  func remove(_ paths: [String]) throws {
    guard !paths.isEmpty, let folder = try openFolder() else { return }
    var first: (any Error)?
    for name in paths.map({ Paths.split($0).name }) {
      do {
        try folder.remove(name)
        // The WAL that was kept with a damaged copy.
        if folder.size(of: name + "-wal") != nil { try folder.remove(name + "-wal") }
      } catch {
        first = first ?? error
      }
    }
    try folder.sync()
    if let first { throw first }
  }
}
