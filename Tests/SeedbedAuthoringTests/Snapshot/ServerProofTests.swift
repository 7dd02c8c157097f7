import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// The comparison that is made on a server, on what is at hand everywhere.
struct ServerProofTests {
  private static let files = [
    "0001_words/up.sql": """
    CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT); CREATE TABLE empty (a);
    """,
    "0001_words/words.csv": "id,word\n1,one\n2,two\n",
  ]

  private func difference(_ path: String, _ text: String) throws -> String? {
    let other = try Workbench(Self.files.merging([path: text]) { $1 })
    let one = try Workbench(Self.files)
    let long = try ScratchDatabase(Catalog(directory: one.catalog), ScratchSettings())
    let short = try ScratchDatabase(Catalog(directory: other.catalog), ScratchSettings())
    return try ServerProof(long: long, short: short).difference()
  }

  @Test(
    arguments: [
      ("words.csv", "id,word\n2,two\n1,one\n", nil),
      ("words.csv", "id,word\n1,one\n", "'words' has fewer rows with the snapshot"),
      ("words.csv", "id,word\n1,one\n2,two\n3,\n", "'words' has more rows with the snapshot"),
      (
        "words.csv", "id,word\n1,one\n2,zwei\n",
        "'words' holds ''zwei'' in the column 'word' with the snapshot, and ''two'' with all "
          + "migrations"
      ),
      ("after.sql", "CREATE INDEX i ON words (word);", "only the snapshot makes the index 'i'"),
      ("after.sql", "DROP TABLE empty;", "the table 'empty' is not the same"),
    ] as [(String, String, String?)])
  func `finds the first difference`(_ file: String, _ text: String, _ words: String?) throws {
    #expect(try difference("0001_words/" + file, text) == words)
  }
}
