extension `Verbs on a server` {
  private static let app = """
    CREATE TABLE homes (id INTEGER PRIMARY KEY);
    CREATE TABLE foods (home INTEGER, code TEXT, UNIQUE (home, code));

    """

  static let owners = [
    Step(
      "up --no-backup", "Applied 2 migrations and 1 new owner.",
      sql: app + "INSERT INTO homes VALUES (7)",
      files: [
        "catalog.json": """
        {"engines": ["sqlite", "postgresql"], "tables": {"foods": {
          "key": ["code"], "per": {"table": "homes", "key": "id", "column": "home"}}}}
        """,
        "0002_foods/schema.sql": app, "0002_foods/schema.postgresql.sql": app,
        "0002_foods/foods.csv": "code\nrye\noat\n",
      ]),
    Step("fill 8", "foods      +2 added", sql: "INSERT INTO homes VALUES (8)"),
    Step("fill 9", "Add the owner first", code: 64),
  ]
}
