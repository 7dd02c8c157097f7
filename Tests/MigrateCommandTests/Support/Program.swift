import Foundation
import TestSupport

/// What a run of the command left: everything it said, and its exit code.
struct Outcome: Equatable, CustomStringConvertible {
  var output = ""
  var errors = ""
  /// The exit code, or minus the signal that ended the process.
  var code: Int32 = 0

  var description: String { "exit \(code)\n--- stdout\n\(output)--- stderr\n\(errors)---" }

  /// The same text without what differs from run to run.
  func masked(_ sandbox: Sandbox) -> Outcome {
    let mask = { Transcript.masked($0, in: sandbox.path) }
    return Outcome(output: mask(output), errors: mask(errors), code: code)
  }
}

/// The built `migrate`, run as a real process.
enum Program {
  static func run(
    _ arguments: [String], in sandbox: Sandbox, environment: [String: String] = [:],
    program: String = Child.migrate
  ) throws -> Outcome {
    try start(arguments, in: sandbox, environment: environment, program: program).wait()
  }

  /// Starts it with stdout and stderr in files, so that no pipe can fill up.
  static func start(
    _ arguments: [String], in sandbox: Sandbox, environment: [String: String] = [:],
    output: Int32? = nil, errors: Int32? = nil, program: String = Child.migrate
  ) throws -> Running {
    let folder = try Sandbox()
    let limited = ["/bin/sh", "-c", #"ulimit -t 30; exec "$0" "$@""#, program]
    let child = try Child(
      limited + arguments, in: sandbox.path, environment: environment,
      output: output.map { .descriptor($0) } ?? .file("\(folder.path)/out"),
      errors: errors.map { .descriptor($0) } ?? .file("\(folder.path)/err"))
    return Running(child: child, folder: folder, sandbox: sandbox)
  }

  struct Running {
    let child: Child
    let folder: Sandbox
    /// Kept until the process has ended.
    let sandbox: Sandbox

    func send(_ signal: Int32) { child.send(signal) }

    func wait() -> Outcome {
      let code = child.wait()
      return Outcome(
        output: (try? folder.text("out")) ?? "", errors: (try? folder.text("err")) ?? "",
        code: code)
    }

    /// The outcome; nil if it has not ended after ten seconds, and then it is killed.
    func waitBriefly() -> Outcome? {
      let hasEnded = waits { child.code != nil }
      if !hasEnded { send(SIGKILL) }
      let outcome = wait()
      return hasEnded ? outcome : nil
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

extension Sandbox {
  /// A copy of `migrate` without the program for servers, which may be built beside it.
  func migrateAlone() throws -> String {
    let copy = path + "/alone/migrate"
    try write(["alone/README": "Only 'migrate' is here."])
    // By another process: what this one writes, a child that it starts meanwhile holds open, and
    // nobody can run it.
    _ = try Child.run(["/bin/cp", Child.migrate, copy], in: path)
    return copy
  }

  /// Runs a command as a person in a terminal would, both streams in one unless they are wanted
  /// apart; `migrate` is ours.
  func shell(
    _ command: String, environment: [String: String] = [:], streamsApart: Bool = false
  ) throws -> Outcome {
    let folder = URL(fileURLWithPath: Child.migrate).deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let variables = ["PATH": folder + ":" + path, "HOME": self.path]
    let words = ["-c", (streamsApart ? "" : "exec 2>&1\n") + command]
    return try Program.start(
      words, in: self, environment: variables.merging(environment) { $1 }, program: "/bin/sh"
    ).wait()
  }
}
