import Seedbed

/// The user's privileges as the server reports them. Nothing is tried.
extension ServerCheck {
  /// The names that a GRANT needs.
  struct Names {
    let database: String
    let user: String
    /// nil if the search_path finds no schema.
    let schema: String?
  }

  func names() throws -> Names {
    let row = try session.rows("SELECT current_database(), current_user, current_schema()")[0]
    return try Names(database: row.text(0), user: row.text(1), schema: row[2].text)
  }

  /// - Parameter tables: the tables of the catalog.
  func privileges(_ names: Names, ledger: String, tables: [String]) throws -> [EngineNeed] {
    let ledger = try session.tables(beginningWith: ledger.asciiLowercased() + "_").texts
    let there = try tables.compactMap { try session.object(named: $0)?.name }
    let isComplete = !ledger.isEmpty && there.count == tables.count
    return try (isComplete ? [] : [newTables(names)])
      + ledger.map { try rows($0, names) }
      + there.map { table in
        let need = try rows(table, names)
        return need.isMet ? try sequence(of: table, names) ?? need : need
      }
  }

  private func newTables(_ names: Names) throws -> EngineNeed {
    let name = "new tables"
    guard let schema = names.schema else {
      return EngineNeed(
        name, found: "the search_path finds no schema",
        remedy: "Create a schema, or name one in the user's search_path.")
    }
    let may = try session.value(
      "SELECT has_schema_privilege(?, 'CREATE')", [.text(schema)])
    if may == 1 { return EngineNeed(name, found: "allowed in schema \(schema)") }
    return EngineNeed(
      name, found: "not allowed in schema \(schema)",
      remedy: "Grant it: GRANT CREATE ON SCHEMA \(schema.quoted) TO \(names.user.quoted).")
  }

  private func rows(_ table: String, _ names: Names) throws -> EngineNeed {
    let name = "rows of \(table)"
    let quoted = session.dialect.table(table)
    if let subscriptions = try subscriptions(feeding: quoted) {
      return EngineNeed(
        name, found: "fed by the subscription \(subscriptions)",
        remedy: "Apply releases on the publisher alone, and publish the ledger's tables, too.")
    }
    let lacking = try session.rows(
      """
      SELECT p FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS p
      WHERE NOT has_table_privilege(?, p)
      """, [.text(quoted)]
    ).compactMap { $0[0].text }.joined(separator: ", ")
    guard lacking.isEmpty else {
      return EngineNeed(
        name, found: "no \(lacking)",
        remedy: "Grant it: GRANT \(lacking) ON \(quoted) TO \(names.user.quoted).")
    }
    let isHidden = try session.value("SELECT row_security_active(?)", [.text(quoted)])
    if isHidden == 1 {
      return EngineNeed(
        name, found: "policies may hide some",
        remedy: "Connect as the table's owner or as a role with BYPASSRLS.")
    }
    return EngineNeed(name, found: "may be read and written")
  }

  /// A subscriber takes writes of its own, and replication then stops at the first key that the
  /// publisher sends as well. The table may be fed by its partitions.
  private func subscriptions(feeding table: String) throws -> String? {
    try session.value(
      """
      SELECT string_agg(DISTINCT quote_ident(s.subname), ', ')
      FROM pg_subscription_rel AS r JOIN pg_subscription AS s ON s.oid = r.srsubid
      WHERE r.srrelid = to_regclass(?1)
        OR r.srrelid IN (SELECT relid FROM pg_partition_tree(to_regclass(?1)))
      """, [.text(table)])?.text
  }

  /// A sequence of the table that the user cannot raise. Those of the ledger are only used by
  /// identity columns, which takes no privilege.
  private func sequence(of table: String, _ names: Names) throws -> EngineNeed? {
    try session.value(
      """
      SELECT s.seqrelid::regclass::text FROM pg_depend AS d
      JOIN pg_sequence AS s ON s.seqrelid = d.objid
      WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
        AND d.deptype IN ('a', 'i') AND d.refobjid = to_regclass(?)
        AND NOT has_sequence_privilege(s.seqrelid, 'UPDATE')
      LIMIT 1
      """, [.text(session.dialect.table(table))]
    )?.text.map { sequence in
      EngineNeed(
        "sequence \(sequence)", found: "no UPDATE",
        remedy: "Grant it: GRANT ALL ON SEQUENCE \(sequence) TO \(names.user.quoted).")
    }
  }
}
