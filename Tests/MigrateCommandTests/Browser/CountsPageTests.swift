import Testing

@testable import MigrateCommand

/// The page of what devices sent, in a real browser.
@Suite(.serialized, .enabled(if: Chromium.isTested, "Scripts/setup --with browser"))
struct CountsPageTests {
  @Test func `it has editions, last runs and conflicts, and text of strangers is text`() throws {
    let hostile = "</script><img src=x onerror=alert(1)>"
    let sandbox = try CountsTests.sent([
      "sent/other.json": """
      {"day": "2026-01-01", "current": 2, "state": "upToDate", "lastRun": "failed", "conflicts": [
        {"version": 2, "table": "\(hostile)", "column": null, "kind": "edited", "count": 9,
         "open": 9}]}
      """,
      "sent/bad.json": "[]",
    ])
    _ = try Program.run(["report", "page.html", "--counts", "sent"], in: sandbox)
    let browser = try Chromium()
    try browser.visit(sandbox.path + "/page.html")
    #expect(browser.problems == [])
    let rows = try browser.strings(
      "return [...document.querySelectorAll('tbody')].map(each => each.innerText)")
    #expect(rows.count == 3)
    #expect(rows.first?.hasPrefix("1\t1\t") == true, "\(rows)")
    #expect(rows[1].contains("failed") && rows[1].contains("applied"))
    #expect(rows[2].contains("(whole row)") && rows[2].contains(hostile), "\(rows)")
    let text = try browser.text("document.body.innerText")
    #expect(text.contains("Files that cannot be used (1)") && text.contains("2026-01-01 to "))
    #expect(try browser.text("document.images.length") == "0")
    for check in Accessibility.all { #expect(try browser.strings(check) == []) }
  }
}
