// Whether a database can take a download.

extension Catalog {
  /// Why a database cannot take this download; nil if it can.
  ///
  /// - Parameters:
  ///   - heads: what its ledger knows to be signed.
  ///   - applied: what its ledger lists.
  func reasonToPassOver(
    _ heads: [Migrator.SignedHead], _ applied: [AppliedMigration]
  ) throws -> Migrator.PassedOver.Reason? {
    guard let downloads, let used = downloads.used else { return nil }
    for head in used.heads {
      guard let last = heads.first(where: { $0.key == head.key }) else { continue }
      if head.version < last.version { return .older }
      if head.version == last.version, head.lock != last.lock { return .forked }
    }
    let steps = try compared(applied: applied).steps.filter { $0.version > downloads.bundled }
    if steps.contains(where: { $0.state == .drifted || $0.state == .missing }) { return .forked }
    let lacks = steps.contains { $0.applied == nil && $0.version <= used.since }
    return lacks ? .needsFrom(used.since) : nil
  }

  /// The damaged download that an error comes from; nil for another error.
  ///
  /// Rows that are not as they were signed may fail as anything, before their digest is known.
  ///
  /// - Parameter version: the last one that was applied.
  func damage(behind error: SeedbedError, _ version: Version) -> Migrator.PassedOver? {
    guard let used = downloads?.used, error.isAboutContent,
      let damage = damage(above: version) ?? (error.code == .catalog ? error : nil)
    else { return nil }
    return Migrator.PassedOver(path: used.path, reason: Migrator.PassedOver.Reason(damage))
  }

  /// What is wrong with the files of a download's migrations above a version; nil if all are as they
  /// were signed.
  private func damage(above version: Version) -> SeedbedError? {
    do {
      for migration in try migrations()
      where isDownloaded(migration) && migration.version > version {
        for file in migration.files {
          let found = try LockedFile.read(
            open(file, in: migration), place: migration.place(of: file),
            isCompressed: file.isCompressed, isRows: false)
          try LockedFile.require(
            "SHA-256", found.digest, file.locked?.digest ?? "", migration.place(of: file))
        }
      }
      return nil
    } catch {
      return SeedbedError.from(error)
    }
  }
}

extension SeedbedError {
  /// Whether files of the catalog may be what is wrong.
  var isAboutContent: Bool {
    switch code {
    case .catalog, .csv, .gzip, .sql, .constraint, .foreignKey, .verify, .conflict, .io: true
    default: false
    }
  }
}
