import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

/// `export --suggestions` on a user's machine, and `suggestions` on the author's.
struct SuggestionsCommandTests {
  private static func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox.atOne([
      "Migrations/catalog.json": #"{"tables": {"elements": {"source": "data/elements.csv"}}}"#,
      "Migrations/data/elements.csv": "number,name\n1,Hydrogen\n2,Helium\n3,Lithium\n",
    ])
    try sandbox.sql("UPDATE elements SET name = 'He' WHERE number = 2")
    try sandbox.sql("DELETE FROM elements WHERE number = 3")
    try sandbox.sql("INSERT INTO elements VALUES (9, 'Mine')")
    return sandbox
  }

  private static func run(_ line: String, _ sandbox: Sandbox) throws -> Outcome {
    try Program.run(line.split(separator: " ").map(String.init), in: sandbox).masked(sandbox)
  }

  private static let header = "kind,table,key,column,base,mine,version\n"

  @Test func `a file of a stranger has a limit as a whole`() throws {
    let sandbox = try Self.sandbox()
    let lines = (0..<100_001).map { "edit,elements,\"{\"\"number\"\":1}\",name,x,v\($0),1\n" }
    try sandbox.write(["many.csv": Self.header + lines.joined()])
    let outcome = try Self.run("suggestions many.csv --min 2", sandbox)
    let words =
      "many.csv: The file has more than 256 MiB or 100000 lines, and the rest of it was not "
    #expect(outcome.code == 2 && outcome.errors.hasPrefix(words), "\(outcome)")
    #expect(outcome.errors.hasSuffix("If you know who wrote it, split it into several files.\n"))
  }

  @Test func `hundreds of thousands of lines are only counted`() throws {
    let sandbox = try Self.sandbox()
    let known = (0..<90_000).map {
      "edit,elements,\"{\"\"number\"\":2}\",name,Helium,He\($0 % 1000),1\n"
    }
    let unknown = (0..<90_000).map { "edit,x\($0),\"{\"\"a\"\":1}\",a,b,c,1\n" }
    try sandbox.write([
      "1.csv": Self.header + known.joined(), "2.csv": Self.header + known.joined(),
      "3.csv": Self.header + unknown.joined(),
    ])
    let outcome = try Self.run("suggestions 1.csv 2.csv 3.csv --min 3", sandbox)
    #expect(outcome.code == 2 && outcome.output == "No suggestions in 3 files.\n")
    #expect(outcome.errors.hasSuffix("… and 89,980 more lines that cannot be used.\n"))
  }
}
