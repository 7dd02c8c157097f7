import Foundation

/// What a run of the command left: everything it said, and its exit code.
struct Outcome: Equatable, CustomStringConvertible {
  var output = ""
  var errors = ""
  /// The exit code, or minus the signal that ended the process.
  var code: Int32 = 0

  var description: String { "exit \(code)\n--- stdout\n\(output)--- stderr\n\(errors)---" }

  /// The same text without what differs from run to run.
  func masked(_ sandbox: Sandbox) -> Outcome {
    let masks = [
      (NSRegularExpression.escapedPattern(for: sandbox.path), "~"),
      (#"(?m) *[0-9.]+ m?s$"#, " N ms"),
      (#"about [0-9.]+ m?s"#, "about N ms"),
      (#""durationMs":[0-9]+"#, #""durationMs":N"#),
      (#"sha256:[0-9a-f]{64}"#, "sha256:HEX"),
      (#"[0-9]{8}T[0-9]{6}\.[0-9]{3}Z"#, "TIME"),
      (#"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]{3})?Z"#, "MOMENT"),
      (#"[0-9.]+ (bytes|[kM]B)"#, "SIZE"),
    ]
    func mask(_ text: String) -> String {
      masks.reduce(text) {
        $0.replacingOccurrences(of: $1.0, with: $1.1, options: .regularExpression)
      }
    }
    return Outcome(output: mask(output), errors: mask(errors), code: code)
  }
}

/// The built `migrate`, run as a real process.
enum Program {
  /// Beside the test bundle in the build folder.
  static let path: String = {
    #if os(Linux)
      let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    #else
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
    #endif
    let folder = URL(fileURLWithPath: bundle ?? "").deletingLastPathComponent().path
    return folder + "/migrate"
  }()

  static func run(
    _ arguments: [String], in sandbox: Sandbox, environment: [String: String] = [:]
  ) throws -> Outcome {
    try start(arguments, in: sandbox, environment: environment).wait()
  }

  /// Starts it with stdout and stderr in files, so that no pipe can fill up.
  static func start(
    _ arguments: [String], in sandbox: Sandbox, environment: [String: String] = [:],
    output: Int32? = nil, errors: Int32? = nil, program: String = path
  ) throws -> Running {
    let folder = try Sandbox()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    let ends: [(Int32, Int32?, String)] = [(1, output, "out"), (2, errors, "err")]
    for (descriptor, given, name) in ends {
      if let given {
        posix_spawn_file_actions_adddup2(&actions, given, descriptor)
      } else {
        let file = "\(folder.path)/\(name)"
        posix_spawn_file_actions_addopen(
          &actions, descriptor, file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The test runner may have been started in the background, with SIGINT switched off, and its
    // threads block most signals.
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    // A shell changes the folder, which not every system's posix_spawn can, and is then replaced.
    let script = #"ulimit -t 30; cd "$0" && exec "$@""#
    let shell = ["/bin/sh", "-c", script, sandbox.path, program]
    let words: [UnsafeMutablePointer<CChar>?] = (shell + arguments).map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var process = pid_t()
    let failure = posix_spawn(&process, shell[0], &actions, &attributes, words, variables)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
    return Running(process: process, folder: folder, sandbox: sandbox)
  }

  struct Running {
    let process: pid_t
    let folder: Sandbox
    /// Kept until the process has ended.
    let sandbox: Sandbox

    func send(_ signal: Int32) { kill(process, signal) }

    func wait() -> Outcome {
      var status: Int32 = 0
      while waitpid(process, &status, 0) == -1, errno == EINTR {}
      let isExit = status & 0x7F == 0
      return Outcome(
        output: (try? folder.text("out")) ?? "", errors: (try? folder.text("err")) ?? "",
        code: isExit ? (status >> 8) & 0xFF : -(status & 0x7F))
    }

    /// Waits until stderr holds `text`; false after ten seconds.
    func waits(for text: String) -> Bool {
      waits { (try? folder.text("err"))?.contains(text) ?? false }
    }

    /// Waits until something is so; false after ten seconds.
    func waits(until isSo: () -> Bool) -> Bool {
      for _ in 0..<1000 {
        if isSo() { return true }
        usleep(10_000)
      }
      return false
    }
  }
}
