import Foundation
import Testing

@testable import MigrateCommand

/// Pages of several tables with long names, keys and texts, on screens of all widths.
@Suite(.serialized, .enabled(if: Chromium.isTested, "Scripts/setup --with browser"))
struct PageWidthTests {
  private static let text = "the quick brown fox jumps over the lazy dog and the cat "

  /// Two tables with long keys and texts, and one with many short rows: released, edited by the
  /// user, and changed by a second release.
  private static func reported() throws -> Sandbox {
    let sandbox = try Sandbox()
    let slug = "welcome-to-the-encyclopedia-of-everything-there-is"
    let words = (0..<60).map { "word\($0),\(7000 + $0),\(text)\($0)\n" }.joined()
    let edits = (0..<12).map { "word\($0),\(7000 + $0),\(2138 + $0)\n" }.joined()
    try sandbox.write([
      "Migrations/0001_everything/up.sql": """
      CREATE TABLE mail_emailtemplate (slug TEXT PRIMARY KEY, subject TEXT, body TEXT);
      CREATE TABLE words (lemma TEXT PRIMARY KEY, frequency INTEGER, gloss TEXT);

      """,
      "Migrations/0001_everything/mail_emailtemplate.csv":
        "slug,subject,body\n\(slug),Welcome,\(text)\n",
      "Migrations/0001_everything/words.csv": "lemma,frequency,gloss\n" + words,
      "Migrations/0002_june_corrections/mail_emailtemplate.update.csv":
        "slug,was:body,body\n\(slug),\(text),\(text)and the mouse\n",
      "Migrations/0002_june_corrections/words.update.csv":
        "lemma,was:frequency,frequency\n" + edits,
      "Migrations/0002_june_corrections/words.csv":
        "lemma,frequency,gloss\n" + (0..<80).map { "new\($0),1,\(text)\n" }.joined(),
    ])
    try sandbox.run(["up", "--to", "1"])
    try sandbox.sql("UPDATE words SET frequency = 9000 WHERE lemma IN ('word1', 'word2')")
    try sandbox.sql("UPDATE mail_emailtemplate SET body = 'mine, and not yours'")
    try sandbox.run(["report", "plan.html", "--plan"])
    try sandbox.run(["show", "2", "--html", "show.html"])
    try FileManager.default.copyItem(
      atPath: "\(sandbox.path)/app.sqlite", toPath: "\(sandbox.path)/b.sqlite")
    try sandbox.run(["up"])
    try sandbox.run(["report", "report.html"])
    try sandbox.write(["status.json": try sandbox.run(["status", "--each", ".", "--json"])])
    try sandbox.write(["plan.json": try sandbox.run(["plan", "--each", ".", "--json"])])
    try sandbox.run(["report", "fleet.html", "status.json", "plan.json"])
    return sandbox
  }

  /// What is wider than the page, a table that scrolls sideways, and a heading that is cut.
  private static let overflow = """
    const wrong = []
    const width = document.documentElement.clientWidth
    for (const node of document.body.querySelectorAll('*')) {
      const { left, right } = node.getBoundingClientRect()
      const isSeen = node.getClientRects().length && !node.closest('.unseen, .skip')
      // What a cell cuts shows in full after a click.
      if (isSeen && !node.closest('td') && (left < 0 || right > width + 0.5)) {
        wrong.push(`${Math.round(left)} to ${Math.round(right)}: ${node.outerHTML.slice(0, 99)}`)
      }
    }
    for (const box of document.querySelectorAll('.scroller')) {
      const more = box.scrollWidth - box.clientWidth
      if (more > 0) wrong.push(`${box.innerText.slice(0, 40)} scrolls ${more} px`)
    }
    for (const button of document.querySelectorAll('th button')) {
      if (button.scrollWidth > button.clientWidth) wrong.push('cut: ' + button.innerText)
    }
    return wrong
    """

  @Test(arguments: Chromium.Look.widths)
  func `nothing is wider than the page, and no heading is cut`(_ look: Chromium.Look) throws {
    let (sandbox, browser) = (try Self.reported(), try Chromium())
    for page in ["report.html", "plan.html", "show.html", "fleet.html"] {
      try browser.visit("\(sandbox.path)/\(page)", look)
      try browser.run("document.querySelectorAll('details').forEach(node => node.open = true)")
      try browser.settle()
      #expect(try browser.strings(Self.overflow) == [], "\(page)")
      for check in Accessibility.all { #expect(try browser.strings(check) == [], "\(page)") }
      #expect(browser.problems == [], "\(page)")
    }
  }

  /// The cells in view of the first row of a table, by their headings.
  private func row(_ label: String, _ number: Int, _ browser: Chromium) throws -> [String] {
    try browser.strings(
      """
      const grid = document.querySelector('[aria-label="\(label)"]')
      return [...grid.tBodies[0].rows[\(number)].cells].map((cell, place) =>
        cell.getClientRects().length
          ? `${grid.tHead.rows[0].cells[place].innerText}: ${cell.innerHTML}` : null)
        .filter(text => text)
      """)
  }

  @Test func `a release opens with what changes, and marks whole words and numbers`() throws {
    let (sandbox, browser) = (try Self.reported(), try Chromium())
    try browser.visit("\(sandbox.path)/show.html")
    #expect(
      try row("Changes", 1, browser) == [
        #"Change: <span class="changed">changed</span>"#, "Table: words",
        #"Row: lemma="word0""#, "Column: frequency", "Before: <del>7000</del>",
        "After: <ins>2138</ins>",
      ])
    let kinds = try browser.strings(
      "return changes(data.releases).map(line => line.row.operation)")
    #expect(kinds == Array(repeating: "update", count: 13) + Array(repeating: "insert", count: 80))
  }

  @Test func `a phone shows whose value it is, and the value`() throws {
    let (sandbox, browser) = (try Self.reported(), try Chromium())
    try browser.visit("\(sandbox.path)/show.html", Chromium.Look(width: 360))
    #expect(
      try row("Changes", 1, browser) == [
        #"Row: <span class="changed">~ </span>lemma="word0""#,
        #"Value: <small>frequency </small><ins>2138</ins>"#,
      ])
    let cut = try browser.strings(
      """
      return [...document.querySelectorAll('[aria-label=Changes] td')]
        .filter(cell => cell.scrollWidth > cell.clientWidth && cell.innerText.includes('word'))
        .map(cell => cell.innerText)
      """)
    #expect(cut == [])
  }

  @Test func `a column in which all is the same is left out`() throws {
    let sandbox = try Sandbox.withElements()
    try sandbox.run(["show", "1", "--html", "show.html"])
    let browser = try Chromium()
    try browser.visit("\(sandbox.path)/show.html")
    let headings = try row("Changes", 0, browser).map { $0.prefix { $0 != ":" } }
    #expect(headings == ["Change", "Row", "Column", "Before", "After"])
  }

  @Test func `many databases have titles, and those in order are folded away`() throws {
    let (sandbox, browser) = (try Self.reported(), try Chromium())
    try browser.visit("\(sandbox.path)/fleet.html")
    #expect(
      try browser.strings(
        "return [...document.querySelectorAll('h2, h3, summary')]"
          + ".map(node => node.innerText)") == [
          "Status", "To look at (1)", "1 other database in order", "What up would do",
          "Conflicts by place",
        ])
    #expect(try row("To look at", 0, browser).last == "State: pending")
    #expect(
      try browser.text("document.querySelector('details [role=grid]').checkVisibility()")
        == "false")
    try browser.run("document.querySelector('summary').click()")
    try browser.settle()
    #expect(
      try row("In order", 0, browser)
        == ["Database: app.sqlite", "Current: 2", "Target: 2", "State: up to date"])
  }

  @Test func `a run that failed is told with its reason`() throws {
    let sandbox = try Sandbox.atOne(Sandbox.more).write([
      "Migrations/0002_more/verify.sql": "SELECT name FROM elements WHERE number = 4;\n"
    ])
    #expect(try Program.run(["up"], in: sandbox).code == 2)
    try sandbox.write(["status.json": try sandbox.run(["status", "--each", ".", "--json"])])
    try sandbox.run(["report", "fleet.html", "status.json"])
    let browser = try Chromium()
    try browser.visit("\(sandbox.path)/fleet.html")
    let last = try row("To look at", 0, browser).last ?? ""
    #expect(last.hasPrefix("Last run: 0002_more/verify.sql:1:1: verify.sql found a "), "\(last)")
  }

  /// Two texts, and what is marked in each.
  typealias Difference = Named<(String, String), (String, String)>

  static let differences: [Difference] = [
    Difference("numbers", ("7218", "2138"), ("7218", "2138")),
    Difference("numbers with a point", ("6.94", "6.941"), ("6.94", "6.941")),
    Difference("dates", ("on 2026-11-20", "on 2026-11-25"), ("2026-11-20", "2026-11-25")),
    Difference("words", (#""mass""#, #""my own gloss""#), ("mass", "my own gloss")),
    Difference("a word more", ("the cat", "the black cat"), ("", "black ")),
    Difference("after an escape", (#"a\nYours"#, #"a\nKind"#), ("Yours", "Kind")),
    Difference("the escape itself", (#"a\nb"#, #"a\tb"#), (#"\n"#, #"\t"#)),
    Difference("without spaces", ("元素周期表", "元素週期表"), ("周", "週")),
    Difference("accents", ("e\u{301}tat", "e\u{300}tat"), ("e\u{301}tat", "e\u{300}tat")),
    Difference("an emoji", ("a \u{1F600} b", "a \u{1F601} b"), ("\u{1F600}", "\u{1F601}")),
    Difference(
      "what is no word",
      (
        String(repeating: "x", count: 90) + "1",
        String(repeating: "x", count: 90) + "2"
      ), ("1", "2")),
  ]

  @Test func `what differs is marked in whole words`() throws {
    let sandbox = try Sandbox.withElements()
    try sandbox.run(["show", "1", "--html", "show.html"])
    let browser = try Chromium()
    try browser.visit("\(sandbox.path)/show.html")
    for c in Self.differences {
      let texts = try JSONSerialization.data(withJSONObject: [c.given.0, c.given.1])
      let marked = try browser.strings(
        """
        const [one, other] = \(String(decoding: texts, as: UTF8.self))
        const { start, end } = difference(one, other)
        return [one, other].map(text => text.slice(start, text.length - end))
        """)
      #expect(marked == [c.expected.0, c.expected.1], "\(c)")
    }
  }
}
