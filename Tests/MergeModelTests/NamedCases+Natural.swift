/// References by natural key.
extension NamedCase {
  /// Words whose ids the database assigns, and their senses.
  private static func words(
    _ reference: String = "REFERENCES words", rank: String = "rank INTEGER",
    more: String = ""
  ) -> String {
    "CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE, \(rank));"
      + "CREATE TABLE senses (id INTEGER PRIMARY KEY, word_id INTEGER \(reference), "
      + "text TEXT\(more));"
  }
  private static let byLemma = "\"words\": {\"key\": [\"lemma\"]}"
  private static let dictionary = [
    "words.csv": "lemma\ncat\ndog\n",
    "senses.csv": "id,word_id:words.lemma,text\n1,cat,pet\n2,,x\n",
  ]
  private static let all =
    "SELECT s.id, w.lemma, s.text FROM senses AS s LEFT JOIN words AS w ON w.id = s.word_id "
    + "ORDER BY s.id"

  private static func known(
    _ name: String, schema: String = words(), options: String = byLemma,
    first: [String: String] = dictionary, user: String = "", _ second: [String: String],
    query: String = all, rows: String = "", conflicts: [String] = [], error: String? = nil,
    goesBack: Bool = true, inverse: String? = nil
  ) -> NamedCase {
    NamedCase(
      name: name, schema: schema, options: options, first: first, user: user, second: second,
      query: query, rows: rows, conflicts: conflicts, error: error, goesBack: goesBack,
      inverse: inverse)
  }

  static let natural = naturalInserts + naturalUpdates + naturalDeletes + naturalKeys

  private static let naturalInserts = [
    known(
      "a child of a row whose id the database assigns in the same migration",
      ["words.csv": "lemma\nowl\n", "senses.csv": "id,text,word_id:words.lemma\n3,bird,owl\n"],
      rows: "1|cat|pet;2|NULL|x;3|owl|bird"),
    known(
      "ids that one file ships are not given to rows of another",
      [
        "words.a~.csv": "id,lemma\n3,owl\n", "words.b~.csv": "lemma\nelk\n",
        "senses.update.csv":
          "id,word_id:words.lemma,was:word_id:words.lemma\n1,elk,cat\n2,owl,\n",
      ], rows: "1|elk|pet;2|owl|x"),
    known(
      "an empty field is no reference", ["senses.csv": "id,word_id:words.lemma\n3,\n4,dog\n"],
      rows: "1|cat|pet;2|NULL|x;3|NULL|NULL;4|dog|NULL"),
    known(
      "the user deleted the word",
      user: "DELETE FROM senses; DELETE FROM words WHERE lemma = 'cat'",
      ["senses.csv": "id,word_id:words.lemma\n3,cat\n4,dog\n"], rows: "4|dog|NULL",
      conflicts: ["senses parentDeleted - skipped"]),
    known(
      "the word is the user's", user: "INSERT INTO words VALUES (9, 'owl', 7)",
      ["words.csv": "lemma,rank\nowl,1\n", "senses.csv": "id,word_id:words.lemma\n3,owl\n4,dog\n"],
      rows: "1|cat|pet;2|NULL|x;4|dog|NULL",
      conflicts: ["words keyTaken keepUser keptUser", "senses parentTaken - skipped"]),
    known(
      "a user's row holds the UNIQUE lemma", options: "",
      first: ["words.csv": "id,lemma\n1,cat\n"], user: "INSERT INTO words VALUES (9, 'owl', 7)",
      ["words.csv": "id,lemma\n2,owl\n", "senses.csv": "id,word_id:words.lemma\n3,owl\n4,cat\n"],
      rows: "4|cat|NULL",
      conflicts: ["words uniqueTaken keepUser keptUser", "senses parentDeleted - skipped"]),
    known(
      "the user renamed the word, and the same release takes the name back",
      options: "\"words\": {\"onEdited\": \"overwriteRow\"}",
      first: ["words.csv": "id,lemma\n1,cat\n2,dog\n"],
      user: "UPDATE words SET lemma = 'tom' WHERE id = 1",
      [
        "words.update.csv": "id,lemma,was:lemma\n1,cat,cat\n2,hound,dog\n",
        "senses.csv": "id,word_id:words.lemma\n3,cat\n4,\n",
      ],
      query: "SELECT lemma, s.id FROM words AS w LEFT JOIN senses AS s ON s.word_id = w.id",
      rows: "cat|NULL;hound|NULL",
      conflicts: ["words edited overwriteRow tookSeed", "senses parentDeleted - skipped"],
      goesBack: false),
    known(
      "several rows have the name",
      schema: "CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT);"
        + "CREATE TABLE senses (id INTEGER PRIMARY KEY, word_id INTEGER REFERENCES words, text);",
      options: "", first: ["words.csv": "id,lemma\n1,cat\n2,dog\n"],
      user: "INSERT INTO words VALUES (9, 'cat')",
      ["senses.csv": "id,word_id:words.lemma\n3,cat\n4,dog\n"], rows: "4|dog|NULL",
      conflicts: ["senses parentDeleted - skipped"]),
    known(
      "without a foreign key", schema: words(""),
      user: "DELETE FROM words WHERE lemma = 'cat'",
      ["senses.csv": "id,word_id:words.lemma\n3,cat\n4,dog\n"],
      rows: "1|NULL|pet;2|NULL|x;4|dog|NULL", conflicts: ["senses parentDeleted - skipped"]),
    known(
      "with a reference that only the options declare", schema: words(""),
      options: "\"words\": {\"key\": [\"lemma\"], \"references\": {\"senses\": [\"word_id\"]}}",
      ["words.csv": "lemma\nowl\n", "senses.csv": "id,word_id:words.lemma\n3,owl\n4,elk\n"],
      rows: "1|cat|pet;2|NULL|x;3|owl|NULL", conflicts: ["senses parentDeleted - skipped"]),
    known(
      "the user's row moves away",
      options: "\"senses\": {\"onTaken\": \"moveUser\"}, " + byLemma,
      user: "INSERT INTO senses VALUES (3, 1, NULL); INSERT INTO senses VALUES (4, 2, NULL)",
      ["words.csv": "lemma\nowl\n", "senses.csv": "id,word_id:words.lemma\n3,owl\n4,dog\n"],
      rows: "1|cat|pet;2|NULL|x;3|owl|NULL;4|dog|NULL;5|cat|NULL",
      conflicts: ["senses keyTaken moveUser moved"], goesBack: false),
    known(
      "found by the parent's collation and type",
      schema: "CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT COLLATE NOCASE UNIQUE, "
        + "n REAL UNIQUE); CREATE TABLE senses (id INTEGER PRIMARY KEY, word_id REFERENCES words, "
        + "text REFERENCES words (id));", options: "",
      first: ["words.csv": "id,lemma,n\n1,Cat,1.5\n2,dog,2\n"],
      ["senses.csv": "id,word_id:words.lemma,text:words.n\n3,CAT,2.0\n4,Dog,1.50\n"],
      query: "SELECT * FROM senses", rows: "3|1|2;4|2|1"),
    known(
      "several natural columns name one row",
      schema: "CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT, lang TEXT, "
        + "UNIQUE (lang, lemma)); CREATE TABLE senses (id INTEGER PRIMARY KEY, "
        + "word_id INTEGER REFERENCES words, text);", options: "",
      first: ["words.csv": "id,lemma,lang\n1,gift,en\n2,gift,de\n"],
      [
        "senses.csv": "id,word_id:words.lemma,text,word_id:words.lang\n3,gift,a,de\n4,gift,b,en\n"
          + "5,,c,\n"
      ],
      query: "SELECT * FROM senses", rows: "3|2|a;4|1|b;5|NULL|c"),
    known(
      "half a natural key",
      schema: words(rank: "lang TEXT"),
      ["senses.csv": "id,word_id:words.lemma,word_id:words.lang\n3,cat,\n"],
      error: "2_second/senses.csv:2: Some of 'word_id:words.lemma', 'word_id:words.lang' are"),
    known(
      "a composite foreign key",
      schema: "CREATE TABLE places (a TEXT, b INTEGER, name TEXT UNIQUE, PRIMARY KEY (a, b));"
        + "CREATE TABLE t (id INTEGER PRIMARY KEY, y INTEGER, x TEXT, "
        + "FOREIGN KEY (x, y) REFERENCES places);",
      options: "", first: ["places.csv": "a,b,name\np,1,one\nq,2,two\n"],
      ["t.csv": "id,\"(y,x):places.name\"\n1,two\n2,one\n3,\n"],
      query: "SELECT id, x, y FROM t", rows: "1|q|2;2|p|1;3|NULL|NULL"),
    known(
      "a key that is no primary key",
      schema: "CREATE TABLE words (id INTEGER PRIMARY KEY, "
        + "code TEXT UNIQUE, lemma TEXT UNIQUE); CREATE TABLE senses (id INTEGER PRIMARY KEY, "
        + "word_id TEXT REFERENCES words (code), text);",
      options: "", first: ["words.csv": "id,code,lemma\n1,c,cat\n2,d,dog\n"],
      ["senses.csv": "id,word_id:words.lemma\n3,dog\n"], query: "SELECT * FROM senses",
      rows: "3|d|NULL"),
    known(
      "a column of this very name wins",
      schema: words(more: ", \"word_id:words.lemma\" TEXT"),
      first: [:].merging(["words.csv": "lemma\ncat\n"]) { $1 },
      ["senses.csv": "id,word_id:words.lemma\n3,nonsense\n"],
      query: "SELECT id, word_id, \"word_id:words.lemma\" FROM senses", rows: "3|NULL|nonsense"),
  ]

  private static let naturalUpdates = [
    known(
      "an update points to another word",
      ["senses.update.csv": "id,word_id:words.lemma,was:word_id:words.lemma\n1,dog,cat\n2,cat,\n"],
      rows: "1|dog|pet;2|cat|x"),
    known(
      "an update leaves what the user pointed elsewhere",
      user:
        "UPDATE senses SET word_id = 2 WHERE id = 1; UPDATE senses SET word_id = 2 WHERE id = 2",
      ["senses.update.csv": "id,word_id:words.lemma,was:word_id:words.lemma\n1,,cat\n2,,\n"],
      rows: "1|dog|pet;2|dog|x", conflicts: ["senses edited keepEdits keptUser"]),
    known(
      "an update points to a new word, and the old one is retired",
      [
        "senses.update.csv": "id,word_id:words.lemma,was:word_id:words.lemma\n1,owl,cat\n",
        "words.csv": "lemma\nowl\n", "words.delete.csv": "lemma,rank\ncat,\n",
      ], rows: "1|owl|pet;2|NULL|x", goesBack: true),
    known(
      "a UNIQUE value that depends on a new word",
      schema: words(more: ", UNIQUE (word_id, text)"),
      first: [
        "words.csv": "lemma\ncat\ndog\n",
        "senses.csv": "id,word_id:words.lemma,text\n1,cat,a\n2,cat,b\n",
      ],
      [
        "senses.update.csv": "id,word_id:words.lemma,was:word_id:words.lemma,text,was:text\n"
          + "1,owl,cat,b,a\n2,cat,cat,a,b\n",
        "words.csv": "lemma\nowl\n",
      ], rows: "1|owl|b;2|cat|a"),
    known(
      "an update points to a new word that is the user's",
      user: "INSERT INTO words VALUES (9, 'owl', 7)",
      [
        "senses.update.csv": "id,word_id:words.lemma,was:word_id:words.lemma,text,was:text\n"
          + "1,owl,cat,bird,pet\n",
        "words.csv": "lemma,rank\nowl,1\n",
      ], rows: "1|cat|bird;2|NULL|x",
      conflicts: ["senses parentTaken - skipped", "words keyTaken keepUser keptUser"]),
    known(
      "an update points to a word that the user deleted",
      user: "DELETE FROM words WHERE lemma = 'dog'",
      ["senses.update.csv": "id,word_id:words.lemma,was:word_id:words.lemma\n1,dog,cat\n"],
      rows: "1|cat|pet;2|NULL|x", conflicts: ["senses parentDeleted - skipped"]),
    known(
      "what names no word is not what the user has",
      schema: words("REFERENCES words ON DELETE SET NULL"),
      user: "PRAGMA foreign_keys = 1; DELETE FROM words WHERE lemma = 'cat'",
      ["senses.update.csv": "id,word_id:words.lemma,was:word_id:words.lemma\n1,dog,cat\n"],
      rows: "1|NULL|pet;2|NULL|x", conflicts: ["senses edited keepEdits keptUser"]),
    known(
      "base = seed though neither names a word", user: "DELETE FROM words WHERE lemma = 'cat'",
      [
        "senses.update.csv": "id,word_id:words.lemma,was:word_id:words.lemma,text,was:text\n"
          + "1,cat,cat,new,pet\n"
      ], rows: "1|NULL|new;2|NULL|x"),
  ]

  private static let naturalDeletes = [
    known(
      "a row is retired with its word",
      [
        "senses.delete.csv": "id,word_id:words.lemma,text\n1,cat,pet\n",
        "words.delete.csv": "lemma,rank\ncat,\n",
      ], rows: "2|NULL|x"),
    known(
      "a retired row that the user pointed elsewhere stays", user: "UPDATE senses SET word_id = 2",
      ["senses.delete.csv": "id,word_id:words.lemma,text\n1,cat,pet\n"],
      rows: "1|dog|pet;2|dog|x", conflicts: ["senses editedRetired keepEdits keptUser"]),
  ]

  private static func links(_ action: String = "") -> String {
    "CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE);"
      + "CREATE TABLE senses (id INTEGER, word_id INTEGER REFERENCES words \(action), text TEXT, "
      + "PRIMARY KEY (word_id, id)) WITHOUT ROWID;"
  }
  private static let linked = [
    "words.csv": "lemma\ncat\ndog\n",
    "senses.csv": "word_id:words.lemma,id,text\ncat,1,pet\ndog,1,barks\n",
  ]

  private static let naturalKeys = [
    known(
      "in the key: insert, update and delete", schema: links(), first: linked,
      [
        "senses.csv": "id,word_id:words.lemma,text\n2,owl,bird\n", "words.csv": "lemma\nowl\n",
        "senses.update.csv": "word_id:words.lemma,id,text,was:text\ncat,1,PET,pet\n",
        "senses.delete.csv": "word_id:words.lemma,id,text\ndog,1,barks\n",
      ], rows: "1|cat|PET;2|owl|bird"),
    known(
      "in the key: a word that is not there",
      schema: links("ON DELETE CASCADE"),
      first: linked, user: "PRAGMA foreign_keys = 1; DELETE FROM words WHERE lemma = 'cat'",
      [
        "senses.csv": "id,word_id:words.lemma,text\n2,cat,x\n",
        "senses.update.csv": "word_id:words.lemma,id,text,was:text\ncat,1,PET,pet\n",
      ], rows: "1|dog|barks",
      conflicts: ["senses deletedByUser - keptUser", "senses parentDeleted - skipped"]),
    known(
      "in the key: the row of a word that is not there is gone",
      schema: links("ON DELETE CASCADE"),
      first: linked, user: "PRAGMA foreign_keys = 1; DELETE FROM words WHERE lemma = 'dog'",
      ["senses.delete.csv": "word_id:words.lemma,id,text\ndog,1,barks\n"], rows: "1|cat|pet"),
    known(
      "in the key, which changes", schema: links(),
      first: [
        "words.csv": "lemma\ncat\ndog\n",
        "senses.csv": "word_id:words.lemma,id,text\ncat,1,pet\ndog,2,barks\n",
      ],
      user: "UPDATE senses SET text = 'mine' WHERE id = 2",
      [
        "senses.update.csv": "word_id:words.lemma,was:word_id:words.lemma,id,text,was:text\n"
          + "dog,cat,1,PET,pet\ncat,dog,2,barks,barks\n"
      ],
      rows: "1|dog|PET;2|cat|mine"),
    known(
      "in the key, which would change to a word that is not there", schema: links(), first: linked,
      user: "INSERT INTO words (lemma) VALUES ('mine')",
      [
        "senses.update.csv": "word_id:words.lemma,was:word_id:words.lemma,id,text,was:text\n"
          + "owl,cat,1,PET,pet\n"
      ],
      rows: "1|cat|PET;1|dog|barks", conflicts: ["senses parentDeleted - skipped"],
      inverse: "1|cat|PET;1|dog|barks"),
    known(
      "in the key: twice", schema: links(), first: linked,
      ["senses.csv": "id,word_id:words.lemma\n2,cat\n2,cat\n"],
      error: "2_second/senses.csv:3: The key {\"word_id\":1,\"id\":2} appears twice"),
    known(
      "in the key: empty", schema: links(), first: linked,
      ["senses.csv": "id,word_id:words.lemma\n2,\n"],
      error: "2_second/senses.csv:2:3: The key column 'word_id:words.lemma' is empty"),
  ]
}
