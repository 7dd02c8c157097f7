package import Seedbed

/// The expressions of indexes and generated columns, over a row that may be in any table.
///
/// > pg_get_expr: If the expression might contain Vars, specify the OID of the relation they refer
/// > to as the second parameter. (System Catalog Information Functions)
///
/// So the server itself replaces the columns by those of another table, whose names are unique.
extension PostgresSession {
  package func expressions(of table: TableSchema) throws -> TableExpressions {
    let path: [Value] = [.text(dialect.table(table.name))]
    let columns = try rows(
      """
      SELECT attnum, CASE WHEN NOT attisdropped THEN attname END FROM pg_attribute
      WHERE attrelid = to_regclass(?) AND attnum > 0 ORDER BY attnum
      """, path)
    let places = columns.map { $0[1].text.flatMap { table.index(of: $0) } }
    let names = dialect.temporary("seedbed:names")
    let marks = try columns.map { try "\("seedbed:\($0.integer(0))".quoted) BOOLEAN" }
    try execute("CREATE TABLE \(names) (\(marks.joined(separator: ", ")))")
    let other = "\(names.quotedLiteral)::regclass"
    let generated = try rows(Self.generatedSQL(other), path)
    let indexes = try rows(Self.indexTermsSQL(other), path)
    try execute("DROP TABLE \(names)")

    var found = TableExpressions()
    for row in generated {
      let number = Int(try row.integer(0))
      guard let place = places[number - 1] else { continue }
      found.columns[place] = Self.expressions(row[1].text, places)?.first
    }
    let named = try indexes.map { (name: try $0.text(0), row: $0) }
    for terms in named.grouped(by: \.name) {
      found.indexes[terms[0].name] = try Self.index(terms.map(\.row), table, places)
    }
    return found
  }

  private static func generatedSQL(_ other: String) -> String {
    """
    SELECT d.adnum, pg_get_expr(d.adbin, \(other))
    FROM pg_attrdef AS d JOIN pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
    WHERE d.adrelid = to_regclass(?) AND a.attgenerated <> ''
    """
  }

  /// One row for each term. A type that no table can hold, or that may refuse NULL, is left out.
  private static func indexTermsSQL(_ other: String) -> String {
    """
    SELECT c.relname, i.indkey[a.attnum - 1],
      CASE WHEN t.typtype NOT IN ('p', 'd') THEN format_type(a.atttypid, a.atttypmod) END,
      pg_get_expr(i.indexprs, \(other)), pg_get_expr(i.indpred, \(other))
    FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
    JOIN pg_attribute AS a ON a.attrelid = i.indexrelid AND a.attnum <= i.indnkeyatts
    JOIN pg_type AS t ON t.oid = a.atttypid
    WHERE i.indrelid = to_regclass(?) AND i.indisunique AND i.indisvalid
      AND (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL)
    ORDER BY c.relname, a.attnum
    """
  }

  private static func index(
    _ rows: [[Value]], _ table: TableSchema, _ places: [Int?]
  ) throws -> IndexExpressions? {
    guard var computed = expressions(rows[0][3].text, places)?[...],
      let condition = expressions(rows[0][4].text, places)
    else { return nil }
    let terms = try rows.compactMap { row -> IndexExpressions.Term? in
      let number = Int(try row.integer(1))
      if number > 0 {
        guard let place = places[number - 1] else { return nil }
        let type = PostgresDialect.plainType(of: table.columns[place])
        return .init(RowExpression([.column(place)]), type: type)
      }
      guard let expression = computed.popFirst(), let type = row[2].text else { return nil }
      return .init(expression, type: type)
    }
    return terms.count == rows.count ? IndexExpressions(terms, where: condition.first) : nil
  }

  /// A list of expressions as the server writes it; nil if it uses a whole row.
  private static func expressions(_ sql: String?, _ places: [Int?]) -> [RowExpression]? {
    guard let sql else { return [] }
    let bytes = Array(sql.utf8)
    var (found, parts, depth, end): ([RowExpression], [RowExpression.Part], Int, Int) = (
      [], [], 0, 0
    )
    for token in SQLTokens(sql, .postgresql) where token.kind != .comment {
      // Text between two columns belongs to the second.
      let text = String(decoding: bytes[end..<token.range.upperBound], as: UTF8.self)
      end = token.range.upperBound
      depth += token.nesting
      if depth == 0, token.isSign(",") {
        found.append(RowExpression(parts))
        parts = []
      } else if token.kind == SQLToken.name, token.text.hasPrefix("seedbed:") {
        guard let number = Int(token.text.dropFirst("seedbed:".count)),
          let place = places[number - 1]
        else { return nil }
        parts += [.sql(" "), .column(place)]
      } else {
        parts.append(.sql(text))
      }
    }
    return found + [RowExpression(parts)]
  }
}
