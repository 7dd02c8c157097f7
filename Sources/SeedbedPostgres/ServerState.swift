import Seedbed
import SeedbedFaults

/// All that a database on a server holds, as lines that can be compared: its objects, and of each
/// table the number of its rows and a hash of them.
///
/// What two runs never have in common is left out: times and numbers of runs, and where sequences
/// stand, because a run that failed may have taken numbers. A ledger without rows is as good as
/// none.
struct ServerState {
  struct Column: Hashable {
    var table: String
    var name: String
  }

  private struct Table {
    /// In SQL.
    var name: String
    var isLedgers: Bool
    var columns: [String]
  }

  private let session: PostgresSession
  /// What the names of the ledger's tables begin with, in lower case.
  private let ledger: String

  /// What `session` is to see of the database, in one transaction.
  static func read<Result>(
    _ session: PostgresSession, ledger: String, _ body: (ServerState) throws -> Result
  ) throws -> Result {
    try session.inReadTransaction {
      try body(ServerState(session: session, ledger: ledger.lowercased() + "_"))
    }
  }

  /// - Parameter ignored: columns that are not looked at.
  func dump(without ignored: Set<Column>) throws -> DatabaseDump {
    var lines = try session.texts(objects)
    for table in try tables() {
      let columns = table.columns.filter { !ignored.contains(Column(table: table.name, name: $0)) }
      let row = "ROW(\(columns.map(\.quoted).joined(separator: ", ")))"
      let found = try session.rows(
        "SELECT count(*), \(Self.hash(row)) FROM ONLY \(table.name)")[0]
      if table.isLedgers, found[0] == 0 { continue }
      lines.append("\(table.name): \(found[0].integer ?? 0) rows, hash \(found[1].text ?? "0")")
    }
    return DatabaseDump(lines: lines)
  }

  /// A hash of what each column holds.
  func columns() throws -> [Column: String] {
    var hashes: [Column: String] = [:]
    for table in try tables() where !table.columns.isEmpty {
      let list = table.columns.map { Self.hash($0.quoted) }.joined(separator: ", ")
      let found = try session.rows("SELECT \(list) FROM ONLY \(table.name)")[0]
      for (column, hash) in zip(table.columns, found) {
        hashes[Column(table: table.name, name: column)] = hash.text ?? ""
      }
    }
    return hashes
  }

  /// The order of the rows makes no difference.
  private static func hash(_ value: String) -> String {
    "sum(hashtextextended(\(value)::text, 0))::text"
  }

  private static let isOurs = """
    c.relpersistence <> 't' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    """

  private func tables() throws -> [Table] {
    let rows = try session.rows(
      """
      SELECT format('%I.%I', n.nspname, c.relname), starts_with(lower(c.relname), ?1)::int,
        a.attname
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        AND NOT (starts_with(lower(c.relname), ?1) AND a.attname
          IN ('applied_at', 'duration_ms', 'run', 'id', 'at', 'settled_at'))
      WHERE c.relkind IN ('r', 'm') AND c.relispopulated AND \(Self.isOurs)
        AND lower(c.relname) NOT IN (?1 || 'runs', ?1 || 'ledger')
      ORDER BY 1, a.attnum
      """, [.text(ledger)])
    return rows.reduce(into: []) { tables, row in
      let name = row[0].text ?? ""
      if tables.last?.name != name {
        tables.append(Table(name: name, isLedgers: row[1] == 1, columns: []))
      }
      if let column = row[2].text { tables[tables.count - 1].columns.append(column) }
    }
  }

  /// One line for each object and what belongs to it.
  private var objects: String {
    """
    WITH n AS (SELECT * FROM pg_namespace WHERE nspname !~ '^pg_'
        AND nspname <> 'information_schema'),
      c AS (SELECT c.*, format('%I.%I', n.nspname, c.relname) AS name
        FROM pg_class AS c JOIN n ON n.oid = c.relnamespace
        WHERE \(Self.isOurs) AND NOT starts_with(lower(c.relname), \(ledger.quotedLiteral)))
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
