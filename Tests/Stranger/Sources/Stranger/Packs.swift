import Seedbed

extension Stranger {
  /// A base with a pack that is added, brought up to date by the base, and removed.
  static func tryPacks(_ folder: String) throws {
    let base = try Catalog(files: [
      "1_topics/up.sql": Array(
        """
        CREATE TABLE topics (code TEXT PRIMARY KEY NOT NULL);
        CREATE TABLE words (word TEXT PRIMARY KEY NOT NULL, topic TEXT REFERENCES topics);
        CREATE INDEX words_of_a_topic ON words (topic);
        """.utf8),
      "1_topics/topics.csv": Array("code\nsea\n".utf8),
    ])
    let first = [
      "catalog.json": Array(#"{"name": "de", "requires": {"base": 1}}"#.utf8),
      "1_words/words.csv": Array("word,topic\nWelle,sea\n".utf8),
    ]
    let more = ["2_more/words.csv": Array("word,topic\nEbbe,sea\nkelp,sea\n".utf8)]
    let path = folder + "/packs.sqlite"
    func migrator(_ files: [String: [UInt8]]) throws -> Migrator {
      try Migrator(catalog: base.beside([Catalog(files: files)]), at: path)
    }
    let old = try migrator(first)
    try old.up()
    expect("no packs", try old.packs(), [])
    expect("an unknown one", try error { try old.pack("fr") }.code, .usage)
    try old.pack("de").up()
    let pack = given("pack", try old.packs().first)
    expect("its name and state", pack.name == "de" && pack.state == .added)
    expect("its versions", [pack.version, pack.needs], [1, 1])
    try Handle(path).run("INSERT INTO words VALUES ('kelp', 'sea')")
    let new = try migrator(first.merging(more) { one, _ in one })
    expect("its target", try new.status().packs.first?.target, 2)
    guard case .pending = try new.outlook() else { fail("no pack is pending") }
    let report = try new.up()
    let ofPack = given("report of the pack", report.packs.first)
    expect("the report", report.outcome == .applied && ofPack.name == "de")
    expect("of the pack", ofPack.report.migrations.map(\.version), [2])
    let conflict = given("conflict", try new.pack("de").conflicts().first)
    expect("a user's row", conflict.takenBy, nil)
    expect("removed", try new.pack("de").down(to: 0).outcome, .reverted)
    expect("and noted", try new.packs().map(\.state), [.removed])
    expect("nothing to do", try new.up().packs, [])
  }
}
