package import Seedbed

/// One thing that goes wrong in one run: the k-th operation of a kind, and perhaps all after it.
package struct PlannedFault: Sendable {
  package enum Operation: Sendable, Equatable {
    /// Of SQLite's.
    case open, read, write, truncate, sync, delete, lock
    /// A call of ours in the folder of the database.
    case call(SystemCall)
    /// A call of ours in the catalog.
    case bundle(SystemCall)
    /// SQLite asks for memory.
    case allocation
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
    case noMemory = "no memory"
    /// It goes through, and the run is cancelled at that moment.
    case cancel = "cancelled"
    /// What happens to a file of the catalog a moment before.
    case shrinks = "shrunk"
    case grows = "grown"
    case changes = "changed"
    case isReplaced = "replaced"

    /// Whether the call itself goes through.
    package var isSpoiling: Bool { [.shrinks, .grows, .changes, .isReplaced].contains(self) }
  }

  /// What each operation may answer.
  ///
  /// Allocations fail in a process of their own only.
  package static var kinds: [(Operation, Answer)] {
    FailingMemory.isInstalled ? everywhere + ofAllocations : everywhere
  }

  package static let ofAllocations: [(Operation, Answer)] = [
    (.allocation, .noMemory), (.allocation, .cancel),
  ]

  private static let everywhere: [(Operation, Answer)] =
    [
      (.open, .inputOutput), (.read, .inputOutput), (.write, .inputOutput), (.write, .diskFull),
      (.write, .short), (.truncate, .inputOutput), (.sync, .inputOutput), (.sync, .diskFull),
      (.sync, .afterwards), (.delete, .inputOutput), (.delete, .afterwards), (.lock, .busy),
      (.lock, .inputOutput), (.progress, .interrupt),
      (.read, .cancel), (.write, .cancel), (.sync, .cancel), (.lock, .cancel),
      (.progress, .cancel),
      (.bundle(.open), .inputOutput), (.bundle(.open), .isReplaced),
      (.bundle(.stat), .inputOutput), (.bundle(.list), .inputOutput),
      (.bundle(.read), .inputOutput), (.bundle(.read), .shrinks), (.bundle(.read), .grows),
      (.bundle(.read), .changes), (.bundle(.read), .isReplaced),
    ] + SystemCall.allCases.map { (.call($0), .inputOutput) }
    + needingSpace.map {
      (.call($0), .diskFull)
    }

  private static let needingSpace: [SystemCall] = [.create, .link, .makeFolder, .sync, .syncFolder]
}

extension PlannedFault.Operation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .open: "open"
    case .read: "read"
    case .write: "write"
    case .truncate: "truncate"
    case .sync: "sync"
    case .delete: "delete"
    case .lock: "lock"
    case .call(let call): "our \(call.rawValue)"
    case .bundle(let call): "\(call.rawValue) in the catalog"
    case .allocation: "allocation"
    case .progress: "progress"
    }
  }
}
