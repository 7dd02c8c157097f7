import Foundation
import TestSupport
import Testing

/// `Scripts/demo`, as the README shows it.
struct DemoTests {
  private static let script = Checkout.root.appending(path: "Scripts/demo").path
  private static let recording = "Documentation/demo.svg"

  @Test func `the demonstration prints its story, and the recording shows it`() throws {
    let app = try App()
    let file = app.place.url.appending(path: "demo.svg")
    let played = try Child.run(
      ["python3", Self.script, "--svg", file.path, "--program", App.program])
    #expect(played.code == 0, "\(played.output)")
    #expect(Self.masked(played.output) == Self.story)
    let made = try String(contentsOf: file, encoding: .utf8)
    #expect(
      try Self.masked(made) == Self.masked(Checkout.text(Self.recording)),
      "Record it again: Scripts/demo --svg \(Self.recording)")
    #expect(made.utf8.count < 30_000)
    #expect(!made.contains("<script") && made.contains("prefers-color-scheme: dark"))
    let text = made.matches(of: #/<text[^>]*>([^<]*)</#).map { String($0.output.1) }
    let shown = played.output.split(separator: "\n").map { String($0) }
    #expect(text == shown)
  }

  @Test(arguments: [["--help"], ["--svg"], ["fly"]])
  func `what it does not know is answered by its help`(words: [String]) throws {
    let played = try Child.run(["python3", Self.script] + words)
    #expect(played.code == (words == ["--help"] ? 0 : 64))
    #expect(played.output.contains("\nScripts/demo --svg FILE "))
  }

  /// Without how far an update came, which depends on the machine.
  private static func masked(_ text: String) -> String {
    text.replacing(#/[0-9]+ % +[█·]+/#, with: "… %")
  }

  private static let story = """
    # Edition 2 of a field guide is installed, and its user makes it their own.
    $ fieldguide --release 2 show 113
    Welcome. The guide is at release 2.
    number: 113
    symbol: Uut
    name: Ununtrium
    discovered: 2004
    discoverer: RIKEN
    $ fieldguide --release 2 edit 113 name Bobium
    $ fieldguide --release 2 note Bobium 'the one from Japan'
    $ fieldguide --release 2 forget 115
    Ununpentium is gone.
    $ fieldguide --release 2 add Xx Mine
    119

    # Edition 4 arrives, with half a million rows. It is killed, twice.
    $ fieldguide show Bobium
    Updating the data: … %
    Killed (SIGKILL)
    $ fieldguide show Bobium
    Updating the data: … %
    Killed (SIGKILL)

    # All is as edition 2 left it.
    $ fieldguide --release 2 show Bobium
    number: 113
    symbol: Uut
    name: Bobium
    discovered: 2004
    discoverer: RIKEN
    note: the one from Japan

    # The third start finishes.
    $ fieldguide show Bobium
    Updating the data: … %
    Release 4: 500000 new, 22 corrected.
    Your own changes were kept. See: fieldguide mine
    number: 113
    symbol: Nh
    name: Bobium
    discovered: 2004
    discoverer: RIKEN
    note: the one from Japan

    # Nothing is lost, and the user has the last word.
    $ fieldguide mine
    1  113, Bobium: You changed the name to Bobium, and the guide changed it from
       Ununtrium to Nihonium. Yours stays, and the rest is up to date.
    2  115: You deleted it, and the guide changed it: symbol Mc, name Moscovium. It
       stays deleted.
    $ fieldguide mine take 1
    $ fieldguide whose 113
    It is the guide's.

    """
}
