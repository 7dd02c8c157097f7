import Seedbed

/// The releases of this app: three, of which the second disagrees with what users do.
enum Words {
  static let releases: [[String: String]] = [
    [
      "0001_words/up.sql":
        "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL, note TEXT);",
      "0001_words/words.csv": "id,word\n1,one\n2,two\n3,three\n4,four\n",
      "0001_words/down.sql": "DROP TABLE words;",
    ],
    [
      "0002_louder/words.update.csv": "id,word,was:word\n1,ONE,one\n2,TWO,two\n",
      "0002_louder/words.csv": "id,word\n5,five\n",
      "0002_louder/words.delete.csv": "id,word\n4,four\n",
    ],
    ["0003_more/words.csv": "id,word\n6,six\n"],
  ]

  /// What a user does between the first release and the second.
  static let edits = """
    UPDATE words SET word = 'uno' WHERE id = 1;
    INSERT INTO words (id, word) VALUES (5, 'cinq');
    """

  static let louder = "SELECT count(*) FROM words WHERE word IN ('ONE', 'TWO')"

  static func files(_ count: Int = 3) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for release in releases.prefix(count) {
      for (path, text) in release { files[path] = Array(text.utf8) }
    }
    return files
  }

  static func catalog(_ count: Int = 3) throws -> Catalog { try Catalog(files: files(count)) }

  /// One that needs a function of the app.
  static func catalogWithFunction() throws -> Catalog {
    try Catalog(files: [
      "1_answers/up.sql": Array("CREATE TABLE answers AS SELECT answer() AS answer;".utf8)
    ])
  }

  /// A database at the first release, with the user's edits.
  static func edited(_ path: String) throws {
    try Migrator(catalog: catalog(), at: path).up(to: 1)
    try Handle(path).run(edits)
  }
}
