import Foundation
import TestSupport
import Testing

extension App {
  /// All that was written on a terminal, with what controls it.
  func terminal(_ words: [String]) throws -> String {
    let script = """
      import os, pty, sys
      pid, terminal = pty.fork()
      if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
      text = b""
      try:
        while part := os.read(terminal, 65536): text += part
      except OSError: pass  # Its other end is closed.
      sys.stdout.buffer.write(text)
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
      """
    let guide = [Self.program, "--folder", place.path]
    let outcome = try Child.run(["python3", "-c", script] + guide + words)
    #expect(outcome.code == 0, "\(outcome)")
    return outcome.output
  }
}
