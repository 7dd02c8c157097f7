/// Work on a thread of its own, and its messages to the task that awaits it.
///
/// One task at a time asks for the next message. A cancelled task still gets all messages up to the
/// end, so that all locks are known to be released then.
final class BackgroundRun<Value: Sendable>: Sendable {
  indirect enum Message: Sendable {
    case progress(Migrator.Progress)
    case end(Result<Value, SeedbedError>)
  }

  typealias Work =
    @Sendable (Migrator.Cancellation, _ progress: @escaping (Migrator.Progress) -> Void) throws ->
    Value

  private let mailbox = Guarded(Mailbox())

  private struct Mailbox {
    var messages: [Message] = []
    var reader: CheckedContinuation<Message, Never>?

    /// A slow reader, such as a busy main thread, misses outdated values, but never the first or
    /// the last.
    mutating func add(_ message: Message) {
      if case .progress = message, messages.count > 1 {
        messages[messages.count - 1] = message
      } else {
        messages.append(message)
      }
    }
  }

  /// Starts at once.
  init(_ cancellation: Migrator.Cancellation, _ work: @escaping Work) throws {
    try Thread.detach { [self] in
      let result = Result { try work(cancellation) { self.put(.progress($0)) } }
        .mapError(SeedbedError.from)
      put(.end(result))
    }
  }

  /// The next message. There is none after the end.
  func next(isolation: isolated (any Actor)? = #isolation) async -> Message {
    await withCheckedContinuation(isolation: isolation) { reader in
      let message: Message? = mailbox.withLock { mailbox in
        guard mailbox.messages.isEmpty else { return mailbox.messages.removeFirst() }
        mailbox.reader = reader
        return nil
      }
      if let message { reader.resume(returning: message) }
    }
  }

  private func put(_ message: Message) {
    let reader: CheckedContinuation<Message, Never>? = mailbox.withLock { mailbox in
      if let reader = mailbox.reader {
        mailbox.reader = nil
        return reader
      }
      mailbox.add(message)
      return nil
    }
    reader?.resume(returning: message)
  }
}
