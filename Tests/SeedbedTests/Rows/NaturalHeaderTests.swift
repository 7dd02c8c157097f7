import Testing

@testable import Seedbed

/// What a header's field means that is no column's name.
struct NaturalHeaderTests {
  static let schema = """
    CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE, lang TEXT);
    CREATE TABLE other (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE keyless (name TEXT);
    CREATE TABLE "a" (id INTEGER PRIMARY KEY, "b.c" TEXT UNIQUE);
    CREATE TABLE "a.b" (id INTEGER PRIMARY KEY, "c" TEXT UNIQUE);
    CREATE TABLE "größe: 👋.x" (id INTEGER PRIMARY KEY, "y:z.(1,2)" TEXT UNIQUE);
    CREATE TABLE pairs (x INTEGER, y INTEGER, name TEXT UNIQUE, PRIMARY KEY (x, y));
    CREATE VIEW shown AS SELECT * FROM words;
    CREATE TABLE t (
      id INTEGER PRIMARY KEY, word_id INTEGER REFERENCES words, text, twice AS (text || text),
      "p:q" INTEGER, "r,s" INTEGER, "(u)" INTEGER, x INTEGER, y INTEGER);
    INSERT INTO words VALUES (5, 'cat', 'en');
    INSERT INTO a VALUES (6, 'v');
    INSERT INTO "a.b" VALUES (7, 'v');
    INSERT INTO "größe: 👋.x" VALUES (8, 'v');
    INSERT INTO pairs VALUES (1, 2, 'v');
    """

  struct Case: CustomTestStringConvertible {
    var header: String
    var value: String
    /// Of the columns that it fills.
    var row: String
    var columns: String

    init(_ header: String, _ value: String, _ columns: String, _ row: String) {
      (self.header, self.value, self.columns, self.row) = (header, value, columns, row)
    }

    var testDescription: String { header }
  }

  @Test(arguments: [
    Case("word_id:words.lemma", "cat", "word_id", "5"),
    Case("WORD_ID:Words.LEMMA", "cat", "word_id", "5"),
    Case("(word_id):words.lemma", "cat", "word_id", "5"),
    Case("p:q:words.lemma", "cat", "\"p:q\"", "5"),
    Case("text:größe: 👋.x.y:z.(1,2)", "v", "text", "8"),
    Case("(u):words.lemma", "cat", "\"(u)\"", "5"),
    Case("(x,y):pairs.name", "v", "x, y", "1|2"),
    Case("(r,s,x):pairs.name", "v", "\"r,s\", x", "1|2"),
  ])
  func `a reference reads as`(_ example: Case) throws {
    let device = try Device(
      ["0001_t/t.csv": "id,\"\(example.header)\"\n1,\(example.value)\n"], app: Self.schema)
    try device.up()
    #expect(try device.rows("SELECT \(example.columns) FROM t") == [example.row])
  }

  struct Refusal: CustomTestStringConvertible {
    var header: String
    var error: String

    init(_ header: String, _ error: String) { (self.header, self.error) = (header, error) }

    var testDescription: String { header }
  }

  static let form = " A reference by natural key is written <column>:<table>.<column>."

  @Test(arguments: [
    Refusal(
      "word_id:words", "The header's 'word_id:words' does not name a table and a column." + form),
    Refusal(
      "wordid:words.lemma",
      "The header's 'wordid:words.lemma' would fill the column 'wordid', which the table 't' does "
        + "not have. Did you mean 'word_id'?" + form),
    Refusal(
      "word_id:wrods.lemma",
      "The header's 'word_id:wrods.lemma' refers to a table 'wrods', which the database does not "
        + "have. Did you mean 'words'?" + form),
    Refusal(
      "word_id:words.lema",
      "The header's 'word_id:words.lema' refers to a column 'lema', which the table 'words' does "
        + "not have. Did you mean 'lemma'?" + form),
    Refusal(
      "(x,x):pairs.name",
      "The header's '(x,x):pairs.name' would fill the column '(x,x)', which the table 't' does "
        + "not have." + form),
    Refusal(
      "text:shown.lemma",
      "The header's 'text:shown.lemma' refers to a table 'shown', which the database does not "
        + "have." + form),
    Refusal(
      "text:a.b.c",
      "The header's 'text:a.b.c' can be read in several ways: 'text' from 'b.c' of 'a'; or 'text' "
        + "from 'c' of 'a.b'. Ship the key itself instead."),
    Refusal(
      "twice:words.lemma",
      "The column 'twice' of the table 't' is generated: the database computes it. Remove it "
        + "from the file."),
    Refusal(
      "text:keyless.name",
      "The header fills (text) with the key of a row of 'keyless', but no foreign key says which "
        + "columns those are, and 'keyless' has neither a primary key nor the option \"key\". Name "
        + "as many columns as the key has: (a,b):keyless.<column>."),
    Refusal(
      "(x,y):words.lemma",
      "The header fills (x, y) with the key of a row of 'words', but no foreign key says which "
        + "columns those are, and 'words' has the key (id). Name as many columns as the key has: "
        + "(a,b):words.<column>."),
  ])
  func `refused is`(_ refusal: Refusal) throws {
    let device = try Device(
      ["0001_t/t.csv": "id,\"\(refusal.header)\"\n1,v\n"], app: Self.schema)
    #expect(try device.failure().description == "0001_t/t.csv:1:4: " + refusal.error)
  }

  @Test func `a list of thousands of columns is no reference`() throws {
    let list = Array(repeating: "x", count: 30_000).joined(separator: ",")
    let device = try Device(["0001_t/t.csv": "id,\"(\(list)):pairs.name\"\n"], app: Self.schema)
    #expect(try device.failure().message.hasPrefix("The table 't' has no column '(x,x,"))
  }

  @Test(arguments: [
    Refusal(
      "id,word_id,word_id:words.lemma",
      "1:12: The header sets the column 'word_id' twice: directly or by a natural key. "
        + "Remove one."),
    Refusal(
      "id,\"(x,y):pairs.name\",y:words.lemma",
      "1:23: The header sets the column 'y' twice: directly or by a natural key. Remove one."),
    Refusal(
      "id,word_id:words.lemma,word_id:other.name",
      "1:24: The header fills 'word_id' from 'words' and from 'other'. All the fields that fill a "
        + "column name one row of one table."),
  ])
  func `refused together is`(_ refusal: Refusal) throws {
    let device = try Device(["0001_t/t.csv": refusal.header + "\n1,v,v\n"], app: Self.schema)
    #expect(try device.failure().description == "0001_t/t.csv:" + refusal.error)
  }

  @Test func `an old value has a natural key of its own`() throws {
    let device = try Device(
      ["0001_t/t.update.csv": "id,x,was:x:words.lemma\n1,3,cat\n2,3,cat\n"], app: Self.schema)
    try device.run("INSERT INTO t (id, x) VALUES (1, 5), (2, 6)")
    try device.up()
    #expect(try device.rows("SELECT x FROM t") == ["3", "6"])
  }

  @Test func `blobs and numbers are read as the named table has them`() throws {
    let device = try Device(
      [
        "catalog.json": #"{"tables": {"p": {"blobs": {"hash": "hex"}}}}"#,
        "0001_t/t.csv": "id,word_id:p.hash,x:p.n\n1,c0ff,7\n2,C0FF,7\n",
      ],
      app: Self.schema + "CREATE TABLE p (id INTEGER PRIMARY KEY, hash BLOB UNIQUE, n INT UNIQUE);"
        + "INSERT INTO p VALUES (5, x'c0ff', 7);")
    try device.up()
    #expect(try device.rows("SELECT word_id, x FROM t") == ["5|5", "5|5"])
    try device.write(["0002_t/t.csv": "id,x:p.n\n3,seven\n"])
    let error = try device.failure().description
    #expect(error.hasPrefix("0002_t/t.csv:2:3: "), "\(error)")
    #expect(error.contains("'x:p.n'"), "\(error)")
  }
}
