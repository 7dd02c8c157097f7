import TestSupport
import Testing

@testable import MigrateCommand

/// Whose a row is, by the command.
struct OriginCommandTests {
  private struct Case: CustomTestStringConvertible, Sendable {
    let key: String
    let words: String
    let json: String
    var testDescription: String { key }
  }

  private static let cases = [
    Case(key: "1,de", words: "the seed's, as it was shipped", json: #""origin":"seed""#),
    Case(key: "2,de", words: "the seed's, changed by the user", json: #""origin":"editedSeed""#),
    Case(
      key: "3,de", words: "the seed's, deleted by the user", json: #""origin":"deletedSeed""#),
    Case(
      key: "4,de", words: "the seed's, as it was shipped; pinned", json: #""isPinned":true"#),
    Case(key: "5,de", words: "the user's", json: #""origin":"user","original":null"#),
    Case(
      key: "6,de", words: "no such row, neither in the database nor in the catalog",
      json: #""origin":null"#),
  ]

  private static func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox().write([
      "Migrations/0001_t/up.sql":
        "CREATE TABLE t (id INT, tag TEXT, name TEXT, PRIMARY KEY (id, tag));",
      "Migrations/0001_t/t.csv": "id,tag,name\n1,de,eins\n2,de,zwei\n3,de,drei\n4,de,vier\n",
    ])
    _ = try Program.run(["up", "--quiet"], in: sandbox)
    try sandbox.sql("UPDATE t SET name = 'zwo' WHERE id = 2")
    try sandbox.sql("DELETE FROM t WHERE id = 3")
    try sandbox.sql("INSERT INTO t VALUES (5, 'de', 'fünf')")
    _ = try Program.run(["pin", "t", "4,de"], in: sandbox)
    return sandbox
  }

  @Test(arguments: cases) private func `a row is`(_ row: Case) throws {
    let sandbox = try Self.sandbox()
    let text = try Program.run(["origin", "t", row.key], in: sandbox)
    #expect(text.code == 0 && text.output.hasPrefix("t \(row.key): \(row.words).\n"), "\(text)")
    let json = try Program.run(["origin", "t", row.key, "--json"], in: sandbox)
    #expect(json.code == 0 && json.output.contains(row.json), "\(json)")
  }

  @Test func `the seed's values are shown`() throws {
    let text = try Program.run(["origin", "t", "2,de"], in: Self.sandbox()).output
    #expect(text.hasSuffix("\nIn the catalog: id=2, tag=\"de\", name=\"zwei\"\n"), "\(text)")
  }

  @Test(arguments: [
    (["t"], "'origin' needs KEY"), (["u", "1,de"], "has no table 'u'"),
    (["t", "1"], "The catalog has no row '1' of 't'"),
  ])
  func `what it cannot answer`(_ words: [String], _ reason: String) throws {
    let sandbox = try Self.sandbox()
    let refused = try Program.run(["origin"] + words, in: sandbox)
    #expect(refused.code != 0 && refused.errors.contains(reason), "\(refused)")
  }

  /// The row files name the parent, which the user renamed or deleted.
  @Test(arguments: [
    "UPDATE words SET code = 'mine' WHERE code = 'a'", "DELETE FROM words WHERE code = 'a'",
  ])
  func `what only reads refuses no row whose parent is gone`(_ change: String) throws {
    let sandbox = try Sandbox().write([
      "Migrations/catalog.json": #"{"tables": {"words": {"key": ["code"]}}}"#,
      "Migrations/0001_t/up.sql": """
      CREATE TABLE words (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE texts (
        id INTEGER PRIMARY KEY, wid INTEGER REFERENCES words ON DELETE SET NULL, t TEXT);
      """,
      "Migrations/0001_t/words.csv": "code\na\nb\n",
      "Migrations/0001_t/texts.csv": "id,wid:words.code,t\n1,a,one\n2,b,two\n",
    ])
    _ = try Program.run(["up", "--quiet"], in: sandbox)
    try sandbox.sql("PRAGMA foreign_keys = ON; \(change)")
    try sandbox.sql("INSERT INTO texts VALUES (50, 2, 'my own')")
    try sandbox.sql("UPDATE texts SET t = 'mine' WHERE id = 2")
    let mine = try Program.run(["export", "texts", "--mine"], in: sandbox)
    #expect(mine.code == 0 && mine.output.contains("50,2,my own"), "\(mine)")
    #expect(mine.output.contains("2,2,mine"), "\(mine)")
    let origin = try Program.run(["origin", "texts", "1"], in: sandbox)
    #expect(origin.code == 0 && origin.output.hasPrefix("texts 1: the seed's"), "\(origin)")
  }
}
