import Testing

@testable import Seedbed

/// Owners that come, go, and come again.
struct NewOwnersTests {
  private static func device() throws -> Device {
    let device = try Households.device()
    try device.lock()
    try device.migrator(locked: true).up()
    return device
  }

  private static let all = ["apple 54 Fruit", "plum 46 Fruit", "porree 61 Vegetables"]

  @Test func `up fills an owner whom the app forgot, with nothing pending`() throws {
    let device = try Self.device()
    #expect(try device.migrator(locked: true).status().state == .upToDate)
    try device.run("INSERT INTO households VALUES (3, 'Ost')")
    let status = try device.migrator(locked: true).status()
    #expect(status.state == .pending && status.newOwners == 1)
    #expect(status.json.contains(#""newOwners":1"#))
    let report = try device.migrator(locked: true).up()
    #expect(report.outcome == .applied && report.migrations.map(\.newOwners) == [1])
    #expect(report.json.contains(#""newOwners":1"#))
    #expect(try Households.foods(of: 3, in: device) == Self.all)
    #expect(try device.migrator(locked: true).up().outcome == .upToDate)
  }

  @Test func `who deleted all of it stays without`() throws {
    let device = try Self.device()
    try device.run("DELETE FROM foods WHERE household_id = 1")
    #expect(try device.migrator(locked: true).up().outcome == .upToDate)
    try device.write(["0005_kcal/foods.update.csv": "code,kcal,was:kcal\napple,55,54\n"])
    try device.lock()
    try device.migrator(locked: true).up()
    #expect(try Households.foods(of: 1, in: device) == [])
  }

  @Test func `an id that is used again is another owner`() throws {
    let device = try Self.device()
    try device.run(
      """
      PRAGMA foreign_keys = ON; DELETE FROM foods WHERE household_id = 2 AND code = 'apple'
      """)
    try device.write(["0005_kcal/foods.update.csv": "code,kcal,was:kcal\napple,55,54\n"])
    try device.lock()
    try device.migrator(locked: true).up()
    #expect(try device.rows("SELECT key FROM seedbed_left_to_user").count == 1)
    try device.run(
      """
      PRAGMA foreign_keys = ON; DELETE FROM households WHERE id = 2;
      INSERT INTO households VALUES (2, 'West')
      """)
    #expect(try device.owners() == ["1"])
    try device.migrator(locked: true).up()
    #expect(try Households.foods(of: 2, in: device).first == "apple 55 Fruit")
    #expect(try device.rows("SELECT key FROM seedbed_left_to_user") == [])
    #expect(try device.migrator().conflicts().isEmpty)
  }

  @Test func `without foreign keys, fill is the app's word that an owner is new`() throws {
    let device = try Self.device()
    try device.run(
      """
      DELETE FROM foods WHERE household_id = 2; DELETE FROM categories WHERE household_id = 2;
      DELETE FROM households WHERE id = 2; INSERT INTO households VALUES (2, 'West')
      """)
    let migrator = try device.migrator(locked: true)
    #expect(try migrator.up().outcome == .upToDate)
    #expect(try migrator.fill(owner: 2).counts.inserted == 5)
    #expect(try Households.foods(of: 2, in: device) == Self.all)
    let again = try migrator.fill(owner: 2)
    #expect(
      again.outcome == .upToDate && again.notes == ["The owner has rows already. Nothing was done."]
    )
  }

  @Test func `the entry of an owner who is gone is forgotten by the next up`() throws {
    let device = try Self.device()
    try device.run(
      """
      DELETE FROM foods WHERE household_id = 2; DELETE FROM categories WHERE household_id = 2;
      DELETE FROM households WHERE id = 2; INSERT INTO households VALUES (3, 'Ost')
      """)
    try device.migrator(locked: true).up()
    #expect(try device.owners() == ["1", "3"])
  }

  @Test func `without foreign keys, a release leaves out an owner who is gone`() throws {
    let device = try Households.device()
    try device.up(to: 1)
    try device.run(
      """
      DELETE FROM foods WHERE household_id = 2; DELETE FROM categories WHERE household_id = 2;
      DELETE FROM households WHERE id = 2
      """)
    let report = try device.up()
    #expect(report.migrations.map(\.conflictCount) == [0, 0, 0])
    #expect(try device.owners() == ["1"])
  }

  @Test func `the first owner comes when nothing is pending`() throws {
    let device = try Device(Households.files, app: Households.schema)
    try device.lock()
    try device.migrator(locked: true).up()
    #expect(try device.migrator(locked: true).up().outcome == .upToDate)
    try device.run("INSERT INTO households VALUES (1, 'Nord')")
    try device.migrator(locked: true).up()
    #expect(try Households.foods(of: 1, in: device) == Self.all)
  }

  @Test func `what a new owner had before stays theirs, however far down goes`() throws {
    let device = try Households.device()
    try device.up()
    try device.run(
      """
      INSERT INTO households VALUES (3, 'Ost');
      INSERT INTO foods (household_id, code, name, kcal) VALUES (3, 'apple', 'Boskoop', 1);
      """)
    try device.up()
    #expect(try Households.foods(of: 3, in: device).first == "apple 1")
    try device.migrator().down(to: 1)
    try device.up()
    #expect(try Households.foods(of: 3, in: device).first == "apple 1")
  }

  @Test func `before the first release there is nothing to fill with`() throws {
    let device = try Households.device()
    let refused = #expect(throws: SeedbedError.self) { try device.migrator().fill(owner: 1) }
    #expect(refused?.message == "No applied migration has rows. Apply what is pending first.")
    #expect(try device.rows("SELECT name FROM sqlite_schema WHERE name GLOB 'seedbed_*'") == [])
  }

  @Test func `fill is part of the app's transaction`() throws {
    let device = try Self.device()
    let app = try AppHandle(device.database)
    let migrator = try HandleMigrator(catalog: Catalog(locked: device.catalog))
    for end in ["ROLLBACK", "COMMIT"] {
      try app.run("BEGIN; INSERT INTO households VALUES (7, 'Neu')")
      let report = try migrator.fill(owner: 7, on: app.handle)
      #expect(report.counts.inserted == 5 && report.migrations.map(\.newOwners) == [1])
      #expect(try app.values("SELECT count(*) FROM foods WHERE household_id = 7") == ["3"])
      try app.run(end)
      #expect(try device.owners() == (end == "COMMIT" ? ["1", "2", "7"] : ["1", "2"]))
    }
    #expect(try Households.foods(of: 7, in: device) == Self.all)
    // Outside of a transaction it has one of its own.
    try app.run("INSERT INTO households VALUES (8, 'Neu')")
    #expect(try migrator.fill(owner: "8", on: app.handle).counts.inserted == 5)
  }

  @Test func `a new owner's rows have the names that SQL gave tables and columns`() throws {
    let per = #""per": {"table": "households", "key": "id", "column": "household_id"}"#
    let device = try Households.device([
      "catalog.json": """
      {"tables": {"categories": {"key": ["code"], \(per)}, "foods": {"key": ["code"], \(per)},
        "dishes": {"key": ["code"], \(per)}}}
      """,
      "0005_names/up.sql": """
      ALTER TABLE foods RENAME TO dishes; ALTER TABLE dishes RENAME COLUMN kcal TO energy;
      """,
      "0006_more/dishes.csv": "code,name,energy\nfig,Fig,74\n",
    ])
    try device.up(to: 4)
    try device.up()
    try device.run("INSERT INTO households VALUES (3, 'Ost')")
    try device.up()
    let dishes = try [1, 3].map {
      try device.rows(
        "SELECT code, name, energy FROM dishes WHERE household_id = \($0) ORDER BY code")
    }
    #expect(dishes[0] == dishes[1] && dishes[1].count == 4)
  }

  @Test func `an owner who does not exist, and a catalog without owners`() throws {
    let device = try Self.device()
    let missing = #expect(throws: SeedbedError.self) { try device.migrator().fill(owner: 9) }
    #expect(
      missing?.message
        == #"'households' has no row with {"id":9}. Add the owner first."#)
    let other = try Device(["0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY)"])
    try other.up()
    let none = #expect(throws: SeedbedError.self) { try other.migrator().fill(owner: 9) }
    #expect(
      none?.code == .usage
        && none?.message.hasPrefix("No table of the catalog is of owners.") == true)
  }

  @Test func `an owner whose rows cannot come is named, and the others go on`() throws {
    let device = try Self.device()
    try device.run(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON foods WHEN NEW.household_id = 3
      BEGIN SELECT RAISE(ABORT, 'nothing for Ost'); END;
      INSERT INTO households VALUES (3, 'Ost'), (4, 'West');
      """)
    let report = try device.migrator(locked: true).up()
    #expect(
      report.notes == [
        #"The owner {"id":3} of 'households' has no rows yet: "#
          + "The table 'foods' does not take this row: nothing for Ost."
      ])
    #expect(try Households.foods(of: 3, in: device) == [])
    #expect(try device.rows("SELECT * FROM categories WHERE household_id = 3") == [])
    #expect(try Households.foods(of: 4, in: device) == Self.all)
    #expect(throws: SeedbedError.self) { try device.migrator().fill(owner: 3) }
    try device.run("DROP TRIGGER refuse")
    try device.migrator(locked: true).up()
    #expect(try Households.foods(of: 3, in: device) == Self.all)
  }

  @Test func `adopted, each owner has the edition that its rows fit`() throws {
    let rows = """
      INSERT INTO households VALUES (3, 'Ost');
      INSERT INTO categories (household_id, code, name) VALUES (1, 'fruit', 'Fruit'),
        (1, 'veg', 'Vegetables'), (2, 'fruit', 'Fruit'), (2, 'veg', 'Vegetables');
      INSERT INTO foods (household_id, code, name, kcal, category_id) VALUES
        (1, 'apple', 'Apple', 52, 1), (1, 'leek', 'Leek', 1, 2),
        (2, 'apple', 'Apple', 54, 3), (2, 'plum', 'Plum', 46, 3), (2, 'leek', 'Leek', 61, 4);
      """
    let adopting = [
      "catalog.json": Households.options(
        #"{"table": "households", "key": "id", "column": "household_id"}"#, #""adopt": 2, "#)
    ]
    for isBaseline in [false, true] {
      let device = try Households.device(adopting, app: rows)
      let report =
        isBaseline ? try device.migrator().baseline(at: 4) : try device.up()
      // Household 1 has edition 1 without the salt that it deleted, and an edit.
      #expect(
        try Households.foods(of: 1, in: device) == [
          "apple 54 Fruit", "plum 46 Fruit", "porree 1 Vegetables",
        ])
      #expect(try Households.foods(of: 2, in: device) == Self.all)
      #expect(try Households.foods(of: 3, in: device) == Self.all)
      let foods = report.adopted?.tables.first { $0.table == "foods" }
      #expect(foods?.edited == 1 && foods?.inserted == 1)
      #expect(try device.up().outcome == .upToDate)
    }
  }
}
