/// Reads a row file's records on a thread of its own, a few chunks ahead of SQLite.
///
/// The queue is bounded: memory stays constant whatever the file's size.
final class RowQueue {
  private struct State {
    var filled: [Chunk] = []
    var free: [Chunk]
    var isFinished = false
    var isStopped = false
    var failure: (any Error)?
  }

  private let state: Guarded<State>
  private var thread: Thread?

  static let depth = 4

  /// Nobody else may touch `reader` until the queue is stopped.
  init(_ reader: RecordReader, chunkBytes: Int) throws {
    let chunks = (0..<Self.depth).map { _ in Chunk(capacity: chunkBytes) }
    state = Guarded(State(free: chunks))
    let state = state
    thread = try Thread { Self.produce(reader, state) }
  }

  deinit { stop() }

  /// Ends the thread, also in the middle of the file.
  func stop() {
    state.wait(until: { _ in true }) { $0.isStopped = true }
    thread?.join()
    thread = nil
  }

  private static func produce(_ reader: RecordReader, _ state: Guarded<State>) {
    while true {
      let chunk = state.wait(until: { $0.isStopped || !$0.free.isEmpty }) { state -> Chunk? in
        state.isStopped ? nil : state.free.removeLast()
      }
      guard let chunk else { return }
      do {
        let hasRows = try reader.read(into: chunk)
        state.wait(until: { _ in true }) { state in
          if hasRows { state.filled.append(chunk) } else { state.isFinished = true }
        }
        if !hasRows { return }
      } catch {
        state.wait(until: { _ in true }) { state in
          state.failure = error
          state.isFinished = true
        }
        return
      }
    }
  }

  /// The next chunk with at least one record; nil at the verified end. `used` goes back.
  func next(returning used: Chunk?) throws -> Chunk? {
    state.wait(until: { _ in true }) { state in
      if let used { state.free.append(used) }
    }
    return try state.wait(until: { !$0.filled.isEmpty || $0.isFinished }) { state -> Chunk? in
      if !state.filled.isEmpty { return state.filled.removeFirst() }
      if let failure = state.failure { throw failure }
      return nil
    }
  }
}
