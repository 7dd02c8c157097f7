import Testing

@testable import MigrateCommand

/// Releases of all sizes and from anybody, in a real browser.
@Suite(.serialized, .enabled(if: Chromium.isTested, "Scripts/setup --with browser"))
struct ReleasePageTests {
  private static func shown(_ files: [String: String]) throws -> Sandbox {
    let sandbox = try Sandbox.withElements(files)
    try sandbox.run(["show", "--html", "show.html"])
    return sandbox
  }

  private static let grid = "document.querySelector('[aria-label=Changes]')"

  /// A page of so many changes, scrolled through in 100 steps.
  private struct Scrolled {
    let browser: Chromium
    /// What each step takes of the page's own thread, and on the clock.
    var thread: [Double] = []
    var walls: [Double] = []

    init(_ count: Int) throws {
      let lines = (0..<count).map {
        "\($0),\"a text number \($0) is new\",\"a text \($0) is old\"\n"
      }
      let sandbox = try ReleasePageTests.shown([
        "Migrations/0002_next/elements.update.csv": "number,name,was:name\n" + lines.joined()
      ])
      browser = try Chromium()
      try browser.visit(sandbox.path + "/show.html")
      var last = try browser.threadTime()
      for step in 1...100 {
        let wall = try browser.run(
          """
          const box = \(ReleasePageTests.grid).closest('.scroller'), start = performance.now()
          box.scrollTop = (box.scrollHeight - box.clientHeight) * \(step) / 100
          await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
          return performance.now() - start
          """)
        walls.append((wall as? Double) ?? .infinity)
        let time = try browser.threadTime()
        thread.append(time - last)
        last = time
      }
    }
  }

  /// The machine may be slow, and busy with other tests: a page of 300 changes says how much.
  @Test func `100,000 changes scroll, sort and are searched without stalling`() throws {
    let (few, many) = (try Scrolled(300), try Scrolled(100_000))
    let browser = many.browser
    #expect(try browser.text("\(Self.grid).ariaRowCount") == "100001")
    #expect(many.thread.sorted()[50] < 2 * few.thread.sorted()[50])
    #expect(many.walls.sorted()[50] < 2 * few.walls.sorted()[50])
    #expect(many.thread.sorted()[99] < 4 * few.thread.sorted()[99], "\(many.thread)")
    let ends = try browser.strings(
      """
      const row = \(Self.grid).querySelector('tbody').lastChild
      const room = \(Self.grid).closest('.scroller').getBoundingClientRect().bottom
      const gap = room - row.getBoundingClientRect().bottom
      return [row.ariaRowIndex, gap >= 0 && gap < 3 ? 'in view' : `${gap} px away`]
      """)
    #expect(ends == ["100001", "in view"])
    #expect(try browser.text("\(Self.grid).querySelectorAll('tbody tr').length < 60") == "true")

    let last = try browser.threadTime()
    try browser.run("[...\(Self.grid).querySelectorAll('button')].at(-1).click()")
    try browser.run("[...\(Self.grid).querySelectorAll('button')].at(-1).click()")
    let sorted = try browser.threadTime()
    #expect(sorted - last < 2000)
    let first = try browser.text("\(Self.grid).querySelector('td:last-child').textContent")
    #expect(first.contains("number 99999 is new"))
  }

  @Test func `whatever data hold is text`() throws {
    let hostile = "</script><img src=x onerror=alert(1)><!--<script>"
    let long = String(repeating: "x", count: 1 << 20)
    let sandbox = try Self.shown([
      "Migrations/0002_next/migration.json":
        #"{"description": "\#(hostile) \u0000 \u202e right to left"}"#,
      "Migrations/0002_next/up.sql": "SELECT '\(hostile)';\n",
      "Migrations/0002_next/elements.csv": """
      number,name
      4,"\(hostile)"
      5,"\(long)"
      6,"\u{202E}שלום\u{200B}"
      7,"{{constructor}} ${alert(1)} \u{1F468}\u{200D}\u{1F469} &lt;b&gt; \\u003c"

      """,
    ])
    let browser = try Chromium()
    try browser.visit(sandbox.path + "/show.html")
    #expect(browser.problems == [])
    #expect(try browser.text("document.images.length + document.scripts.length") == "2")
    let page = try browser.text("document.body.innerText")
    #expect(page.contains("SELECT '\(hostile)'"))
    #expect(page.contains("name=\"\(hostile)\""))
    #expect(page.contains(#"\u{202e}שלום\u{200b}"#))
    #expect(try browser.text("document.querySelector('header p').textContent").contains(hostile))
    try browser.run("\(Self.grid).querySelectorAll('tbody tr')[1].click()")
    try browser.settle()
    #expect(
      try browser.text("document.querySelector('dialog').textContent.includes('x'.repeat(1 << 20))")
        == "true")
    for check in Accessibility.all { #expect(try browser.strings(check) == []) }
  }
}
