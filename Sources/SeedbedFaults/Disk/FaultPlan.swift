import CSQLite
import Foundation
package import Seedbed

/// One thing that goes wrong in one run: the k-th operation of a kind, and perhaps all after it.
package struct FaultPlan: Sendable {
  package enum Operation: Sendable, Equatable {
    /// Of SQLite's.
    case open, read, write, truncate, sync, delete, lock
    /// A call of ours.
    case call(SystemCall)
    /// SQLite asks whether to go on.
    case progress
  }

  package var operation: Operation
  package var answer: Answer
  package var number: Int
  /// Whether all that follow fail too.
  package var isSticky = false

  package init(_ operation: Operation, _ answer: Answer, number: Int, isSticky: Bool) {
    self.operation = operation
    self.answer = answer
    self.number = number
    self.isSticky = isSticky
  }

  package enum Answer: String, Sendable, CaseIterable {
    case inputOutput = "EIO"
    case diskFull = "ENOSPC"
    case short = "short write"
    /// It takes effect, and is reported as failed.
    case afterwards = "EIO after the fact"
    case busy = "SQLITE_BUSY"
    case interrupt = "interruption"
  }

  /// What each operation may answer.
  package static let kinds: [(Operation, Answer)] =
    [
      (.open, .inputOutput), (.read, .inputOutput), (.write, .inputOutput), (.write, .diskFull),
      (.write, .short), (.truncate, .inputOutput), (.sync, .inputOutput), (.sync, .diskFull),
      (.sync, .afterwards), (.delete, .inputOutput), (.delete, .afterwards), (.lock, .busy),
      (.lock, .inputOutput), (.progress, .interrupt),
    ] + SystemCall.allCases.flatMap { [(.call($0), .inputOutput), (.call($0), .diskFull)] }
}

/// Carries a plan out, and notes whether it came to that.
package final class FaultyDisk: DiskObserver {
  private let plan: FaultPlan
  private let journal: String
  private let count = Guarded(0)

  package init(_ plan: FaultPlan, journal: String) {
    self.plan = plan
    self.journal = journal
  }

  /// Whether anything failed.
  package var fired: Bool { count.withLock { $0 >= plan.number } }

  /// The same for calls of ours in a folder.
  package func host(in folder: String) -> Seedbed.Host {
    var host = Seedbed.Host()
    host.failing = { [self] call, path in
      guard plan.operation == .call(call), path.hasPrefix(folder), isTime() else { return 0 }
      return plan.answer == .diskFull ? ENOSPC : EIO
    }
    return host
  }

  private func isTime() -> Bool {
    count.withLock { count in
      count += 1
      return plan.isSticky ? count >= plan.number : count == plan.number
    }
  }

  package func answer(to request: DiskRequest) -> DiskAnswer {
    guard request.operation == plan.operation, isTime() else { return .pass }
    switch plan.answer {
    case .inputOutput: return .fail(request.failure)
    case .diskFull: return .fail(SQLITE_FULL)
    case .short: return .cutShort
    case .afterwards: return .failAfterwards(request.failure)
    case .busy, .interrupt: return .fail(SQLITE_BUSY)
    }
  }

  package func opened(_ handle: OpaquePointer) {
    JournalMode.set(journal, on: handle)
    guard plan.operation == .progress else { return }
    // The connection lives no longer than the run, and the run no longer than its observer.
    sqlite3_progress_handler(
      handle, 50,
      { context in
        guard let context else { return 0 }
        return Unmanaged<FaultyDisk>.fromOpaque(context).takeUnretainedValue().isTime() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

extension DiskRequest {
  fileprivate var operation: FaultPlan.Operation {
    switch self {
    case .open: .open
    case .read: .read
    case .write: .write
    case .truncate: .truncate
    case .sync: .sync
    case .delete: .delete
    case .lock: .lock
    }
  }

  fileprivate var failure: Int32 {
    switch self {
    case .open: SQLITE_CANTOPEN
    case .read: SQLITE_IOERR | (1 << 8)
    case .write: SQLITE_IOERR | (3 << 8)
    case .truncate: SQLITE_IOERR | (6 << 8)
    case .sync: SQLITE_IOERR | (4 << 8)
    case .delete: SQLITE_IOERR | (10 << 8)
    case .lock: SQLITE_IOERR | (15 << 8)
    }
  }
}
