package import Foundation

/// Another program, as a process of its own.
///
/// Not Foundation's `Process`, which looks after each child from another thread: here the one that
/// waits is the one that knows.
package final class Child {
  package enum Stream {
    /// Appended to.
    case file(String)
    case descriptor(Int32)
    case discarded
  }

  package let id: pid_t
  private var ended: Int32?

  /// - Parameters:
  ///   - words: the program, by path or by a name to look for, and its arguments.
  ///   - environment: nil for the same as here.
  package init(
    _ words: [String], in folder: String? = nil, environment: [String: String]? = nil,
    input: String = "/dev/null", output: Stream = .discarded, errors: Stream = .discarded
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    for (descriptor, stream) in [(1, output), (2, errors)] as [(Int32, Stream)] {
      switch stream {
      case .file(let path):
        posix_spawn_file_actions_addopen(
          &actions, descriptor, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      case .descriptor(let given): posix_spawn_file_actions_adddup2(&actions, given, descriptor)
      case .discarded:
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    Self.resetSignals(of: &attributes)
    // A shell changes the folder, which not every system's posix_spawn can, and is then replaced.
    let shell = folder.map { ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, $0] } ?? []
    let pointers = Self.pointers(to: shell + words)
    let variables = Self.pointers(
      to: (environment ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" })
    defer { for pointer in pointers + variables { free(pointer) } }
    var process = pid_t()
    let failure = posix_spawnp(
      &process, pointers[0]!, &actions, &attributes, pointers, variables)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
    id = process
  }

  deinit {
    guard ended == nil else { return }
    send(SIGKILL)
    _ = wait()
  }

  package func send(_ signal: Int32) { if ended == nil { kill(id, signal) } }

  /// Its exit code, or minus the signal that ended it.
  package func wait() -> Int32 { ending(0) ?? -SIGKILL }

  /// The same where it has ended, and nil where it still runs.
  package var code: Int32? { ending(WNOHANG) }

  private func ending(_ options: Int32) -> Int32? {
    if let ended { return ended }
    var status: Int32 = 0
    var found: pid_t
    repeat { found = waitpid(id, &status, options) } while found == -1 && errno == EINTR
    guard found == id else { return nil }
    ended = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    return ended
  }

  /// The test runner may have been started in the background, with SIGINT switched off, and its
  /// threads block most signals.
  private static func resetSignals(of attributes: inout posix_spawnattr_t) {
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
  }

  private static func pointers(to words: [String]) -> [UnsafeMutablePointer<CChar>?] {
    words.map { strdup($0) } + [nil]
  }
}

extension Child {
  /// Runs a program to its end: its exit code, and what it printed, both streams in one.
  package static func run(
    _ words: [String], in folder: String? = nil, environment: [String: String]? = nil,
    input: [UInt8] = []
  ) throws -> (code: Int32, output: String) {
    // Files, so that no pipe can fill up while nobody reads it.
    let place = try Place()
    try place.write("in", input)
    let output = open(place.path + "/out", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    defer { close(output) }
    let child = try Child(
      words, in: folder, environment: environment, input: place.path + "/in",
      output: .descriptor(output), errors: .descriptor(output))
    return (child.wait(), try place.text("out"))
  }

  package static let migrate = built("migrate")

  /// A program of this package: beside the test bundle in the build folder.
  package static func built(_ name: String) -> String {
    #if os(Linux)
      let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    #else
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
    #endif
    return URL(fileURLWithPath: bundle ?? "").deletingLastPathComponent().path + "/" + name
  }
}
