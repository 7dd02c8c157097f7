import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// The trials of this folder notice what they look for.
@Suite(.enabled(if: Cluster.isInstalled)) struct `A trial on a server` {
  @Test func `sees each change of what a database holds`() throws {
    let trial = try Trial(on: try #require(Cluster.shared))
    try trial.withDatabase { uri in
      let session = try PostgresSession(uri)
      var last = try Trial.state(session)
      for sql in [
        "UPDATE words SET term = 'x' WHERE id = 20", "DELETE FROM words WHERE term = 'x'",
        "ALTER TABLE words ADD COLUMN note TEXT", "ALTER TABLE words ALTER note SET DEFAULT 'a'",
        "ALTER TABLE words ADD CHECK (freq > 0)", "CREATE INDEX ON words (note)",
        "CREATE SCHEMA other", "CREATE TABLE other.words (id INT)",
        "INSERT INTO other.words VALUES (1)", "CREATE VIEW seen AS SELECT * FROM words",
        "CREATE MATERIALIZED VIEW kept AS SELECT term FROM words",
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END'",
        "CREATE TRIGGER t BEFORE UPDATE ON words FOR EACH ROW EXECUTE FUNCTION f()",
        "ALTER TABLE words DISABLE TRIGGER t", "CREATE TYPE size AS ENUM ('small')",
        "ALTER TYPE size ADD VALUE 'large'", "CREATE DOMAIN short AS TEXT CHECK (value < 'b')",
        "CREATE POLICY p ON words USING (term = 'a')", "GRANT SELECT ON words TO PUBLIC",
        "CREATE SEQUENCE numbers", "CREATE RULE r AS ON DELETE TO senses DO INSTEAD NOTHING",
        "UPDATE seedbed_migrations SET inserted = 77", "DROP TABLE senses",
      ] {
        try session.execute(sql)
        let next = try Trial.state(session)
        #expect(next != last, "\(sql)")
        last = next
      }
      try session.executeAll(
        """
        SELECT nextval('numbers'); UPDATE seedbed_runs SET process = 'x';
        UPDATE seedbed_migrations SET duration_ms = 7
        """)
      #expect(try Trial.state(session) == last)
    }
  }

  /// A file of the last release reaches around the transaction.
  @Test func `finds half a release`() throws {
    let cluster = try #require(Cluster.shared)
    let trial = try Trial(
      on: cluster,
      adding: [
        "0003_july/up.sql": "-- none",
        "0003_july/up.postgresql.sql": """
        DO $$ BEGIN
          EXECUTE format('COPY (SELECT 1) TO PROGRAM %L', format(
            '\(cluster.programs)/psql -qh \(cluster.folder) -U postgres -d %s '
            '-c "CREATE TABLE IF NOT EXISTS log ()"', current_database()));
        END $$;
        """,
      ])
    let isBeyond = Locked(false)
    let proxy = try Proxy(before: cluster.folder) { _, message in
      isBeyond.withLock { isBeyond in
        if String(decoding: message.bytes, as: UTF8.self).contains("TO PROGRAM") { isBeyond = true }
        guard isBeyond, message.says("COMMIT") else { return .pass }
        isBeyond = false
        return .dropped
      }
    }
    try trial.withDatabase { uri in
      let outcome = trial.up(proxy.uri(uri))
      try withKnownIssue {
        try trial.check(outcome, at: uri, "around")
      } matching: { issue in
        issue.comments.contains { $0.rawValue.hasPrefix("around: a half release") }
      }
    }
  }

  /// How many releases a run reports as applied, and how many are there.
  private static let reports: [(told: Int, count: Int, code: SeedbedError.Code, isTrue: Bool)] = [
    (0, 0, .io, true), (1, 1, .io, true), (0, 1, .io, false), (1, 0, .io, false),
    (0, 1, .outcomeUnknown, true), (0, 2, .outcomeUnknown, false), (1, 0, .outcomeUnknown, false),
  ]

  @Test func `finds a report that is not true`() throws {
    let trial = try Trial(on: try #require(Cluster.shared))
    for (told, count, code, isTrue) in Self.reports {
      let error = SeedbedError(code, "").with {
        $0.applied = (0..<told).map { Migrator.Version($0 + 2) }
        $0.isDatabaseUnchanged = count == 0
      }
      try trial.withDatabase { uri in
        if count > 0 { try trial.migrator(uri).up(to: Migrator.Version(1 + count)) }
        try withKnownIssue {
          try trial.check(.failure(error), at: uri, "\(told) of \(count), \(code)")
        } when: {
          !isTrue
        }
      }
    }
  }
}
