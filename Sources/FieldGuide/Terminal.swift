import Foundation

/// The output for the user: answers, and separately news and progress.
enum Terminal {
  static func say(_ text: String) {
    guard isatty(STDOUT_FILENO) == 1 else { return print(text) }
    text.split(separator: "\n").flatMap { wrapped(String($0)) }.forEach { print($0) }
  }

  static func complain(_ line: String) { write(line + "\n") }

  /// A bar that replaces the one shown before; nil removes it.
  static func show(progress: Double?) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    write("\r\u{1B}[K")
    guard let progress else { return }
    let percent = "\(Int(progress * 100)) %".padding(toLength: 5, withPad: " ", startingAt: 0)
    let done = Int(progress * 30)
    let bar = String(repeating: "█", count: done) + String(repeating: "·", count: 30 - done)
    write("Updating the data: \(percent) \(bar)")
  }

  private static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }

  /// A long line, broken between words.
  private static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(lines.isEmpty ? String(word) : "   " + word)
      }
    }
    return lines
  }

  private static var columns: Int {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }
}
