import Foundation
import Testing
import TestSupport

/// Listens before a server, passes on what both sides say, and hangs up at a message of the test's
/// choice.
final class Proxy: @unchecked Sendable {
  // Sound: `state` is locked, and all else is constant.

  struct Message: Sendable {
    let isFromServer: Bool
    /// The letter of the protocol; 0 for the first message, which has none.
    let kind: UInt8
    let bytes: [UInt8]

    /// The server's process that BackendKeyData names.
    ///
    /// > Byte1('K'), Int32(12), Int32 the process ID of this backend.
    var process: pid_t { pid_t(Proxy.number(bytes[5..<9])) }

    /// Whether it holds a statement that begins so.
    func says(_ sql: String) -> Bool {
      guard !isFromServer, "PQ".utf8.contains(kind) else { return false }
      return String(decoding: bytes, as: UTF8.self).contains("\0\(sql)\0")
    }
  }

  enum Deed: CaseIterable {
    case pass
    /// Hangs up without the message, with half of it, or after it.
    case dropped, torn, last
    /// Ends the server's process for the connection, as `pg_terminate_backend` does, and passes the
    /// message on.
    case ended
  }

  private struct State {
    var count = 0
    var isClosed = false
  }

  private let place: Place
  private let target: String
  private let listener: Int32
  private let isLast: Bool
  private let decide: @Sendable (Int, Message) -> Deed
  private let state = Locked(State())

  /// - Parameters:
  ///   - folder: that of the server's socket.
  ///   - isLast: once it has hung up it lets nobody in any more.
  ///   - decide: gets each message and its number, from 1, of all connections.
  init(
    before folder: String, isLast: Bool = false,
    _ decide: @escaping @Sendable (Int, Message) -> Deed
  ) throws {
    (self.isLast, self.decide) = (isLast, decide)
    target = "\(folder)/.s.PGSQL.5432"
    place = try Place(in: Place.memory)
    let own = place.path
    let (listener, target) = (Self.socket(), target)
    self.listener = listener
    guard Self.with("\(own)/.s.PGSQL.5432", { bind(listener, $0, $1) }) == 0,
      listen(listener, 64) == 0
    else { throw Cluster.Trouble(words: "no socket in \(own)") }
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { break }
        let server = Self.socket()
        guard let self, !self.isClosed, Self.with(target, { connect(server, $0, $1) }) == 0 else {
          close(client)
          close(server)
          continue
        }
        let link = Link(client: client, server: server)
        Thread.detachNewThread { self.pass(link, isFromServer: false) }
        Thread.detachNewThread { self.pass(link, isFromServer: true) }
      }
      close(listener)
    }
  }

  deinit {
    // Who waits for a connection wakes up.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  var folder: String { place.path }

  /// The same database by way of the proxy.
  func uri(_ uri: String) -> String {
    uri.replacingOccurrences(
      of: (target as NSString).deletingLastPathComponent, with: folder)
  }

  var count: Int { state.withLock { $0.count } }
  private var isClosed: Bool { state.withLock { $0.isClosed } }

  private func refuseOthers() {
    state.withLock { $0.isClosed = true }
    unlink("\(folder)/.s.PGSQL.5432")
  }

  // MARK: passing on

  /// Both sides of one connection.
  private final class Link: Sendable {
    let client: Int32
    let server: Int32
    /// The server's; 0 until it has said so.
    let process = Locked<pid_t>(0)

    init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

    deinit {
      close(client)
      close(server)
    }

    func hangUp() {
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(server, Int32(SHUT_RDWR))
    }
  }

  private func pass(_ link: Link, isFromServer: Bool) {
    let (source, target) =
      isFromServer ? (link.server, link.client) : (link.client, link.server)
    defer { link.hangUp() }
    var isFirst = !isFromServer
    while let message = Self.message(from: source, isFirst: isFirst, isFromServer) {
      isFirst = false
      if isFromServer, message.kind == UInt8(ascii: "K") {
        link.process.withLock { $0 = message.process }
      }
      let number = state.withLock { state in
        state.count += 1
        return state.count
      }
      let deed = decide(number, message)
      if deed != .pass, isLast { refuseOthers() }
      switch deed {
      case .pass: if !Self.send(message.bytes[...], to: target) { return }
      case .ended:
        let process = link.process.withLock { $0 }
        if process > 0 { kill(process, SIGTERM) }
        if !Self.send(message.bytes[...], to: target) { return }
      case .dropped: return
      case .torn:
        _ = Self.send(message.bytes.prefix(message.bytes.count / 2), to: target)
        return
      case .last:
        _ = Self.send(message.bytes[...], to: target)
        return
      }
    }
  }

  /// A message is a letter, its length with these four bytes, and the rest.
  private static func message(
    from source: Int32, isFirst: Bool, _ isFromServer: Bool
  ) -> Message? {
    guard let head = receive(isFirst ? 4 : 5, from: source) else { return nil }
    let length = number(head.suffix(4)) - 4
    guard let rest = receive(length, from: source) else { return nil }
    return Message(
      isFromServer: isFromServer, kind: isFirst ? 0 : head[0], bytes: head + rest)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  // MARK: the system's calls

  private static func socket() -> Int32 {
    #if canImport(Glibc)
      Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
      Foundation.socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
  }

  private static func with(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }

  private static func receive(_ count: Int, from source: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes {
        recv(source, $0.baseAddress! + done, count - done, 0)
      }
      guard got > 0 else { return nil }
      done += got
    }
    return bytes
  }

  private static func send(_ bytes: ArraySlice<UInt8>, to target: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Foundation.send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}
