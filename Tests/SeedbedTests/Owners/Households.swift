@testable import Seedbed

/// An app with households, each of which has its own copy of categories and foods.
enum Households {
  static let schema = """
    CREATE TABLE households (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE categories (id INTEGER PRIMARY KEY,
      household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
      code TEXT, name TEXT, UNIQUE (household_id, code));
    CREATE TABLE foods (id INTEGER PRIMARY KEY,
      household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
      code TEXT, name TEXT, kcal INTEGER, category_id INTEGER REFERENCES categories (id),
      UNIQUE (household_id, code), UNIQUE (household_id, name));
    """

  static func options(
    _ per: String = #"{"table": "households", "key": "id", "column": "household_id"}"#,
    _ other: String = ""
  ) -> String {
    """
    {\(other)"tables": {"categories": {"key": ["code"], "per": \(per)},
      "foods": {"key": ["code"], "per": \(per)}}}
    """
  }

  static let files = [
    "catalog.json": options(),
    "0001_foods/schema.sql": schema,
    "0001_foods/categories.csv": "code,name\nfruit,Fruit\nveg,Vegetables\n",
    "0001_foods/foods.csv": """
    code,name,kcal,category_id:categories.code
    apple,Apple,52,fruit
    leek,Leek,61,veg
    salt,Salt,0,

    """,
    "0002_more/foods.csv": "code,name,kcal,category_id:categories.code\nplum,Plum,46,fruit\n",
    "0002_more/foods.update.csv": "code,kcal,was:kcal\napple,54,52\n",
    "0003_less/foods.delete.csv": "code,name,kcal,category_id:categories.code\nsalt,Salt,0,\n",
    "0004_code/foods.update.csv": "code,was:code\nporree,leek\n",
  ]

  static func device(_ other: [String: String] = [:], app: String = "") throws -> Device {
    try Device(
      files.merging(other) { $1 },
      app: schema + "INSERT INTO households VALUES (1, 'Nord'), (2, 'Süd');" + app)
  }

  /// `apple 52 Fruit`, by household and code.
  static func foods(of household: Int, in device: Device) throws -> [String] {
    try device.rows(
      """
      SELECT f.code || ' ' || f.kcal || coalesce(' ' || c.name, '')
      FROM foods AS f LEFT JOIN categories AS c ON c.id = f.category_id
        AND c.household_id = f.household_id
      WHERE f.household_id = \(household) ORDER BY f.code
      """)
  }
}

extension Device {
  func owners() throws -> [String] { try rows("SELECT owner FROM seedbed_owners ORDER BY owner") }
}
