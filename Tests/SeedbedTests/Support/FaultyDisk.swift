import SeedbedFaults

/// Makes operations on one database fail, told apart by what SQLite puts beside it.
enum FaultyDisk {
  enum Operation: Sendable, Equatable { case write, truncate, sync, delete }

  enum Answer: Sendable {
    case pass
    case fail(Int32)
    /// It takes effect, and is reported as failed: what a disk does that dies a moment later.
    case doneButFail(Int32)
  }

  /// Asked before each operation on the database or its journals, by the file's suffix: ``,
  /// `-journal`, `-wal`.
  typealias Decision = @Sendable (_ operation: Operation, _ suffix: String) -> Answer

  static func with<Result>(
    _ database: String, _ decide: @escaping Decision, _ body: () throws -> Result
  ) throws -> Result {
    let folder = String(database[..<(database.lastIndex(of: "/") ?? database.startIndex)])
    let observer = Observer(database: database, decide: decide)
    return try DiskLayer.observing(folder, with: observer, body)
  }

  private final class Observer: DiskObserver {
    private let database: String
    private let decide: Decision

    init(database: String, decide: @escaping Decision) {
      self.database = database
      self.decide = decide
    }

    func answer(to request: DiskRequest) -> DiskAnswer {
      guard let operation = Self.operation(request), request.path.hasPrefix(database) else {
        return .pass
      }
      let suffix = String(request.path.dropFirst(database.count))
      guard ["", "-journal", "-wal"].contains(suffix) else { return .pass }
      switch decide(operation, suffix) {
      case .pass: return .pass
      case .fail(let code): return .fail(code)
      case .doneButFail(let code): return .failAfterwards(code)
      }
    }

    private static func operation(_ request: DiskRequest) -> Operation? {
      switch request {
      case .write: .write
      case .truncate: .truncate
      case .sync: .sync
      case .delete: .delete
      case .open, .read, .lock: nil
      }
    }
  }
}
