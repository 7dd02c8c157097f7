package import Seedbed

/// One fault in one run: the k-th operation of a kind, and perhaps all after it.
package struct PlannedFault: Sendable {
  package enum Operation: Sendable, Equatable {
    /// An operation of SQLite's.
    case open, read, write, truncate, sync, delete, lock
    /// One of our own calls in the database's folder.
    case call(SystemCall)
    /// One of our own calls in the catalog.
    case bundle(SystemCall)
    /// An allocation of memory by SQLite.
    case allocation
    /// SQLite's call that asks whether to go on.
    case progress
  }

  package var operation: Operation
  package var answer: Answer
  package var number: Int
  /// Whether all operations after it fail too.
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
    /// The operation takes effect, but is reported as failed.
    case afterwards = "EIO after the fact"
    case busy = "SQLITE_BUSY"
    case interrupt = "interruption"
    case noMemory = "no memory"
    /// The operation succeeds, and the run is cancelled at that moment.
    case cancel = "cancelled"
    /// A file of the catalog changes just before the operation.
    case shrinks = "shrunk"
    case grows = "grown"
    case changes = "changed"
    case isReplaced = "replaced"

    /// Whether the call itself succeeds.
    package var isSpoiling: Bool { [.shrinks, .grows, .changes, .isReplaced].contains(self) }
  }

  /// The answers that each operation may get.
  ///
  /// Allocations fail only in a process of their own.
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
