import Testing

@testable import MigrateCommand
@testable import SeedbedAuthoring

struct ShowCommandTests {
  @Test func `two long texts are shown from where they part`() {
    let same = String(repeating: "x", count: 100)
    let (one, other) = ReleaseText.excerpts(same + "old", same + "new")
    #expect(one == "…xxxxxxxxxxold" && other == "…xxxxxxxxxxnew")
    let short = ReleaseText.excerpts("abc", "abd")
    #expect(short == ("abc", "abd"))
  }

  @Test func `a line keeps to the width and hides nothing that turns text around`() {
    let text = ReleaseText(columns: 40)
    let fields = (0..<14).map {
      ReleaseReading.Field(name: "c\($0)", old: nil, new: .text("\u{202E}\u{200B}\($0)"))
    }
    let lines = text.lines(
      .init(
        operation: .insert, key: [.init(name: "id", old: nil, new: .number("1"))], fields: fields))
    #expect(lines.allSatisfy { $0.displayWidth <= 40 })
    #expect(lines[0] == #"+ id=1  c0="\u{202e}\u{200b}0""#)
    #expect(lines.last == "    … and 2 more columns")
    let paint = ReleaseText(
      columns: 40, palette: Palette(for: Memory().sink(isTerminal: true), [:]))
    let removed = paint.lines(
      .init(operation: .delete, key: [.init(name: "id", old: .number("1"), new: nil)], fields: []))
    #expect(removed == ["\u{1B}[31m- id=1\u{1B}[0m"])
  }
}
