import Seedbed

extension PostgresServer {
  /// The schemas of a database, whether each has one of the tables, and the bytes of its tables as
  /// the server last counted them.
  ///
  /// - Parameters:
  ///   - url: any form that libpq accepts.
  ///   - tables: in any case; as on SQLite, `Words.csv` fits the table `words`. A ledger counts if
  ///     something was applied: a run that failed leaves one, too.
  package static func schemas(
    of url: String, having tables: [String], ledger: String
  ) throws -> [(name: String, hasTables: Bool, bytes: Int64)] {
    do {
      return try read(PostgresSession(url), tables, "\(ledger.asciiLowercased())_migrations")
    } catch {
      throw SeedbedError.from(error)
    }
  }

  private static func read(
    _ session: PostgresSession, _ tables: [String], _ ledger: String
  ) throws -> [(name: String, hasTables: Bool, bytes: Int64)] {
    let names = tables.map { $0.asciiLowercased().quotedLiteral }.joined(separator: ", ")
    let rows = try session.rows(
      """
      SELECT n.nspname,
        coalesce(bool_or(lower(c.relname COLLATE "C") = ANY (ARRAY[\(names)]::text[])
          OR c.relname = \(ledger.quotedLiteral) AND pg_relation_size(c.oid) > 0), false),
        coalesce(sum(c.relpages), 0)::bigint * current_setting('block_size')::bigint
      FROM pg_namespace AS n
      LEFT JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p')
      WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      GROUP BY n.nspname ORDER BY n.nspname COLLATE "C"
      """)
    return try rows.map { row in
      // Its tables may be new, and not counted yet.
      try (row.text(0), row[1] == 1, max(1, row.integer(2)))
    }
  }
}
