import Testing

@testable import Seedbed

/// Databases whose rows refer to others by ids that they chose themselves, and rows that took the
/// key of another.
struct EditionReferenceTests {
  private static let travel = [
    "catalog.json":
      #"{"tables": {"c": {"key": ["slug"]}}}"#,
    "0001_a/up.sql": """
    CREATE TABLE c (id INTEGER PRIMARY KEY AUTOINCREMENT, slug TEXT NOT NULL UNIQUE, level INTEGER);
    CREATE TABLE p (id INTEGER PRIMARY KEY, c_id INTEGER REFERENCES c (id) ON DELETE SET NULL,
      text TEXT, level INTEGER);
    """,
    "0001_a/c.csv": "slug,level\ntravel,1\nfood,1\n",
    "0001_a/p.csv": "id,c_id:c.slug,text,level\n1,travel,Trian,1\n2,travel,Bus,1\n3,food,Tea,1\n",
    "0002_b/p.update.csv": "id,text,was:text\n1,Train,Trian\n",
    "0003_c/c.csv": "slug,level\ntime,2\n",
    "0003_c/p.update.csv": "id,c_id:c.slug,was:c_id:c.slug\n2,time,travel\n",
    "0003_c/p.csv": "id,c_id:c.slug,text,level\n4,time,Noon,2\n",
  ]

  /// The app chose other ids than the catalog's scratch database.
  private static func traveller(_ changes: String = "") throws -> Device {
    try Device(
      travel,
      app: travel["0001_a/up.sql", default: ""] + """
        INSERT INTO c VALUES (7, 'food', 1), (9, 'travel', 1);
        INSERT INTO p VALUES (1, 9, 'Trian', 1), (2, 9, 'Bus', 1), (3, 7, 'Tea', 1);
        \(changes)
        """)
  }

  @Test func `a row that comes may be what another one refers to`() throws {
    let device = try Self.traveller()
    let adopted = try EditionTests.adopted(device)
    #expect(adopted.tables.map(\.inserted) == [1, 1] && adopted.tables[1].refreshed == 2)
    let rows = try device.rows("SELECT p.id, slug, text FROM p JOIN c ON c.id = c_id ORDER BY 1")
    #expect(rows == ["1|travel|Train", "2|time|Bus", "3|food|Tea", "4|time|Noon"])
  }

  @Test func `a row whose parent the user deleted is still compared`() throws {
    let device = try Self.traveller(
      "PRAGMA foreign_keys = ON; DELETE FROM c WHERE slug = 'travel';")
    let adopted = try EditionTests.adopted(device)
    #expect(adopted.tables[0].deleted == 1)
    #expect(try device.migrator().userOwnedKeys().map(\.key) == [["slug": "travel"]])
    let rows = try device.rows("SELECT id, c_id, text FROM p WHERE id = 1")
    #expect(rows == ["1|NULL|Train"])
    let edited = try Self.traveller(
      """
      PRAGMA foreign_keys = ON; DELETE FROM c WHERE slug = 'travel';
      UPDATE p SET text = 'Tram' WHERE id = 1;
      """)
    _ = try EditionTests.adopted(edited)
    #expect(try edited.rows("SELECT text FROM p WHERE id = 1") == ["Tram"])
  }

  @Test func `a row under a key that the user gave to another stays as it is`() throws {
    let files = [
      "0001_a/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT);",
      "0001_a/t.csv": "id,a,b,c\n1,one,x,\n", "0002_b/t.csv": "id,a,b,c\n2,two,x,\n",
      "0003_c/t.update.csv": "id,a,was:a,c,was:c\n2,two,two,hint,\n",
    ]
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT);"
    let device = try EditionTests.device(
      "(1, 'one', 'x'), (2, 'mine', 'y')", files: files, table: table, sharesIDs: true)
    let adopted = try EditionTests.adopted(device)
    #expect(adopted.edition == 1 && adopted.conflicts.map(\.kind) == [.keyTaken])
    #expect(try device.rows("SELECT * FROM t WHERE id = 2") == ["2|mine|y|NULL"])
    // The option says by what a row is known, whatever else it has in common.
    var named = files
    named["catalog.json"] = #"{"tables": {"t": {"identity": ["a"]}}}"#
    let other = try EditionTests.device(
      "(1, 'one', 'x'), (2, 'mine', 'x')", files: named, table: table)
    _ = try EditionTests.adopted(other)
    #expect(try other.rows("SELECT * FROM t WHERE id = 2") == ["2|mine|x|NULL"])
  }
}
