// Whether a download is to blame for an error.

extension ResolvedCatalog {
  /// The download that an error comes from, and what is wrong with it; nil for any other error.
  ///
  /// Rows that are not as they were signed may fail as anything, before their digest is known. So
  /// the files are read again, in the time that it takes to apply them. If they match their
  /// digests now, the file may have been written while it was read.
  func damage(behind error: SeedbedError) -> Migrator.PassedOver? {
    guard let download = choice?.download, error.isAboutContent else { return nil }
    if case .leftOut(let since) = error.cause {
      return Migrator.PassedOver(path: download.path, reason: .needsFrom(since))
    }
    do {
      for migration in try catalog.migrations() where self.download(of: migration) != nil {
        if !hasFiles(of: migration) { continue }
        if let failed = error.version, failed != migration.version { continue }
        for file in migration.files { try check(file, in: migration) }
      }
    } catch {
      let reason = Migrator.PassedOver.Reason(SeedbedError.from(error))
      return Migrator.PassedOver(path: download.path, reason: reason)
    }
    if download.hasSameState { return nil }
    return Migrator.PassedOver(
      path: download.path,
      reason: .unreadable("It changed while it was read: \(error.description)"))
  }

  /// Throws unless a file is as it was signed. No more of it is decompressed than was.
  private func check(_ file: MigrationFile, in migration: Migration) throws {
    guard let locked = file.locked else { return }
    let place = migration.place(of: file)
    let found = try LockedFile.read(
      catalog.open(file, in: migration), place: place, isCompressed: file.isCompressed,
      isRows: false, limit: locked.contentSize)
    try LockedFile.require("SHA-256", found.digest, locked.digest, place)
  }
}

extension Download {
  /// Whether the file was not written to since it was chosen.
  fileprivate var hasSameState: Bool { Paths.state(path) == state }
}

extension SeedbedError {
  /// Whether files of the catalog may be what is wrong.
  fileprivate var isAboutContent: Bool {
    switch code {
    case .catalog, .csv, .gzip, .sql, .constraint, .foreignKey, .verify, .conflict, .io: true
    default: false
    }
  }
}
