// Errors of seedbed.lock, and of what it and the folders disagree on.

extension SeedbedError {
  private static func lock(_ message: String, line: Int? = nil) -> SeedbedError {
    SeedbedError(.catalog, message, at: Place("seedbed.lock", line: line))
  }

  /// It is to be written again.
  private static func staleLock(_ message: String, line: Int? = nil) -> SeedbedError {
    lock(message, line: line).remedied(by: .writeLock)
  }

  package static func lockMissing(_ path: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The catalog '\(path)' has no seedbed.lock. Write it and ship it with the catalog."
    ).remedied(by: .writeLock)
  }

  static func otherChain(found: String, expected: String) -> SeedbedError {
    lock(
      "The catalog ends in the chain \(found), expected \(expected.shortened(to: 80)). It is not "
        + "the release that was announced: download it again.", line: 2)
  }

  static let lockNotRegular = staleLock(
    "This is not a regular file. Remove it, and write it again.")

  static func lockedOtherwise(_ migration: Migration) -> SeedbedError {
    SeedbedError(
      .drift,
      "Its files are as they were when it was applied, but seedbed.lock names others. Write the "
        + "lock again.", at: Place(migration.folder), version: migration.version
    ).remedied(by: .writeLock)
  }

  static let lockEmpty = staleLock("The file is empty. Write it again.")

  static let lockChanged = lock("The lock was replaced while it was in use. Try again.")

  static func lockNewer(format: String, known: Int) -> SeedbedError {
    lock(
      "The lock has the format \(format.shortened(to: 40)), which a newer Seedbed wrote; this one "
        + "reads format \(known). Use the newer one.", line: 1)
  }

  static func lockConflict(_ found: String, line: Int) -> SeedbedError {
    lock(
      "Found '\(found.shortened(to: 40))': two branches added migrations, and git left both in the "
        + "lock. Keep the folders of both, each with its own number: make yours again with another "
        + "one, or rename it and write the lock again.", line: line
    ).remedied(by: .amendMigration, .writeLock)
  }

  static func lockLineEndings(line: Int) -> SeedbedError {
    lock(
      "The lines end in CRLF; git does this on some systems, and then to other files too. Put "
        + "'seedbed.lock text eol=lf' and '*.sql text eol=lf' into .gitattributes, and check the "
        + "files out again.", line: line)
  }

  static func lockLine(_ found: String, expected: String, line: Int) -> SeedbedError {
    staleLock(
      "Found '\(found.shortened(to: 40))', expected \(expected). Write the lock again.", line: line)
  }

  static func lockTruncated(found: Int, expected: Int) -> SeedbedError {
    staleLock(
      "The lock is truncated: it has \(found) of its \(expected) lines. Copy it again, or write it "
        + "again.")
  }

  static func lockEdited(line: Int?) -> SeedbedError {
    staleLock(
      "The lock is not as it was written: it was edited or merged by hand. Write it again.",
      line: line)
  }

  // MARK: lock and folders

  /// The first of the differences, and how many there are.
  static func lockDiffers(_ first: LockComparison.Difference, of count: Int) -> SeedbedError {
    let more =
      switch count {
      case 1: ""
      case 2: " There is one more such difference."
      default: " There are \(count - 1) more such differences."
      }
    return inCatalog(
      first.isInLock
        ? "This is in seedbed.lock, but not in the folder.\(more) Put it back, or, if it was never "
          + "released, write the lock again."
        : "This is not in seedbed.lock.\(more) Write the lock again.", first.path
    ).remedied(by: .writeLock)
  }
}
