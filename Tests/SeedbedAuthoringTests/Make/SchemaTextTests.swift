import Testing

@testable import SeedbedAuthoring

/// What other programs print around a schema.
struct SchemaTextTests {
  @Test(arguments: [
    ("CREATE TABLE a (x);\n", "CREATE TABLE a (x);\n"),
    (
      "BEGIN;\n--\n-- Create model A\n--\nCREATE TABLE a (x);\nCOMMIT;\n",
      "\n--\n-- Create model A\n--\nCREATE TABLE a (x);\n\n"
    ),
    ("begin transaction;CREATE TABLE a (x);end", "CREATE TABLE a (x);"),
    ("CREATE TABLE sqlite_sequence(name,seq);\nCREATE TABLE a (x);", "\nCREATE TABLE a (x);"),
    (
      "CREATE TABLE\n  'sqlite_stat1'(tbl,idx,stat);\nCREATE TABLE a (x);",
      "\n\nCREATE TABLE a (x);"
    ),
    (
      "CREATE TRIGGER g AFTER INSERT ON a BEGIN SELECT 1; END;\n",
      "CREATE TRIGGER g AFTER INSERT ON a BEGIN SELECT 1; END;\n"
    ),
    (
      "CREATE TABLE \"my;begin\" (x); CREATE TABLE sqlitely (x);",
      "CREATE TABLE \"my;begin\" (x); CREATE TABLE sqlitely (x);"
    ),
    // What changes something is refused as before.
    ("ROLLBACK;", "ROLLBACK;"), ("PRAGMA user_version=1;", "PRAGMA user_version=1;"),
    ("-- nothing", "-- nothing"), ("", ""),
  ])
  func `is passed over, each statement on its line`(_ text: String, _ rest: String) {
    #expect(SchemaText.passingOverOthers(text) == rest)
  }

  @Test func `a schema that Django prints is taken`() throws {
    let bench = try Workbench(["data/t.csv": "id,v\n1,x\n"])
    try bench.write([
      "app.sql": """
      BEGIN;
      CREATE TABLE "t" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "v" text NOT NULL);
      CREATE TABLE sqlite_sequence(name,seq);
      COMMIT;
      """
    ])
    let text = try Release.schemaText(of: bench.catalog + "/app.sql")
    let summary = try bench.make("first") {
      $0.sources = [Release.TableFile("t", bench.catalog + "/data/t.csv")]
      $0.schemaSQL = text
    }
    #expect(summary.folders == ["0001_first"])
    #expect(try !bench.text("0001_first/schema.sql").contains("sqlite_"))
  }
}
