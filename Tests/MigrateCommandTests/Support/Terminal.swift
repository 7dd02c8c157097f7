import Foundation
import TestSupport

/// A pseudo-terminal, for what only happens on a terminal.
final class Terminal {
  /// The test's end.
  private let own: Int32
  /// The end that a process takes for its terminal.
  let child: Int32

  init(columns: UInt16 = 100) throws {
    own = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    child = open(Self.childName(of: own), O_RDWR | O_NOCTTY)
    guard own >= 0, child >= 0 else { throw POSIXError(.ENOTTY) }
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(child, UInt(TIOCSWINSZ), &size)
  }

  deinit {
    close(child)
    close(own)
  }

  private static func childName(of own: Int32) -> String {
    #if canImport(Darwin)
      return grantpt(own) == 0 && unlockpt(own) == 0 ? String(cString: ptsname(own)) : ""
    #else
      // What unlockpt and ptsname do, which Swift's Glibc does not offer: TIOCSPTLCK, TIOCGPTN.
      var (unlocked, number): (Int32, UInt32) = (0, 0)
      let isReady =
        ioctl(own, 0x4004_5431, &unlocked) == 0 && ioctl(own, 0x8004_5430, &number) == 0
      return isReady ? "/dev/pts/\(number)" : ""
    #endif
  }

  /// Runs the command with both streams here: what it wrote, and its exit code.
  static func run(
    _ words: [String], in sandbox: Sandbox, columns: UInt16
  ) throws -> (text: String, code: Int32) {
    let terminal = try Terminal(columns: columns)
    let running = try Program.start(
      words, in: sandbox, environment: ["TERM": "xterm"], output: terminal.child,
      errors: terminal.child)
    var text = ""
    while running.child.code == nil {
      text += terminal.read()
      usleep(1000)
    }
    return (text + terminal.read(), running.wait().code)
  }

  /// All that was written so far; it must fit the terminal's buffer of 4 kB.
  func read() -> String {
    var text: [UInt8] = []
    var ready = pollfd(fd: own, events: Int16(POLLIN), revents: 0)
    while poll(&ready, 1, 0) == 1, ready.revents & Int16(POLLIN) != 0 {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = Foundation.read(own, &buffer, buffer.count)
      if count <= 0 { break }
      text += buffer.prefix(count)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
