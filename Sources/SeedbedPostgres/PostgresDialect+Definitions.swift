extension PostgresDialect {
  package var definitions: String {
    let parts = [
      Self.schemas, Self.relations, Self.columns, Self.constraints, Self.indexes, Self.triggers,
      Self.policies, Self.functions, Self.types, Self.sequences, Self.sequenceStates, Self.views,
    ]
    return """
      WITH n AS (
        SELECT * FROM pg_namespace AS n
        WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
          AND \(Self.isNoExtensions("pg_namespace", "n.oid"))),
      me AS (
        SELECT c.*, \(PostgresSession.spelled) AS name
        FROM pg_class AS c JOIN n ON n.oid = c.relnamespace
        WHERE \(Self.isNoExtensions("pg_class", "c.oid")))
      \(parts.joined(separator: "\nUNION ALL\n"))
      ORDER BY 1, 2, 4
      """
  }

  /// What an extension brought is the extension's.
  private static func isNoExtensions(_ catalog: String, _ oid: String) -> String {
    """
    NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.deptype = 'e'
      AND d.classid = '\(catalog)'::regclass AND d.objid = \(oid))
    """
  }

  private static let schemas = """
    SELECT 'schema', nspname::text, nspname::text, coalesce(nspacl::text, '') FROM n
    UNION ALL
    SELECT 'extension', extname, extname, '' FROM pg_extension
    """

  /// What has rows of its own is a table.
  private static let relations = """
    SELECT CASE WHEN relkind IN ('r', 'p') THEN 'table' WHEN relkind = 'm'
        THEN 'materialized view' WHEN relkind = 'v' THEN 'view' ELSE 'foreign table' END,
      name, name, concat_ws(' ', relkind, relpersistence, relrowsecurity, relforcerowsecurity,
        reloptions, relacl, pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid),
        CASE WHEN relkind IN ('v', 'm') THEN pg_get_viewdef(oid) END)
    FROM me WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
    """

  /// Their order counts, and not the gaps that dropped ones left.
  private static let columns = """
    SELECT 'column', name || '.' || attname, name, concat_ws(' ',
      row_number() OVER (PARTITION BY attrelid ORDER BY attnum),
      format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
      attidentity, attgenerated, pg_get_expr(adbin, adrelid), attcollation::regcollation)
    FROM me JOIN pg_attribute ON attrelid = me.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
    """

  private static let constraints = """
    SELECT 'constraint', conname, coalesce(name, ''),
      concat_ws(' ', contypid::regtype, pg_get_constraintdef(k.oid), convalidated)
    FROM pg_constraint AS k JOIN n ON n.oid = connamespace LEFT JOIN me ON me.oid = conrelid
    """

  private static let indexes = """
    SELECT 'index', c.relname, me.name, concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid)
    FROM me JOIN pg_index ON indrelid = me.oid JOIN pg_class AS c ON c.oid = indexrelid
    """

  private static let triggers = """
    SELECT 'trigger', tgname, name, concat_ws(' ', pg_get_triggerdef(t.oid), tgenabled)
    FROM me JOIN pg_trigger AS t ON tgrelid = me.oid AND NOT tgisinternal
    UNION ALL
    SELECT 'rule', rulename, name, concat_ws(' ', pg_get_ruledef(r.oid), ev_enabled)
    FROM me JOIN pg_rewrite AS r ON ev_class = me.oid AND rulename <> '_RETURN'
    """

  private static let policies = """
    SELECT 'policy', polname, name, concat_ws(' ', polcmd, polpermissive, polroles::regrole[],
      pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
    FROM me JOIN pg_policy ON polrelid = me.oid
    """

  private static let functions = """
    SELECT 'function', p.oid::regprocedure::text, '', coalesce(proacl::text, '')
      || CASE WHEN prokind <> 'a' THEN pg_get_functiondef(p.oid) ELSE (
        SELECT concat_ws(' ', aggtransfn, aggfinalfn, aggtranstype::regtype, agginitval, aggsortop)
        FROM pg_aggregate WHERE aggfnoid = p.oid) END
    FROM pg_proc AS p JOIN n ON n.oid = pronamespace
    WHERE \(isNoExtensions("pg_proc", "p.oid"))
    """

  /// Enums, domains, ranges and composite types; each table is a type, too.
  private static let types = """
    SELECT 'type', t.oid::regtype::text, '', concat_ws(' ', typtype, typnotnull, typdefault,
      CASE WHEN typtype = 'd' THEN format_type(typbasetype, typtypmod) END,
      (SELECT array_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid),
      (SELECT array_agg(attname || ' ' || format_type(atttypid, atttypmod) ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = typrelid AND NOT attisdropped))
    FROM pg_type AS t JOIN n ON n.oid = typnamespace LEFT JOIN pg_class AS c ON c.oid = typrelid
    WHERE typelem = 0 AND (typtype <> 'c' OR c.relkind = 'c')
      AND \(isNoExtensions("pg_type", "t.oid"))
    """

  private static let ownerOfSequence = """
    LEFT JOIN pg_depend AS d ON d.classid = 'pg_class'::regclass AND d.objid = me.oid
      AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
    LEFT JOIN me AS owner ON owner.oid = d.refobjid
    """

  private static let sequences = """
    SELECT 'sequence', me.name, coalesce(owner.name, me.name), concat_ws(' ', d.refobjsubid,
      seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle)
    FROM pg_sequence JOIN me ON me.oid = seqrelid \(ownerOfSequence)
    """

  /// Where an application has its own numbers already, they are not lowered.
  private static let sequenceStates = """
    SELECT 'state', me.name, coalesce(owner.name, me.name), format(
      'SELECT setval(%1$L, %2$s) WHERE coalesce(pg_sequence_last_value(%1$L), %3$s) < %2$s;',
      seqrelid::regclass, last, seqmin - 1)
    FROM pg_sequence JOIN me ON me.oid = seqrelid \(ownerOfSequence),
      LATERAL pg_sequence_last_value(seqrelid) AS last
    WHERE seqincrement > 0 AND last IS NOT NULL
    """

  /// One may be made of others that were made before.
  private static let views = """
    SELECT 'state', 'view ' || lpad((row_number() OVER (ORDER BY oid))::text, 6, '0'), name,
      format('REFRESH MATERIALIZED VIEW %s;', oid::regclass)
    FROM me WHERE relkind = 'm' AND relispopulated
    """
}
