import Testing

@testable import Seedbed

/// What releases do to the copies of several owners.
struct ReleasesForOwnersTests {
  @Test func `each owner has a copy, edits it, and still gets the corrections`() throws {
    let device = try Households.device()
    let first = try device.up(to: 1)
    #expect(first.migrations.map(\.newOwners) == [0, 2])
    #expect(first.counts.inserted == 10)
    #expect(try device.owners() == ["1", "2"])
    try device.run(
      """
      UPDATE foods SET kcal = 1 WHERE household_id = 1 AND code = 'apple';
      DELETE FROM foods WHERE household_id = 2 AND code = 'leek';
      INSERT INTO foods (household_id, code, name, kcal) VALUES (2, 'own', 'Plum', 7);
      """)
    let report = try device.up()
    #expect(
      try Households.foods(of: 1, in: device) == [
        "apple 1 Fruit", "plum 46 Fruit", "porree 61 Vegetables",
      ])
    #expect(try Households.foods(of: 2, in: device) == ["apple 54 Fruit", "own 7"])
    #expect(
      report.migrations.flatMap(\.conflicts).map { "\($0.kind) \($0.key.json)" } == [
        #"edited {"household_id":1,"code":"apple"}"#,
        #"uniqueTaken {"household_id":2,"code":"plum"}"#,
        #"deletedByUser {"household_id":2,"code":"leek"}"#,
      ])
    #expect(try device.up().outcome == .upToDate)
  }

  @Test func `a plan says what up does, and changes nothing`() throws {
    let device = try Households.device()
    let before = try device.dump()
    let plan = try device.migrator().plan()
    #expect(try device.dump() == before)
    #expect(plan.outcome == .planned && plan.migrations.map(\.newOwners) == [0, 0, 0, 0, 2])
    #expect(try device.up().counts == plan.counts)
    try device.run("INSERT INTO households VALUES (3, 'Ost')")
    #expect(try device.migrator().plan().migrations.map(\.newOwners) == [1])
    #expect(try device.migrator().outlook() != .upToDate)
    #expect(try Households.foods(of: 3, in: device) == [])
  }

  @Test func `down takes releases back from all owners, and up brings them again`() throws {
    let device = try Households.device()
    try device.up()
    let after = try Households.foods(of: 2, in: device)
    try device.migrator().down(to: 1)
    #expect(
      try Households.foods(of: 1, in: device) == ["apple 52 Fruit", "leek 61 Vegetables", "salt 0"])
    try device.up()
    #expect(try Households.foods(of: 2, in: device) == after)
    try device.migrator().down(to: 0)
    #expect(try device.rows("SELECT count(*) FROM foods") == ["0"])
    #expect(try device.owners() == ["1", "2"])
    try device.up()
    #expect(try Households.foods(of: 1, in: device) == after)
  }

  @Test func `a name means the row of the same owner`() throws {
    let device = try Households.device(
      app: "INSERT INTO categories (household_id, code, name) VALUES (2, 'fruit', 'Fruit');")
    try device.up(to: 1)
    #expect(try Households.foods(of: 1, in: device).first == "apple 52 Fruit")
    #expect(try Households.foods(of: 2, in: device).first == "apple 52 Fruit")
    // A user's reference to another owner's row is the user's affair.
    try device.run(
      """
      UPDATE foods SET category_id = (SELECT id FROM categories WHERE household_id = 2 LIMIT 1)
      WHERE household_id = 1 AND code = 'leek'
      """)
    try device.up()
    #expect(
      try device.rows(
        """
        SELECT c.household_id FROM foods AS f JOIN categories AS c ON c.id = f.category_id
        WHERE f.household_id = 1 AND f.code = 'porree'
        """) == ["2"])
  }

  @Test func `rows without an owner's column belong to the owner of their parents`() throws {
    let schema = """
      CREATE TABLE households (id INTEGER PRIMARY KEY);
      CREATE TABLE recipes (id INTEGER PRIMARY KEY, household_id INTEGER NOT NULL REFERENCES
        households (id) ON DELETE CASCADE, code TEXT, UNIQUE (household_id, code));
      CREATE TABLE steps (recipe_id INTEGER REFERENCES recipes (id) ON DELETE CASCADE,
        number INTEGER, text TEXT, PRIMARY KEY (recipe_id, number));
      """
    let device = try Device(
      [
        "0001_recipes/schema.sql": schema,
        "catalog.json": """
        {"tables": {"recipes": {"key": ["code"],
          "per": {"table": "households", "key": "id", "column": "household_id"}},
          "steps": {"key": ["recipe_id", "number"], "per": {"table": "households", "key": "id"}}}}
        """,
        "0001_recipes/recipes.csv": "code\nsoup\ntea\n",
        "0001_recipes/steps.csv": """
        recipe_id:recipes.code,number,text
        soup,1,Boil
        soup,2,Salt
        tea,1,Boil

        """,
        "0002_steps/steps.update.csv":
          "recipe_id:recipes.code,number,text,was:text\nsoup,2,Season,Salt\n",
      ],
      app: schema + "INSERT INTO households VALUES (1), (2);")
    try device.up(to: 1)
    try device.run(
      """
      UPDATE steps SET text = 'Pepper' WHERE number = 2 AND recipe_id =
        (SELECT id FROM recipes WHERE household_id = 1 AND code = 'soup')
      """)
    try device.up()
    let steps = """
      SELECT r.household_id || ' ' || r.code || ' ' || group_concat(s.text) FROM recipes AS r
      JOIN steps AS s ON s.recipe_id = r.id GROUP BY r.id ORDER BY r.household_id, r.code
      """
    #expect(
      try device.rows(steps) == [
        "1 soup Boil,Pepper", "1 tea Boil", "2 soup Boil,Season", "2 tea Boil",
      ])
  }

  @Test func `an id that the app makes is mixed with the owner's, and stays`() throws {
    let schema = """
      CREATE TABLE groups (id TEXT PRIMARY KEY NOT NULL);
      CREATE TABLE foods (id CHAR(36) PRIMARY KEY NOT NULL, group_id TEXT NOT NULL REFERENCES
        groups (id) ON DELETE CASCADE, name TEXT, kcal INTEGER, UNIQUE (group_id, name));
      """
    let device = try Device(
      [
        "0001_foods/schema.sql": schema,
        "catalog.json": """
        {"tables": {"foods": {"key": ["name"],
          "per": {"table": "groups", "key": "id", "column": "group_id"}}}}
        """,
        "0001_foods/foods.csv": """
        id,name,kcal
        0000000000000000000000000000000a,Apfel,52
        0000000b-0000-0000-0000-000000000000,Birne,57

        """,
        "0002_foods/foods.delete.csv": """
        id,name,kcal
        0000000000000000000000000000000a,Apfel,52

        """,
      ],
      app: schema + "INSERT INTO groups VALUES ('a'), ('b');")
    try device.up(to: 1)
    let ids = try device.rows("SELECT group_id, name, id FROM foods ORDER BY 1, 2")
    #expect(
      ids == [
        "a|Apfel|fe0bead8a64c861c8643a4e68b8ebc54", "a|Birne|59bf5e54-a1bb-82f9-8b59-045265740a21",
        "b|Apfel|f5d926043df2878884d6d4fb2679b029", "b|Birne|583c89f2-a930-8fb1-80ae-c05c9e5ffd0d",
      ])
    try device.run(
      "PRAGMA foreign_keys = ON; DELETE FROM groups WHERE id = 'a'; INSERT INTO groups VALUES ('a')"
    )
    try device.up(to: 1)
    #expect(try device.rows("SELECT group_id, name, id FROM foods ORDER BY 1, 2") == ids)
    // The row of an owner who had the name before keeps its id, and is the seed's all the same.
    try device.run("UPDATE foods SET id = 'mine' WHERE group_id = 'b' AND name = 'Apfel'")
    #expect(try device.up().counts.deleted == 2)
  }

  @Test func `a rule of the app's that refuses one owner's row is no error`() throws {
    let device = try Households.device()
    try device.up(to: 1)
    try device.run(
      """
      CREATE TRIGGER no_plums BEFORE INSERT ON foods WHEN NEW.household_id = 2 AND NEW.code = 'plum'
      BEGIN SELECT RAISE(ABORT, 'no plums'); END;
      CREATE TRIGGER no_change BEFORE UPDATE OF kcal ON foods WHEN NEW.household_id = 1
      BEGIN SELECT RAISE(ABORT, 'no change'); END;
      """)
    let report = try device.up(to: 2)
    #expect(
      report.migrations.flatMap(\.conflicts).map { "\($0.kind) \($0.key.json)" } == [
        #"edited {"household_id":1,"code":"apple"}"#,
        #"deletedByUser {"household_id":2,"code":"plum"}"#,
      ])
    #expect(
      report.notes == [
        "'foods' does not take rows of some owners: no plums. They stay without them, and the log "
          + "has each."
      ])
    #expect(try Households.foods(of: 1, in: device).first == "apple 52 Fruit")
    #expect(try Households.foods(of: 2, in: device).first == "apple 54 Fruit")
    // If no owner can have it, it is the author's error.
    try device.run(
      """
      CREATE TRIGGER never BEFORE INSERT ON foods WHEN NEW.code = 'fig'
      BEGIN SELECT RAISE(ABORT, 'never'); END
      """)
    try device.write(["0005_fig/foods.csv": "code,name\nfig,Fig\n"])
    #expect(try device.failure().code == .constraint)
  }

  @Test func `an owner's row takes nothing that another's gives up`() throws {
    let per = #"{"table": "households", "key": "id", "column": "household_id"}"#
    let notes = """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, household_id INTEGER, food TEXT,
        FOREIGN KEY (household_id, food) REFERENCES foods (household_id, name));
      """
    let device = try Households.device(
      [
        "catalog.json": Households.options(per, "").replacing(
          #""foods": {"#, with: #""foods": {"onEdited": "overwriteRow", "#),
        "0005_kcal/foods.update.csv": "code,name,kcal\napple,Apple,55\n",
      ], app: notes)
    try device.up(to: 4)
    try device.up()
    #expect(try Households.foods(of: 1, in: device).first == "apple 55 Fruit")
    #expect(try Households.foods(of: 2, in: device).first == "apple 55 Fruit")
  }

  @Test func `what looks into a catalog knows the owner`() throws {
    let device = try Households.device()
    try device.up()
    try device.run("UPDATE foods SET kcal = 1 WHERE household_id = 1 AND code = 'apple'")
    let migrator = try device.migrator()
    let origins = try [1, 2].map {
      try migrator.origin(of: ["household_id": .integer($0), "code": "apple"], in: "foods")?.kind
    }
    #expect(origins == [.editedSeed, .seed])
    try device.run("DELETE FROM foods WHERE household_id = 2")
    #expect(try migrator.reseed("foods", keys: ["2,plum"]).counts.inserted == 1)
    #expect(try Households.foods(of: 2, in: device) == ["plum 46 Fruit"])
    #expect(try migrator.reseed("foods").counts.inserted == 2)
    #expect(try Households.foods(of: 1, in: device).first == "apple 54 Fruit")
  }
}
