import CSeedbedSQLite
package import Seedbed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Makes a planned fault happen, and records whether the run got that far.
package final class FaultyDisk: DiskObserver {
  private struct State {
    var count = 0
    /// The paths of our calls that failed, or whose file was spoiled.
    var struck: [String] = []
    var spoiled: [SpoiledFile] = []
    var trouble: (any Error)?
    var syncedAgain: String?
    var allocationFailed = false
  }

  private let fault: PlannedFault
  private let journal: String
  private let state = Guarded(State())
  let writer = Writer()
  /// The cancellation that the run checks.
  let cancellation = Migrator.Cancellation()

  package init(_ fault: PlannedFault, journal: String) {
    self.fault = fault
    self.journal = journal
  }

  /// Whether the fault happened.
  package var fired: Bool {
    state.withLock { $0.allocationFailed || $0.count >= fault.number }
  }

  /// The paths of our calls that failed, or whose file was spoiled.
  var struck: [String] { state.withLock { $0.struck } }

  /// A file that was synced again after a sync of it had failed.
  var syncedAgain: String? { state.withLock { $0.syncedAgain } }

  /// The host with the same faults for our own calls, in a folder.
  package func host(in folder: String) -> Seedbed.Host {
    Seedbed.Host(failing: { [self] call, path in
      path.hasPrefix(folder) ? number(of: .call(call), path) : 0
    })
  }

  /// The host with the same faults for our own calls in the catalog.
  func bundleHost() -> Seedbed.Host {
    Seedbed.Host(failing: { [self] call, path in number(of: .bundle(call), path) })
  }

  /// Runs `body`, in which the fault may happen.
  func during<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard fault.operation == .allocation else { return try body() }
    let cancel: @Sendable () -> Void = { [cancellation] in cancellation.cancel() }
    FailingMemory.fail(
      at: fault.number, isSticky: fault.isSticky,
      insteadOfFailure: fault.answer == .cancel ? cancel : nil)
    defer {
      let hasFailed = FailingMemory.stop()
      state.withLock { $0.allocationFailed = hasFailed }
    }
    return try body()
  }

  /// Restores spoiled files.
  func mend() throws {
    let (spoiled, trouble) = state.withLock { ($0.spoiled, $0.trouble) }
    for file in spoiled.reversed() { try file.mend() }
    if let trouble { throw trouble }
  }

  /// The error number for one of our own calls.
  private func number(of operation: PlannedFault.Operation, _ path: String) -> Int32 {
    if operation == .call(.sync) {
      state.withLock { if $0.struck.contains(path) { $0.syncedAgain = path } }
    }
    let isSpoiling = fault.answer.isSpoiling
    guard operation == fault.operation, !isSpoiling || SpoiledFile.isFile(path), isTime()
    else { return 0 }
    state.withLock { state in
      state.struck.append(path)
      guard isSpoiling else { return }
      do {
        state.spoiled.append(try SpoiledFile(path, fault.answer))
      } catch {
        state.trouble = error
      }
    }
    if isSpoiling { return 0 }
    return fault.answer == .diskFull ? ENOSPC : EIO
  }

  private func isTime() -> Bool {
    state.withLock { state in
      state.count += 1
      return fault.isSticky ? state.count >= fault.number : state.count == fault.number
    }
  }

  package func answer(to request: DiskRequest) -> DiskAnswer {
    guard request.operation == fault.operation, isTime() else { return .pass }
    switch fault.answer {
    case .inputOutput: return .fail(request.failure)
    case .diskFull: return .fail(SQLITE_FULL)
    case .short: return .cutShort
    case .afterwards: return .failAfterwards(request.failure)
    case .busy, .interrupt: return .fail(SQLITE_BUSY)
    case .cancel:
      cancellation.cancel()
      return .pass
    case .noMemory, .shrinks, .grows, .changes, .isReplaced: return .pass
    }
  }

  private func isInterrupted() -> Bool {
    guard isTime() else { return false }
    if fault.answer == .cancel { cancellation.cancel() }
    return fault.answer == .interrupt
  }

  package func opened(_ handle: OpaquePointer) {
    JournalMode.set(journal, on: handle)
    writer.note(handle)
    guard fault.operation == .progress else { return }
    // Sound: the connection lives no longer than the run, and the run no longer than its observer.
    sqlite3_progress_handler(
      handle, 50,
      { context in
        guard let context else { return 0 }
        let disk = Unmanaged<FaultyDisk>.fromOpaque(context).takeUnretainedValue()
        return disk.isInterrupted() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

extension DiskRequest {
  fileprivate var operation: PlannedFault.Operation {
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
