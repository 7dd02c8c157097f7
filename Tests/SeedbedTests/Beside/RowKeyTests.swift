import TestSupport
import Testing

@testable import Seedbed

/// Rows whose key holds ids that each database chose itself are known by these ids, and by names.
struct RowKeyTests {
  static let files = [
    "catalog.json": """
    {"tables": {"country": {"key": ["code"]}, "rate": {"key": ["country_id", "plan"]},
      "step": {"key": ["rate_id", "no"]}}}
    """,
    "0001_a/up.sql": """
    CREATE TABLE country (id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT NOT NULL UNIQUE);
    CREATE TABLE rate (id INTEGER PRIMARY KEY AUTOINCREMENT,
      country_id INTEGER NOT NULL REFERENCES country (id), plan TEXT NOT NULL, slug TEXT UNIQUE,
      price INTEGER, UNIQUE (country_id, plan));
    CREATE TABLE step (rate_id INTEGER REFERENCES rate (id), no INTEGER, price INTEGER,
      PRIMARY KEY (rate_id, no));
    """,
    "0001_a/country.csv": "code\nAQ\nCZ\nDE\n6\n",
    "0001_a/rate.csv": """
    country_id:country.code,plan,slug,price
    AQ,pro,aq,10
    CZ,pro,cz,20
    DE,pro,de,30
    DE,"a,b",ab,40
    6,pro,six,60

    """,
    "0001_a/step.csv": "rate_id:rate.slug,no,price\ncz,1,5\nde,1,6\n",
    "0002_b/rate.update.csv": "country_id:country.code,plan,price,was:price\nCZ,pro,21,20\n",
  ]

  /// CZ is 5 and DE is 6 here, 2 and 3 in a new database. All prices are the user's.
  static func device() throws -> Device {
    let device = try Device(files)
    try device.up(to: 1)
    try device.run(
      """
      DELETE FROM step; DELETE FROM rate; DELETE FROM country;
      INSERT INTO country VALUES (2, 'XX'), (4, 'AQ'), (5, 'CZ'), (6, 'DE'), (9, '6');
      INSERT INTO rate VALUES (3, 4, 'pro', 'aq', 99), (2, 5, 'pro', 'cz', 99),
        (1, 6, 'pro', 'de', 99), (8, 6, 'a,b', 'ab', 99), (9, 9, 'pro', 'six', 99),
        (10, 2, 'pro', 'mine', 99);
      INSERT INTO step VALUES (2, 1, 99), (1, 1, 99)
      """)
    return device
  }

  static let prices = """
    SELECT code, plan, price FROM rate JOIN country ON country.id = country_id WHERE price < 99
    """

  @Test func `keys that refer to each other in a circle are not followed for ever`() throws {
    let device = try Device([
      "catalog.json": #"{"tables": {"a": {"key": ["b"]}, "b": {"key": ["a"]}}}"#,
      "0001_a/up.sql": """
      CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER UNIQUE REFERENCES b);
      CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER UNIQUE REFERENCES a);
      INSERT INTO a VALUES (1, 1); INSERT INTO b VALUES (1, 1);
      """,
      "0001_a/a.csv": "b\n1\n", "0001_a/b.csv": "a\n1\n",
    ])
    try device.up()
    let error = #expect(throws: SeedbedError.self) {
      try device.migrator().origin(of: ["b": 1], in: "a")
    }
    #expect(error?.message.contains("in a circle") == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("5,pro", "CZ|pro|20"), ("CZ,pro", "CZ|pro|20"), ("DE,pro", "DE|pro|30"),
    (#"6,"a,b""#, "DE|a,b|40"), (#"DE,"a,b""#, "DE|a,b|40"), ("9,pro", "6|pro|60"),
    (#"{"country_id":6,"plan":"pro"}"#, "DE|pro|30"),
    (#"{"country_id:country.code":"6","plan":"pro"}"#, "6|pro|60"),
    (#"{"plan":"pro","COUNTRY_ID":5}"#, "CZ|pro|20"),
  ])
  func `the row that is named comes back, and no other:`(_ key: String, _ row: String) throws {
    let device = try Self.device()
    let report = try device.migrator().reseed("rate", keys: [key])
    #expect(report.counts.updated == 1)
    #expect(try device.rows(Self.prices) == [row])
  }

  @Test(arguments: [
    ("6,pro", "means two rows of 'rate': one by the ids of this database"),
    ("6,pro", #"{"country_id":6,"plan":"pro"} or as {"country_id:country.code":"6","plan":"pro"}"#),
    ("2,pro", "to which country_id 2 refers is not the catalog's"),
    ("3,pro", "has no row of 'country' to which country_id 3 refers"),
    ("XX,pro", "The catalog has no row 'XX,pro' of 'rate'"), ("CZ", "The catalog has no row 'CZ'"),
    (#"CZ,"pro"#, "The catalog has no row"), (#"C"Z,pro"#, "The catalog has no row"),
    (#"{"country_id":5}"#, "or by country_id:country.code, plan, and not by country_id."),
    ("CZ,pro,", "country_id:country.code,plan with commas between them, as in the row files"),
  ])
  func `what means no row, or two, is refused:`(_ key: String, _ reason: String) throws {
    let device = try Self.device()
    let before = try device.dump()
    let error = #expect(throws: SeedbedError.self) {
      try device.migrator().reseed("rate", keys: [key])
    }
    #expect(error?.code == .usage)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(try device.dump() == before)
  }

  @Test(
    arguments: [
      ["country_id": 5, "plan": "pro"], ["country_id:country.code": "CZ", "plan": "pro"],
      Migrator.Row(positional: [5, "pro"]), Migrator.Row(positional: ["CZ", "pro"]),
    ] as [Migrator.Row])
  func `an app gives the key by ids or by names:`(_ key: Migrator.Row) throws {
    let device = try Self.device()
    let migrator = try device.migrator()
    let origin = try #require(try migrator.origin(of: key, in: "rate"))
    #expect(origin.kind == .editedSeed)
    #expect(origin.original?["country_id"] == 5 && origin.original?["price"] == 20)
    try migrator.pin(key, in: "rate")
    #expect(
      try migrator.userOwnedKeys().map(\.key) == [["country_id": 5, "plan": "pro"]])
    let pinned = #expect(throws: SeedbedError.self) {
      try migrator.reseed("rate", keys: ["CZ,pro"])
    }
    #expect(pinned?.remedies == [.unpin("rate", key: "5,pro")])
    try device.run("UPDATE rate SET price = 20 WHERE country_id = 5")
    try device.up()
    #expect(try device.rows(Self.prices) == ["CZ|pro|20"])
    try migrator.unpin(key, in: "rate")
    #expect(try device.leftToUser() == [])
  }

  @Test func `an unpinned row is the one that was named`() throws {
    let device = try Self.device()
    let migrator = try device.migrator()
    _ = try migrator.pin(written: ["DE,pro", "9,pro"], in: "rate")
    let error = #expect(throws: SeedbedError.self) {
      try migrator.unpin(written: ["6,pro"], in: "rate")
    }
    #expect(error?.message.contains("means two pinned rows of 'rate'") == true)
    #expect(
      try migrator.unpin(written: ["DE,pro"], in: "rate") == [["country_id": 6, "plan": "pro"]])
    // It has one meaning now.
    #expect(
      try migrator.unpin(written: ["6,pro"], in: "rate") == [["country_id": 9, "plan": "pro"]])
    let unknown = #expect(throws: SeedbedError.self) {
      try migrator.unpin(written: ["CZ,pro"], in: "rate")
    }
    #expect(unknown?.message == "The row 'CZ,pro' of 'rate' is not pinned.")
  }

  @Test(arguments: ["2,1", "cz,1", #"{"rate_id":2,"no":1}"#])
  func `a parent's key may hold such an id, too:`(_ key: String) throws {
    let device = try Self.device()
    #expect(try device.migrator().reseed("step", keys: [key]).counts.updated == 1)
    #expect(try device.rows("SELECT * FROM step ORDER BY 1") == ["1|1|99", "2|1|5"])
    #expect(try device.migrator().origin(written: key, in: "step")?.kind == .seed)
  }

  @Test func `a row whose parent is gone is known by names, and waits for it`() throws {
    let device = try Self.device()
    try device.run(
      "DELETE FROM step WHERE rate_id = 2; DELETE FROM rate WHERE id = 2;"
        + "DELETE FROM country WHERE code = 'CZ'")
    let error = #expect(throws: SeedbedError.self) {
      try device.migrator().reseed("rate", keys: ["CZ,pro"])
    }
    #expect(error?.remedies == [.reseed("country", key: "CZ")])
    try device.migrator().reseed("country", keys: ["CZ"])
    try device.migrator().reseed("rate", keys: ["CZ,pro"])
    #expect(try device.rows(Self.prices) == ["CZ|pro|20"])
    let step = #expect(throws: SeedbedError.self) {
      try device.migrator().reseed("step", keys: ["2,1"])
    }
    #expect(step?.message.contains("has no row of 'rate' to which rate_id 2 refers") == true)
    try device.migrator().reseed("step", keys: ["cz,1"])
    #expect(try device.rows("SELECT price FROM step WHERE rate_id <> 1") == ["5"])
  }

  @Test func `a parent whose key the user changed is the user's`() throws {
    let device = try Self.device()
    try device.run("UPDATE country SET code = 'CS' WHERE code = 'CZ'")
    #expect(try device.migrator().origin(written: "5,pro", in: "rate")?.kind == .user)
    let error = #expect(throws: SeedbedError.self) {
      try device.migrator().reseed("rate", keys: ["5,pro"])
    }
    #expect(error?.message.contains("a user made it, or changed its key") == true)
  }

  @Test(arguments: [Migrator.Conflict.Side.seed, .mine])
  func `its conflicts are settled`(_ side: Migrator.Conflict.Side) throws {
    let device = try Self.device()
    try device.up()
    let conflict = try #require(device.migrator().conflicts().first)
    #expect(conflict.key == ["country_id": 5, "plan": "pro"])
    let settled = try device.migrator().resolve([conflict], with: side)
    #expect(settled.refused.isEmpty && settled.conflicts == [conflict.id])
    #expect(try device.rows(Self.prices) == (side == .seed ? ["CZ|pro|21"] : []))
  }

  @Test func `the log has the names beside the ids`() throws {
    let device = try Self.device()
    try device.up()
    let conflict = try #require(device.migrator().conflicts().first)
    #expect(conflict.names == ["country_id:country.code": "CZ", "plan": "pro"])
    #expect(
      Migrator.Conflict.json([conflict]).contains(
        #""names":{"country_id:country.code":"CZ","plan":"pro"}"#))
    try device.run("UPDATE rate SET price = 7 WHERE id = 2")
    let refused = try device.migrator().resolve([conflict], with: .seed).refused
    #expect(
      refused.first?.error.message
        == #"Conflict 1 (rate CZ,pro {"country_id":5,"plan":"pro"}) is not settled: the row "#
        + "changed since, price is 7 now.")
    // Without a catalog there are only ids.
    for folder in ["0001_a", "0002_b", "catalog.json"] { try device.remove(folder) }
    let bare = Migrator(catalog: Catalog(unread: device.catalog), at: device.database)
    #expect(try bare.conflicts().map(\.names) == [nil])
    try device.write(Self.files)
  }

  @Test func `a name that is no parent's key is not shown`() throws {
    var files = Self.files
    files["0002_b/step.update.csv"] = "rate_id:rate.slug,no,price,was:price\ncz,1,6,5\n"
    let device = try Self.device()
    try device.write(files)
    try device.up()
    let conflicts = try device.migrator().conflicts()
    #expect(conflicts.filter { $0.table == "step" }.map(\.names) == [nil])
    #expect(conflicts.count == 2)
  }

  @Test func `a conflict whose row's parent is gone is not settled`() throws {
    let device = try Self.device()
    try device.run("DELETE FROM step WHERE rate_id = 2; DELETE FROM rate WHERE id = 2")
    try device.up()
    try device.run("DELETE FROM country WHERE code = 'CZ'")
    let refused = try device.migrator().resolve(device.migrator().conflicts(), with: .seed).refused
    #expect(refused.map(\.error.code) == [.foreignKey])
    #expect(
      refused.first?.error.message.hasSuffix(
        "The database has no row of 'country' to which country_id 5 refers. Put that row back "
          + "first.") == true)
    // The user's side is no row, and needs none.
    let kept = try device.migrator().resolve(device.migrator().conflicts(), with: .mine)
    #expect(kept.refused.isEmpty)
  }

  @Test func `a key of bytes is written in two digits for each`() {
    #expect(Migrator.Row(["k"], [.blob([0, 15, 16, 255])]).written == "000f10ff")
  }
}
