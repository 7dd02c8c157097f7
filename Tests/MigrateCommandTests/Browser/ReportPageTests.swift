import Foundation
import Testing

@testable import MigrateCommand

/// The pages in a real browser.
@Suite(.serialized, .enabled(if: Chromium.isTested, "Scripts/setup --with browser"))
struct ReportPageTests {
  /// The story of the merge, with all that a report can show.
  private static func reported() throws -> Sandbox {
    let sandbox = try Sandbox.toldStory()
    try sandbox.run(["up"])
    try sandbox.write([
      "Migrations/0003_last/elements.update.csv": "number,name,was:name\n1,Protium,Deuterium\n"
    ])
    try sandbox.run(["report", "report.html", "--plan"])
    try sandbox.run(["show", "2", "--html", "show.html"])
    try sandbox.write(["up.json": try sandbox.run(["plan", "--each", "*.sqlite", "--json"])])
    try sandbox.write(["status.json": try sandbox.run(["status", "--each", ".", "--json"])])
    try sandbox.run(["report", "fleet.html", "up.json", "status.json"])
    return sandbox
  }

  static let pages = ["report.html", "show.html", "fleet.html"]

  @Test(arguments: Chromium.Look.all)
  func `nothing is wrong on any page`(_ look: Chromium.Look) throws {
    let (sandbox, browser) = (try Self.reported(), try Chromium())
    for page in Self.pages {
      try browser.visit("\(sandbox.path)/\(page)", look)
      for check in Accessibility.all { #expect(try browser.strings(check) == [], "\(page)") }
      try browser.run("document.querySelector('tbody tr')?.click()")
      try browser.settle()
      #expect(try browser.text("document.querySelectorAll('dialog[open]').length") == "1")
      for check in Accessibility.all { #expect(try browser.strings(check) == [], "\(page)") }
      #expect(browser.problems == [], "\(page)")
    }
  }

  @Test func `a report names the day on which a download was signed`() throws {
    let sandbox = try Sandbox.withDownload()
    let download = [
      "--migrations", "App", "--downloaded", "june.seedbed", "--signed-by", Sandbox.publicKey,
    ]
    try sandbox.run(["up"] + download)
    try sandbox.run(["report", "page.html"] + download)
    let browser = try Chromium()
    try browser.visit("\(sandbox.path)/page.html")
    let text = try browser.text(
      "document.querySelector('#downloads').closest('section').textContent")
    #expect(text.contains(#/Releases up to 2, signed on 20[0-9-]{8} by ed25519:/#), "\(text)")
  }

  @Test func `a report has all that happened`() throws {
    let (sandbox, browser) = (try Self.reported(), try Chromium())
    try browser.visit(sandbox.path + "/report.html")
    let headings = try browser.strings(
      "return [...document.querySelectorAll('h2')].map(node => node.textContent)")
    #expect(
      headings == [
        "Checks (0)", "Pending (1)", "Plan", "Timeline (2)", "Releases (3)",
        "Rows by table and release", "Conflicts (7)", "Left to the user (4)", "Backups (1)",
      ])
    let page = try browser.text("document.body.innerText")
    for part in ["up 1 → 2", "The database is at 2 of 3.", "My hydrogen", "parent deleted"] {
      #expect(page.contains(part), "\(part)")
    }
  }

  @Test func `conflicts are filtered, searched and sorted by keyboard`() throws {
    let (sandbox, browser) = (try Self.reported(), try Chromium())
    try browser.visit(sandbox.path + "/report.html")
    let grid = "[...document.querySelectorAll('[aria-label=Conflicts]')].at(-1)"
    // The tables and the rows: all are of one release.
    #expect(
      try browser.strings("return [...\(grid).tHead.rows[0].cells].map(cell => cell.innerText)")
        .prefix(2) == ["Table", "Row"])
    func status() throws -> String {
      try browser.settle()
      return try browser.text("\(grid).closest('.grid').querySelector('output').textContent")
    }
    let all = try status()
    let control = "\(grid).closest('.grid').querySelector"
    // The menu of kinds: the first letters of a choice choose it.
    try browser.run(
      "[...\(grid).closest('.grid').querySelectorAll('label')]"
        + ".find(label => label.firstChild.data == 'Kind').querySelector('select').focus()")
    try browser.send("Input.insertText", ["text": ""])
    for letter in ["e", "d", "i"] {
      try browser.send(
        "Input.dispatchKeyEvent", ["type": "keyDown", "key": letter, "text": letter])
    }
    #expect(try status().hasSuffix("of \(all)"))
    try browser.press("Home", 36)
    #expect(try status() == all)
    try browser.run("\(control)('input').focus()")
    try browser.send("Input.insertText", ["text": "HYDROGEN my"])
    try browser.run("await new Promise(done => setTimeout(done, 50))")
    #expect(try status() == "1 of \(all)")
    try browser.run("\(control)('input').select()")
    try browser.press("Delete", 46)
    try browser.run("await new Promise(done => setTimeout(done, 50))")
    #expect(try status() == all)
    // Sorted up, down and as before.
    let first = "return [\(grid).querySelector('tbody tr').cells[1].textContent]"
    let before = try browser.strings(first)
    try browser.run("\(grid).querySelectorAll('th button')[1].focus()")
    var seen: [String] = []
    for order in ["ascending", "descending", "null"] {
      try browser.press(" ", 32)
      try browser.send("Input.dispatchKeyEvent", ["type": "char", "text": " "])
      #expect(try browser.text("\(grid).querySelectorAll('th')[1].ariaSort") == order)
      seen += try browser.strings(first)
    }
    #expect(seen == ["id=1", "number=21", before[0]])
    // Down the rows, and one in full.
    try browser.run("\(grid).focus()")
    for _ in 1...2 { try browser.press("ArrowDown", 40) }
    let active = try browser.text("document.activeElement.getAttribute('aria-activedescendant')")
    #expect(try browser.text("document.getElementById('\(active)').ariaRowIndex") == "3")
    try browser.press("Enter", 13)
    #expect(try browser.text("document.querySelectorAll('dialog[open]').length") == "1")
    try browser.press("Escape", 27)
    #expect(try browser.text("document.querySelectorAll('dialog[open]').length") == "0")
    #expect(try browser.text("document.activeElement == \(grid)") == "true")
  }

  @Test func `a conflict that a person settled later says so`() throws {
    let (sandbox, browser) = (try Self.reported(), try Chromium())
    let page = try sandbox.text("report.html")
    let settled = #""settled":"seed","settledAt":"2026-12-01T10:00:00.000Z","#
    let marked = page.replacing(#""cells":"#, with: settled + #""cells":"#)
    try sandbox.write(["report.html": marked])
    try browser.visit(sandbox.path + "/report.html")
    #expect(browser.problems == [])
    #expect(try browser.text("document.body.innerText").contains("\tSettled\n"))
    try browser.run("document.querySelector('[aria-label=Conflicts] tbody tr').click()")
    let dialog = try browser.text("document.querySelector('dialog').innerText")
    #expect(dialog.contains("seed") && dialog.contains("2026-12-01 10:00:00 UTC"))
  }

  @Test func `focus is seen, and the first stop skips to the content`() throws {
    let (sandbox, browser) = (try Self.reported(), try Chromium())
    try browser.visit(sandbox.path + "/report.html")
    var unseen: [String] = []
    for stop in 0..<30 {
      try browser.press("Tab", 9)
      unseen += try browser.strings(
        """
        const node = document.activeElement
        const box = node.role == 'grid' ? node.closest('.scroller') : node
        const style = getComputedStyle(box)
        return style.outlineStyle == 'none' || parseFloat(style.outlineWidth) < 2
          ? [node.outerHTML.slice(0, 100)] : []
        """)
      if stop == 0 { #expect(try browser.text("document.activeElement.hash") == "#main") }
    }
    #expect(unseen == [])
  }

  @Test(arguments: pages) func `on paper, all rows and no controls`(_ page: String) throws {
    let (sandbox, browser) = (try Self.reported(), try Chromium())
    try browser.visit("\(sandbox.path)/\(page)")
    let rows = try browser.text("document.querySelectorAll('tbody tr').length")
    let paper = try browser.send("Page.printToPDF")["data"] as? String ?? ""
    let bytes = String(decoding: Data(base64Encoded: paper) ?? Data(), as: UTF8.self)
    #expect(bytes.matches(of: /\/Type\s*\/Page\b/).count > 0)
    try browser.send("Emulation.setEmulatedMedia", ["media": "print"])
    try browser.run("dispatchEvent(new Event('beforeprint'))")
    let controls = "[...document.querySelectorAll('input, select, nav, .hint')]"
    #expect(
      try browser.text("\(controls).filter(node => node.getClientRects().length).length") == "0")
    #expect(try browser.text("document.querySelectorAll('tbody tr').length") == rows)
  }
}
