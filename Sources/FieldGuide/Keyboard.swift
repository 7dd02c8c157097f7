import Foundation

/// What the user types, key by key.
struct Keyboard {
  enum Key: Equatable {
    case up, down, pageUp, pageDown, home, end, enter, escape, erase
    case character(Character)
  }

  /// Read but not yet asked for: keys may come faster than they are drawn.
  var pending: [UInt8] = []

  /// - Returns: nil at the end of the input, and for ^C and ^D.
  mutating func next() -> Key? {
    if pending.isEmpty {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      pending = Array(bytes.prefix(max(0, count)))
    }
    guard !pending.isEmpty else { return nil }
    let text = take()
    switch text {
    case "\u{3}", "\u{4}": return nil
    case "\u{1B}[A", "\u{1B}OA": return .up
    case "\u{1B}[B", "\u{1B}OB": return .down
    case "\u{1B}[5~": return .pageUp
    case "\u{1B}[6~": return .pageDown
    case "\u{1B}[H", "\u{1B}OH", "\u{1B}[1~": return .home
    case "\u{1B}[F", "\u{1B}OF", "\u{1B}[4~": return .end
    case "\r", "\n": return .enter
    case "\u{7F}", "\u{8}": return .erase
    default: return text.hasPrefix("\u{1B}") ? .escape : text.first.map { .character($0) }
    }
  }

  /// A character, or all that a key sends which begins with an escape.
  private mutating func take() -> String {
    var length = 1
    if pending[0] == 0x1B, pending.count > 1, "[O".utf8.contains(pending[1]) {
      let end = pending.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }
      length = (end ?? pending.count - 1) + 1
    } else if pending[0] >= 0xC0 {
      length = min(pending.count, pending[0] >= 0xF0 ? 4 : pending[0] >= 0xE0 ? 3 : 2)
    }
    defer { pending.removeFirst(length) }
    return String(decoding: pending.prefix(length), as: UTF8.self)
  }
}
