import Seedbed
import SeedbedPostgres
import Testing

/// A row under another key than its file's would be found by no later release.
@Suite(.enabled(if: Cluster.isInstalled)) struct `A trigger that gives a row another key` {
  private static let files = [
    "0001_a/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);",
    "0001_a/up.postgresql.sql": "CREATE TABLE t (id int PRIMARY KEY, a text);",
    "0002_b/t.csv": "id,a\n1,x\n2,y\n3,z\n",
  ]

  private static let moving = """
    CREATE FUNCTION move() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.id = 2 THEN NEW.id := 200; END IF; RETURN NEW; END $$;
    CREATE TRIGGER mover BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION move();
    """

  private static let message = """
    The trigger 'mover' of the table 't' wrote this row under another key, where no later release \
    would find it. Let it pass while Seedbed applies: begin its function with IF EXISTS (SELECT \
    FROM seedbed_applying) THEN RETURN coalesce(NEW, OLD); END IF;
    """

  @Test(arguments: ["", "INSERT INTO t VALUES (3, 'mine')"])
  func `is named, and nothing is written; beside a user's row:`(_ mine: String) throws {
    try withServer(Self.files) { server in
      try server.migrator().up(to: 1)
      try server.session.executeAll(Self.moving)
      if !mine.isEmpty { try server.session.execute(mine) }
      let before = try server.rows("SELECT * FROM t")
      let failed = try server.migrate("up", "--no-backup")
      #expect(failed.code == 2)
      #expect(failed.output.contains("0002_b/t.csv:3: " + Self.message), "\(failed)")
      #expect(try server.rows("SELECT * FROM t") == before)
      try server.session.executeAll(
        """
        CREATE OR REPLACE FUNCTION move() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN IF EXISTS (SELECT FROM seedbed_applying) THEN RETURN coalesce(NEW, OLD); END IF;
          NEW.id := 200; RETURN NEW; END $$
        """)
      #expect(try server.migrate("up", "--no-backup").code == 0)
      #expect(try server.rows("SELECT id FROM t ORDER BY id") == ["1", "2", "3"])
    }
  }

  /// The rows are written one by one after a rule refused one of them.
  @Test func `is named after another row was refused`() throws {
    var files = Self.files
    files["0001_a/up.sql"] = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE);"
    files["0001_a/up.postgresql.sql"] = "CREATE TABLE t (id int PRIMARY KEY, a text);"
    try withServer(files) { server in
      try server.migrator().up(to: 1)
      try server.session.executeAll(Self.moving)
      // No plan can see it: it is no index.
      try server.session.executeAll(
        """
        INSERT INTO t VALUES (9, 'x');
        ALTER TABLE t ADD EXCLUDE USING btree (a WITH =);
        """)
      let error = #expect(throws: SeedbedError.self) { try server.migrator().up() }
      #expect(error?.message == Self.message)
      #expect(error?.place?.description == "0002_b/t.csv:3")
    }
  }

  @Test func `is no fault if it changes another column`() throws {
    try withServer(Self.files) { server in
      try server.migrator().up(to: 1)
      try server.session.executeAll(
        """
        ALTER TABLE t ADD changed_at text;
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN NEW.changed_at := 'now'; RETURN NEW; END $$;
        CREATE TRIGGER note BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION note();
        """)
      #expect(try server.migrator().up().to == 2)
      #expect(
        try server.rows("SELECT * FROM t ORDER BY id") == ["1|x|now", "2|y|now", "3|z|now"])
    }
  }

  @Test func `may be a rule that puts it into another table`() throws {
    try withServer(Self.files) { server in
      try server.migrator().up(to: 1)
      try server.session.executeAll(
        """
        CREATE TABLE other (LIKE t);
        CREATE RULE mover AS ON INSERT TO t DO INSTEAD INSERT INTO other VALUES (NEW.id, NEW.a);
        """)
      let error = #expect(throws: SeedbedError.self) { try server.migrator().up() }
      #expect(error?.message.hasPrefix("The rule 'mover' of the table 't' ") == true, "\(error)")
    }
  }
}
