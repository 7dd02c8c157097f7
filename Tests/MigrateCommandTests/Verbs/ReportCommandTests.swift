import Foundation
import TestSupport
import Testing

@testable import MigrateCommand
@testable import Seedbed

struct ReportCommandTests {
  /// The data inside of a page.
  private static func data(_ page: String) throws -> [String: Any] {
    let start = #"<script type="application/json" id="data">"#
    let text = page.components(separatedBy: start).last?.components(separatedBy: "</script>")[0]
    let object = try JSONSerialization.jsonObject(with: Data((text ?? "").utf8))
    return object as? [String: Any] ?? [:]
  }

  private static func data(_ sandbox: Sandbox, _ page: String) throws -> [String: Any] {
    try data(try sandbox.text(page))
  }

  private static func list(_ object: [String: Any], _ key: String) -> [[String: Any]] {
    object[key] as? [[String: Any]] ?? []
  }

  @Test func `a report of one database`() throws {
    let sandbox = try Sandbox.toldStory()
    try sandbox.run(["up"])
    let before = try sandbox.contents()
    let outcome = try Program.run(["report", "out.html"], in: sandbox).masked(sandbox)
    #expect(outcome == Outcome(output: "Wrote out.html (SIZE). Open it in a browser.\n"))
    var after = try sandbox.contents()
    after["out.html"] = nil
    #expect(after == before)

    let data = try Self.data(sandbox, "out.html")
    #expect(data["title"] as? String == "app.sqlite" && data["plan"] is NSNull)
    let runs = Self.list(data, "runs")
    #expect(runs.map { $0["outcome"] as? String } == ["applied", "applied"])
    #expect(runs.map { $0["to"] as? Int } == [1, 2])
    let releases = Self.list(data, "releases")
    #expect(releases.map { $0["run"] as? Int } == [1, 2])
    #expect(releases.map { $0["inserted"] as? Int } == [5, 0])
    #expect(
      Self.list(releases[1], "tables").map { "\($0["table"] ?? "") \($0["updated"] ?? "")" }
        == ["elements 2", "isotopes 0"])
    let conflict = try #require(
      Self.list(data, "conflicts").first { $0["kind"] as? String == "edited" })
    #expect(conflict["key"] as? String == "number=1" && conflict["winner"] as? String == "mine")
    #expect(
      conflict["outcome"] as? String == "the user's value stays; the rest was updated (keepEdits)")
    #expect(
      conflict["cells"] as? [[String]]
        == [["name", #""Hydrogen""#, #""My hydrogen""#, #""Deuterium""#]])
    #expect(Self.list(data, "left").contains { $0["key"] as? String == "number=20" })
    #expect(Self.list(data, "backups").count == 1)
  }

  @Test func `what is pending is estimated, and with --plan predicted`() throws {
    let sandbox = try Sandbox.toldStory()
    let before = try sandbox.sql("SELECT name FROM elements ORDER BY number")
    try sandbox.run(["report", "out.html", "--plan"])
    let data = try Self.data(sandbox, "out.html")
    #expect((data["estimate"] as? [String: Any])?["pending"] as? [Int] == [2])
    let plan = try #require(data["plan"] as? [String: Any])
    #expect(plan["to"] as? Int == 2 && plan["conflictCount"] as? Int == 7)
    #expect(try sandbox.sql("SELECT name FROM elements ORDER BY number") == before)
  }

  @Test func `what is wrong is in the report, too`() throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    try sandbox.write(["Migrations/0001_elements/elements.csv": "number,name\n1,Hydrogenium\n"])
    try sandbox.run(["report", "out.html", "--plan"])
    let data = try Self.data(sandbox, "out.html")
    #expect(Self.list(data, "findings").map { $0["code"] as? String } == ["drift"])
    let error = (data["plan"] as? [String: Any])?["error"] as? [String: Any]
    #expect(error?["code"] as? String == "drift")
  }

  @Test func `numbers that a browser would round are texts`() throws {
    let sandbox = try Sandbox.atOne()
    try sandbox.sql("INSERT INTO elements VALUES (9007199254740993, 'Beryllium')")
    try sandbox.write(Sandbox.more)
    try sandbox.run(["up"])
    try sandbox.run(["report", "out.html"])
    let conflict = Self.list(try Self.data(sandbox, "out.html"), "conflicts")[0]
    #expect("\(conflict["cells"] ?? "")".contains("9007199254740993"))
    #expect(try sandbox.text("out.html").contains(#""9007199254740993""#))
  }

  // MARK: many databases

  @Test func `a report of many, from files and from stdin`() throws {
    let sandbox = try Sandbox.atOne()
    try sandbox.write(["status.json": try sandbox.run(["status", "--each", ".", "--json"])])
    try sandbox.write(["plan.json": try sandbox.run(["plan", "--each", ".", "--json"])])
    try sandbox.run(["report", "out.html", "status.json", "plan.json"])
    let documents = Self.list(try Self.data(sandbox, "out.html"), "documents")
    #expect(documents.map { $0["file"] as? String } == ["status.json", "plan.json"])
    #expect((documents[0]["document"] as? [String: Any])?["databases"] as? Int == 1)

    let piped = try sandbox.shell(
      "migrate status --each . --json | migrate report piped.html - --quiet")
    #expect(piped == Outcome())
    #expect(
      Self.list(try Self.data(sandbox, "piped.html"), "documents")[0]["file"] as? String == "stdin")
  }

  // MARK: the page

  @Test func `nothing runs but what the policy names, and data end no element`() throws {
    let hostile = "</script><script>alert(1)</script><!--"
    let sandbox = try Sandbox.withElements([
      "Migrations/0002_next/elements.csv": "number,name\n4,\"\(hostile)\"\n"
    ])
    let page = try sandbox.run(["show", "--html"])
    #expect(!page.contains(hostile) && page.contains(#"\u003c/script>"#))
    #expect(page.components(separatedBy: "<script").count == 3)
    for (tag, directive) in [("script", "script-src"), ("style", "style-src")] {
      let text = page.components(separatedBy: "<\(tag)>").last?
        .components(separatedBy: "</\(tag)>")[0]
      try sandbox.write(["part": text ?? ""])
      let digest = try sandbox.shell("openssl dgst -sha256 -binary part | openssl base64")
      #expect(page.contains("\(directive) 'sha256-\(Transcript.trimmed(digest.output))'"))
    }
    #expect(page.contains("default-src 'none'; "))
    for word in ["innerHTML", "insertAdjacentHTML", "outerHTML", "eval(", "http:", "https:"] {
      #expect(!page.contains(word), "\(word)")
    }
    let file = try Program.run(["show", "--html", "out.html", "--json"], in: sandbox)
    #expect(file.masked(sandbox).output.hasPrefix(#"{"schema":1,"file":"~/out.html","outcome":"#))
    #expect(try Self.data(sandbox, "out.html")["page"] as? String == "release")
  }

  @Test func `show --html has every row, unless --limit says fewer`() throws {
    let rows = (4..<104).map { "\($0),name \($0)\n" }.joined()
    let sandbox = try Sandbox.withElements([
      "Migrations/0002_next/elements.csv": "number,name\n" + rows
    ])
    func table(_ words: String...) throws -> [String: Any] {
      let data = try Self.data(try sandbox.run(["show", "--html"] + words))
      return Self.list(Self.list(data, "releases")[0], "tables")[0]
    }
    #expect((try table()["rows"] as? [Any])?.count == 100)
    let limited = try table("--limit", "7")
    #expect((limited["rows"] as? [Any])?.count == 7 && limited["omitted"] as? Int == 93)
    #expect(
      (limited["rows"] as? [[Any]])?[0][1] as? String == "number=4")
  }
}
