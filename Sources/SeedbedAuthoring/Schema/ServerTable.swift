import Seedbed

/// A table of a PostgreSQL server, with its parts in the server's own words.
struct ServerTable {
  /// A column, a constraint or an index.
  struct Part {
    let name: String
    /// Without the name of a constraint or an index, which need not be the same everywhere.
    let text: String
    /// A column that is NOT NULL and gets no value of itself, or a foreign key.
    let isSpecial: Bool
    /// An index as the server writes it.
    var sql = ""
  }

  /// As the session calls it.
  let name: String
  /// Its name in SQL.
  let sql: String
  let columns: [Part]
  let constraints: [Part]
  let indexes: [Part]
  /// The tables that it refers to, as the session calls them.
  let parents: [String]
  /// Triggers, rules and policies, which are not read.
  let leftOut: [String]
}

/// Reads tables from a server's catalogs.
struct ServerTableReader {
  let session: any DatabaseSession
  /// The name of the database in errors.
  let shown: String

  /// nil if there is no object with this name.
  func table(_ name: String) throws -> ServerTable? {
    guard let (found, kind) = try session.object(named: name) else { return nil }
    if kind != .table { throw SeedbedError.notReadable(found, "is not an ordinary table", shown) }
    let path = session.dialect.table(found)
    let rows = try session.rows(Self.factsSQL, [.text(path)])
    guard let row = rows.first else { return nil }
    let reasons = [
      "is partitioned or a partition", "inherits from another table", "has a composite type",
    ]
    for (place, reason) in reasons.enumerated() where row[place + 1] == 1 {
      throw SeedbedError.notReadable(found, reason, shown)
    }
    let functions = try session.texts(Self.functionsSQL, [.text(path)])
    if let function = functions.first {
      throw SeedbedError.notReadable(found, "uses the function \(function)", shown)
    }
    return ServerTable(
      name: found, sql: row[0].text ?? path, columns: try parts(Self.columnsSQL, path),
      constraints: try parts(Self.constraintsSQL, path), indexes: try parts(Self.indexesSQL, path),
      parents: try session.schema(of: found).foreignKeys.map(\.parent),
      leftOut: try session.texts(Self.leftOutSQL, [.text(path)]))
  }

  private func parts(_ sql: String, _ path: String) throws -> [ServerTable.Part] {
    try session.rows(sql, [.text(path)]).map { row in
      ServerTable.Part(
        name: row[0].text ?? "", text: row[1].text ?? "", isSpecial: row[2] == 1,
        sql: row.count > 3 ? row[3].text ?? "" : "")
    }
  }

  /// Statements that tables need before they are made: schemas, extensions, types, sequences. Each
  /// with the name of what it makes; SQL is empty if there is none for it.
  func needs(of tables: [ServerTable]) throws -> [(kind: String, name: String, sql: String)] {
    try tables.flatMap { table in
      try session.rows(Self.needsSQL, [.text(session.dialect.table(table.name))]).map { row in
        (row[0].text ?? "", row[1].text ?? "", row[2].text ?? "")
      }
    }
  }

  /// The SQL of a type that is there; nil if it is not.
  func type(_ name: String) throws -> String? {
    try session.value(
      "SELECT \(Self.typeSQL) FROM pg_type AS t WHERE t.oid = to_regtype(?)", [.text(name)])?.text
  }

  /// Whether a schema, an extension or a sequence is there.
  func has(_ kind: String, _ name: String) throws -> Bool {
    let query =
      switch kind {
      case "schema": "SELECT 1 FROM pg_namespace WHERE nspname = ?"
      case "extension": "SELECT 1 FROM pg_extension WHERE extname = ?"
      default: "SELECT 1 WHERE to_regclass(?) IS NOT NULL"
      }
    return try session.value(query, [.text(name)]) != nil
  }

  func isFilled(_ table: ServerTable) throws -> Bool {
    try session.value("SELECT 1 FROM \(table.sql) LIMIT 1") != nil
  }
}

extension ServerTableReader {
  private static let factsSQL = """
    SELECT c.oid::regclass::text, c.relkind = 'p' OR c.relispartition,
      NOT c.relispartition AND EXISTS (SELECT FROM pg_inherits AS i WHERE i.inhrelid = c.oid),
      c.reloftype <> 0
    FROM pg_class AS c WHERE c.oid = to_regclass(?)
    """

  /// `serial` makes a default from a sequence that belongs to the column.
  private static let serialSQL = """
    (a.atttypid IN (20, 21, 23) AND a.attidentity = '' AND pg_get_expr(d.adbin, d.adrelid)
      = format('nextval(%L::regclass)',
        pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)::regclass::text))
    """

  private static let columnsSQL = """
    SELECT a.attname,
      CASE WHEN \(serialSQL) THEN CASE a.atttypid WHEN 20 THEN 'bigserial' WHEN 21
          THEN 'smallserial' ELSE 'serial' END
        ELSE format_type(a.atttypid, a.atttypmod)
          || CASE WHEN a.attcollation NOT IN (0, t.typcollation)
            THEN ' COLLATE ' || a.attcollation::regcollation ELSE '' END
          || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
          || CASE WHEN a.attidentity = 'a' THEN ' GENERATED ALWAYS AS IDENTITY'
            WHEN a.attidentity = 'd' THEN ' GENERATED BY DEFAULT AS IDENTITY'
            WHEN a.attgenerated <> '' THEN ' GENERATED ALWAYS AS ('
              || pg_get_expr(d.adbin, d.adrelid) || ')'
              || CASE a.attgenerated WHEN 's' THEN ' STORED' ELSE ' VIRTUAL' END
            ELSE coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') END
        END,
      a.attnotnull AND d.adbin IS NULL AND a.attidentity = ''
    FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
    """

  /// Since PostgreSQL 18, NOT NULL is a constraint, too.
  private static let constraintsSQL = """
    SELECT k.conname, pg_get_constraintdef(k.oid), k.contype = 'f' FROM pg_constraint AS k
    WHERE k.conrelid = to_regclass(?) AND k.contype IN ('p', 'u', 'c', 'x', 'f')
    ORDER BY k.contype <> 'p', k.contype = 'f', k.conname COLLATE "C"
    """

  /// The unique ones that no constraint makes. Others decide nothing about rows.
  private static let indexesSQL = """
    SELECT c.relname, substring(pg_get_indexdef(i.indexrelid) FROM ' USING .*'), false,
      'CREATE UNIQUE INDEX ' || quote_ident(c.relname) || ' ON ' || i.indrelid::regclass
        || substring(pg_get_indexdef(i.indexrelid) FROM ' USING .*')
    FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
    WHERE i.indrelid = to_regclass(?) AND i.indisunique AND i.indisvalid
      AND NOT EXISTS (SELECT FROM pg_constraint AS k WHERE k.conindid = i.indexrelid)
    ORDER BY c.relname COLLATE "C"
    """

  private static let leftOutSQL = """
    SELECT 'the trigger ' || quote_ident(g.tgname) FROM pg_trigger AS g
    WHERE g.tgrelid = to_regclass(?1) AND NOT g.tgisinternal
    UNION ALL SELECT 'the rule ' || quote_ident(r.rulename) FROM pg_rewrite AS r
    WHERE r.ev_class = to_regclass(?1)
    UNION ALL SELECT 'the policy ' || quote_ident(p.polname) FROM pg_policy AS p
    WHERE p.polrelid = to_regclass(?1)
    ORDER BY 1
    """

  /// The defaults, constraints and unique indexes of a table, which depend on other objects.
  private static let ownSQL = """
    SELECT 'pg_attrdef'::regclass AS class, d.oid FROM pg_attrdef AS d
      WHERE d.adrelid = to_regclass(?1)
    UNION ALL SELECT 'pg_constraint'::regclass, k.oid FROM pg_constraint AS k
      WHERE k.conrelid = to_regclass(?1)
    UNION ALL SELECT 'pg_class'::regclass, i.indexrelid FROM pg_index AS i
      WHERE i.indrelid = to_regclass(?1) AND i.indisunique
    """

  /// Functions of the app's: neither the server's own nor an extension's.
  private static let functionsSQL = """
    WITH own AS (\(ownSQL))
    SELECT DISTINCT p.oid::regprocedure::text
    FROM own JOIN pg_depend AS d ON d.classid = own.class AND d.objid = own.oid
    JOIN pg_proc AS p ON d.refclassid = 'pg_proc'::regclass AND d.refobjid = p.oid
    WHERE p.pronamespace <> 'pg_catalog'::regnamespace AND NOT EXISTS (
      SELECT FROM pg_depend AS e WHERE e.classid = 'pg_proc'::regclass AND e.objid = p.oid
        AND e.deptype = 'e')
    ORDER BY 1
    """

  /// An enum or a domain; NULL for other types.
  private static let typeSQL = """
    CASE t.typtype WHEN 'e' THEN 'CREATE TYPE ' || t.oid::regtype || ' AS ENUM ('
        || (SELECT string_agg(quote_literal(l.enumlabel), ', ' ORDER BY l.enumsortorder)
          FROM pg_enum AS l WHERE l.enumtypid = t.oid) || ')'
      WHEN 'd' THEN 'CREATE DOMAIN ' || t.oid::regtype || ' AS '
        || format_type(t.typbasetype, t.typtypmod)
        || CASE WHEN t.typcollation NOT IN (
            0, (SELECT b.typcollation FROM pg_type AS b WHERE b.oid = t.typbasetype))
          THEN ' COLLATE ' || t.typcollation::regcollation ELSE '' END
        || coalesce(' DEFAULT ' || t.typdefault, '')
        || CASE WHEN t.typnotnull THEN ' NOT NULL' ELSE '' END
        || coalesce((SELECT string_agg(' ' || pg_get_constraintdef(k.oid), ''
            ORDER BY k.conname COLLATE "C")
          FROM pg_constraint AS k WHERE k.contypid = t.oid AND k.contype = 'c'), '')
      END
    """

  /// Types come in the order in which they were made. An array, or a domain, needs the type under
  /// it.
  private static let needsSQL = """
    WITH RECURSIVE own AS (\(ownSQL)), used (oid) AS (
      SELECT a.atttypid FROM pg_attribute AS a
      WHERE a.attrelid = to_regclass(?1) AND a.attnum > 0 AND NOT a.attisdropped
      UNION
      SELECT CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.typelem END
      FROM used JOIN pg_type AS t ON t.oid = used.oid
      WHERE t.typtype = 'd' OR t.typelem <> 0 AND t.typcategory = 'A'),
    types AS (
      SELECT t.* FROM used JOIN pg_type AS t ON t.oid = used.oid
      WHERE t.typnamespace <> 'pg_catalog'::regnamespace AND t.typcategory <> 'A'),
    extensions AS (
      SELECT e.extname FROM pg_depend AS d JOIN pg_extension AS e
        ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
      WHERE d.classid = 'pg_type'::regclass AND d.objid IN (SELECT oid FROM types)
        OR (d.classid, d.objid) IN (
          SELECT p.refclassid, p.refobjid FROM own JOIN pg_depend AS p
            ON p.classid = own.class AND p.objid = own.oid))
    SELECT 'schema', n.nspname::text, 'CREATE SCHEMA ' || quote_ident(n.nspname), -1::bigint
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.oid = to_regclass(?1) AND NOT pg_table_is_visible(c.oid)
    UNION
    SELECT 'extension', extname::text, 'CREATE EXTENSION ' || quote_ident(extname), 0
    FROM extensions
    UNION
    SELECT 'type', t.oid::regtype::text, coalesce(\(typeSQL), ''), t.oid::bigint FROM types AS t
    WHERE NOT EXISTS (SELECT FROM pg_depend AS d
      WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e')
    UNION
    SELECT 'sequence', c.oid::regclass::text, 'CREATE SEQUENCE ' || c.oid::regclass, c.oid::bigint
    FROM own JOIN pg_depend AS d ON d.classid = own.class AND d.objid = own.oid
    JOIN pg_class AS c ON d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid
    WHERE c.relkind = 'S' AND NOT EXISTS (SELECT FROM pg_depend AS o
      WHERE o.classid = 'pg_class'::regclass AND o.objid = c.oid AND o.deptype IN ('a', 'i'))
    ORDER BY 4, 2
    """
}

extension SeedbedError {
  static func notReadable(_ name: String, _ reason: String, _ shown: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "'\(name)' in '\(shown)' \(reason), which --schema-from cannot read. Print the schema with "
        + "pg_dump --schema-only, and name that file with --schema.")
  }
}
