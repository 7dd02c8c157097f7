import Foundation

/// The terminal that the user sits at: its size, and a screen to draw on.
enum Terminal {
  /// Whether somebody can see and type, rather than a pipe.
  static var isThere: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
      && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  static var size: (rows: Int, columns: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0
    else { return (24, 80) }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// Takes the whole screen and each key by itself, for as long as `body` runs.
  static func withScreen(_ body: () throws -> Void) throws {
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { throw Trouble("This is no terminal.") }
    var raw = before
    cfmakeraw(&raw)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
    write("\u{1B}[?1049h\u{1B}[?25l")
    defer {
      write("\u{1B}[?25h\u{1B}[?1049l")
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
    }
    try body()
  }

  /// Draws all lines, cut to the width, over what was there.
  static func draw(_ lines: [String]) {
    let columns = size.columns
    let text = lines.map { "\($0.prefix(columns))\u{1B}[m\u{1B}[K" }
    write("\u{1B}[H" + text.joined(separator: "\r\n") + "\u{1B}[J")
  }

  /// A long line, broken between words.
  static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if let last = lines.last, last.count + 1 + word.count <= size.columns {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(lines.isEmpty ? String(word) : "   " + word)
      }
    }
    return lines
  }

  private static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
