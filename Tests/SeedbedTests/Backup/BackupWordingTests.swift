import Testing

@testable import Seedbed

/// The errors of backups that no other test meets as a whole.
struct BackupWordingTests {
  static let io = SeedbedError(.io, "Cannot write to disk '/b': Input/output error.")
  static let full = SeedbedError(.diskFull, "The disk is full.")

  static let cases: [(SeedbedError, SeedbedError.Code, String)] = [
    (
      .backupFailed(io), .backup,
      "No backup could be made, so nothing was changed. Cannot write to disk '/b': Input/output "
        + "error. Backups can go to another folder, or be left out."
    ),
    (
      .oldNotKept(io), .backup,
      "The current database could not be backed up, so nothing was restored. Cannot write to "
        + "disk '/b': Input/output error. Move the database elsewhere first, or choose another "
        + "folder for the backups."
    ),
    (
      .oldNotKept(full), .diskFull,
      "The current database could not be backed up, so nothing was restored. The disk is "
        + "full. Move the database elsewhere first, or choose another folder for the backups."
    ),
    (
      .restoreFailed(io), .io,
      "Nothing was restored; the database is unchanged. Cannot write to disk '/b': Input/output "
        + "error."
    ),
    (
      .damagedBackup("/b/app.sqlite", "database disk image is malformed"), .backup,
      "The backup '/b/app.sqlite' is damaged (database disk image is malformed). Nothing was "
        + "restored. Choose another."
    ),
    (
      .noSpaceForBackup(needed: 70_000, free: 4096, folder: "/b"), .diskFull,
      "It needs 70000 bytes in '/b', and 4096 are free. Free some space and try again."
    ),
    (.unreadable("/d/app.sqlite"), .io, "SQLite cannot open '/d/app.sqlite'."),
    (
      .restoreUnknown("disk I/O error", "unable to open database file"), .outcomeUnknown,
      "The disk failed while the restore was being committed (disk I/O error), and the database "
        + "cannot be opened to see the outcome (unable to open database file). The earlier content "
        + "is among the backups."
    ),
  ]

  @Test(arguments: cases.indices) func `an error says what happened and what to do`(_ index: Int) {
    let (error, code, message) = Self.cases[index]
    #expect(error.code == code)
    #expect(error.message == message)
    #expect(error.isDatabaseUnchanged == (code != .outcomeUnknown))
  }

  @Test(arguments: [SeedbedError.cancelled(), .databaseBusy()])
  func `what is not about the backup keeps its own words`(_ error: SeedbedError) {
    #expect(SeedbedError.backupFailed(error) == error)
    #expect(SeedbedError.oldNotKept(error) == error)
  }
}
