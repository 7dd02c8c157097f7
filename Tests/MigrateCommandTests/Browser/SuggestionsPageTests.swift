import Testing

@testable import MigrateCommand

/// The page of what users suggest, in a real browser.
@Suite(.serialized, .enabled(if: Chromium.isTested, "Scripts/setup --with browser"))
struct SuggestionsPageTests {
  private static func line(_ number: Int, _ base: String, _ mine: String) -> String {
    "edit,elements,\"{\"\"number\"\":\(number)}\",name,\(base),\(mine),1\n"
  }

  private static let header = "kind,table,key,column,base,mine,version\n"

  private static func shown(_ files: [String: String]) throws -> Sandbox {
    let sandbox = try Sandbox.withElements([
      "Migrations/catalog.json": #"{"tables": {"elements": {"source": "data/elements.csv"}}}"#,
      "Migrations/data/elements.csv": "number,name\n1,Hydrogen\n2,Helium\n3,Lithium\n",
    ])
    try sandbox.write(files)
    _ = try Program.run(
      ["suggestions", "--html", "page.html"] + files.keys.sorted(), in: sandbox)
    return sandbox
  }

  @Test func `the most frequent come first, with their differences and states`() throws {
    let sandbox = try Self.shown([
      "1.csv": Self.header + Self.line(2, "Helium", "Helion") + Self.line(1, "Hydro", "Hydrogene"),
      "2.csv": Self.header + Self.line(2, "Helium", "Helion"),
      "3.csv": Self.header + "addition,elements,\"{\"\"number\"\":9}\",,,"
        + "\"{\"\"number\"\":9,\"\"name\"\":\"\"Mine\"\"}\",1\n"
        + "deletion,elements,\"{\"\"number\"\":3}\",,,,1\n",
    ])
    let browser = try Chromium()
    try browser.visit(sandbox.path + "/page.html")
    #expect(browser.problems == [])
    let rows = try browser.strings(
      "return [...document.querySelectorAll('tbody tr')].map(row => row.innerText)")
    #expect(rows.count == 4)
    #expect(rows.first?.hasPrefix("2") == true && rows.first?.contains("Helion") == true)
    #expect(rows.contains { $0.contains("outdated") && $0.contains("\"Hydrogen\"") })
    #expect(try browser.text("document.querySelectorAll('tbody ins').length > 0") == "true")
    try browser.run("document.querySelector('tbody tr').click()")
    try browser.settle()
    let details = try browser.text("document.querySelector('dialog').innerText")
    #expect(details.contains("data/elements.csv:3") && details.contains("open"))
    for check in Accessibility.all { #expect(try browser.strings(check) == []) }
  }

  @Test func `what strangers write is text`() throws {
    let hostile = "</script><img src=x onerror=alert(1)><!--<script>"
    let sandbox = try Self.shown([
      "1.csv": Self.header + Self.line(2, "Helium", "\"\(hostile)\"")
        + Self.line(1, "Hydrogen", "\u{202E}neg")
        + "edit,\"\(hostile)\u{202E}\",\"{\"\"a\"\":1}\",a,b,c,1\n"
    ])
    let browser = try Chromium()
    try browser.visit(sandbox.path + "/page.html")
    #expect(browser.problems == [])
    #expect(try browser.text("document.images.length + document.scripts.length") == "2")
    let page = try browser.text("document.body.innerText")
    #expect(page.contains(hostile) && page.contains(#"\u{202e}neg"#))
    #expect(page.contains("1.csv:4: No file of the catalog fills a table"))
    #expect(!page.contains("\u{202E}"))
  }
}
