import Foundation
import TestSupport

extension App {
  /// What was on a terminal of 80 columns and 24 lines.
  struct Screen {
    /// All that was written, with what controls the terminal.
    let text: String
    let code: Int32

    /// Each screen that was drawn, as lines without colours.
    var frames: [[String]] {
      text.components(separatedBy: "\u{1B}[H").dropFirst().map { frame in
        (frame.components(separatedBy: "\u{1B}[J").first ?? "")
          .replacing(#/\x1B\[[0-9;?]*[A-Za-z]/#, with: "").components(separatedBy: "\r\n")
      }
    }
  }

  /// Types each of the keys when the guide has drawn what the one before led to.
  func terminal(_ words: [String], keys: [String]) throws -> Screen {
    let script = """
      import fcntl, os, pty, select, struct, sys, termios
      count = int(sys.argv[1])
      keys, words = sys.argv[2:2 + count], sys.argv[2 + count:]
      pid, terminal = pty.fork()
      if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.environ["TERM"] = "xterm"
        os.execv(words[0], words)
      text, drawn = b"", 0
      def read():
        global text
        if not select.select([terminal], [], [], 20)[0]: sys.exit("nothing was drawn")
        try: part = os.read(terminal, 65536)
        except OSError: part = b""
        text += part
        return part != b""
      for key in keys:
        while text.count(b"\\x1b[J") <= drawn and read(): pass
        drawn = text.count(b"\\x1b[J")
        os.write(terminal, key.encode())
      while read(): pass
      sys.stdout.buffer.write(text)
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
      """
    let guide = [Self.program, "--folder", folder.path]
    let outcome = try Child.run(
      ["python3", "-c", script, String(keys.count)] + keys + guide + words)
    return Screen(text: outcome.output, code: outcome.code)
  }
}
