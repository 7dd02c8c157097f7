// Whether a database can take a download.

extension Catalog {
  /// Why a database cannot take this download; nil if it can.
  ///
  /// A database that went another way would skip what lies below its version, so that is a fork,
  /// too: a stolen key may have signed a high number.
  ///
  /// - Parameters:
  ///   - heads: what its ledger knows to be signed.
  ///   - applied: what its ledger lists.
  func reasonToPassOver(
    _ heads: [Migrator.SignedHead], _ applied: [AppliedMigration], allowsOutOfOrder: Bool
  ) throws -> Migrator.PassedOver.Reason? {
    guard let downloads, let used = downloads.used else { return nil }
    for head in used.heads {
      guard let last = heads.first(where: { $0.key == head.key }) else { continue }
      if head.version < last.version { return .older }
      if head.version == last.version, head.lock != last.lock { return .forked }
    }
    let steps = try compared(applied: applied).steps.filter { $0.version > downloads.bundled }
    let forked: Set<Migrator.Status.Migration.State> =
      allowsOutOfOrder ? [.drifted, .missing] : [.drifted, .missing, .outOfOrder]
    if steps.contains(where: { forked.contains($0.state) }) { return .forked }
    let pending = steps.filter { $0.applied == nil }
    if pending.contains(where: { $0.version <= used.since }) { return .needsFrom(used.since) }
    return try laterOptions(of: pending.compactMap(\.migration))
  }

  /// `newer` if a release has options that this version cannot read.
  private func laterOptions(of pending: [Migration]) throws -> Migrator.PassedOver.Reason? {
    for migration in pending {
      do {
        _ = try options(of: migration)
      } catch let error as SeedbedError where error.cause == .laterSeedbed {
        return Migrator.PassedOver.Reason(error)
      } catch {
        // Damage shows when the release is applied.
      }
    }
    return nil
  }

  /// The damaged download that an error comes from; nil for any other error.
  ///
  /// Rows that are not as they were signed may fail as anything, before their digest is known. So
  /// the files are read again, in the time that it takes to apply them.
  func damage(behind error: SeedbedError) -> Migrator.PassedOver? {
    guard let used = downloads?.used, error.isAboutContent else { return nil }
    do {
      for migration in try migrations()
      where isDownloaded(migration) && migration.version > used.since {
        if let failed = error.version, failed != migration.version { continue }
        for file in migration.files { try check(file, in: migration) }
      }
      return nil
    } catch {
      let reason = Migrator.PassedOver.Reason(SeedbedError.from(error))
      return Migrator.PassedOver(path: used.path, reason: reason)
    }
  }

  /// Throws unless a file is as it was signed. No more of it is decompressed than was.
  private func check(_ file: MigrationFile, in migration: Migration) throws {
    guard let locked = file.locked else { return }
    let place = migration.place(of: file)
    let found = try LockedFile.read(
      open(file, in: migration), place: place, isCompressed: file.isCompressed, isRows: false,
      limit: locked.contentSize)
    try LockedFile.require("SHA-256", found.digest, locked.digest, place)
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
