import Testing

@testable import SeedbedPostgres

@Suite struct `Placeholders are numbered` {
  struct Case: CustomTestStringConvertible {
    let sql: String
    let numbered: String

    init(_ sql: String, _ numbered: String) { (self.sql, self.numbered) = (sql, numbered) }

    var testDescription: String { sql }
  }

  static let cases = [
    Case("SELECT ?, ?", "SELECT $1, $2"),
    Case("SELECT ?2, ?, ?1", "SELECT $2, $3, $1"),
    Case("SELECT ?10::text, ?", "SELECT $10::text, $11"),
    Case("SELECT ?1AND ?", "SELECT $1AND $2"),
    Case("SELECT E'a'\n'\\'?', ?", "SELECT E'a'\n'\\'?', $1"),
    Case("SELECT '?', 'it''s ?', ?", "SELECT '?', 'it''s ?', $1"),
    Case("SELECT '\\', ?", "SELECT '\\', $1"),
    Case("SELECT E'\\'?', ?", "SELECT E'\\'?', $1"),
    Case("SELECT some'?', ?", "SELECT some'?', $1"),
    Case("SELECT typE'\\', ?", "SELECT typE'\\', $1"),
    Case("SELECT \"a?\"\"?\", ?", "SELECT \"a?\"\"?\", $1"),
    Case("SELECT $$?$$, $a$ ? $$ ? $a$, ?", "SELECT $$?$$, $a$ ? $$ ? $a$, $1"),
    Case("SELECT a$b$?", "SELECT a$b$$1"),
    Case("SELECT $1, ?", "SELECT $1, $1"),
    Case("SELECT 1 -- ?\n, ?", "SELECT 1 -- ?\n, $1"),
    Case("SELECT 1 /* ? /* ? */ ? */, ?", "SELECT 1 /* ? /* ? */ ? */, $1"),
    Case("SELECT 2 - ? / ?", "SELECT 2 - $1 / $2"),
    Case("SELECT 'never closed ?", "SELECT 'never closed ?"),
    Case("SELECT $$ never closed ?", "SELECT $$ never closed ?"),
    Case("SELECT /* never closed ?", "SELECT /* never closed ?"),
  ]

  @Test(arguments: cases) func `quotes and comments are left alone`(_ c: Case) {
    #expect(Placeholders.numbered(c.sql) == c.numbered)
  }
}
