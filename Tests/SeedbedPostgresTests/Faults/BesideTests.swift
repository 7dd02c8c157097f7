import Foundation
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedPostgres

/// A law: a transaction that the application was told is committed is either seen by the merge or
/// comes after it. At each moment of a run, an application begins transactions of each kind.
@Suite(.serialized, .enabled(if: Cluster.isInstalled)) struct `Writers beside a run` {
  /// A statement for one word, and what is so in the end if it was committed.
  struct Kind: Sendable {
    let first: Int
    let sql: @Sendable (Int) -> String
    let holds: @Sendable (Int) -> String
  }

  private static let count = 40

  /// The words of each kind are others, so that none waits for another.
  private static let kinds = [
    Kind(
      first: 0, sql: { "INSERT INTO fav (id, word) VALUES (\($0), \($0))" },
      holds: { "SELECT count(*) FROM fav JOIN words w ON w.id = word WHERE fav.id = \($0)" }),
    Kind(
      first: 100, sql: { "INSERT INTO fav (id, word) VALUES (\($0), \($0))" },
      holds: {
        "SELECT count(*) FROM fav JOIN words w ON w.id = word "
          + "WHERE fav.id = \($0) AND w.term = 'w\($0)'"
      }),
    Kind(
      first: 200, sql: { "UPDATE words SET term = 'mine' WHERE id = \($0)" },
      holds: { "SELECT count(*) FROM words WHERE id = \($0) AND term = 'mine'" }),
    Kind(
      first: 300, sql: { "INSERT INTO words VALUES (\($0), 'mine')" },
      holds: { "SELECT count(*) FROM words WHERE id = \($0) AND term = 'mine'" }),
    Kind(
      first: 400, sql: { "DELETE FROM words WHERE id = \($0)" },
      holds: { "SELECT 1 - count(*) FROM words WHERE id = \($0)" }),
    // Its locks are taken in the other order.
    Kind(
      first: 500,
      sql: {
        "INSERT INTO fav (id, word) VALUES (\($0), 600); SELECT pg_sleep(0.01); "
          + "UPDATE words SET term = 'mine' WHERE id = \($0)"
      },
      holds: {
        "SELECT count(*) FROM fav JOIN words w ON w.id = \($0) WHERE fav.id = \($0) "
          + "AND w.term = 'mine'"
      }),
  ]

  private static let files: [String: String] = {
    let rows = { (first: Int, row: (Int) -> String) in
      (first..<first + count).map { row($0) + "\n" }.joined()
    }
    let old = [0, 100, 200, 400, 500].map { rows($0) { "\($0),w\($0)" } }.joined()
    return [
      "0001_words/up.sql": "-- none",
      "0001_words/up.postgresql.sql": """
      CREATE TABLE words (id BIGINT PRIMARY KEY, term TEXT);
      CREATE TABLE fav (
        id BIGINT PRIMARY KEY, word BIGINT REFERENCES words ON DELETE CASCADE DEFERRABLE);
      """,
      "0001_words/words.csv": "id,term\n" + old + "600,w600\n",
      "0002_june/words.delete.csv": "id,term\n" + rows(0) { "\($0),w\($0)" },
      "0002_june/words.update.csv": "id,term,was:term\n"
        + [200, 400, 500].map { rows($0) { "\($0),new,w\($0)" } }.joined(),
      "0002_june/words.csv": "id,term\n" + rows(300) { "\($0),w\($0)" },
      "0003_july/words.update.csv": "id,was:id\n" + rows(100) { "\($0 + 900),\($0)" },
    ]
  }()

  @Test(arguments: ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"])
  func `what is committed is seen, or comes afterwards`(_ isolation: String) throws {
    try withDatabase { uri in
      let server = try Server(uri, Self.files)
      try server.migrator().up(to: 1)
      let (group, number) = (DispatchGroup(), Locked(0))
      let committed = Locked<[(kind: Int, word: Int)]>([])
      var migrator = try server.migrator()
      migrator.host.reaching = { _ in
        let nth = number.withLock { number in
          defer { number += 1 }
          return number
        }
        if nth >= Self.count { return }
        for (index, kind) in Self.kinds.enumerated() {
          group.enter()
          Thread.detachNewThread {
            defer { group.leave() }
            let word = kind.first + nth
            guard let session = try? PostgresSession(uri) else { return }
            let sql =
              "BEGIN ISOLATION LEVEL \(isolation); \(kind.sql(word)); SELECT pg_sleep(0.03); COMMIT"
            if (try? session.executeAll(sql)) != nil {
              committed.withLock { $0.append((index, word)) }
            }
          }
        }
        // So long that some of them wait, and others have ended.
        usleep(20_000)
      }
      let report = try migrator.up()
      #expect(report.migrations.map(\.version) == [2, 3])
      #expect(group.wait(timeout: .now() + 60) == .success)
      for (kind, word) in committed.withLock({ $0 }) {
        #expect(
          try server.rows(Self.kinds[kind].holds(word)) == ["1"],
          "\(Self.kinds[kind].sql(word)) was committed")
      }
      let kinds = Set(committed.withLock { $0.map(\.kind) })
      #expect(kinds.count == Self.kinds.count, "\(kinds)")
    }
  }
}
