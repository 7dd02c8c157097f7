import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// A catalog of all that a schema can hold, in three releases.
enum SnapshotBench {
  static let files = [
    "catalog.json": #"{"tables": {"words": {"reserve": 1000}, "codes": {"key": ["code"]}}}"#,
    "0001_words/up.sql": """
    CREATE TABLE words (
      id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT NOT NULL UNIQUE, rank REAL,
      folded TEXT AS (lower(word)) STORED, made TEXT DEFAULT CURRENT_TIMESTAMP,
      favourite INTEGER DEFAULT 0
    );
    CREATE TABLE "two names" (a TEXT, b INTEGER, note, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE codes (code TEXT, bytes BLOB, parent TEXT REFERENCES codes (code)) STRICT;
    CREATE UNIQUE INDEX codes_code ON codes (code);
    CREATE TABLE log (what TEXT, at INTEGER);
    CREATE TRIGGER words_log AFTER INSERT ON words BEGIN
      INSERT INTO log VALUES ('made ' || new.word, new.id);
    END;
    CREATE VIEW long_words AS SELECT word FROM words WHERE length(word) > 3;
    """,
    "0001_words/words.csv": "id,word,rank\n1,\"a, b\",0.5\n2,\"\",\n3,three,1e300\n",
    "0001_words/two names.csv": "a,b,note\nx,1,\"say \"\"hi\"\"\"\nx,2,\n",
    "0002_search/up.sql": """
    ALTER TABLE words ADD COLUMN kind TEXT DEFAULT 'noun';
    CREATE INDEX words_rank ON words (rank DESC) WHERE rank > 0;
    CREATE VIRTUAL TABLE found USING fts5(word, content='words', content_rowid='id');
    CREATE VIRTUAL TABLE own USING fts5(text);
    INSERT INTO codes VALUES ('b', x'00ff', NULL), ('a', NULL, 'b');
    """,
    "0002_search/words.update.csv": "id,rank,was:rank\n3,2.5,1e300\n",
    "0002_search/words.csv": "id,word,rank\n4,four,4\n900,last,\n",
    "0002_search/after.sql": """
    INSERT INTO found (found) VALUES ('rebuild');
    INSERT INTO own (rowid, text) VALUES (7, 'kept in ''itself''');
    UPDATE words SET kind = 'verb' WHERE id = 4;
    """,
    "0003_less/words.delete.csv": "id,word,rank\n900,last,\n",
    "0003_less/after.sql": "INSERT INTO found (found) VALUES ('rebuild');\n",
  ]

  /// The same without a lock, which `Snapshot.write` makes.
  static func make(_ more: [String: String] = [:]) throws -> Workbench {
    try Workbench(files.merging(more) { $1 })
  }
}

extension Workbench {
  @discardableResult
  func snapshot(_ version: Version? = nil) throws -> SnapshotSummary {
    try Snapshot.write(directory: catalog, version: version)
  }

  /// The database gone, so that the next `up` begins with nothing.
  func forgetDatabase() throws {
    for suffix in ["", "-wal", "-shm"] { try remove("../app.sqlite" + suffix) }
  }

  func states() throws -> [String] {
    try migrator().status().migrations.map { "\($0.version) \($0.state.rawValue)" }
  }

  func lint() throws -> [String] { try Linter(directory: catalog).findings().map(\.summary) }

  func code(_ body: () throws -> Void) -> SeedbedError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? SeedbedError)?.code
    }
  }
}
