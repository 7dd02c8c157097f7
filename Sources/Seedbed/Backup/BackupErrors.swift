// Errors of taking and restoring backups.

extension SeedbedError {
  // MARK: taking

  /// The error of a backup; a cancelled run or a busy lock is reported as such.
  static func backupFailed(_ cause: SeedbedError) -> SeedbedError {
    let sentence = "No backup could be made, so nothing was changed. \(cause.message)"
    return switch cause.code {
    case .cancelled, .busy, .protected: cause
    // Another folder would not help.
    case .corrupt, .backup: SeedbedError(.backup, sentence).remedied(as: cause)
    default:
      SeedbedError(
        cause.code == .diskFull ? .diskFull : .backup,
        sentence + " Backups can go to another folder, or be left out."
      ).remedied(by: .moveBackups, .leaveBackupOut)
    }
  }

  static func noSpaceForBackup(needed: Int64, free: Int64, folder: String) -> SeedbedError {
    SeedbedError(
      .diskFull,
      "It needs \(needed) bytes in '\(folder)', and \(free) are free. Free some space and try "
        + "again.")
  }

  // MARK: restoring

  /// The error of a restore. It begins with what the user needs to know first.
  static func restoreFailed(_ cause: SeedbedError) -> SeedbedError {
    switch cause.code {
    case .backup, .usage, .busy, .protected, .outcomeUnknown, .newer: cause
    case .cancelled:
      SeedbedError(.cancelled, "Interrupted. Nothing was restored; the database is unchanged.")
    default:
      SeedbedError(
        cause.code, "Nothing was restored; the database is unchanged. \(cause.message)"
      ).remedied(as: cause)
    }
  }

  private static func notRestored(_ fact: String, _ remedy: String) -> SeedbedError {
    SeedbedError(.backup, "\(fact) Nothing was restored. \(remedy)")
  }

  static func damagedBackup(_ path: String, _ detail: String) -> SeedbedError {
    notRestored("The backup '\(path)' is damaged (\(detail)).", "Choose another.")
      .remedied(by: .listBackups)
  }

  static func changedBackup(_ path: String, named: Version, found: Version) -> SeedbedError {
    notRestored(
      "The backup '\(path)' is at \(found), and its name says \(named): it was changed after it "
        + "was made.",
      "Choose another. To restore it as it is now, copy it to another folder, and name the copy."
    )
    .remedied(by: .listBackups)
  }

  /// `path` is that of the backup, `database` that of the database.
  static func isBackup(_ path: String, of database: String, at version: Version) -> SeedbedError {
    SeedbedError(
      .usage,
      "'\(path)' is the backup of '\(Paths.split(database).name)' at \(version), so it is not "
        + "changed. Restore it, or copy it to another folder and name the copy.")
  }

  static func emptyBackup(_ path: String) -> SeedbedError {
    notRestored("'\(path)' is an empty database.", "Choose a backup.").remedied(by: .listBackups)
  }

  static func unfinishedBackup(_ path: String) -> SeedbedError {
    notRestored(
      "'\(path)' was left in the middle of a transaction, which only a program that opens it for "
        + "writing can roll back.", "Open it once, for example with: sqlite3 FILE .tables")
  }

  static func pageSizeInWAL(_ path: String, backup: Int64, database: Int64) -> SeedbedError {
    notRestored(
      "The pages of '\(path)' have \(backup) bytes, those of the database \(database), and a "
        + "database in WAL mode cannot change that.",
      "Leave WAL mode first (PRAGMA journal_mode=DELETE), restore, and enter it again.")
  }

  static func oldNotKept(_ cause: SeedbedError) -> SeedbedError {
    switch cause.code {
    case .cancelled, .busy, .protected: cause
    default:
      SeedbedError(
        cause.code == .diskFull ? .diskFull : .backup,
        "The current database could not be backed up, so nothing was restored. "
          + "\(cause.message) Move the database elsewhere first, or choose another folder for the "
          + "backups."
      ).remedied(by: .moveBackups)
    }
  }

  static func unreadable(_ path: String) -> SeedbedError {
    SeedbedError(.io, "SQLite cannot open '\(path)'.")
  }

  static func restoreUnknown(_ cause: String, _ then: String) -> SeedbedError {
    SeedbedError(
      .outcomeUnknown,
      "The disk failed while the restore was being committed (\(cause)), and the database cannot "
        + "be opened to see the outcome (\(then)). The earlier content is among the "
        + "backups."
    ).with { $0.isDatabaseUnchanged = false }.remedied(by: .listBackups)
  }
}
