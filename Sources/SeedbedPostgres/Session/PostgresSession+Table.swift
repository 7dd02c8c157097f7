package import Seedbed

/// Reads columns, indexes and foreign keys of tables in one statement, each as an array of JSON.
extension PostgresSession {
  package func schema(of name: String) throws -> TableSchema {
    if let known = knownSchema?.tables[name] { return known }
    let path = dialect.table(name)
    let rows = try schemaRows("c.oid = to_regclass(?)", [.text(path)])
    let schema = try Self.table(name, rows[name] ?? [:])
    try remember(schema)
    return schema
  }

  /// A caller that needs many tables needs all: read at once, a table takes a tenth of the time.
  private func remember(_ schema: TableSchema) throws {
    knownSchema?.tables[schema.name] = schema
    guard knownSchema?.tables.count == 8 else { return }
    let all = try schemaRows("\(Self.isTable) AND pg_table_is_visible(c.oid)", [])
    for (name, rows) in all where knownSchema?.tables[name] == nil {
      // An error in a table is reported when it is asked for.
      knownSchema?.tables[name] = try? Self.table(name.text, rows)
    }
  }

  /// By tables and parts: 0 is the table itself, 1 columns, 2 indexes, 3 foreign keys.
  private func schemaRows(
    _ condition: String, _ values: [Value]
  ) throws -> [ExactText: [Int64: [SchemaRow]]] {
    var tables: [ExactText: [Int64: [SchemaRow]]] = [:]
    for row in try rows(Self.schemaSQL(condition), values) {
      tables[try row.text(0), default: [:]][try row.integer(1), default: []].append(
        try SchemaRow(row.text(2)))
    }
    return tables
  }

  private static func table(_ name: String, _ parts: [Int64: [SchemaRow]]) throws -> TableSchema {
    let indexes = (parts[2] ?? []).map(Self.index)
    let key = indexes.first { $0.origin == "pk" }?.columns ?? []
    let columns = (parts[1] ?? []).map { Self.column($0, key) }
    try SeedbedError.refuseSimilar(columns.map(\.name), name)
    let facts = parts[0]?.first
    // Foreign keys also ignore rows of tables that inherit from it. Rows of partitions are its own.
    let only = facts?.isTrue(0) == true ? "ONLY " : ""
    return TableSchema(
      name: name, sql: only + PostgresDialect.shared.table(name), isWithoutRowid: true,
      isStrict: true, columns: columns, indexes: indexes,
      foreignKeys: try (parts[3] ?? []).map(Self.foreignKey),
      partitionKey: facts?.texts(1).compactMap(\.self) ?? [], whole: facts?.text(2))
  }

  private static func column(_ row: SchemaRow, _ key: [String?]) -> ColumnSchema {
    let name = row.text(0) ?? ""
    return ColumnSchema(
      name: name, declaredType: row.text(1) ?? "", isNotNull: row.isTrue(2),
      defaultSQL: row.text(3),
      primaryKeyPosition: (key.firstIndex { $0?.isSameText(as: name) == true } ?? -1) + 1,
      generated: row.isTrue(4) ? .stored : .no, collation: row.text(5) ?? "",
      isAutoincrement: row.isTrue(6), baseType: row.text(7),
      labels: row.texts(8).compactMap(\.self), isFixed: row.isTrue(10),
      hasVolatileDefault: row.isTrue(9))
  }

  private static func index(_ row: SchemaRow) -> IndexSchema {
    var index = IndexSchema(
      name: row.text(0) ?? "", isUnique: row.isTrue(1), origin: row.text(2) ?? "c",
      isPartial: row.isTrue(3), columns: row.texts(4), collations: row.texts(5).map { $0 ?? "" })
    (index.isDeferrable, index.hasOneNull) = (row.isTrue(6), row.isTrue(7))
    return index
  }

  private static func foreignKey(_ row: SchemaRow) throws -> ForeignKey {
    let parent = row.text(1) ?? ""
    if row.isTrue(2) { throw SeedbedError.pointInName(parent) }
    return ForeignKey(
      id: Int64(row.text(0) ?? "") ?? 0, parent: parent,
      childColumns: row.texts(3).compactMap(\.self), parentColumns: row.texts(4).compactMap(\.self),
      isImmediate: row.isTrue(5), isImmediateOnDelete: row.isTrue(6), onDelete: row.text(7))
  }

  // MARK: SQL

  private static func schemaSQL(_ condition: String) -> String {
    """
    WITH me AS (
      SELECT c.oid, \(spelled) AS name, format('%I.%I', n.nspname, c.relname) AS path,
        c.relkind, c.relispartition
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE \(condition))
    SELECT me.name, 0, \(tableSQL), 0 FROM me
    UNION ALL
    SELECT me.name, 1, \(columnSQL), a.attnum
    FROM me JOIN pg_attribute AS a ON a.attrelid = me.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type AS t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    LEFT JOIN pg_collation AS o ON o.oid = a.attcollation
    UNION ALL
    SELECT me.name, 2, \(indexSQL), row_number() OVER (ORDER BY c.relname COLLATE "C")
    FROM me JOIN pg_index AS i ON i.indrelid = me.oid AND i.indisvalid
    JOIN pg_class AS c ON c.oid = i.indexrelid
    UNION ALL
    SELECT me.name, 3, \(foreignKeySQL), row_number() OVER (ORDER BY k.oid)
    FROM me JOIN pg_constraint AS k ON k.conrelid = me.oid AND k.contype = 'f'
    JOIN pg_class AS c ON c.oid = k.confrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
    -- A key to a table in partitions has one more for each of them.
    WHERE NOT EXISTS (
      SELECT FROM pg_constraint AS p WHERE p.oid = k.conparentid AND p.conrelid = k.conrelid)
    ORDER BY 2, 4
    """
  }

  private static let tableSQL = """
    json_build_array(
      me.relkind = 'r',
      -- A partition may be in partitions itself.
      CASE WHEN me.relkind = 'p' THEN (SELECT json_agg(DISTINCT a.attname)
        FROM pg_partition_tree(me.oid) AS x JOIN pg_partitioned_table AS p ON p.partrelid = x.relid
        JOIN pg_attribute AS a ON a.attrelid = x.relid AND a.attnum = ANY (p.partattrs)
        WHERE a.attnum > 0) END,
      CASE WHEN me.relispartition THEN (SELECT \(spelled)
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.oid = pg_partition_root(me.oid)) END)::text
    """

  private static let columnSQL = """
    json_build_array(
      a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull
        OR t.typtype = 'd' AND (\(baseSQL("b.isNotNull"))),
      CASE WHEN a.attidentity <> '' THEN
        'nextval(' || quote_literal(pg_get_serial_sequence(me.path, a.attname)) || '::regclass)'
      WHEN a.attgenerated = '' THEN
        pg_get_expr(coalesce(d.adbin, t.typdefaultbin), a.attrelid) END,
      a.attgenerated <> '', o.collname,
      a.atttypid IN (20, 21, 23) AND pg_get_serial_sequence(me.path, a.attname) IS NOT NULL,
      CASE WHEN t.typtype = 'd' THEN (\(baseSQL("format_type(b.oid, b.typmod)"))) END,
      CASE WHEN t.typtype = 'e' THEN (\(labelsSQL("t.oid")))
        WHEN t.typtype = 'd' THEN (\(baseSQL("(\(labelsSQL("b.oid")))"))) END,
      a.attidentity <> '' OR \(volatileSQL("coalesce(d.adbin, t.typdefaultbin)")),
      a.attidentity = 'a')::text
    """

  /// The type under a domain, which may be a domain itself.
  private static func baseSQL(_ value: String) -> String {
    """
    WITH RECURSIVE b AS (
      SELECT t.typbasetype AS oid, t.typtypmod AS typmod, t.typnotnull AS isNotNull
      UNION ALL
      SELECT e.typbasetype, e.typtypmod, b.isNotNull OR e.typnotnull
      FROM b JOIN pg_type AS e ON e.oid = b.oid
      WHERE e.typtype = 'd')
    SELECT \(value) FROM b JOIN pg_type AS e ON e.oid = b.oid WHERE e.typtype <> 'd'
    """
  }

  private static func labelsSQL(_ type: String) -> String {
    "SELECT json_agg(l.enumlabel ORDER BY l.enumsortorder) FROM pg_enum AS l "
      + "WHERE l.enumtypid = \(type)"
  }

  /// The functions and operators in an expression, and the values that depend on the clock, on a
  /// sequence or on settings without a function.
  private static func volatileSQL(_ tree: String) -> String {
    """
    coalesce(
      \(tree)::text ~ '\\{(SQLVALUEFUNCTION|NEXTVALUEEXPR|COERCEVIAIO|XMLEXPR|JSON)' OR EXISTS (
        SELECT FROM regexp_matches(\(tree)::text, ':(?:opfuncid|funcid) ([0-9]+)', 'g') AS f
        JOIN pg_proc AS p ON p.oid = f[1]::oid WHERE p.provolatile <> 'i'), false)
    """
  }

  /// > A deterministic collation: two strings are equal if their bytes are. (Collation Support)
  ///
  /// So an index with another deterministic collation distinguishes the same rows.
  private static let indexSQL = """
    json_build_array(
      c.relname, i.indisunique,
      CASE WHEN i.indisprimary THEN 'pk'
        WHEN EXISTS (SELECT FROM pg_constraint AS k
          WHERE k.conindid = i.indexrelid AND k.contype = 'u' AND k.conrelid = i.indrelid)
        THEN 'u' ELSE 'c' END,
      i.indpred IS NOT NULL,
      (SELECT json_agg(a.attname ORDER BY x.place)
        FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS x(number, place)
        LEFT JOIN pg_attribute AS a
          ON a.attrelid = i.indrelid AND a.attnum = x.number AND x.number <> 0
        WHERE x.place <= i.indnkeyatts),
      (SELECT json_agg(
          CASE WHEN o.collisdeterministic AND b.collisdeterministic THEN b.collname
            ELSE coalesce(o.collname, '') END ORDER BY x.place)
        FROM unnest(i.indkey::int2[], i.indcollation::oid[])
          WITH ORDINALITY AS x(number, sort, place)
        LEFT JOIN pg_collation AS o ON o.oid = x.sort
        LEFT JOIN pg_attribute AS a
          ON a.attrelid = i.indrelid AND a.attnum = x.number AND x.number <> 0
        LEFT JOIN pg_collation AS b ON b.oid = a.attcollation
        WHERE x.place <= i.indnkeyatts),
      NOT i.indimmediate, i.indnullsnotdistinct)::text
    """

  private static let foreignKeySQL = """
    json_build_array(
      k.oid::text, \(spelled), \(hasPoint), \(columnsSQL("k.conkey", "k.conrelid")),
      \(columnsSQL("k.confkey", "k.confrelid")), NOT k.condeferrable,
      k.confdeltype = 'r' OR k.confdeltype = 'a' AND NOT k.condeferrable,
      CASE WHEN to_jsonb(k) ->> 'confdelsetcols' IS NULL THEN
        CASE k.confdeltype WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' END END)::text
    """

  private static func columnsSQL(_ numbers: String, _ table: String) -> String {
    """
    (SELECT json_agg(a.attname ORDER BY x.place)
      FROM unnest(\(numbers)) WITH ORDINALITY AS x(number, place)
      JOIN pg_attribute AS a ON a.attrelid = \(table) AND a.attnum = x.number)
    """
  }
}

/// An array of texts, booleans and arrays of texts.
private struct SchemaRow {
  private let values: [ParsedJSON]

  init(_ text: String) throws {
    guard case .array(let values) = try JSONParser.parse(Array(text.utf8), file: "schema").value
    else {
      self.values = []
      return
    }
    self.values = values
  }

  func text(_ place: Int) -> String? { Self.text(values[place]) }

  func isTrue(_ place: Int) -> Bool { values[place].value == .bool(true) }

  func texts(_ place: Int) -> [String?] {
    guard case .array(let values) = values[place].value else { return [] }
    return values.map(Self.text)
  }

  private static func text(_ value: ParsedJSON) -> String? {
    guard case .string(let text) = value.value else { return nil }
    return text
  }
}

extension SeedbedError {
  /// Columns of a file are found by their names in any case, so that the same file also works on
  /// SQLite.
  static func refuseSimilar(_ columns: [String], _ table: String) throws {
    var known: [Name: String] = [:]
    for column in columns {
      guard let other = known.updateValue(column, forKey: Name(column)) else {
        continue
      }
      throw SeedbedError(
        .usage,
        "The table '\(table)' has columns '\(other)' and '\(column)', which differ only in case. "
          + "Rename one of them.")
    }
  }
}
