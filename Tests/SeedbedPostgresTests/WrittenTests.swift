import Seedbed
import Testing

@testable import SeedbedPostgres

@Suite(.enabled(if: Cluster.isInstalled)) struct `The session knows what was written` {
  @Test func `by statements, triggers and foreign keys, since it was asked to forget`() throws {
    try withSession { session in
      try session.executeAll(
        """
        CREATE SCHEMA s;
        CREATE TABLE first (i int PRIMARY KEY); CREATE TABLE "Second" (i int);
        CREATE TABLE s.third (i int REFERENCES first ON DELETE CASCADE);
        CREATE TABLE quiet (i int); INSERT INTO first VALUES (1); INSERT INTO s.third VALUES (1);
        CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN INSERT INTO "Second" VALUES (new.i); RETURN new; END $$;
        CREATE TRIGGER t AFTER INSERT ON first FOR EACH ROW EXECUTE FUNCTION f()
        """)
      try session.beginImmediate()
      session.forgetWritten()
      #expect(try session.writtenTables(besides: []) == [])
      try session.execute("INSERT INTO first VALUES (2)")
      try session.execute("UPDATE quiet SET i = 1")
      #expect(try session.writtenTables(besides: []) == ["first", "Second"])
      session.forgetWritten()
      try session.execute("CREATE TEMPORARY TABLE own AS SELECT 1 AS i")
      #expect(try session.writtenTables(besides: []) == [])
      try session.execute("DELETE FROM first WHERE i = 1")
      try session.execute("CREATE TABLE filled AS SELECT 1 AS i")
      #expect(try session.writtenTables(besides: []) == ["first", "s.third", "filled"])
    }
  }

  @Test func `and how many rows triggers deleted`() throws {
    try withSession { session in
      try session.executeAll(
        """
        CREATE TABLE first (i int PRIMARY KEY); CREATE TABLE second AS SELECT 1 AS i;
        CREATE TABLE quiet AS SELECT 1 AS i; INSERT INTO second VALUES (1), (2);
        INSERT INTO first VALUES (1);
        CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN DELETE FROM second WHERE i = old.i; RETURN old; END $$;
        CREATE TRIGGER t AFTER DELETE ON first FOR EACH ROW EXECUTE FUNCTION f()
        """)
      try session.beginImmediate()
      try session.execute("DELETE FROM second WHERE i = 2")
      let lost = try session.watchTriggers(of: ["first"])
      try session.execute("DELETE FROM first")
      try session.execute("INSERT INTO second VALUES (3)")
      #expect(try lost().filter { $0.value > 0 } == ["first": 1, "second": 2])
    }
  }

  @Test func `by TRUNCATE, and in a partition`() throws {
    try withSession { session in
      try session.executeAll(
        """
        CREATE TABLE emptied AS SELECT 1 AS i; CREATE TABLE quiet AS SELECT 1 AS i;
        CREATE TABLE parted (i int) PARTITION BY RANGE (i);
        CREATE TABLE low PARTITION OF parted FOR VALUES FROM (0) TO (9)
        """)
      try session.beginImmediate()
      session.forgetWritten()
      try session.execute("TRUNCATE emptied")
      #expect(try session.writtenTables(besides: []) == ["emptied"])
      try session.execute("INSERT INTO parted VALUES (1)")
      #expect(try session.writtenTables(besides: []) == ["emptied", "parted"])
    }
  }
}
