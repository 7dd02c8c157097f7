import Testing

@testable import Seedbed

/// What CREATE TABLE and CREATE INDEX say of expressions; `<u>` stands for the column `u`.
@Suite struct DefinitionTextTests {
  private static func expressions(
    _ sql: String
  ) throws -> (table: TableSchema, found: TableExpressions) {
    let connection = try Connection(":memory:", .memory, setup: nil)
    try connection.executeAll(sql)
    let table = try connection.schema(of: "t")
    return (table, try connection.expressions(of: table))
  }

  private static func shown(_ expression: RowExpression?, _ table: TableSchema) -> String? {
    // Spaces are left as they are written.
    expression?.sql { "<\(table.columns[$0].name)>" }.replacing(#/ +/#, with: " ")
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var index: String
    /// The terms; nil if it is not understood.
    var terms: [String]?
    var condition: String?
    var testDescription: String { index }

    init(_ index: String, _ terms: [String]?, where condition: String? = nil) {
      (self.index, self.terms, self.condition) = (index, terms, condition)
    }
  }

  static let cases = [
    Case("(lower(u))", ["(lower(<u> ))"]),
    Case("(LOWER (\"U\") desc, v ASC)", ["(LOWER (<u> ) )", "(<v>)"]),
    Case("(u || v COLLATE NOCASE)", ["(<u> || <v> COLLATE NOCASE)"]),
    Case("(u + 1.5e3, [v] || `u`)", ["(<u> + 1.5e3)", "(<v> || <u> )"]),
    Case("(CAST(u AS v text))", ["(CAST(<u> AS v text))"]),
    Case("(CAST(u AS VARCHAR(10)) || v)", ["(CAST(<u> AS VARCHAR(10)) || <v> )"]),
    Case("(x'00' || x || 'u')", ["(x'00' || <x> || 'u')"]),
    Case("(u/* , v */||v)", ["(<u> ||<v> )"]),
    Case("(max(u, v), coalesce(u, (v)))", ["(max(<u> , <v> ))", "(coalesce(<u> , (<v> )))"]),
    Case("(u ->> '$.v')", ["(<u> ->> '$.v')"]),
    Case("(replace(\"replace\", 'a', 'b'))", ["(replace(<replace> , 'a', 'b'))"]),
    Case("(u) WHERE v", ["(<u>)"], where: "(<v> )"),
    Case(
      "(u) WHERE v IN (1, 2) AND u NOT NULL -- why", ["(<u>)"],
      where: "(<v> IN (1, 2) AND <u> NOT NULL )"),
    Case("(u) WHERE v = \"word\"", ["(<u>)"], where: "(<v> = 'word' )"),
    Case(
      "(lower(\"a (b\"\" c\")) WHERE größe > 0", ["(lower(<a (b\" c> ))"], where: "(<größe> > 0)"),
    // A column, or a part of CASE.
    Case("(lower(end))", nil), Case("(u) WHERE end", nil),
    Case("(CASE WHEN u THEN v END)", nil),
    Case("(lower(\"end\"))", ["(lower(<end> ))"]),
  ]

  @Test(arguments: cases) func `an index says`(_ c: Case) throws {
    let (table, found) = try Self.expressions(
      """
      CREATE TABLE t (u TEXT, v TEXT, x BLOB, "end" TEXT, "replace" TEXT, größe, "a (b"" c" TEXT);
      CREATE UNIQUE INDEX "i (" ON t \(c.index);
      """)
    let index = found.indexes["i ("]
    #expect(index?.terms.compactMap { Self.shown($0.expression, table) } == c.terms)
    #expect(Self.shown(index?.condition, table) == c.condition)
    guard let index else { return }
    // What is put together again is what the index holds, so SQLite finds rows by it.
    let connection = try Connection(":memory:", .memory, setup: nil)
    try connection.executeAll(
      """
      CREATE TABLE t (u TEXT, v TEXT, x BLOB, "end" TEXT, "replace" TEXT, größe, "a (b"" c" TEXT);
      CREATE UNIQUE INDEX "i (" ON t \(c.index);
      """)
    let column = { (place: Int) in "h.\(table.columns[place].name.quoted)" }
    let terms = zip(index.terms, table.indexes[0].collations).map {
      "\($0.expression.sql(column)) COLLATE \($1) = ?"
    }
    let conditions = terms + [index.condition?.sql(column)].compactMap(\.self)
    let plan = try connection.rows(
      "EXPLAIN QUERY PLAN SELECT 1 FROM t AS h WHERE \(conditions.allTrue)")
    #expect(plan.contains { $0[3].text?.contains("USING INDEX i (") == true })
  }

  @Test func `generated columns say`() throws {
    let (table, found) = try Self.expressions(
      """
      CREATE TABLE "t" (u TEXT DEFAULT (lower('AS')) CHECK (CAST(u AS TEXT) > ''),
        a TEXT AS (lower(u)) STORED UNIQUE, "b c" GENERATED ALWAYS AS (u || ', ' || a) VIRTUAL,
        n INTEGER NOT NULL -- the last, AS (1)
          AS (CASE WHEN u IS NULL THEN 0 ELSE length(u) END), UNIQUE (u, a))
      """)
    #expect(
      found.columns.mapValues { Self.shown($0, table) }
        == [
          1: "(lower(<u> ))", 2: "(<u> || ', ' || <a> )",
          3: "(CASE WHEN <u> IS NULL THEN 0 ELSE length(<u> ) END)",
        ])
    #expect(found.indexes.isEmpty)
  }
}
