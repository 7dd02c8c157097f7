import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// Two releases that come to a database in which people have worked, or three that come to an empty
/// one, and what must hold whatever breaks meanwhile.
final class Trial: Sendable {
  /// `SEEDBED_SEED=7` draws others.
  static let seed =
    ProcessInfo.processInfo.environment["SEEDBED_SEED"].flatMap { UInt64($0) } ?? 1

  typealias Outcome = Result<Migrator.Report, any Error>

  let cluster: Cluster
  private let catalog: Catalog
  private let place: Place
  /// What is there after each migration, if nothing breaks.
  private let states: [Migrator.Version: [String]]
  /// The URI of a database as the run finds it.
  private let template: String
  /// The version of that one.
  private let first: Migrator.Version

  /// - Parameter first: 0 for an empty database.
  init(
    on cluster: Cluster, adding more: [String: String] = [:], from first: Migrator.Version = 1
  ) throws {
    (self.cluster, self.first) = (cluster, first)
    place = try Place(Self.files.merging(more, uniquingKeysWith: { $1 }))
    catalog = try Catalog(directory: place.path).forPostgreSQL()
    template = try cluster.newDatabase()
    states = try Self.play(catalog, at: first, in: template, on: cluster)
  }

  private static func play(
    _ catalog: Catalog, at first: Migrator.Version, in template: String, on cluster: Cluster
  ) throws -> [Migrator.Version: [String]] {
    if first == 1 {
      try migrator(catalog, template).up(to: 1)
      try PostgresSession(template).executeAll(edits)
    }
    let played = try cluster.newDatabase(from: template)
    defer { try? cluster.drop(played) }
    var states = [first: try state(PostgresSession(played))]
    for version in (first + 1)...3 {
      try migrator(catalog, played).up(to: version)
      states[version] = try state(PostgresSession(played))
    }
    #expect(Set(states.values).count == states.count)
    return states
  }

  private static func migrator(_ catalog: Catalog, _ uri: String) -> Migrator {
    var options = Migrator.Options()
    options.takesBackup = false
    return Migrator(catalog: catalog, on: PostgresServer(uri, ledger: "seedbed"), options: options)
  }

  func migrator(_ uri: String) -> Migrator { Self.migrator(catalog, uri) }

  /// A database as the run finds it, while `body` runs.
  func withDatabase<Value>(
    on other: Cluster? = nil, _ body: (String) throws -> Value
  ) throws -> Value {
    let cluster = other ?? cluster
    let uri = try cluster.newDatabase(from: template)
    // It takes its time, and few are no burden.
    defer { if Seeds.areMany { try? cluster.drop(uri) } }
    return try body(uri)
  }

  func up(_ uri: String, _ change: (inout Migrator.Options) -> Void = { _ in }) -> Outcome {
    var migrator = migrator(uri)
    change(&migrator.options)
    return Result { try migrator.up() }
  }

  /// How many messages there are, which have a statement run, and which belong to each COMMIT and
  /// its answer.
  func messages() throws -> (count: Int, statements: [Int], commits: [[Int]]) {
    let seen = Locked((statements: [Int](), commits: [[Int]](), isInCommit: false))
    let proxy = try Proxy(before: cluster.folder) { number, message in
      seen.withLock { seen in
        if message.says("COMMIT") {
          seen.isInCommit = true
          seen.commits.append([])
        }
        // > Query, Execute
        let runs = !message.isFromServer && "QE".utf8.contains(message.kind)
        if runs { seen.statements.append(number) }
        if seen.isInCommit { seen.commits[seen.commits.count - 1].append(number) }
        // > ReadyForQuery
        if message.isFromServer, message.kind == UInt8(ascii: "Z") { seen.isInCommit = false }
      }
      return .pass
    }
    return try withDatabase { uri in
      let outcome = up(proxy.uri(uri))
      let count = proxy.count
      try check(outcome, at: uri, "uncut")
      return seen.withLock { (count, $0.statements, $0.commits) }
    }
  }

  // MARK: what must hold

  /// Holds what a run reported against what is there, and lets another one finish.
  ///
  /// - Parameter mayLack: whether the server may have lost what the run was told is there.
  func check(
    _ outcome: Outcome, at uri: String, _ instant: String, mayLack: Bool = false
  ) throws {
    let session = try PostgresSession(uri)
    try waitForOthers(session)
    let version = try Self.version(session)
    #expect(try Self.state(session) == states[version], "\(instant): a half release, \(outcome)")
    switch outcome {
    case .success(let report) where mayLack: #expect(report.to == 3, "\(instant): \(report)")
    case .failure(let error as SeedbedError) where mayLack:
      #expect(version <= first + 1 + Migrator.Version(error.applied.count), "\(instant): \(error)")
    case .success(let report): #expect(report.to == 3 && version == 3, "\(instant): \(report)")
    case .failure(let error as SeedbedError):
      let known = first + Migrator.Version(error.applied.count)
      if error.code == .outcomeUnknown {
        #expect([known, known + 1].contains(version), "\(instant): \(error)")
      } else {
        #expect(version == known, "\(instant): \(error)")
        #expect(error.isDatabaseUnchanged == (version == first), "\(instant): \(error)")
      }
    case .failure(let error): Issue.record("\(instant): \(error)")
    }
    #expect(throws: Never.self, "\(instant)") { try migrator(uri).up() }
    #expect(try Self.state(session) == states[3], "\(instant): after the second run")
    #expect(try migrator(uri).status().state == .upToDate, "\(instant)")
    if first == 0 { return }
    // A server that crashed leaves out some numbers.
    let last = try session.value("SELECT last_value FROM words_id_seq")?.integer ?? 0
    #expect(last >= 1000, "\(instant)")
  }

  /// Until the server has noticed that nobody listens any more.
  private func waitForOthers(_ session: PostgresSession) throws {
    let others = """
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND backend_type = 'client backend'
      """
    for _ in 0..<500 where try session.value(others) != 0 { usleep(10_000) }
  }

  private static func version(_ session: PostgresSession) throws -> Migrator.Version {
    let ledger = "SELECT count(*) FROM pg_tables WHERE tablename = 'seedbed_migrations'"
    guard try session.value(ledger) == 1 else { return 0 }
    return try session.value("SELECT max(version) FROM seedbed_migrations")?.integer ?? 0
  }
}

extension Trial.Outcome {
  var word: String {
    guard case .failure(let error as SeedbedError) = self else { return "done" }
    return error.code == .outcomeUnknown ? "unknown" : "failed"
  }
}

extension Trial {
  private static let edits = """
    UPDATE words SET term = 'Katze' WHERE id = 1; UPDATE words SET term = 'owl' WHERE id = 3;
    DELETE FROM words WHERE id = 7;
    INSERT INTO words VALUES (21, 'mine', NULL);
    INSERT INTO senses VALUES (900, 3, 'at night');
    SELECT setval('words_id_seq', 999); INSERT INTO words (term) VALUES ('my own')
    """

  private static let files = [
    "catalog.json": #"{"engines": ["sqlite", "postgresql"]}"#,
    "0001_words/up.sql": "-- none",
    "0001_words/up.postgresql.sql": """
    CREATE TABLE words (
      id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, term TEXT, freq DOUBLE PRECISION);
    CREATE TABLE senses (
      id BIGINT PRIMARY KEY, word BIGINT REFERENCES words DEFERRABLE, gloss TEXT);
    """,
    "0001_words/words.csv": "id,term,freq\n" + (1...20).map { "\($0),term \($0),0.5\n" }.joined(),
    "0001_words/senses.csv": "id,word,gloss\n" + (1...5).map { "\($0),\($0 * 2),\n" }.joined(),
    "0002_june/up.sql": "-- none",
    "0002_june/up.postgresql.sql": """
    CREATE TABLE topics (id BIGINT PRIMARY KEY, topic TEXT UNIQUE);
    ALTER TABLE words ADD COLUMN topic BIGINT REFERENCES topics DEFERRABLE;
    """,
    "0002_june/topics.csv": "id,topic\n1,animals\n2,plants\n",
    "0002_june/words.csv": "id,term,freq,topic\n21,fox,2,1\n22,fern,,2\n",
    "0002_june/words.update.csv":
      "id,term,was:term\n1,cat,term 1\n2,dog,term 2\n4,,term 4\n8,gnu,term 8\n",
    "0002_june/words.delete.csv": "id,term,freq\n3,term 3,0.5\n5,term 5,0.5\n",
    "0002_june/senses.csv": "id,word,gloss\n6,22,a plant\n7,7,lucky\n",
    "0003_july/words.update.csv": "id,freq,was:freq\n2,0.75,0.5\n6,1,0.5\n1,9,0.5\n",
    "0003_july/senses.delete.csv": "id,word,gloss\n1,2,\n",
  ]
}
