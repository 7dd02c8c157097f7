import Foundation
import TestSupport
import Testing

@testable import fieldguide

/// The guide on a terminal of 80 columns and 24 lines.
struct BrowserTests {
  private static func browse(_ words: [String] = [], _ keys: String...) throws -> App.Screen {
    let app = try App()
    _ = try app.run()
    return try app.terminal(words, keys: keys)
  }

  @Test func `it begins with a page of elements`() throws {
    let screen = try Self.browse([], "q")
    let lines = try #require(screen.frames.last)
    #expect(lines.count == 24 && lines.allSatisfy { $0.count <= 80 })
    #expect(lines.first == " Field guide: 118 elements")
    #expect(lines[1] == "    1  H    Hydrogen              1.008       ")
    #expect(lines.last?.contains("PgDn") == true)
    #expect(screen.code == 0)
    #expect(screen.text.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
  }

  static let ways: [(keys: [String], top: String, chosen: String)] = [
    (["\u{1B}[B"], "H", "He"), (["\u{1B}[B", "\u{1B}[A"], "H", "H"), (["\u{1B}[A"], "H", "H"),
    (["\u{1B}[6~"], "He", "V"), ([" ", " ", "b"], "V", "V"), (["\u{1B}[F"], "Bk", "Og"),
    (["\u{1B}[F", "\u{1B}[H"], "H", "H"), (["\u{1B}OF", "\u{1B}[5~"], "Cm", "Cm"), ([], "H", "H"),
  ]

  @Test(arguments: ways) func `keys move`(keys: [String], top: String, chosen: String) throws {
    let app = try App()
    _ = try app.run()
    let screen = try app.terminal([], keys: keys + ["q"])
    let frame = screen.text.components(separatedBy: "\u{1B}[H").last ?? ""
    let inverse = try #require(frame.firstMatch(of: #/\x1B\[7m +[0-9]+  (\w+)/#))
    #expect(inverse.output.1 == chosen)
    #expect(screen.frames.last?[1].split(separator: " ").dropFirst().first == top[...])
  }

  @Test func `enter shows one, and any key leads back`() throws {
    let screen = try Self.browse([], "\u{1B}[B", "\r", "x", "q")
    try #require(screen.frames.count == 4)
    #expect(screen.frames[2][1...3] == [" number: 2", " symbol: He", " name: Helium"])
    #expect(screen.frames[3] == screen.frames[1])
  }

  @Test func `it searches while one types`() throws {
    let screen = try Self.browse([], "/", "noble", "\u{7F}", "\r", "\u{1B}[B", "\u{1B}", "q")
    let titles = screen.frames.compactMap(\.first)
    #expect(titles.dropFirst().first == " Search: ▏  (118 elements)")
    // Keys that come together are taken one by one.
    #expect(
      titles.dropFirst(2).prefix(5) == [
        " Search: n▏  (\(count("n")) elements)", " Search: no▏  (\(count("no")) elements)",
        " Search: nob▏  (\(count("nob")) elements)", " Search: nobl▏  (\(count("nobl")) elements)",
        " Search: noble▏  (\(count("noble")) elements)",
      ])
    #expect(
      titles.suffix(2) == [
        " Search: nobl  (\(count("nobl")) elements)",
        " Field guide: 118 elements",
      ])
  }

  private func count(_ words: String) -> Int {
    let app = try? App()
    return (try? app?.run("search", words).output.split(separator: "\n").count) ?? -1
  }

  @Test func `a search from outside can be browsed, too`() throws {
    let screen = try Self.browse(["search", "noble", "gas"], "\u{3}")
    #expect(screen.frames.last?.first == " Search: noble gas  (6 elements)")
  }

  @Test func `what the update brought is in the last line`() throws {
    let app = try App()
    let screen = try app.terminal([], keys: ["q"])
    #expect(screen.frames.last?.last == " Welcome. The guide is at release 4.")
  }

  static let keys: [([UInt8], [Keyboard.Key])] = [
    (Array("aé€𝄞".utf8), ["a", "é", "€", "𝄞"].map { .character($0) }),
    (Array("\u{1B}[Ax\u{1B}[6~\u{1B}OH\r".utf8), [.up, .character("x"), .pageDown, .home, .enter]),
    (Array("\u{1B}".utf8), [.escape]), (Array("\u{1B}[".utf8), [.escape]),
    (Array("\u{1B}[99;99".utf8), [.escape]), ([0xFF, 0x61], [.character("\u{FFFD}")]),
    ([0xC3], [.character("\u{FFFD}")]), ([0x7F, 8], [.erase, .erase]),
  ]

  @Test(arguments: keys) func `bytes are keys`(bytes: [UInt8], expected: [Keyboard.Key]) {
    var keyboard = Keyboard(pending: bytes)
    var found: [Keyboard.Key] = []
    while !keyboard.pending.isEmpty, let key = keyboard.next() { found.append(key) }
    #expect(found == expected)
  }
}
