import Foundation
import TestSupport
import Testing

/// `export --suggestions --each`: what the users of many databases corrected.
struct ExportEachTests {
  private static func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox.atOne([
      "Migrations/catalog.json": #"{"tables": {"elements": {"source": "data/elements.csv"}}}"#,
      "Migrations/data/elements.csv": "number,name\n1,Hydrogen\n2,Helium\n3,Lithium\n",
    ])
    for name in ["a", "b", "c"] { try sandbox.do("up --database \(name).db") }
    for name in ["a", "c"] {
      try sandbox.sql("UPDATE elements SET name = 'He' WHERE number = 2", database: "\(name).db")
    }
    return sandbox
  }

  private static func run(_ line: String, _ sandbox: Sandbox) throws -> Outcome {
    try Program.run(line.split(separator: " ").map(String.init), in: sandbox).masked(sandbox)
  }

  private static let export = "export --suggestions --each *.db --out inbox"

  @Test func `each database with suggestions gets a file that does not name it`() throws {
    let sandbox = try Self.sandbox()
    #expect(
      try Self.run(Self.export, sandbox)
        == Outcome(
          output: """
            3 databases: 2 with suggestions, 1 without suggestions
            a.db  1 suggestion
            c.db  1 suggestion

            """))
    let inbox = sandbox.path + "/inbox"
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: inbox).sorted() == ["1.csv", "3.csv"])
    let one = try sandbox.do("export --suggestions --database a.db")
    #expect(try sandbox.text("inbox/1.csv") == one)
    let list = try sandbox.do("suggestions inbox/1.csv inbox/3.csv")
    #expect(list.contains("2 devices"), "\(list)")
  }

  @Test func `a second run counts nothing again`() throws {
    let sandbox = try Self.sandbox()
    let lost = try Self.run(Self.export + "/of/june", sandbox)
    #expect(lost.code == 2 && lost.errors.contains("inbox/of"), "\(lost)")
    let file = try Self.run("export --suggestions --each *.db --out a.db", sandbox)
    #expect(file.code == 64 && file.errors.contains("'a.db' is no folder."), "\(file)")
    try sandbox.do(Self.export)
    let again = try Self.run(Self.export, sandbox)
    #expect(again.code == 64 && again.errors.contains("'inbox' is not empty"), "\(again)")
  }

  @Test func `what CSV cannot hold is reported, with the code`() throws {
    let sandbox = try Self.sandbox()
    try sandbox.sql("UPDATE elements SET name = x'00ff' WHERE number = 3", database: "b.db")
    let outcome = try Self.run(Self.export + " --json", sandbox)
    #expect(outcome.code == 2)
    let document =
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let each = try #require(document?["each"] as? [[String: Any]])
    #expect(each.map { $0["count"] as? Int } == [1, 0, 1])
    #expect(each.map { ($0["unwritable"] as? [Any])?.count } == [0, 1, 0])
    #expect(each.map { ($0["file"] as? String)?.hasSuffix(".csv") } == [true, nil, true])
  }

  @Test func `without a folder, or for whole tables, it is refused`() throws {
    let sandbox = try Self.sandbox()
    let bare = try Self.run("export --suggestions --each *.db", sandbox)
    #expect(bare.code == 64 && bare.errors.contains("'--out FOLDER' names a new or empty folder"))
    let table = try Self.run("export elements --mine --each *.db --out inbox", sandbox)
    #expect(table.code == 64 && table.errors.contains("Give --suggestions."), "\(table)")
  }
}
