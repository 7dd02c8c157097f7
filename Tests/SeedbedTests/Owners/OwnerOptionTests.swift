import Testing

@testable import Seedbed

/// Each wrong word about owners is a sentence with its place and remedy, and nothing is written.
struct OwnerOptionTests {
  private static let good = #"{"table": "households", "key": "id", "column": "household_id"}"#

  private func failure(
    _ files: [String: String], app: String = ""
  ) throws -> (SeedbedError, Device) {
    let device = try Households.device(files, app: app)
    let before = try device.dump()
    let error = try device.failure()
    #expect(try device.dump() == before)
    return (error, device)
  }

  @Test(arguments: [
    (#"{"table": "houses", "key": "id", "column": "household_id"}"#, "the table 'houses', which"),
    (#"{"table": "households", "key": "nr", "column": "household_id"}"#, "the column 'nr', which"),
    (#"{"table": "households", "key": "name", "column": "household_id"}"#, "Name such a column."),
    (#"{"table": "households", "key": "id", "column": "house"}"#, "the column 'house', which"),
    (#"{"table": "households", "key": "id"}"#, "it is neither its primary key nor UNIQUE"),
    (#"{"table": "households"}"#, "'per' lacks the owners' key."),
    (#"{"table": "households", "kye": "id"}"#, "'kye' is not an option. Did you mean 'key'?"),
    (#"{"table": 1, "key": "id"}"#, "a string"),
    (#""households""#, "an object like"),
  ])
  func `a wrong word`(per: String, sentence: String) throws {
    let (error, _) = try failure(["catalog.json": Households.options(per)])
    #expect(error.message.contains(sentence), "\(error)")
    #expect(error.place?.file != nil)
  }

  @Test func `per belongs to catalog.json`() throws {
    let (error, _) = try failure([
      "0001_foods/migration.json": #"{"tables": {"foods": {"per": \#(Self.good)}}}"#
    ])
    #expect(error.message.hasPrefix("'per' is for the whole catalog"), "\(error)")
  }

  @Test func `a key without an owner is no key`() throws {
    let (error, _) = try failure(
      ["catalog.json": Households.options(#"{"table": "households", "key": "id"}"#)],
      app: "CREATE UNIQUE INDEX codes ON categories (code);")
    #expect(error.message.contains("nothing in its key (code) tells whose a row is"), "\(error)")
  }

  @Test func `tables that no SQL of the catalog creates`() throws {
    let device = try Households.device()
    try device.remove("0001_foods/schema.sql")
    #expect(try device.failure().message.hasPrefix("No SQL of the catalog creates 'categories'"))
    #expect(try device.migrator().status().current == 0)
  }

  @Test func `an owners' table that no SQL of the catalog creates`() throws {
    let device = try Households.device()
    let others = Households.schema.drop { $0 != ";" }.dropFirst()
    try device.write(["0001_foods/schema.sql": String(others)])
    #expect(try device.failure().message.hasPrefix("No SQL of the catalog creates 'households'"))
    #expect(try device.migrator().status().current == 0)
  }

  @Test func `two kinds of owners are two catalogs`() throws {
    let (error, _) = try failure(
      [
        "catalog.json": """
        {"tables": {"categories": {"key": ["code"], "per": \(Self.good)},
          "foods": {"key": ["code"],
            "per": {"table": "groups", "key": "id", "column": "household_id"}}}}
        """
      ], app: "CREATE TABLE groups (id INTEGER PRIMARY KEY);")
    #expect(error.message.contains("a catalog has one kind of owner"), "\(error)")
  }

  @Test func `a file has no owner, and no id of another's row`() throws {
    var (error, _) = try failure([
      "0001_foods/categories.csv": "household_id,code,name\n1,fruit,Fruit\n1,veg,Vegetables\n"
    ])
    #expect(error.message.hasPrefix("The file has the owner 'household_id'"), "\(error)")
    (error, _) = try failure([
      "0001_foods/foods.csv": "code,name,kcal,category_id\napple,Apple,52,1\n"
    ])
    #expect(error.message.contains("category_id:categories.<column>"), "\(error)")
    (error, _) = try failure(["0001_foods/categories.csv": "id,code,name\n1,fruit,Fruit\n"])
    #expect(error.message.hasPrefix("'categories' has one row for each (id)"), "\(error)")
  }

  @Test func `a UNIQUE index without the owner is refused`() throws {
    let (error, _) = try failure([:], app: "CREATE UNIQUE INDEX names ON categories (name);")
    #expect(error.message.hasPrefix("'categories' has one row for each (name)"), "\(error)")
    // Where no file fills the column, nobody is in anybody's way.
    let device = try Households.device(
      app: "ALTER TABLE foods ADD barcode TEXT; CREATE UNIQUE INDEX codes ON foods (barcode);")
    try device.up()
  }

  @Test func `a table that all share cannot refer to an owner's row`() throws {
    let (error, _) = try failure(
      ["0001_foods/hints.csv": "id,food_id:foods.code\n1,apple\n"],
      app: "CREATE TABLE hints (id INTEGER PRIMARY KEY, food_id INTEGER REFERENCES foods (id));")
    #expect(
      error.message.hasPrefix("'hints' refers to 'foods', of which each owner has rows"), "\(error)"
    )
    #expect(error.place?.line == 1)
  }
}
