import Testing

@testable import Seedbed
@testable import SeedbedPostgres

@Suite(.enabled(if: Cluster.isInstalled)) struct ExpressionsTests {
  @Test func `indexes and generated columns tell what they compute`() throws {
    try withSession { session in
      try session.executeAll(
        """
        CREATE DOMAIN short AS varchar(5) NOT NULL;
        CREATE TABLE words (gone int, id int PRIMARY KEY, "a b" text, "year" date, c varchar(9),
          d short, low text GENERATED ALWAYS AS (lower(c) || 'x, y') STORED UNIQUE);
        ALTER TABLE words DROP gone;
        CREATE UNIQUE INDEX one ON words (lower("a b"), id, (c || "a b") COLLATE "C");
        CREATE UNIQUE INDEX part ON words (d) WHERE id > 0 AND "a b" IN ('seedbed:3', 'y');
        CREATE UNIQUE INDEX parts ON words ((date_part('year', "year")), (ARRAY[id, id + 1]));
        CREATE UNIQUE INDEX whole ON words ((words IS NOT NULL));
        CREATE UNIQUE INDEX domains ON words (d, lower(d)) INCLUDE (c);
        CREATE INDEX plain ON words (upper(c));
        """)
      let table = try session.schema(of: "words")
      let found = try session.expressions(of: table)
      let shown = { (expression: RowExpression) in
        expression.sql { "<\(table.columns[$0].name)>" }.replacing(#/ +/#, with: " ")
      }
      #expect(found.columns.mapValues(shown) == [5: "((lower(( <c>)::text) || 'x, y'::text))"])
      let indexes = found.indexes.mapValues { index in
        index.terms.map { "\(shown($0.expression)) \($0.type)" }
          + [index.condition.map { "WHERE " + shown($0) }].compactMap(\.self)
      }
      #expect(
        indexes == [
          "one": ["(lower( <a b>)) text", "(<id>) integer", "( (( <c>)::text || <a b>)) text"],
          "part": [
            "(<d>) character varying(5)",
            "WHERE ((( <id> > 0) AND ( <a b> = ANY (ARRAY['seedbed:3'::text, 'y'::text]))))",
          ],
          "parts": [
            "(date_part('year'::text, <year>)) double precision",
            "( ARRAY[ <id>, ( <id> + 1)]) integer[]",
          ],
          "domains": ["(<d>) character varying(5)", "(lower(( <d>)::text)) text"],
        ])
      #expect(try session.value("SELECT to_regclass('pg_temp.\"seedbed:names\"')") == .null)
    }
  }
}
