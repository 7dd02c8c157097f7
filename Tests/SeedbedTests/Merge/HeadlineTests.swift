import TestSupport
import Testing

@testable import Seedbed

/// The case that Seedbed is for: 100,000 rows are shipped, a user adds 50 of her own with children,
/// and the next release ships rows under the ids that hers have.
struct HeadlineTests {
  private static let first = 1...100_000
  private static let next = 100_001...120_000
  private static let users = 100_001...100_050

  /// One way to tell seeds from users' rows.
  private struct Shop {
    var words = "id INTEGER PRIMARY KEY, lemma TEXT NOT NULL"
    var options = ""
    /// What a file says of a row beside its lemma.
    var header = "id"
    var field: (Int) -> String = { "\($0)" }
    /// How the user adds rows.
    var user = "INSERT INTO words (id, lemma) SELECT value, 'mine ' || value"

    func file(_ ids: ClosedRange<Int>) -> String {
      var text = "\(header),lemma\n"
      for id in ids { text += "\(field(id)),word \(id)\n" }
      return text
    }

    /// After the first release and what the user did.
    func device() throws -> Device {
      let device = try Device([
        "catalog.json": "{\"tables\": {\"words\": {\(options)}}}",
        "1_words/up.sql": """
        CREATE TABLE words (\(words));
        CREATE TABLE notes (
          id INTEGER PRIMARY KEY, word INTEGER NOT NULL REFERENCES words (id) ON DELETE CASCADE,
          body TEXT);
        CREATE INDEX notes_by_word ON notes (word);

        """,
        "1_words/words.csv": file(first),
      ])
      try device.up()
      try device.run(
        """
        WITH RECURSIVE n (value) AS (
          VALUES (\(users.lowerBound)) UNION ALL
          SELECT value + 1 FROM n WHERE value < \(users.upperBound))
        \(user) FROM n;
        INSERT INTO notes (word, body) SELECT id, 'on ' || lemma FROM words
        WHERE lemma GLOB 'mine*' OR lemma = 'word 7';
        """)
      try device.write(["2_more/words.csv": file(next)])
      return device
    }
  }

  /// How many words there are, users' words, and notes that are with the word they are about.
  private func state(_ device: Device) throws -> [String] {
    try device.rows(
      """
      SELECT (SELECT count(*) FROM words), (SELECT count(*) FROM words WHERE lemma GLOB 'mine*'),
        (SELECT count(*) FROM notes JOIN words ON words.id = word AND body = 'on ' || lemma),
        (SELECT count(*) FROM notes)
      """)
  }

  private func ids(_ device: Device, _ condition: String) throws -> [String] {
    try device.rows("SELECT min(id), max(id), count(*) FROM words WHERE lemma GLOB '\(condition)'")
  }

  // MARK: one id space, each policy

  @Test func `keepUser: the user's rows stay, 50 seed rows stay out`() throws {
    let device = try Shop().device()
    let report = try device.up(onTaken: .keepUser)
    #expect(report.lines == ["2 words +19950 ~0 -0 =0 kept 50"])
    #expect(try state(device) == ["120000|50|51|51"])
    #expect(try ids(device, "mine*") == ["100001|100050|50"])
    let conflicts = try device.migrator().conflicts()
    #expect(conflicts.count == 50)
    #expect(conflicts.allSatisfy { $0.kind == .keyTaken && $0.resolution == .keptUser })
    #expect(
      conflicts[0].line == #"2 words {"id":100001} keyTaken keepUser keptUser"#
        + #" mine={"id":100001,"lemma":"mine 100001"} seed={"id":100001,"lemma":"word 100001"}"#)
    #expect(try device.leftToUser().count == 50)
    // The keys are the user's in later releases too.
    try device.write(["3_mend/words.update.csv": "id,lemma,was:lemma\n100001,mended,word 100001\n"])
    #expect(try device.up().lines == ["3 words +0 ~0 -0 =0 kept 1"])
    try goesBack(device)
  }

  @Test func `moveUser: all rows are there, and the notes went with their words`() throws {
    let device = try Shop().device()
    let report = try device.up(onTaken: .moveUser)
    #expect(report.lines == ["2 words +20000 ~0 -0 =0 kept 0"])
    #expect(try state(device) == ["120050|50|51|51"])
    #expect(try ids(device, "mine*") == ["120001|120050|50"])
    #expect(try ids(device, "word*") == ["1|120000|120000"])
    let moved = report.migrations[0].moved
    #expect(moved.count == 50)
    #expect(
      moved[0] == Migrator.MovedRow(table: "words", from: #"{"id":100001}"#, to: #"{"id":120001}"#))
    let conflicts = try device.migrator().conflicts()
    #expect(conflicts.allSatisfy { $0.kind == .keyTaken && $0.resolution == .moved })
    #expect(conflicts.map(\.movedTo) == (120_001...120_050).map { "{\"id\":\($0)}" })
    #expect(try device.leftToUser().isEmpty)
    // The user's rows stay where they are.
    try device.down(to: 1)
    #expect(try state(device) == ["100050|50|51|51"])
    #expect(try ids(device, "mine*") == ["120001|120050|50"])
    #expect(try ids(device, "word*") == ["1|100000|100000"])
  }

  @Test func `replaceUser: the seed's values win, and the log has the user's`() throws {
    let device = try Shop().device()
    let report = try device.up(onTaken: .replaceUser)
    #expect(report.lines == ["2 words +19950 ~50 -0 =0 kept 0"])
    // Her notes are there, at the id they had.
    #expect(try state(device) == ["120000|0|1|51"])
    let conflicts = try device.migrator().conflicts()
    #expect(conflicts.count == 50)
    #expect(conflicts.allSatisfy { $0.kind == .keyTaken && $0.resolution == .tookSeed })
    #expect(
      conflicts.map(\.mine)
        == Self.users.map { "{\"id\":\($0),\"lemma\":\"mine \($0)\"}" })
    // What was hers is in the log. The rows are the seed's, and stay for the sake of her notes.
    #expect(try device.down(to: 1).lines == ["2 words +0 ~0 -19950 =0 kept 50"])
    #expect(try state(device) == ["100050|0|1|51"])
    #expect(try ids(device, "word*") == ["1|100050|100050"])
  }

  @Test func `fail: nothing is applied, and the error names the first 20 of 50`() throws {
    let device = try Shop().device()
    let before = try device.dump()
    let error = try device.failure(onTaken: .fail)
    #expect(error.code == .conflict)
    #expect(error.description.contains("50"))
    #expect(error.description.contains(#"{"id":100020}"#))
    #expect(!error.description.contains(#"{"id":100021}"#))
    #expect(try device.dump() == before)
    #expect(try device.migrator().conflicts().isEmpty)
    // Another policy is not in its way.
    #expect(try device.up(onTaken: .moveUser).lines == ["2 words +20000 ~0 -0 =0 kept 0"])
  }

  /// All that the user had is as it was before the second release.
  private func goesBack(_ device: Device) throws {
    try device.down(to: 1)
    #expect(try state(device) == ["100050|50|51|51"])
    #expect(try ids(device, "mine*") == ["100001|100050|50"])
    #expect(try ids(device, "word*") == ["1|100000|100000"])
  }

  // MARK: no conflict at all

  @Test func `with a reserve users' ids are above it`() throws {
    let shop = Shop(
      words: "id INTEGER PRIMARY KEY AUTOINCREMENT, lemma TEXT NOT NULL",
      options: #""reserve": 1000000"#,
      user: "INSERT INTO words (lemma) SELECT 'mine ' || value")
    let device = try shop.device()
    #expect(try ids(device, "mine*") == ["1000001|1000050|50"])
    try noConflict(device)
    #expect(try ids(device, "word*") == ["1|120000|120000"])
    #expect(try ids(device, "mine*") == ["1000001|1000050|50"])
  }

  @Test func `with a seed_id the database gives the ids`() throws {
    let shop = Shop(
      words: "id INTEGER PRIMARY KEY, lemma TEXT NOT NULL, seed_id TEXT UNIQUE",
      options: #""key": ["seed_id"]"#, header: "seed_id", field: { "s\($0)" })
    let device = try shop.device()
    try noConflict(device)
    #expect(try ids(device, "mine*") == ["100001|100050|50"])
    #expect(try ids(device, "word*") == ["1|120050|120000"])
  }

  @Test func `with a natural key too`() throws {
    let shop = Shop(
      words: "id INTEGER PRIMARY KEY, code TEXT UNIQUE, lemma TEXT NOT NULL",
      options: #""key": ["code"]"#, header: "code", field: { "w-\($0)" },
      user: "INSERT INTO words (id, code, lemma) SELECT value, 'u-' || value, 'mine ' || value")
    let device = try shop.device()
    try device.write([
      "2_more/notes.csv": "id,word:words.code,body\n1000,w-7,on word 7\n"
        + "1001,w-110000,on word 110000\n"
    ])
    try noConflict(device, notes: 53)
    #expect(try ids(device, "mine*") == ["100001|100050|50"])
  }

  private func noConflict(_ device: Device, notes: Int = 51) throws {
    let report = try device.up()
    #expect(report.lines.contains("2 words +20000 ~0 -0 =0 kept 0"))
    #expect(report.migrations[0].conflicts.isEmpty)
    #expect(try device.migrator().conflicts().isEmpty)
    #expect(try state(device) == ["120050|50|\(notes)|\(notes)"])
    try device.down(to: 1)
    #expect(try state(device) == ["100050|50|51|51"])
    try device.up()
    #expect(try state(device) == ["120050|50|\(notes)|\(notes)"])
  }
}
