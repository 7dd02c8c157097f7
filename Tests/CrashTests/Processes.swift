import Foundation
import SeedbedFaults
import TestSupport

/// The built `migrate`, as a real process.
struct Command {
  let child: Child

  /// `tracer`: words before the program: `["strace", …]`.
  init(_ subject: Subject, in home: String, tracer: [String] = []) throws {
    let words = ["up", "--quiet", "--migrations", subject.catalog.path]
    child = try Child(
      tracer + [Child.migrate] + words + ["--database", home + "/" + Subject.database])
  }

  /// Whether SIGKILL ended it; strace ends itself as its program did.
  var wasKilled: Bool { [-SIGKILL, 128 + SIGKILL].contains(child.wait()) }
}
