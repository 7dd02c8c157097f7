import Testing

@testable import Seedbed
@testable import SeedbedPostgres

@Suite(.enabled(if: Cluster.isInstalled)) struct PostgresSchemaTests {
  @Test func `columns have their types, defaults and what makes them`() throws {
    let schema = try schema(
      of: "words",
      """
      CREATE TYPE mood AS ENUM ('sad', 'ok');
      CREATE DOMAIN short AS varchar(20) DEFAULT 'none' NOT NULL;
      CREATE DOMAIN shorter AS short CHECK (length(VALUE) < 10);
      CREATE DOMAIN feeling AS mood;
      CREATE TABLE words (
        id bigint GENERATED ALWAYS AS IDENTITY, old serial, word text COLLATE "C" NOT NULL,
        price numeric(10, 2) DEFAULT 0, at timestamptz(3) DEFAULT now(), feels mood DEFAULT 'ok',
        gone int, domain shorter, felt feeling, tags text[], size int
          GENERATED ALWAYS AS (length(word)) STORED,
        "Odd ""name" text DEFAULT 'it''s', uid uuid DEFAULT gen_random_uuid(),
        day date DEFAULT CURRENT_DATE, sum int DEFAULT 1 + 2, lower text DEFAULT lower('A'),
        PRIMARY KEY (word, id));
      ALTER TABLE words DROP COLUMN gone;
      """)
    let columns = schema.columns
    #expect(
      columns.map { "\($0.name) \($0.declaredType)" } == [
        "id bigint", "old integer", "word text", "price numeric(10,2)",
        "at timestamp(3) with time zone", "feels mood", "domain shorter", "felt feeling",
        "tags text[]", "size integer", "Odd \"name text", "uid uuid", "day date", "sum integer",
        "lower text",
      ])
    #expect(columns.filter(\.isNotNull).map(\.name) == ["id", "old", "word", "domain"])
    #expect(columns.filter(\.isAutoincrement).map(\.name) == ["id", "old"])
    #expect(columns.filter { $0.generated != .no }.map(\.name) == ["size"])
    #expect(columns.map(\.collation)[...2] == ["", "", "C"])
    #expect(schema.column("price")?.collation == "")
    #expect(schema.column("lower")?.collation == "default")
    #expect(schema.column("domain")?.baseType == "character varying(20)")
    #expect(schema.column("feels")?.labels == ["sad", "ok"])
    #expect(schema.column("felt")?.labels == ["sad", "ok"])
    #expect(schema.column("felt")?.baseType == "mood")
    #expect(schema.column("size")?.defaultSQL == nil)
    #expect(schema.column("domain")?.defaultSQL == "'none'::character varying")
    #expect(schema.column("id")?.defaultSQL == "nextval('public.words_id_seq'::regclass)")
    #expect(
      columns.filter(\.hasVolatileDefault).map(\.name) == ["id", "old", "at", "uid", "day"])
    #expect(schema.primaryKey.map(\.name) == ["word", "id"])
    #expect(schema.rowidAlias == nil)
  }

  @Test func `the DEFAULT of a column is constant or not`() throws {
    try withSession { session in
      try session.executeAll(
        """
        CREATE FUNCTION five() RETURNS int LANGUAGE sql STABLE AS 'SELECT 5';
        CREATE TABLE a (none int, one text DEFAULT 'x', two int DEFAULT five(),
          three text DEFAULT CURRENT_USER, four jsonb DEFAULT '{}', six text DEFAULT 'a' || 'b')
        """)
      let schema = try session.schema(of: "a")
      #expect(
        try schema.columns.map { try session.constantDefault(of: $0) } == [
          "NULL", "('x'::text)", nil, nil, "('{}'::jsonb)", "(('a'::text || 'b'::text))",
        ])
    }
  }

  @Test func `indexes tell which rows are unique`() throws {
    let schema = try schema(
      of: "words",
      """
      CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE TABLE words (id int PRIMARY KEY, a text UNIQUE, b text, c text COLLATE nocase, d int);
      CREATE UNIQUE INDEX partial ON words (b) WHERE d > 0;
      CREATE UNIQUE INDEX expression ON words (lower(b), d);
      CREATE UNIQUE INDEX c ON words (b COLLATE "C") INCLUDE (d);
      CREATE UNIQUE INDEX "odd.name" ON words (c);
      CREATE INDEX plain ON words (d DESC, b);
      """)
    let found = schema.indexes.map { index in
      "\(index.name) \(index.origin)\(index.isUnique ? " unique" : "")"
        + "\(index.isPartial ? " partial" : "") \(index.columns.map { $0 ?? "?" }) "
        + "\(index.collations)"
    }
    #expect(
      found == [
        #"c c unique ["b"] ["default"]"#, #"expression c unique ["?", "d"] ["default", ""]"#,
        #"odd.name c unique ["c"] ["nocase"]"#, #"partial c unique partial ["b"] ["default"]"#,
        #"plain c ["d", "b"] ["", "default"]"#, #"words_a_key u unique ["a"] ["default"]"#,
        #"words_pkey pk unique ["id"] [""]"#,
      ])
    #expect(schema.tellsApart(["a"]) && schema.tellsApart(["b"]) && schema.tellsApart(["id"]))
    #expect(!schema.tellsApart(["d"]))
  }

  @Test func `foreign keys are found from both ends`() throws {
    try withSession { session in
      try session.executeAll(
        """
        CREATE SCHEMA other;
        CREATE TABLE parents (a int, b int, up int, PRIMARY KEY (a, b), UNIQUE (up));
        ALTER TABLE parents ADD FOREIGN KEY (up) REFERENCES parents (up);
        CREATE TABLE children (x int, y int, z int REFERENCES parents (up),
          FOREIGN KEY (y, x) REFERENCES parents);
        CREATE TABLE other.children (p int REFERENCES parents (up));
        CREATE TABLE parts (id int PRIMARY KEY) PARTITION BY RANGE (id);
        CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (9);
        CREATE TABLE other.more (id int PRIMARY KEY);
        CREATE TABLE users (part int REFERENCES parts, up int REFERENCES other.more (id));
        """)
      #expect(try session.childNames(of: "parents") == ["children", "other.children", "parents"])
      #expect(try session.childNames(of: "parts") == ["users"])
      let keys = try session.parentKeys(of: session.schema(of: "children"))
      #expect(
        keys.sound == [
          ParentKey(parent: "parents", childColumns: ["z"], parentColumns: ["up"]),
          ParentKey(parent: "parents", childColumns: ["y", "x"], parentColumns: ["a", "b"]),
        ])
      #expect(keys.broken.isEmpty)
      let users = try session.parentKeys(of: session.schema(of: "users")).sound
      #expect(users.map(\.parent) == ["parts", "other.more"])
    }
  }

  @Test func `a name finds its table`() throws {
    try withSession { session in
      try session.executeAll(
        """
        CREATE SCHEMA content; CREATE SCHEMA hidden;
        CREATE TABLE words (a int); CREATE TABLE "Words" (a int); CREATE TABLE "Other" (a int);
        CREATE TABLE "MIXED" (a int); CREATE TABLE "Mixed" (a int);
        CREATE TABLE content.words (a int); CREATE TABLE hidden.words (a int);
        CREATE VIEW seen AS SELECT 1; CREATE MATERIALIZED VIEW kept AS SELECT 1;
        CREATE INDEX indexed ON words (a); CREATE TABLE "a.b" (c int);
        CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w;
        CREATE FOREIGN TABLE far (a int) SERVER s; CREATE TEMP TABLE brief (a int);
        SET search_path = public, content
        """)
      func found(_ name: String) throws -> String? {
        try session.object(named: name).map { "\($0.name) \($0.kind)" }
      }
      #expect(try found("words") == "words table")
      #expect(try found("Words") == "Words table")
      #expect(try found("WORDS") == "words table")
      #expect(try found("other") == "Other table")
      #expect(try found("public.words") == "words table")
      #expect(try found("content.words") == "content.words table")
      #expect(try found("hidden.WORDS") == "hidden.words table")
      #expect(try found("seen") == "seen view")
      #expect(try found("kept") == "kept view")
      #expect(try found("far") == "far virtual")
      for name in ["nothing", "indexed", "a.b", "pg_class", "brief", "", "no.words", "'"] {
        #expect(try found(name) == nil, "\(name)")
      }
      let error = #expect(throws: SeedbedError.self) { try found("mixed") }
      #expect(error?.message.contains("'MIXED', 'Mixed'") == true)
      #expect(try session.tableNames() == ["MIXED", "Mixed", "Other", "Words", "words"])
      #expect(try session.schema(of: "hidden.words").columns.map(\.name) == ["a"])
      let numbers = try session.tableNumbers()
      #expect(numbers["content.words"] != nil && numbers["content.words"] != numbers["words"])
    }
  }

  @Test func `the ledger's tables are found by how they begin`() throws {
    try withSession { session in
      try session.executeAll(
        """
        CREATE SCHEMA meta; CREATE TABLE meta.seedbed_runs (a int);
        CREATE TABLE "Seedbed_ledger" (a int); CREATE TABLE seedbedded (a int)
        """)
      #expect(try session.tables(beginningWith: "seedbed_") == ["seedbed_ledger"])
      #expect(try session.tables(beginningWith: "meta.seedbed_") == ["meta.seedbed_runs"])
      #expect(try session.tables(beginningWith: "other.seedbed_") == [])
    }
  }

  @Test func `the highest number by which rows refer to others`() throws {
    try withSession { session in
      try session.executeAll(
        """
        CREATE DOMAIN number AS int;
        CREATE TABLE a (b int, c numeric, d text, e number, f bigint);
        INSERT INTO a VALUES (7, 2.5, '9', 4, NULL), (NULL, 1e30, '8', 3, NULL)
        """)
      let schema = try session.schema(of: "a")
      #expect(
        try schema.columns.map { try session.highestReference($0, of: schema) }
          == [7, 2, nil, 4, nil])
    }
  }

  @Test func `a renamed table keeps its number`() throws {
    try withSession { session in
      try session.execute("CREATE TABLE a (b int)")
      let before = try session.tableNumbers()
      try session.executeAll("ALTER TABLE a RENAME TO c; CREATE TABLE a (b int)")
      #expect(try session.tableNumbers()["c"] == before["a"])
      #expect(try session.createdTables(since: before) == [])
      try session.execute("CREATE TABLE d (b int)")
      #expect(try session.createdTables(since: before) == ["d"])
    }
  }

  @Test func `columns that differ only in case are refused`() throws {
    let error = #expect(throws: SeedbedError.self) {
      try schema(of: "a", #"CREATE TABLE a (name int, "Name" int)"#)
    }
    #expect(error?.message.contains("'name' and 'Name', which differ only in case") == true)
  }

  @Test func `a parent with a point in its name is refused`() throws {
    let error = #expect(throws: SeedbedError.self) {
      try schema(
        of: "a",
        #"CREATE TABLE "p.q" (id int PRIMARY KEY); CREATE TABLE a (b int REFERENCES "p.q")"#)
    }
    #expect(error?.message.contains("'p.q'") == true)
  }

  @Test func `triggers and rules say what they may pass over`() throws {
    try withSession { session in
      try session.executeAll(
        """
        CREATE TABLE a (b int PRIMARY KEY, c int REFERENCES a);
        CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        CREATE TRIGGER before BEFORE INSERT OR UPDATE ON a FOR EACH ROW EXECUTE FUNCTION f();
        CREATE TRIGGER later AFTER DELETE ON a FOR EACH ROW EXECUTE FUNCTION f();
        CREATE TRIGGER once BEFORE DELETE ON a EXECUTE FUNCTION f();
        CREATE TRIGGER off BEFORE DELETE ON a FOR EACH ROW EXECUTE FUNCTION f();
        ALTER TABLE a DISABLE TRIGGER off;
        CREATE RULE rule AS ON DELETE TO a DO INSTEAD NOTHING;
        """)
      let triggers = try session.triggers(of: "a")
      #expect(triggers.map(\.name) == ["before", "later", "once", "rule"])
      #expect(triggers.map(\.passesOver) == [[.insert, .update], [], [], [.delete]])
      #expect(triggers[0].sql.hasPrefix("CREATE TRIGGER before BEFORE INSERT OR UPDATE"))
    }
  }

  @Test func `the schema is read once while it is fixed`() throws {
    try withSession { session in
      try session.execute("CREATE TABLE a (b int)")
      try session.withFixedSchema {
        let before = try session.schema(of: "a")
        #expect(try session.object(named: "c") == nil)
        try session.executeAll("ALTER TABLE a ADD d int; CREATE TABLE c ()")
        #expect(try session.schema(of: "a") === before)
        #expect(try session.object(named: "c") == nil)
      }
      #expect(try session.schema(of: "a").columns.count == 2)
      #expect(try session.object(named: "c") != nil)
    }
  }

  @Test func `a thousand tables are read together`() throws {
    try withSession { session in
      try session.execute(
        """
        DO $$ BEGIN FOR i IN 1..1000 LOOP EXECUTE format('CREATE TABLE t%s (id int PRIMARY KEY,
          name text UNIQUE, up int REFERENCES t%s, made timestamptz DEFAULT now())',
          i, greatest(1, i - 1)); END LOOP; END $$
        """)
      let names = try session.tableNames()
      #expect(names.count == 1000)
      try session.withFixedSchema {
        for name in names.prefix(8) { _ = try session.schema(of: name) }
        // What is read now was not asked for again.
        try session.execute("ALTER TABLE \(names[999]) ADD COLUMN more int")
        for name in names {
          let schema = try session.schema(of: name)
          #expect(schema.columns.count == 4)
        }
      }
      #expect(try session.schema(of: names[999]).columns.count == 5)
    }
  }

  private func schema(of name: String, _ sql: String) throws -> TableSchema {
    var schema: TableSchema?
    try withSession { session in
      try session.executeAll(sql)
      schema = try session.schema(of: name)
    }
    return try #require(schema)
  }
}
