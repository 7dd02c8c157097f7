import Seedbed

extension Stranger {
  /// A base with a pack that is added, brought up to date by the base, and removed.
  static func tryPacks(_ folder: String) throws {
    let catalog = try Catalog(files: [
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
    var migrator = try Stranger.migrator(catalog, first, path)
    try migrator.up()
    expect("no packs", try migrator.packs(), [])
    expect("an unknown one", try error { try migrator.pack("fr") }.code, .usage)
    try migrator.pack("de").up()
    var pack = given("pack", try migrator.packs().first)
    expect("its name and state", pack.name == "de" && pack.state == .added)
    expect("a word for it", Migrator.Pack.State(rawValue: "added"), .added)
    expect("its versions", [pack.version, pack.needs], [1, 1])
    try Handle(path).run("INSERT INTO words VALUES ('kelp', NULL)")
    migrator = try Stranger.migrator(catalog, first.merging(more) { one, _ in one }, path)
    let status = try migrator.status()
    pack = given("pack", status.packs.first)
    expect("its target", pack.target, 2)
    guard case .pending = try migrator.outlook() else { fail("no pack is pending") }
    let report = try migrator.up()
    let ofPack = given("report of the pack", report.packs.first)
    expect("the report", report.outcome == .applied && ofPack.name == "de")
    expect("of the pack", ofPack.report.migrations.map(\.version), [2])
    let conflict = given("conflict", try migrator.pack("de").conflicts().first)
    expect("a user's row", conflict.heldBy, nil)
    let earlier = try Stranger.migrator(catalog, first, path)
    expect("an earlier app starts", try earlier.up().notes.count, 1)
    expect("with nothing to do", try earlier.outlook(), .upToDate)
    expect("removed", try migrator.pack("de").down(to: 0).outcome, .reverted)
    expect("and noted", try migrator.packs().map(\.state), [.removed])
    expect("nothing to do", try migrator.up().packs, [])
  }

  private static func migrator(
    _ catalog: Catalog, _ files: [String: [UInt8]], _ path: String
  ) throws -> Migrator {
    try Migrator(catalog: catalog.beside([Catalog(files: files)]), at: path)
  }
}
