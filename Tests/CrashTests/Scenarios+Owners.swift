import Seedbed

extension Scenario {
  /// A release for two owners, and after it the copy of a third.
  static let owners = Scenario(
    name: "owners",
    files: [
      "catalog.json": """
      {"tables": {"foods": {"key": ["code"],
        "per": {"table": "homes", "key": "id", "column": "home_id"}}}}
      """,
      "0001_foods/up.sql": """
      CREATE TABLE homes (id INTEGER PRIMARY KEY);
      CREATE TABLE foods (
        id INTEGER PRIMARY KEY, home_id INTEGER NOT NULL REFERENCES homes (id) ON DELETE CASCADE,
        code TEXT NOT NULL, name TEXT, UNIQUE (home_id, code));
      INSERT INTO homes VALUES (1), (2);
      """,
      "0001_foods/foods.csv": csv("code,name", (1...30).map { "f\($0),food \($0)" }),
      "0002_foods/foods.update.csv": csv(
        "code,name,was:name", (1...20).map { "f\($0),food no. \($0),food \($0)" }),
    ], app: notes,
    before: .up(
      to: 1,
      user: """
        UPDATE foods SET name = 'mine' WHERE home_id = 1 AND code = 'f3';
        DELETE FROM foods WHERE home_id = 2 AND code = 'f4'; INSERT INTO homes VALUES (3);
        """))
}
