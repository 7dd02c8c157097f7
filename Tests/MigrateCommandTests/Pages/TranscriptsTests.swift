import Foundation
import TestSupport
import Testing

/// Each file of `Transcripts` is a test: what its commands answer is what it shows.
@Suite struct `Transcripts of the command` {
  private static let names =
    (try? FileManager.default.contentsOfDirectory(
      atPath: Checkout.root.appending(path: PlayedPage.folder).path)) ?? []
  private static let pages = names.filter { $0.hasSuffix(".md") }

  @Test(arguments: pages.sorted()) func `a transcript`(_ name: String) throws {
    let path = PlayedPage.folder + name
    let text = try Checkout.text(path)
    do {
      let played = try PlayedPage.play(text)
      let difference = try PlayedPage.difference(
        of: Checkout.printed(played, in: path), from: played)
      #expect(
        difference.isEmpty,
        """
        \(path) differs:
        \(difference)
        To print the answers again: SEEDBED_WRITE_PAGES=1 Scripts/test --filter Transcripts
        """)
    } catch let mistake as PlayedPage.Mistake {
      Issue.record("\(path):\(mistake.line): \(mistake.words)")
    }
  }

  @Test func `there are pages, and nothing that nobody plays`() throws {
    let all = try Self.pages.map { try Checkout.text(PlayedPage.folder + $0) }.joined()
    for name in Self.names where !Self.pages.contains(name) {
      #expect(all.contains("[\(name)](\(name))"), "Nobody plays '\(name)'.")
    }
    #expect(Self.pages.count > 2)
  }

  @Test func `answers are played, each part of a page in a folder like the first`() throws {
    let page = """
      # Title

      Sentence.

      ```txtar
      -- a/b --
      one

      -- c --
      ```

          $ cat a/b c; echo no >&2
          2> no
          one
          $ cat <<END
          > two
          > END
          two

          $ true

      ## First

          $ rm c; false  # exit 1

      ## Second

          $ ls
          a
          c
      """
    #expect(try PlayedPage.play(page) == page)
    let old = page.replacing("    one\n", with: "    eins\n\n    zwei\n").replacing(
      " exit 1", with: " exit 2")
    #expect(try PlayedPage.play(old) == page)
    #expect(
      PlayedPage.difference(of: old, from: page).split(separator: "\n") == [
        "14: expected     eins", "14: found        one", "15: expected ", "16: expected     zwei",
        "24: found        $ rm c; false  # exit 1", "26: expected     $ rm c; false  # exit 2",
      ])
  }

  @Test(arguments: [
    ("Title\n", 0, "a page begins with"), ("# Title\n\n    $ echo 1\n", 0, "a page begins with"),
    ("# T\n\nS.\n\n    $ true\n", 6, "no command of this page answers anything"),
    ("# T\n\nS.\n\n```sh\n", 5, "this block is no 'txtar'"),
    ("# T\n\nS.\n\n    echo 1\n", 5, "this block is no 'txtar'"),
    ("# T\n\nS.\n\n```txtar\n-- a --\n", 7, "this block has no end"),
    ("# T\n\nS.\n\n```txtar\na\n```\n", 7, "a file begins with its name"),
  ])
  func `a mistake has its line`(_ page: String, _ line: Int, _ words: String) throws {
    let mistake = try #require(throws: PlayedPage.Mistake.self) { try PlayedPage.play(page) }
    #expect(mistake.line == line && mistake.words.hasPrefix(words), "\(mistake)")
  }
}
