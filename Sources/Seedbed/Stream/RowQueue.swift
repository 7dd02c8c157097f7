import SeedbedCells

/// Reads the records of a row file on its own thread, a few chunks ahead of SQLite.
///
/// The queue is bounded, so memory stays constant whatever the file's size.
final class RowQueue {
  private struct State {
    var filled: [Chunk] = []
    var free: [Chunk]
    var isStopped = false
    /// How the reader ended; nil while it reads.
    var end: Result<Bool, any Error>?
  }

  private let state: Guarded<State>
  private var thread: Thread?

  static let depth = 4

  /// `reader` belongs to the queue until the queue is stopped.
  init(_ reader: RecordReader) throws {
    let chunks = (0..<Self.depth).map { _ in Chunk(capacity: reader.limits.chunkBytes) }
    state = Guarded(State(free: chunks))
    let state = state
    thread = try Thread { Self.produce(reader, state) }
  }

  deinit { stop() }

  /// Ends the thread, even in the middle of the file.
  func stop() {
    state.wait(until: { _ in true }) { $0.isStopped = true }
    thread?.join()
    thread = nil
  }

  private static func produce(_ reader: RecordReader, _ state: Guarded<State>) {
    var isOver = false
    while !isOver {
      let chunk = state.wait(until: { $0.isStopped || !$0.free.isEmpty }) { state -> Chunk? in
        state.isStopped ? nil : state.free.removeLast()
      }
      guard let chunk else { return }
      let answer = Result { try reader.read(into: chunk) }
      isOver = state.wait(until: { _ in true }) { state in
        if case .success(true) = answer { state.filled.append(chunk) } else { state.end = answer }
        return state.end != nil
      }
    }
  }

  /// The next chunk with at least one record; nil at the verified end. `used` is used again.
  func next(returning used: Chunk?) throws -> Chunk? {
    state.wait(until: { _ in true }) { state in
      if let used { state.free.append(used) }
      assert(state.free.count <= Self.depth, "A chunk was given back twice.")
    }
    return try state.wait(until: { !$0.filled.isEmpty || $0.end != nil }) { state in
      if !state.filled.isEmpty { return state.filled.removeFirst() }
      _ = try state.end?.get()
      return nil
    }
  }
}
