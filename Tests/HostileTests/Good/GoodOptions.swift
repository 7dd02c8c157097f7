extension GoodCase {
  static let options: [GoodCase] =
    texts.map { text in
      GoodCase(
        "catalog.json: \(text)",
        Bundle(["0001_case/items.csv": "id,name\n1,one\n", "catalog.json": text]),
        "SELECT id FROM items WHERE id < 10", "1")
    } + ofMigration + chosen

  private static let texts = [
    "{}", " {\n}\r\n\t", #"{"verify": "fail"}"#, #"{"tables": {}}"#, #"{"tables": {"items": {}}}"#,
    #"{"tables": {"nowhere": {"onEdited": "fail"}}}"#, #"{"verif\u0079": "warn"}"#,
    #"{"tables": {"items": {"key": ["id"]}}}"#, #"{"tables": {"items": {"ignore": []}}}"#,
    #"{"tables": {"items": {"source": "data/\ud83d\ude00.csv"}}}"#,
    #"{"tables": {"ITEMS": {"onEdited": "keepRow", "onTaken": "moveUser"}}}"#,
    #"{"tables": {"items": {"references": {"parts": ["item"]}, "disposable": ["parts"]}}}"#,
    #"{"tables": {"items": {"references": {"parts": [["item"]]}}}}"#,
    #"{"tables": {"counted": {"reserve": 1000000}}}"#, #"{"tables": {"items": {"blobs": {}}}}"#,
  ]

  private static func migration(
    _ text: String, _ query: String, _ expected: String, files: [String: String] = [:]
  ) -> GoodCase {
    var bundle = Bundle([
      "0001_case/items.csv": "id,name\n1,one\n", "0001_case/migration.json": text,
    ])
    for (file, text) in files { bundle = bundle.with("0001_case/\(file)", text) }
    return GoodCase("migration.json: \(text)", bundle, query, expected)
  }

  private static let ofMigration: [GoodCase] = [
    migration(#"{"description": "Ünïcödé \"quoted\""}"#, "SELECT id FROM items WHERE id < 10", "1"),
    migration(#"{"withdrawn": true}"#, "SELECT count(*) FROM items WHERE id < 10", "0"),
    migration(#"{"withdrawn": false}"#, "SELECT count(*) FROM items WHERE id < 10", "1"),
    migration(
      #"{"verify": "warn"}"#, "SELECT id FROM items WHERE id < 10", "1",
      files: ["verify.sql": "SELECT 1;"]),
    migration(
      #"{"foreignKeys": "off"}"#, "SELECT count(*) FROM sqlite_schema WHERE name = 'bag'", "0",
      files: ["up.sql": "DROP TABLE bag;"]),
  ]

  private static let chosen: [GoodCase] = [
    GoodCase(
      "a row that gives way",
      Bundle([
        "0001_case/items.csv": "id,name,code,note\n900,seed,U1,s\n",
        "catalog.json": #"{"tables": {"items": {"onTaken": "replaceUser"}}}"#,
      ]), "SELECT name FROM items WHERE id = 900", "seed"),
    GoodCase(
      "a row that moves",
      Bundle([
        "0001_case/items.csv": "id,name\n901,seed\n",
        "catalog.json": #"{"tables": {"items": {"onTaken": "moveUser"}}}"#,
      ]), "SELECT name FROM items WHERE id >= 901 ORDER BY id", "seed / own"),
    GoodCase(
      "an update without old values",
      Bundle([
        "0001_case/items.update.csv": "id,price\n10,7\n",
        "catalog.json": #"{"tables": {"items": {"onEdited": "overwriteRow"}}}"#,
      ]), "SELECT price FROM items WHERE id = 10", "7.0"),
    GoodCase(
      "a key of another name",
      Bundle([
        "0001_case/items.csv": "id,name,code\n901,new,U7\n1,one,U8\n",
        "catalog.json": #"{"tables": {"items": {"key": ["code"]}}}"#,
      ]), "SELECT name FROM items WHERE code = 'U8'", "one"),
  ]
}
