import Testing

@testable import Seedbed

/// What is told of natural keys that name no row.
struct NaturalKeyTests {
  static let schema = """
    CREATE TABLE IF NOT EXISTS words (id INTEGER PRIMARY KEY, lemma TEXT);
    CREATE TABLE IF NOT EXISTS senses (
      id INTEGER PRIMARY KEY, word_id INTEGER REFERENCES words, text TEXT);
    """
  static let unique = "CREATE UNIQUE INDEX IF NOT EXISTS by_lemma ON words (lemma);"
  static let words = "id,lemma\n1,cat\n2,dog\n"

  @Test(arguments: ["", unique])
  func `a name without a row is an error where this run made the table`(_ index: String) throws {
    let device = try Device([
      "0001_words/up.sql": Self.schema + index, "0001_words/words.csv": Self.words,
      "0001_words/senses.csv": "id,word_id:words.lemma\n1,cat\n2,owl\n",
    ])
    let error = try device.failure()
    #expect(error.code == .foreignKey)
    #expect(
      error.description == """
        0001_words/senses.csv:3: This row of 'senses' refers to {"lemma":"owl"} of 'words', which \
        does not exist; this run created 'words', so no user can have deleted it. Ship the \
        parent's row.
        """)
  }

  @Test func `a name of several rows is an error where this run made the table`() throws {
    let device = try Device([
      "0001_words/up.sql": Self.schema, "0001_words/words.csv": Self.words + "3,cat\n",
      "0001_words/senses.csv": "id,word_id:words.lemma\n1,dog\n2,cat\n",
    ])
    let error = try device.failure()
    #expect(error.code == .foreignKey)
    #expect(
      error.description == """
        0001_words/senses.csv:3: This row of 'senses' refers to {"lemma":"cat"} of 'words', which \
        matches several rows. Name the row by enough UNIQUE columns to make it unambiguous.
        """)
  }

  @Test func `the same of an update, also after the inserts`() throws {
    for more in [[:], ["0001_words/words.csv": Self.words]] {
      var files = [
        "0001_words/up.sql": Self.schema + "INSERT INTO senses VALUES (9, NULL, '');",
        "0001_words/senses.update.csv": "id,word_id:words.lemma,was:word_id\n9,owl,\n",
      ]
      files.merge(more) { $1 }
      let error = try Device(files).failure()
      #expect(error.code == .foreignKey)
      #expect(
        error.description.hasPrefix(
          "0001_words/senses.update.csv:2: This row of 'senses' refers to {\"lemma\":\"owl\"} of"))
    }
  }

  @Test func `conflicts show the key that was found, or the name that was not`() throws {
    let device = try Device(
      [
        "0001_words/words.csv": Self.words,
        "0001_words/senses.csv": "id,word_id:words.lemma,text\n1,cat,a\n2,owl,b\n3,dog,c\n",
      ], app: Self.schema + Self.unique)
    try device.run("INSERT INTO senses VALUES (3, NULL, 'mine')")
    try device.up()
    #expect(
      try device.conflicts() == [
        #"1 senses {"id":2} parentDeleted - skipped"#
          + #" seed={"id":2,"text":"b","word_id:words.lemma":"owl"}"#,
        #"1 senses {"id":3} keyTaken keepUser keptUser mine={"id":3,"word_id":null,"text":"mine"}"#
          + #" seed={"id":3,"text":"c","word_id":2}"#,
      ])
  }

  @Test func `conflicts of updates show them as well, hoped for or not`() throws {
    for hopes in [[:], ["0002_words/words.csv": "id,lemma\n3,elk\n"]] {
      let device = try Device(
        [
          "0001_words/words.csv": Self.words,
          "0001_words/senses.csv": "id,word_id:words.lemma,text\n1,cat,a\n2,dog,b\n",
        ], app: Self.schema + Self.unique)
      try device.up()
      try device.run("UPDATE senses SET word_id = 2 WHERE id = 1")
      var files = [
        "0002_words/senses.update.csv": "id,word_id:words.lemma,was:word_id:words.lemma\n"
          + "1,,cat\n2,owl,dog\n"
      ]
      files.merge(hopes) { $1 }
      try device.write(files)
      try device.up()
      #expect(
        try device.conflicts() == [
          #"2 senses {"id":1} edited keepEdits keptUser base={"word_id":1} mine={"word_id":2}"#
            + #" seed={"word_id":null}"#,
          #"2 senses {"id":2} parentDeleted - skipped base={"word_id":2} mine={"word_id":2}"#
            + #" seed={"word_id:words.lemma":"owl"}"#,
        ])
      let before = try device.rows("SELECT * FROM senses")
      _ = try device.migrator().down(to: 1)
      #expect(try device.rows("SELECT * FROM senses") == before)
    }
  }

  @Test func `down is refused where a natural value has no old one`() throws {
    let device = try Device(
      [
        "catalog.json": #"{"tables": {"senses": {"onEdited": "overwriteRow"}}}"#,
        "0001_words/words.csv": Self.words,
        "0001_words/senses.csv": "id,word_id:words.lemma\n1,cat\n",
      ], app: Self.schema + Self.unique)
    try device.up()
    try device.write(["0002_a/senses.update.csv": "id,word_id:words.lemma\n1,dog\n"])
    try device.up()
    #expect(throws: SeedbedError.self) { try device.migrator().down(to: 1) }
    try device.write([
      "0003_b/senses.update.csv": "id,word_id:words.lemma,was:word_id\n1,cat,2\n"
    ])
    try device.up()
    _ = try device.migrator().down(to: 2)
    #expect(try device.rows("SELECT word_id FROM senses") == ["2"])
  }

  @Test func `thousands of rows are named by two words`() throws {
    let rows = (1...3000).map { "\($0),\($0 % 2 == 0 ? "cat" : "dog")\n" }.joined()
    let device = try Device(
      [
        "0001_words/words.csv": Self.words,
        "0001_words/senses.csv": "id,word_id:words.lemma\n" + rows,
      ], app: Self.schema + Self.unique)
    #expect(
      try device.up().lines == ["1 senses +3000 ~0 -0 =0 kept 0", "1 words +2 ~0 -0 =0 kept 0"])
    #expect(
      try device.rows("SELECT word_id, count(*) FROM senses GROUP BY 1") == ["1|1500", "2|1500"])
  }

  @Test func `a long chain is no harder than a wide tree`() throws {
    // Each row looks for another: without an index on what it looks through, this takes minutes.
    let rows = (1..<20000).map { "n\($0),n\($0 + 1)\n" }.joined()
    let device = try Device([
      "catalog.json": #"{"tables": {"t": {"key": ["name"]}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, "
        + "up INTEGER REFERENCES t); CREATE INDEX by_up ON t (up);",
      "0001_t/t.csv": "name,up:t.name\n" + rows + "n20000,\n",
    ])
    let lines = try withinAMinute { try device.up().lines }
    #expect(lines == ["1 t +20000 ~0 -0 =0 kept 0"])
  }

  @Test func `two files may name rows beside a name that the user holds`() throws {
    let device = try Device([
      "0001_words/up.sql": Self.schema + Self.unique
        + "CREATE TABLE notes (id INTEGER PRIMARY KEY, word_id INTEGER REFERENCES words);",
      "0001_words/words.csv": Self.words, "0002_owl/words.csv": "id,lemma\n3,owl\n",
      "0003_more/senses.csv": "id,word_id:words.lemma\n1,cat\n2,owl\n",
      "0003_more/notes.csv": "id,word_id:words.lemma\n1,dog\n2,owl\n",
    ])
    try device.up(to: 1)
    try device.run("INSERT INTO words VALUES (9, 'owl')")
    try device.up()
    #expect(try device.rows("SELECT id, word_id FROM senses") == ["1|1"])
    #expect(try device.rows("SELECT id, word_id FROM notes") == ["1|2"])
  }
}
