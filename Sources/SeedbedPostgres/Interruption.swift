import CSeedbedPostgres
import Seedbed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Counts the messages that the connections of one run send, and strikes at one of them.
final class Interruption: Sendable {
  /// What the server is about to be sent, or was just sent.
  struct Message: Sendable {
    let sql: String
    let isSent: Bool

    var isOfCommit: Bool { PostgresFailure.isCommit(sql) }
    var sentence: String { "\(isSent ? "after" : "before") '\(sql.shortened(to: 80))'" }
  }

  /// From 1; nil to do nothing but keep the messages.
  private let number: Int?
  private let strike: @Sendable (_ socket: Int32) -> Void
  private let seen = Guarded((count: 0, messages: [Message]()))

  init(at number: Int? = nil, _ strike: @escaping @Sendable (_ socket: Int32) -> Void = { _ in }) {
    (self.number, self.strike) = (number, strike)
  }

  var messages: [Message] { seen.withLock { $0.messages } }
  var hasStruck: Bool { seen.withLock { seen in number.map { seen.count >= $0 } ?? false } }

  func reached(_ sql: String, isSent: Bool, on handle: OpaquePointer) {
    let isHere = seen.withLock { seen in
      seen.count += 1
      if number == nil { seen.messages.append(Message(sql: sql, isSent: isSent)) }
      return seen.count == number
    }
    if isHere { strike(PQsocket(handle)) }
  }

  /// Neither side gets anything from the other any more.
  static func cut(_ socket: Int32) { shutdown(socket, Int32(SHUT_RDWR)) }
}
