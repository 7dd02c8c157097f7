import Seedbed
import SeedbedPostgres

extension Trial {
  /// All that a database on a server holds, as lines that can be compared: its objects, and the
  /// rows of its tables.
  ///
  /// Left out is what two runs never have in common: times and numbers of runs, and the positions
  /// of sequences, because a run that failed may have taken numbers. A ledger without rows is as
  /// good as none.
  static func state(_ session: PostgresSession) throws -> [String] {
    try session.inReadTransaction {
      let rows = try tables(session).flatMap { table in
        let row = "ROW(\(table.columns.map(\.quoted).joined(separator: ", ")))"
        return try session.texts("SELECT \(row)::text FROM ONLY \(table.name) ORDER BY 1")
          .map { "\(table.name): \($0)" }
      }
      return try session.texts(objects) + rows
    }
  }

  private static let isOurs = """
    c.relpersistence <> 't' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    """

  /// By their names in SQL.
  private static func tables(
    _ session: PostgresSession
  ) throws -> [(name: String, columns: [String])] {
    let rows = try session.rows(
      """
      SELECT format('%I.%I', n.nspname, c.relname), a.attname
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        AND NOT (starts_with(c.relname, 'seedbed_') AND a.attname
          IN ('applied_at', 'duration_ms', 'run', 'id', 'at', 'settled_at'))
      WHERE c.relkind IN ('r', 'm') AND c.relispopulated AND \(isOurs)
        AND c.relname NOT IN ('seedbed_runs', 'seedbed_ledger')
      ORDER BY 1, a.attnum
      """)
    return rows.reduce(into: []) { tables, row in
      let name = row[0].text ?? ""
      if tables.last?.name != name { tables.append((name, [])) }
      if let column = row[1].text { tables[tables.count - 1].columns.append(column) }
    }
  }

  /// One line for each object and what belongs to it.
  private static var objects: String {
    """
    WITH n AS (SELECT * FROM pg_namespace WHERE nspname !~ '^pg_'
        AND nspname <> 'information_schema'),
      c AS (SELECT c.*, format('%I.%I', n.nspname, c.relname) AS name
        FROM pg_class AS c JOIN n ON n.oid = c.relnamespace
        WHERE \(isOurs) AND NOT starts_with(c.relname, 'seedbed_'))
    SELECT concat_ws(' ', 'schema', nspname, nspacl) FROM n
    UNION ALL SELECT concat_ws(' ', 'relation', name, relkind, relrowsecurity, relforcerowsecurity,
      reloptions, relacl, CASE WHEN relkind IN ('v', 'm') THEN pg_get_viewdef(oid) END) FROM c
    UNION ALL SELECT concat_ws(' ', 'column', name, a.attname, a.attnum,
      format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
      a.attcollation::regcollation, a.attacl, pg_get_expr(d.adbin, d.adrelid))
      FROM c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relkind NOT IN ('i', 'I', 'S')
    UNION ALL SELECT concat_ws(' ', 'constraint', c.name, nullif(o.contypid, 0)::regtype,
      o.conname, o.convalidated, pg_get_constraintdef(o.oid))
      FROM pg_constraint AS o JOIN n ON n.oid = o.connamespace LEFT JOIN c ON c.oid = o.conrelid
      WHERE o.conrelid = 0 OR c.oid IS NOT NULL
    UNION ALL SELECT concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid)
      FROM pg_index AS i JOIN c ON c.oid = i.indrelid
    UNION ALL SELECT concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
      FROM pg_trigger AS t JOIN c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal
    UNION ALL SELECT pg_get_ruledef(r.oid)
      FROM pg_rewrite AS r JOIN c ON c.oid = r.ev_class WHERE r.rulename <> '_RETURN'
    UNION ALL SELECT concat_ws(' ', 'policy', c.name, p.polname, p.polcmd, p.polpermissive,
      p.polroles, pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid))
      FROM pg_policy AS p JOIN c ON c.oid = p.polrelid
    UNION ALL SELECT concat_ws(' ', 'sequence', c.name, format_type(s.seqtypid, NULL), s.seqstart,
      s.seqincrement, s.seqmin, s.seqmax, s.seqcycle)
      FROM pg_sequence AS s JOIN c ON c.oid = s.seqrelid
    UNION ALL SELECT concat_ws(' ', p.oid::regprocedure, p.proacl,
      CASE WHEN p.prokind IN ('f', 'p') THEN pg_get_functiondef(p.oid) END)
      FROM pg_proc AS p JOIN n ON n.oid = p.pronamespace
    UNION ALL SELECT concat_ws(' ', 'type', t.oid::regtype, t.typtype,
      nullif(t.typbasetype, 0)::regtype, t.typnotnull, t.typdefault,
      (SELECT string_agg(enumlabel, ' ' ORDER BY enumsortorder) FROM pg_enum
       WHERE enumtypid = t.oid))
      FROM pg_type AS t JOIN n ON n.oid = t.typnamespace WHERE t.typtype IN ('d', 'e', 'r')
    UNION ALL SELECT 'extension ' || extname FROM pg_extension
    ORDER BY 1
    """
  }
}
