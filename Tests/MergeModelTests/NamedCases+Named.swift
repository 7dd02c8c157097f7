/// References by natural key to what the same migration changes, and to what is the user's.
extension NamedCase {
  private static func tree(
    _ name: String, options: String = "", user: String = "", _ second: [String: String],
    query: String = "SELECT * FROM t ORDER BY 1", rows: String, conflicts: [String] = [],
    goesBack: Bool = true, inverse: String? = nil
  ) -> NamedCase {
    NamedCase(
      name: name,
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, "
        + "parent INTEGER REFERENCES t);",
      options: options, first: ["t.csv": "id,name,parent\n1,a,\n2,b,\n3,c,1\n"], user: user,
      second: second, query: query, rows: rows, conflicts: conflicts, goesBack: goesBack,
      inverse: inverse)
  }

  private static func words(
    _ name: String, options: String = "", user: String = "", _ second: [String: String],
    query: String = "SELECT * FROM senses ORDER BY 1", rows: String, conflicts: [String] = [],
    goesBack: Bool = true, inverse: String? = nil
  ) -> NamedCase {
    NamedCase(
      name: name,
      schema: "CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE, code TEXT UNIQUE);"
        + "CREATE TABLE senses (id INTEGER PRIMARY KEY, word_id INTEGER REFERENCES words);",
      options: options,
      first: [
        "words.csv": "id,lemma,code\n1,cat,c\n2,dog,d\n3,elk,e\n",
        "senses.csv": "id,word_id:words.lemma\n1,cat\n",
      ], user: user, second: second, query: query, rows: rows, conflicts: conflicts,
      goesBack: goesBack, inverse: inverse)
  }

  static let namesOfChanges = namedAnew + namedByUsers + namedOfKeptOut + namedInLog

  private static let namedAnew = [
    tree(
      "two rows exchange their names, and a third keeps the parent that it has",
      [
        "t.update.csv": "id,name,parent:t.name,was:name,was:parent:t.name\n"
          + "1,b,,a,\n2,a,,b,\n3,c,a,c,a\n"
      ], rows: "1|b|NULL;2|a|NULL;3|c|1"),
    words(
      "a retired word that has to stay keeps its lemma",
      options: "\"words\": {\"onEdited\": \"preferSeed\"}",
      user: "UPDATE words SET lemma = 'owl' WHERE id = 1; INSERT INTO senses VALUES (7, 1)",
      [
        "words.delete.csv": "id,lemma,code\n1,cat,c\n",
        "senses.update.csv": "id,word_id:words.lemma,was:word_id\n1,owl,1\n",
      ], rows: "1|1;7|1", conflicts: ["words referenced preferSeed keptUser"]),
    words(
      "a retired word that was kept has the lemma that the user gave it, also for `down`",
      user: "UPDATE words SET lemma = 'owl' WHERE id = 1; UPDATE senses SET word_id = NULL",
      [
        "words.delete.csv": "id,lemma,code\n1,cat,c\n",
        "senses.update.csv": "id,word_id:words.lemma,was:word_id:words.lemma\n1,,cat\n",
      ], rows: "1|NULL", conflicts: ["words editedRetired keepEdits keptUser"]),
    NamedCase(
      name: "names are found by keys that are named themselves",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, a INTEGER, b TEXT, "
        + "FOREIGN KEY (a, b) REFERENCES p);"
        + "CREATE TABLE p (k INTEGER REFERENCES t, l TEXT, u TEXT UNIQUE, PRIMARY KEY (k, l));",
      first: [:],
      second: [
        "p.csv": "k:t.name,l,u\none,x,first\n",
        "t.csv": "id,name,\"(a,b):p.u\"\n1,one,\n2,two,first\n",
      ], query: "SELECT * FROM t", rows: "", error: "depends on a name"),
  ]

  private static func places(
    _ name: String, user: String, _ second: [String: String], rows: String, conflicts: [String]
  ) -> NamedCase {
    NamedCase(
      name: name,
      schema: "CREATE TABLE places (a TEXT, b INTEGER, name TEXT UNIQUE, PRIMARY KEY (a, b));"
        + "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT, y INTEGER, "
        + "FOREIGN KEY (x, y) REFERENCES places);",
      first: [
        "places.csv": "a,b,name\np,1,one\nq,2,two\n", "t.csv": "id,\"(x,y):places.name\"\n1,one\n",
      ], user: user, second: second, query: "SELECT * FROM t", rows: rows, conflicts: conflicts)
  }

  private static let namedByUsers = [
    places(
      "half of a key that is to come is empty", user: "UPDATE t SET y = NULL",
      [
        "places.csv": "a,b,name\nr,3,three\n",
        "t.update.csv": "id,\"(x,y):places.name\",\"was:(x,y):places.name\"\n1,three,one\n",
      ], rows: "1|p|NULL", conflicts: ["t edited keepEdits keptUser"]),
    places(
      "half of a key that nobody has is empty",
      user: "UPDATE t SET y = NULL; DELETE FROM places WHERE b = 2",
      ["t.update.csv": "id,\"(x,y):places.name\",\"was:(x,y):places.name\"\n1,two,one\n"],
      rows: "1|p|NULL",
      conflicts: ["t edited keepEdits keptUser"]),
    words(
      "a word that has another's lemma is found by its own code",
      user: "UPDATE words SET lemma = 'owl' WHERE id = 1",
      ["words.csv": "id,lemma,code\n4,owl,o\n", "senses.csv": "id,word_id:words.code\n2,c\n3,o\n"],
      rows: "1|1;2|1",
      conflicts: ["words uniqueTaken keepUser keptUser", "senses parentDeleted - skipped"]),
    NamedCase(
      name: "a row without a key of ours has no name",
      schema: "CREATE TABLE words (id INTEGER PRIMARY KEY, seed_id TEXT UNIQUE, lemma TEXT UNIQUE);"
        + "CREATE TABLE senses (id INTEGER PRIMARY KEY, word_id INTEGER REFERENCES words);",
      options: "\"words\": {\"key\": [\"seed_id\"]}",
      first: ["words.csv": "seed_id,lemma\nc,cat\nd,dog\n"],
      user: "DELETE FROM words WHERE lemma = 'dog'; INSERT INTO words (lemma) VALUES ('dog')",
      second: ["senses.csv": "id,word_id:words.lemma\n1,cat\n2,dog\n"],
      query: "SELECT * FROM senses", rows: "1|1",
      conflicts: ["senses parentDeleted - skipped"]),
    tree(
      "the user's row that had the name gets another",
      options: "\"t\": {\"onTaken\": \"replaceUser\"}",
      user: "INSERT INTO t VALUES (4, 'd', NULL)",
      ["t.csv": "id,name,parent:t.name\n4,e,d\n5,d,\n"],
      rows: "1|a|NULL;2|b|NULL;3|c|1;4|e|5;5|d|NULL",
      conflicts: ["t keyTaken replaceUser tookSeed"], inverse: "1|a|NULL;2|b|NULL;3|c|1"),
    NamedCase(
      name: "a name that nobody has is the same in another order and in another case",
      schema: "CREATE TABLE places (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE, b INTEGER, "
        + "UNIQUE (a, b)); CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER REFERENCES places);",
      first: ["places.csv": "id,a,b\n1,x,1\n", "t.csv": "id,p\n1,1\n"],
      user: "UPDATE places SET b = 2; UPDATE t SET p = NULL",
      second: [
        "t.update.csv": "id,p:places.b,p:places.a,was:p:places.a,was:p:places.b\n1,1,X,x,1\n"
      ], query: "SELECT * FROM t", rows: "1|NULL"),
    NamedCase(
      name: "names that nobody has are not the same by other columns",
      schema: "CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE, code TEXT UNIQUE);"
        + "CREATE TABLE senses (id INTEGER PRIMARY KEY, word_id INTEGER REFERENCES words);",
      first: ["words.csv": "id,lemma,code\n1,a,x\n2,b,a\n", "senses.csv": "id,word_id\n1,1\n"],
      user: "DELETE FROM words; UPDATE senses SET word_id = NULL",
      second: ["senses.update.csv": "id,word_id:words.code,was:word_id:words.lemma\n1,a,a\n"],
      query: "SELECT * FROM senses", rows: "1|NULL",
      conflicts: ["senses edited keepEdits keptUser"]),
    NamedCase(
      name: "the names of a key that is the user's stand in another order",
      schema: "CREATE TABLE places (a TEXT, b INTEGER, PRIMARY KEY (a, b));"
        + "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT, y INTEGER, "
        + "FOREIGN KEY (x, y) REFERENCES places);",
      first: ["places.csv": "a,b\np,1\n"],
      user: "UPDATE places SET b = 2",
      second: ["t.csv": "id,\"(x,y):places.b\",\"(x,y):places.a\"\n1,2,p\n2,1,p\n"],
      query: "SELECT * FROM t", rows: "1|p|2", conflicts: ["t parentDeleted - skipped"]),
    words(
      "a word that the seed overruled is in the log, and does not come back",
      options: "\"senses\": {\"onEdited\": \"preferSeed\"}",
      user: "UPDATE senses SET word_id = 2",
      [
        "words.csv": "id,lemma,code\n4,owl,o\n", "words.delete.csv": "id,lemma,code\n3,elk,e\n",
        "senses.update.csv": "id,word_id:words.lemma,was:word_id:words.lemma\n1,owl,cat\n",
      ], rows: "1|4", conflicts: ["senses edited preferSeed tookSeed"], inverse: "1|1"),
    NamedCase(
      name: "UNIQUE values are exchanged between two files, and others refer to one of them",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT UNIQUE, "
        + "c TEXT REFERENCES t (a));",
      first: ["t.csv": "id,a,b,c\n1,x,one,\n2,y,two,x\n"],
      second: [
        "t.a~.update.csv": "id,a,b,was:a,was:b\n1,x,two,x,one\n",
        "t.b~.update.csv": "id,a,b,was:a,was:b\n2,y,one,y,two\n",
      ], rows: "1|x|two|NULL;2|y|one|x"),
  ]

  private static func keptOut(
    _ name: String, _ words: String, rows: String, conflicts: [String],
    then: [[String: String]], leaves: String
  ) -> NamedCase {
    NamedCase(
      name: name,
      schema: "CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE, code TEXT UNIQUE);"
        + "CREATE TABLE senses (id INTEGER PRIMARY KEY, word_id INTEGER REFERENCES words);",
      options: "\"words\": {\"onTaken\": \"moveUser\"}",
      first: ["words.csv": "id,lemma,code\n1,cat,c\n"],
      user: "INSERT INTO words VALUES (4, 'owl', '')",
      second: ["words.csv": words],
      query: "SELECT id, lemma FROM words UNION ALL SELECT -id, word_id FROM senses ORDER BY 1",
      rows: rows,
      conflicts: conflicts, leaves: leaves, then: then)
  }

  /// A user's row that keeps one of the seed's out is not meant by its name.
  private static let namedOfKeptOut = [
    keptOut(
      "a user's row that held the name makes way in the same release",
      "id,lemma,code\n4,elk,e\n5,owl,o\n", rows: "1|cat;4|elk;6|owl",
      conflicts: ["words keyTaken moveUser moved", "words uniqueTaken moveUser keptUser"],
      then: [["senses.csv": "id,word_id:words.lemma\n1,owl\n2,elk\n"]],
      leaves: "-2|4;1|cat;4|elk;6|owl"),
    keptOut(
      "a user's row that held the name makes way later",
      "id,lemma,code\n9,owl,o\n", rows: "1|cat;4|owl",
      conflicts: ["words uniqueTaken moveUser keptUser"],
      then: [
        ["words.csv": "id,lemma,code\n4,elk,e\n"],
        ["senses.csv": "id,word_id:words.lemma\n1,owl\n2,elk\n"],
      ],
      leaves: "-2|4;1|cat;4|elk;5|owl"),
    keptOut(
      "a user's row that held the name makes way later, and again",
      "id,lemma,code\n9,owl,o\n", rows: "1|cat;4|owl",
      conflicts: ["words uniqueTaken moveUser keptUser"],
      then: [
        ["words.csv": "id,lemma,code\n4,elk,e\n"], ["words.csv": "id,lemma,code\n5,eft,f\n"],
        ["senses.csv": "id,word_id:words.lemma\n1,owl\n2,elk\n"],
      ],
      leaves: "-2|4;1|cat;4|elk;5|eft;6|owl"),
    keptOut(
      "another row has the key of a user's row that held a name",
      "id,lemma,code\n5,owl,o\n", rows: "1|cat;4|owl",
      conflicts: ["words uniqueTaken moveUser keptUser"],
      then: [
        ["words.csv": "id,lemma,code\n4,elk,e\n"],
        ["senses.csv": "id,word_id:words.lemma\n2,elk\n"],
      ],
      leaves: "-2|4;1|cat;4|elk;5|owl"),
    NamedCase(
      name: "an update that met a UNIQUE value keeps no row from its name",
      schema: "CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE, code TEXT UNIQUE);"
        + "CREATE TABLE senses (id INTEGER PRIMARY KEY, word_id INTEGER REFERENCES words);",
      options: "\"words\": {\"onEdited\": \"overwriteRow\"}",
      first: ["words.csv": "id,lemma,code\n1,cat,c\n2,dog,d\n"],
      user: "DELETE FROM words WHERE id = 1; INSERT INTO words VALUES (9, 'mine', 'o')",
      second: ["words.update.csv": "id,code\n1,x\n2,o\n"],
      query: "SELECT id, lemma FROM words UNION ALL SELECT -id, word_id FROM senses ORDER BY 1",
      rows: "2|dog;9|mine",
      conflicts: ["words deletedByUser - keptUser", "words uniqueTaken keepUser keptUser"],
      leaves: "-1|2;2|dog;9|mine",
      then: [["senses.csv": "id,word_id:words.lemma\n1,dog\n"]]),
  ]

  private static let logged = "SELECT seed FROM seedbed_conflicts"

  private static let namedInLog = [
    NamedCase(
      name: "the log has the name alone, though a part of the key that it means is known",
      schema: "CREATE TABLE roots (id INTEGER PRIMARY KEY, name TEXT UNIQUE);"
        + "CREATE TABLE places (a INTEGER REFERENCES roots, b TEXT, name TEXT UNIQUE, "
        + "PRIMARY KEY (a, b)); CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER, y TEXT, "
        + "FOREIGN KEY (x, y) REFERENCES places);",
      first: ["roots.csv": "id,name\n1,one\n"], user: "DELETE FROM roots",
      second: [
        "places.csv": "a:roots.name,b,name\none,m,here\n",
        "t.csv": "id,\"(x,y):places.name\"\n1,here\n",
      ], query: "SELECT seed FROM seedbed_conflicts WHERE table_name = 't'",
      rows: "{\"id\":1,\"(x,y):places.name\":\"here\"}",
      conflicts: ["places parentDeleted - skipped", "t parentDeleted - skipped"], goesBack: false),
    tree(
      "the log has the keys of rows to insert, whether they came or not",
      user: "INSERT INTO t VALUES (4, 'mine', NULL); INSERT INTO t VALUES (5, 'my', NULL)",
      ["t.csv": "id,name,parent:t.name\n4,d,g\n5,e,d\n7,g,\n"], query: logged,
      rows:
        "{\"id\":4,\"name\":\"d\",\"parent\":7};{\"id\":5,\"name\":\"e\",\"parent\":4}",
      conflicts: ["t keyTaken keepUser keptUser", "t keyTaken keepUser keptUser"], goesBack: false),
    words(
      "the log has the key of a word that comes after the update",
      user: "UPDATE senses SET word_id = 2",
      [
        "words.csv": "id,lemma,code\n9,owl,o\n",
        "senses.update.csv": "id,word_id:words.lemma,was:word_id:words.lemma\n1,owl,cat\n",
      ], query: logged, rows: "{\"word_id\":9}",
      conflicts: ["senses edited keepEdits keptUser"], goesBack: false),
  ]
}
