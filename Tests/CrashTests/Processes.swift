import Foundation
import Seedbed
import SeedbedFaults

/// The built `migrate`, as a real process.
struct Command {
  /// Beside the test bundle in the build folder.
  static let path: String = {
    let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: bundle ?? "").deletingLastPathComponent().path + "/migrate"
  }()

  let process = Process()

  /// `tracer`: words before the program: `["strace", …]`.
  init(_ subject: Subject, in home: String, tracer: [String] = []) throws {
    var words = tracer + [Self.path, "up", "--quiet", "--migrations", subject.catalog.path]
    words += ["--database", home + "/" + Subject.database]
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  func end() { process.waitUntilExit() }

  /// Whether SIGKILL ended it; strace ends itself as its program did.
  var wasKilled: Bool {
    process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
      || process.terminationStatus == 128 + SIGKILL
  }
}
