import Testing
import TestSupport

@testable import Seedbed

struct SQLTokensTests {
  @Test(arguments: [
    ("a", ["a"]), (" a/* b */c -- d\ne", ["a", "c", "e"]), ("'a''b' \"c\"\"d\"", ["a'b", "c\"d"]),
    ("[e]]f `g`", ["e", "f", "g"]), ("x.y(1.5e3,'", ["x", "y", "1.5e3", ""]), ("/* open", []),
    ("", []), ("grün_1$ 日本", ["grün_1$", "日本"]),
  ])
  func `the words of a statement`(sql: String, words: [String]) {
    #expect(SQLTokens.words(of: sql) == words)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let sql: String
    /// The tokens between bars.
    let sqlite: String
    let postgresql: String
    var testDescription: String { sql }

    init(_ sql: String, _ sqlite: String, _ postgresql: String) {
      (self.sql, self.sqlite, self.postgresql) = (sql, sqlite, postgresql)
    }
  }

  @Test(arguments: [
    Case("[A b]", "A b", "[|a|b|]"), Case("`A b`", "A b", "`|a|b|`"),
    Case("/* a /* b */ c */", "c|*|/", ""), Case("A -- b\rc", "A", "a|c"),
    Case("E'a\\'b'", "E|a\\|b|", "a\\'b"), Case("x'00' X'a'", "x|00|X|a", "00|a"),
    Case("e'a'\n'b'", "e|a|b", "ab"), Case("U&\"a\"\"b\" U&c", "U|&|a\"b|U|&|c", "a\"b|u|&|c"),
    Case("$$A b$$ $1", "$$A|b$$|$1", "A b|$1"), Case("$q$a$b$q$c", "$q$a$b$q$c", "a$b|c"),
    Case("$q$a", "$q$a", "a"), Case("a$b$ 1$", "a$b$|1$", "a$b$|1$"),
  ])
  func `each engine divides text by its own rules`(_ test: Case) {
    let shown = { SQLTokens.code(of: test.sql, $0).map(\.text).joined(separator: "|") }
    #expect(shown(.sqlite) == test.sqlite)
    #expect(shown(.postgresql) == test.postgresql)
  }

  @Test(arguments: [
    ("RAISE(ROLLBACK, 'no')", true), ("raise /* why */ (rollback, 'no')", true),
    ("INSERT OR ROLLBACK INTO b VALUES (1)", true), ("RAISE(ABORT, 'ROLLBACK')", false),
    ("INSERT INTO rollback_log VALUES ('RAISE(ROLLBACK)')", false), ("-- OR ROLLBACK", false),
  ])
  func `a trigger may end the transaction`(_ body: String, _ may: Bool) {
    let sql = "CREATE TRIGGER g AFTER INSERT ON a BEGIN SELECT \(body); END"
    #expect(TriggerSchema(name: "g", sql: sql).mayRollBack == may)
    #expect(!TriggerSchema(name: "g", sql: sql, passesOver: []).mayRollBack)
  }

  @Test(arguments: [
    ("CREATE TABLE \"Words\" (a)", true, true), ("CREATE TABLE 'words' (a)", true, true),
    ("CREATE TABLE words_of_mine (a)", false, false), ("-- words", false, false),
    ("CREATE TABLE [words] (a)", true, true), ("SELECT 'no words'", true, true),
    ("DO $a$ BEGIN EXECUTE 'DROP TABLE words'; END $a$", true, true),
    ("/* /* */ words */", true, false),
  ])
  func `SQL contains a table's name`(_ sql: String, _ sqlite: Bool, _ postgresql: Bool) throws {
    let fixture = try Place(["0001_a/schema.sql": sql])
    let catalog = try Catalog(directory: fixture.path)
    for (flavour, isNamed) in [(SQLTokens.Flavour.sqlite, sqlite), (.postgresql, postgresql)] {
      #expect(
        try catalog.isNamed("words", in: [.schema], of: catalog.migrations(), flavour) == isNamed)
      #expect(
        try catalog.isNamed(
          "words", in: [.schema], of: catalog.migrations(), flavour, beside: [["DROP", "TABLE"]])
          == (isNamed && sql.contains("DROP")))
    }
  }
}
