import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct NewerSQLTests {
  @Test(arguments: [
    ("SELECT 1 FROM a RIGHT JOIN b", ["RIGHT JOIN 3039"]),
    ("SELECT 1 FROM a full outer join b", ["FULL OUTER JOIN 3039"]),
    ("SELECT a IS NOT DISTINCT FROM b", ["IS NOT DISTINCT FROM 3039"]),
    ("SELECT DISTINCT a FROM b WHERE a IS NOT b", []),
    ("SELECT Concat_WS (',', a), \"concat\"(a), concat, 'concat('", ["concat_ws() 3044"]),
    ("SELECT if(a, 1_000, 2), 1000", ["if() 3048", "'_' in a number 3046"]),
    ("CREATE TABLE IF NOT EXISTS a (b)", []), ("SELECT unixepoch(), iif(a, b, c)", []),
    ("SELECT group_concat(a ORDER BY b)", ["ORDER BY in group_concat() 3044"]),
    ("SELECT sum(a) OVER (ORDER BY b), (SELECT a FROM b ORDER BY c)", []),
    ("SELECT sum(a) OVER w WINDOW w AS (PARTITION BY c ORDER BY b)", []),
    ("SELECT a FROM (SELECT b ORDER BY c) WHERE d IN (SELECT e ORDER BY f)", []),
    ("SELECT iif(a, b), iif(a, b, c)", ["iif() of two arguments 3048"]),
    ("SELECT RAISE(ABORT, 'a' || b), RAISE(ABORT, 'a')", ["RAISE() of an expression 3047"]),
    ("UPDATE a SET b = datetime('now', 'subsec')", ["'subsec' 3042"]),
    ("CREATE TABLE concat (a); INSERT INTO concat (a) VALUES (1)", []),
    ("SELECT unhex(a), jsonb_tree(b) -- unistr(c)", ["unhex() 3041", "jsonb_tree() 3051"]),
  ])
  func `what is newer is found by its name`(sql: String, expected: [String]) {
    #expect(NewerSQL.uses(in: SQLText(sql).code).map { "\($0.name) \($0.since)" } == expected)
  }
}
