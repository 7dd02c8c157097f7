#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The system calls that matter, by name, so that a test can fail the n-th of each.
package enum SystemCall: String, Sendable, CaseIterable {
  case open, read, list, stat, create, link, remove, makeFolder, sync, syncFolder, freeSpace

  /// Whether an error number says that no room is left, on the disk or for this user.
  static func meansFullDisk(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT }
}

/// Named points of a run. A kill between two of them must make no difference.
package enum Moment: String, Sendable, CaseIterable {
  case ledgerPrepared, runStarted, locked, backupCopied, backupChecked, backupSynced
  case backupPublished, beforeRows, rowsStaged, rowsExplained, rowsDecided, rowsWritten, afterRows
  case beforeLedgerRow, beforeCommit, afterCommit
  case begun, beforeNextMigration, beforeRunEnd, beforeRestoreCopy, afterRestoreCopy
}

/// A change to the disk that one of our calls made.
package enum DiskChange: Sendable, Equatable {
  case created(String)
  case written(String, offset: Int64, bytes: [UInt8])
  case truncated(String, size: Int64)
  case synced(String)
  case linked(from: String, to: String)
  case renamed(from: String, to: String)
  case removed(String)
  case madeFolder(String)
  case syncedFolder(String)
}

/// Everything outside the process that a run uses besides SQLite, as one injected value.
///
/// The closures that may be nil are the seams of tests.
package struct Host: Sendable {
  /// Returns the error number with which the call is to fail, or 0 to let it run.
  var failing: (@Sendable (SystemCall, _ path: String) -> Int32)?
  /// Called at each named moment; a test may kill its process there.
  package var reaching: (@Sendable (Moment) -> Void)?
  /// Called after each of our changes to the disk.
  package var changing: (@Sendable (DiskChange) -> Void)?
  /// The calls about data protection.
  var protection = Protection.ofSystem
  /// Whether a file gets its final name in one step, and not by a second name for a moment.
  #if canImport(Darwin)
    var renamesInOneStep = true
  #else
    var renamesInOneStep = false
  #endif

  package static let real = Host()

  package init(
    failing: (@Sendable (SystemCall, _ path: String) -> Int32)? = nil,
    reaching: (@Sendable (Moment) -> Void)? = nil,
    changing: (@Sendable (DiskChange) -> Void)? = nil
  ) {
    (self.failing, self.reaching, self.changing) = (failing, reaching, changing)
  }

  func reached(_ moment: Moment) { reaching?(moment) }

  func changed(_ change: @autoclosure () -> DiskChange) { changing?(change()) }

  /// Runs one system call that answers -1 on failure, again if a signal interrupted it, and throws
  /// with its error number.
  ///
  /// The path is put together only if an error or a test asks for it.
  @discardableResult
  func call<Answer: FixedWidthInteger>(
    _ name: SystemCall, _ path: @autoclosure () -> String, _ body: () -> Answer
  ) throws -> Answer {
    if let number = failing?(name, path()), number != 0 {
      throw SeedbedError.system(name, path(), number)
    }
    while true {
      let answer = body()
      let number = errno
      if answer != -1 { return answer }
      if number != EINTR { throw SeedbedError.system(name, path(), number) }
    }
  }
}

extension SeedbedError {
  /// The error of a failed system call. A full disk and a locked device have codes of their own.
  static func system(
    _ call: SystemCall, _ path: String, _ number: Int32,
    locksFiles: Bool = Protection.locksFiles
  ) -> SeedbedError {
    let verb =
      switch call {
      case .open: "open"
      case .read: "read"
      case .list: "list"
      case .stat: "look at"
      case .create: "create"
      case .link: "publish"
      case .remove: "remove"
      case .makeFolder: "create the folder"
      case .sync, .syncFolder: "write to disk"
      case .freeSpace: "ask for the free space of"
      }
    let failure = "Cannot \(verb) '\(path)': \(String(cString: strerror(number)))."
    return switch number {
    case ENOSPC, EDQUOT: SeedbedError(.diskFull, failure + " Free some space and try again.")
    case EPERM where locksFiles: .protected("'\(path)'")
    default: SeedbedError(.io, failure)
    }
  }
}
