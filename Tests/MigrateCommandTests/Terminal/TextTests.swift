import Testing

@testable import MigrateCommand
@testable import Seedbed

struct TextTests {
  typealias Case = Named<String, Int>

  static let widths: [Case] = [
    Case("nothing", "", 0), Case("ASCII", "elements", 8), Case("umlauts", "Größe", 5),
    Case("a combining accent", "e\u{301}le\u{300}ve", 5), Case("Han", "元素", 4),
    Case("Kana", "カナ", 4), Case("half-width Kana", "ｶﾅ", 2), Case("Hangul", "원소", 4),
    Case("Hangul in its parts", "\u{110B}\u{116F}\u{11AB}", 2),
    Case("full-width Latin", "ＡＢ", 4), Case("Cyrillic", "элементы", 8),
    Case("Arabic", "عنصر", 4), Case("an emoji", "🧪", 2),
    Case("a family of emoji", "👨‍👩‍👧", 2), Case("a flag", "🇩🇪", 2),
    Case("a text symbol", "☢", 1), Case("the same as emoji", "☢\u{FE0F}", 2),
    Case("zero-width space", "a\u{200B}b", 2), Case("soft hyphen", "a\u{AD}b", 3),
    Case("Devanagari", "तत्व", 3), Case("an ellipsis", "…", 1),
    Case("Greek", "στοιχεία", 8), Case("an arrow", "a → b", 5),
    Case("an arrow as emoji", "↔\u{FE0F}", 2), Case("Cyrillic with a mark", "а\u{483}", 1),
    Case("beyond the first plane", "𠀀", 2), Case("Thai with marks", "ธาตุ", 3),
  ]

  @Test(arguments: widths) func `the width on a terminal is`(_ c: Case) {
    #expect(c.given.displayWidth == c.expected)
  }

  @Test func `what differs behind the cut is shown where it differs`() {
    let long = String(repeating: "The same words again. ", count: 3)
    let rows = [["KEY", "SEED", "MINE", "BASE"], ["id=1", long + "new", long + "mine", long]]
    func lines(_ compared: Range<Int>) -> [String] {
      FittedTable(rows: rows, compared: compared).lines(columns: 60).lines
    }
    let told = lines(1..<4)[1]
    #expect(told.contains("…. new ") && told.contains("…. mine "), "\(told)")
    #expect(!lines(0..<0)[1].contains("new"))
    #expect(told.displayWidth <= 60)
  }

  @Test func `values are cut, and keys are not`() {
    let key = #"slug="a-long-name-of-a-template-of-a-mail""#
    let value = String(repeating: "words ", count: 20)
    let rows = [["KEY", "SEED", "MINE", "WHO WINS"], [key, value, value, "the user (keepEdits)"]]
    let lines = FittedTable(rows: rows, whole: [0, 3]).lines(columns: 60).lines
    #expect(lines[1].hasPrefix(key + "  words…") && lines[1].hasSuffix("  the user (keepEdits)"))
  }

  @Test func `padding counts columns, not characters`() {
    #expect("元素".padded(to: 6) == "元素  ")
    #expect("元素".leftPadded(to: 6) == "  元素")
    #expect("elements".padded(to: 3) == "elements")
  }

  @Test func `what is cut never takes more than its columns`() {
    #expect("elements".cut(to: 8) == "elements")
    #expect("elements".cut(to: 5) == "elem…")
    #expect("元素表".cut(to: 4) == "元…")
    #expect("元素表".cut(to: 5) == "元素…")
  }

  @Test func `a control character shows as its number`() {
    #expect("a\u{1B}[2Jb\n".printable == "a\\u{1b}[2Jb\\u{a}")
    #expect("Größe".printable == "Größe")
  }

  typealias Measure = Named<String, String>

  static let measures: [Measure] = [
    Measure("no bytes", Measures.bytes(0), "0 bytes"),
    Measure("one byte", Measures.bytes(1), "1 byte"),
    Measure("under a kilobyte", Measures.bytes(999), "999 bytes"),
    Measure("a kilobyte", Measures.bytes(1000), "1.0 kB"),
    Measure("rounded", Measures.bytes(12_350), "12.4 kB"),
    Measure("nearly a megabyte", Measures.bytes(999_949), "999.9 kB"),
    Measure("a megabyte by rounding", Measures.bytes(999_950), "1.0 MB"),
    Measure("megabytes", Measures.bytes(1_216_512), "1.2 MB"),
    Measure("gigabytes", Measures.bytes(4_294_967_296), "4.3 GB"),
    Measure("part of bytes", Measures.bytes(3, of: 812), "3 of 812 bytes"),
    Measure("part of megabytes", Measures.bytes(21_600_000, of: 48_000_000), "21.6 of 48.0 MB"),
    Measure("milliseconds", Measures.duration(.milliseconds(999)), "999 ms"),
    Measure("seconds", Measures.duration(.milliseconds(1000)), "1.0 s"),
    Measure("nearly a minute", Measures.duration(.milliseconds(59_949)), "59.9 s"),
    Measure("a minute by rounding", Measures.duration(.milliseconds(59_950)), "1 min 00 s"),
    Measure("minutes", Measures.duration(.milliseconds(125_000)), "2 min 05 s"),
    Measure("three digits", Measures.grouped(999), "999"),
    Measure("four digits", Measures.grouped(1000), "1,000"),
    Measure("seven digits", Measures.grouped(1_234_567), "1,234,567"),
    Measure("a negative number", Measures.grouped(-123_456), "-123,456"),
    Measure("one", Measures.count(1, "row"), "1 row"),
    Measure("none", Measures.count(0, "row"), "0 rows"),
    Measure("whole seconds", Measures.seconds(5), "5"),
    Measure("half a second", Measures.seconds(0.5), "0.5"),
    Measure(
      "a time without its fraction",
      Migrator.Timestamp(text: "2026-09-01T08:12:44.123Z").toTheSecond,
      "2026-09-01T08:12:44Z"),
    Measure(
      "a time without one", Migrator.Timestamp(text: "2026-09-01T08:12:44Z").toTheSecond,
      "2026-09-01T08:12:44Z"),
    Measure(
      "a time in a name", Migrator.Timestamp(ofBackup: "20261120T081244.120Z").text,
      "2026-11-20T08:12:44.120Z"),
    Measure("no time in a name", Migrator.Timestamp(ofBackup: "yesterday").text, "yesterday"),
  ]

  @Test(arguments: measures) func `a measure reads`(_ c: Measure) { #expect(c.given == c.expected) }

  @Test func `columns line up by what a terminal shows`() {
    var table = Table([.init("ID", .right), .init("NAME"), .init("ROWS", .right)])
    table.add([.init("1"), .init("元素"), .init("118")])
    table.add([.init("20261120"), .init("notes"), .init("")])
    let plain = Palette(for: Memory().sink(), [:])
    #expect(
      table.lines(plain) == [
        "ID        NAME   ROWS",
        "       1  元素    118",
        "20261120  notes",
      ])
  }
}
