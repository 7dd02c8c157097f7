import Foundation
@testable import Seedbed
import SeedbedFaults
import TestSupport

/// The built `migrate`, as a real process.
struct Command {
  private let child: Child

  /// `tracer`: words before the program: `["strace", …]`.
  init(_ subject: Subject, in home: String, tracer: [String] = []) throws {
    let words = ["up", "--quiet", "--migrations", subject.catalog.path]
    let trusting = (subject.catalog.downloads?.candidates.first?.download).map { download in
      ["--downloaded", download.path] + download.heads.flatMap { ["--signed-by", $0.key] }
    }
    child = try Child(
      tracer + [Child.migrate] + words + ["--database", home + "/" + Subject.database]
        + (trusting ?? []))
  }

  func kill() { child.send(SIGKILL) }

  /// Waits for its end.
  var code: Int32 { child.wait() }

  /// Whether SIGKILL ended it; strace ends itself as its program did.
  var wasKilled: Bool { [-SIGKILL, 128 + SIGKILL].contains(code) }
}
