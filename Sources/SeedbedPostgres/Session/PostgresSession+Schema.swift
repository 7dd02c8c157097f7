package import Seedbed

/// The part of the schema that was read so far, by name.
struct KnownSchema {
  var objects: [ExactText: (name: String, kind: TableKind)?] = [:]
  var tables: [ExactText: TableSchema] = [:]
  var childNames: [ExactText: [String]] = [:]
}

/// A table in the search_path is called by its bare name, any other by its schema and name. So each
/// table has one name, whichever way it was written.
///
/// A name is looked up as it is, then as PostgreSQL folds it, then in any case: `Words.csv` fits
/// the table `words` here, as on SQLite.
extension PostgresSession {
  package func withFixedSchema<Result>(_ body: () throws -> Result) rethrows -> Result {
    knownSchema = KnownSchema()
    defer { knownSchema = nil }
    return try body()
  }

  /// The name of the table `c` in the schema `n`.
  static let spelled =
    "CASE WHEN pg_table_is_visible(c.oid) THEN '' ELSE n.nspname || '.' END || c.relname"

  /// Excludes the server's own tables, temporary tables, and tables whose names cannot be written
  /// in this way.
  static let isOurs =
    "n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND NOT \(hasPoint)"
  static let isTable = "c.relkind IN ('r', 'p') AND \(isOurs)"
  static let hasPoint = "c.relname || n.nspname ~ '[.]'"

  /// Excludes the schemas of other tenants, of which there may be thousands.
  var isHere: String { schema == nil ? "true" : "n.nspname = ANY (current_schemas(false))" }
  /// Excludes what a tenant shares with others: the search path finds those tables too, and a
  /// ledger among them.
  var isOwn: String {
    schema == nil ? "pg_table_is_visible(c.oid)" : "n.nspname = current_schema()"
  }

  // MARK: names

  package func object(named name: String) throws -> (name: String, kind: TableKind)? {
    if let known = knownSchema?.objects[name] { return known }
    let found = try readObject(named: PostgresName(name))
    knownSchema?.objects[name] = .some(found)
    return found
  }

  private func readObject(
    named name: PostgresName
  ) throws -> (name: String, kind: TableKind)? {
    let folded = name.folded
    let exact = try objects(
      """
      c.relname IN (?1, ?2) AND CASE WHEN ?3::text IS NULL THEN pg_table_is_visible(c.oid)
        ELSE n.nspname IN (?3, ?4) END
      ORDER BY c.relname = ?1 DESC, n.nspname = ?3 DESC
      """, [.text(name.table), .text(folded.table), Value(name.schema), Value(folded.schema)])
    if let first = exact.first { return first }
    let similar = try objects(
      """
      lower(c.relname COLLATE "C") = ?1
        AND CASE WHEN ?2::text IS NULL THEN pg_table_is_visible(c.oid)
        ELSE lower(n.nspname COLLATE "C") = ?2 END
      ORDER BY 1
      """, [.text(folded.table), Value(folded.schema)])
    guard similar.count < 2 else { throw SeedbedError.ambiguous(name, similar.map(\.name)) }
    return similar.first
  }

  private func objects(
    _ condition: String, _ values: [Value]
  ) throws -> [(name: String, kind: TableKind)] {
    try rows(
      """
      SELECT \(Self.spelled), c.relkind::text
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND \(Self.isOurs) AND \(condition)
      """, values
    ).map { row in
      let kinds: [String: TableKind] = ["v": .view, "m": .view, "f": .virtual]
      return try (row.text(0), kinds[row.text(1)] ?? .table)
    }
  }

  package func mayFill(_ table: String) throws -> Bool {
    if schema == nil { return true }
    return try value(
      """
      SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.oid = to_regclass(?) AND \(isOwn)
      """, [.text(dialect.table(table))]) != nil
  }

  /// The ordinary tables in the search_path. Tables of extensions do not belong to the app.
  package func tableNames() throws -> [String] {
    try rows(
      """
      SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE \(Self.isTable) AND NOT c.relispartition
        AND \(isOwn) AND NOT EXISTS (
          SELECT FROM pg_depend AS d
          WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
      ORDER BY c.relname COLLATE "C"
      """
    ).compactMap { $0[0].text }
  }

  /// The ledger's tables, whose name may include a schema.
  package func tables(beginningWith prefix: String) throws -> Set<Name> {
    let name = PostgresName(prefix)
    let rows = try rows(
      """
      SELECT lower(c.relname COLLATE "C")
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE \(Self.isTable) AND starts_with(lower(c.relname COLLATE "C"), ?1)
        AND CASE WHEN ?2::text IS NULL THEN \(isOwn)
          ELSE lower(n.nspname COLLATE "C") = ?2 END
      """, [.text(name.table), Value(name.schema)])
    let schema = name.schema.map { $0 + "." } ?? ""
    return try rows.map { schema + (try $0.text(0)) }.asNames
  }

  /// A table keeps its oid when it is renamed.
  package func tableNumbers() throws -> [Name: Int64] {
    let rows = try rows(
      """
      SELECT \(Self.spelled), c.oid
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE \(Self.isTable) AND \(isHere)
      """)
    let oids = try rows.map { try (Name($0.text(0)), $0.integer(1)) }
    return Dictionary(oids) { first, _ in first }
  }

  /// A column keeps its number when it is renamed.
  package func layouts() throws -> [TableLayout] {
    try TableLayout.read(
      rows(
        """
        SELECT \(Self.spelled), c.oid, a.attnum, a.attname,
          CASE WHEN a.attnum = ANY (k.conkey) THEN 1 ELSE 0 END
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_constraint AS k ON k.conrelid = c.oid AND k.contype = 'p'
        WHERE \(Self.isTable) AND \(isHere) ORDER BY c.oid, a.attnum
        """))
  }

  // MARK: foreign keys and triggers

  package func childNames(of parent: String) throws -> [String] {
    if let known = knownSchema?.childNames[parent] { return known }
    let found = try rows(
      """
      SELECT DISTINCT \(Self.spelled) COLLATE "C", \(Self.hasPoint)
      FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid
      JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE k.contype = 'f' AND k.conparentid = 0 AND k.confrelid = to_regclass(?) ORDER BY 1
      """, [.text(dialect.table(parent))]
    )
    let names = try found.map { row in
      let name = try row.text(0)
      if row[1] == 1 { throw SeedbedError.pointInName(name) }
      return name
    }
    knownSchema?.childNames[parent] = names
    return names
  }

  /// The server refuses to create a foreign key that it cannot enforce.
  package func parentKeys(
    of schema: TableSchema
  ) throws -> (sound: [ParentKey], broken: [BrokenForeignKey]) {
    let sound = schema.foreignKeys.map { key in
      ParentKey(
        parent: key.parent, childColumns: key.childColumns, parentColumns: key.parentColumns)
    }
    return (sound, [])
  }

  package func brokenChildren(of tables: [String]) throws -> [BrokenForeignKey] { [] }

  /// The row triggers and the rules. A function that runs before the change may skip the row, which
  /// only its body shows.
  ///
  /// > TRIGGER_TYPE_ROW 1, BEFORE 2, INSERT 4, DELETE 8, UPDATE 16 (pg_trigger.h)
  package func triggers(of table: String) throws -> [TriggerSchema] {
    try rows(
      """
      SELECT t.tgname, pg_get_triggerdef(t.oid),
        CASE WHEN t.tgtype & 3 = 3 THEN t.tgtype ELSE 0 END, false
      FROM pg_trigger AS t
      WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND t.tgrelid = to_regclass(?1)
      UNION ALL
      SELECT r.rulename, pg_get_ruledef(r.oid),
        CASE WHEN r.is_instead THEN CASE r.ev_type WHEN '2' THEN 16 WHEN '3' THEN 4 ELSE 8 END
          ELSE 0 END, true
      FROM pg_rewrite AS r
      WHERE r.ev_type IN ('2', '3', '4') AND r.ev_enabled <> 'D' AND r.ev_class = to_regclass(?1)
      ORDER BY 1
      """, [.text(dialect.table(table))]
    ).map { row in
      let type = try row.integer(2)
      let events: [TriggerSchema.Event: Int64] = [.insert: 4, .delete: 8, .update: 16]
      return try TriggerSchema(
        name: row.text(0), sql: row.text(1),
        passesOver: Set(events.filter { type & $0.value != 0 }.keys), isRule: row[3] == 1)
    }
  }

  /// > IMMUTABLE indicates that the function always returns the same result when given the same
  /// > argument values. (CREATE FUNCTION)
  package func constantDefault(of column: ColumnSchema) throws -> String? {
    guard let sql = column.defaultSQL else { return "NULL" }
    return column.hasVolatileDefault ? nil : "(\(sql))"
  }
}

extension PostgresName {
  fileprivate var folded: (schema: String?, table: String) {
    (schema?.asciiLowercased(), table.asciiLowercased())
  }
}

extension SeedbedError {
  static func ambiguous(_ name: PostgresName, _ found: [String]) -> SeedbedError {
    SeedbedError(
      .usage,
      "'\(name.table.shortened(to: 40))' may be any of the tables "
        + "\(found.map { "'\($0)'" }.joined(separator: ", ")). Write the name exactly.")
  }

  /// A dot separates a schema from its table.
  static func pointInName(_ name: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The name of the table '\(name.shortened(to: 80))' or of its schema has a dot in it, and "
        + "one of the migration's tables refers to it or is referred to by it. Rename it.")
  }
}
