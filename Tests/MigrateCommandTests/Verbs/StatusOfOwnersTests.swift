import TestSupport
import Testing

@testable import MigrateCommand

/// Owners without rows are something that `up` has to do, and every form of `status` says so.
struct StatusOfOwnersTests {
  @Test func `new owners are named, also among many databases`() throws {
    let app =
      "CREATE TABLE homes (id INTEGER PRIMARY KEY); CREATE TABLE foods (id INTEGER "
      + "PRIMARY KEY, home INTEGER NOT NULL REFERENCES homes, code TEXT, UNIQUE (home, code));"
    let sandbox = try Sandbox().write([
      "Migrations/catalog.json": """
      {"tables": {"foods": {
        "key": ["code"], "per": {"table": "homes", "key": "id", "column": "home"}}}}
      """,
      "Migrations/0001_foods/schema.sql": app, "Migrations/0001_foods/foods.csv": "code\nrye\n",
    ])
    try sandbox.sql(app + "INSERT INTO homes VALUES (1)")
    _ = try Program.run(["up", "--no-backup"], in: sandbox)
    #expect(try Program.run(["status", "--exit-code"], in: sandbox).code == 0)
    try sandbox.sql("INSERT INTO homes VALUES (2), (3)")
    let one = try Program.run(["status", "--exit-code"], in: sandbox)
    #expect(one.code == 1)
    #expect(one.output.hasSuffix("2 new owners without rows: 'migrate up' fills them.\n"))
    let each = try Program.run(["status", "--each", "app.sqlite"], in: sandbox).output
    #expect(each.contains("is at 1 of 1, pending, with 2 new owners"), "\(each)")
    let json = try Program.run(["status", "--each", "app.sqlite", "--json"], in: sandbox).output
    #expect(json.contains(#""newOwners":2"#), "\(json)")
  }
}
