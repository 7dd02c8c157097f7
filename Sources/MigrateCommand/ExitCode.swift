internal import Seedbed

/// The command's result for the program that started it.
enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case pending = 1
  case failed = 2
  case disagreement = 3
  case busy = 4
  case newer = 5
  case refused = 6
  case usage = 64
  case interrupted = 130

  /// One line for the help page.
  var meaning: String {
    switch self {
    case .done: "done, or nothing to do"
    case .pending: "'up' has something to do (only with --exit-code)"
    case .failed: "failed; nothing is left half done"
    case .disagreement:
      "catalog and database disagree (drift, missing, out of order), or a check found something"
    case .busy: "the database or the catalog is busy; try again"
    case .newer: "the database is newer than the catalog"
    case .refused: "the backup failed, or the disk is too full"
    case .usage: "the command line was not understood"
    case .interrupted: "interrupted; nothing is left half done"
    }
  }
}

extension ExitCode {
  init(_ code: SeedbedError.Code) {
    // Each of the library's numbers has a case, which a test holds.
    self = ExitCode(rawValue: code.exitCode) ?? .failed
  }

  /// The code of `status --exit-code`.
  init(_ status: Migrator.Status) {
    self =
      switch status.state {
      case .pending where status.hasFailed: .disagreement
      case .upToDate: .done
      case .pending: .pending
      case .outOfOrder, .missing, .drifted: .disagreement
      case .newer: .newer
      case .needsRecovery: .busy
      }
  }

  /// The code of `verify`: damage is worse than a difference.
  init(_ findings: [SeedbedError]) {
    if findings.contains(where: { $0.code == .corrupt }) {
      self = .failed
    } else {
      self = findings.isEmpty ? .done : .disagreement
    }
  }
}

extension Migrator.Status {
  /// Whether a run has failed that should have left nothing pending. A refused `reseed` or `down`
  /// does not matter if the database is up to date.
  var hasFailed: Bool { state == .pending && lastRun?.outcome == .failed }
}
