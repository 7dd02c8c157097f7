extension BadCase {
  static let tables: [BadCase] =
    missing + refused + [
      .file("bag.csv", "a table without a key", "a,b\n1,2\n", "catalog"),
      .file(
        "bag.update.csv", "an update of a table without a key", "a,b,was:b\n1,2,3\n", "catalog"),
      options("a key of unknown columns", "bag", #"{"key": ["c"]}"#, "a,b\n1,2\n"),
      options("a key that is not unique", "bag", #"{"key": ["a"]}"#, "a,b\n1,2\n"),
      options("a key that is half of the key", "pairs", #"{"key": ["a"]}"#, "a,b,c\nx,1,z\n"),
      options("a key that is more than the key", "pairs", #"{"key": ["a", "b", "c"]}"#, "a,b,c\n"),
      options("a key without UNIQUE", "items", #"{"key": ["name"]}"#, "id,name\n1,one\n"),
    ] + createdTables

  private static func rows(_ table: String) -> BadCase {
    .file("\(table).csv", "rows for '\(table)'", "id,name\n1,one\n", "catalog")
  }

  private static let missing = [
    "item", "itms", "items2", "elements", "items items", "items;", "items--", "\"items\"",
    "'items'", "[items]", "main.items", "temp.items", "items.main", "ítems", "\u{131}tems", "%",
    "items.old.2024",
  ].map(rows)

  private static let refused = [
    "cheap", "CHEAP", "search", "search_data", "search_idx", "search_content", "search_config",
    "search_docsize", "sqlite_schema", "sqlite_master", "sqlite_sequence", "sqlite_stat1",
    "SQLITE_SCHEMA", "sqlite_temp_schema", "sqlite_autoindex_items_1", "seedbed_migrations",
    "seedbed_runs", "seedbed_conflicts", "SEEDBED_migrations", "seedbed_applying", "hush",
  ].map(rows)

  private static func options(
    _ name: String, _ table: String, _ option: String, _ text: String
  ) -> BadCase {
    BadCase(
      name: name,
      bundle: Bundle([
        "catalog.json": #"{"tables": {"\#(table)": \#(option)}}"#, "0001_case/\(table).csv": text,
      ]), expected: "catalog 0001_case/\(table).csv")
  }

  private static func created(_ name: String, _ sql: String, _ table: String) -> BadCase {
    BadCase(
      name: name, bundle: Bundle(["0001_case/up.sql": sql, "0001_case/\(table).csv": "id\n1\n"]),
      expected: "catalog 0001_case/\(table).csv")
  }

  private static let createdTables: [BadCase] = [
    created("rows for a view that up.sql makes", "CREATE VIEW v AS SELECT 1 AS id;", "v"),
    created("rows for a temporary table", "CREATE TEMP TABLE t (id INTEGER PRIMARY KEY);", "t"),
    created(
      "rows for a virtual table that up.sql makes", "CREATE VIRTUAL TABLE v USING fts5(id);", "v"),
    created("rows for an R-tree", "CREATE VIRTUAL TABLE r USING rtree(id, a, b);", "r"),
    created(
      "rows for an R-tree's own table", "CREATE VIRTUAL TABLE r USING rtree(id, a, b);", "r_node"),
    created("rows for a table that up.sql drops", "DROP TABLE bag;", "bag"),
    created("rows for a table that up.sql renames", "ALTER TABLE bag RENAME TO sack;", "bag"),
    created(
      "rows for a table that has UNIQUE and no primary key", "CREATE TABLE u (id, UNIQUE (id));",
      "u"),
    BadCase(
      name: "rows for a table that only after.sql makes",
      bundle: Bundle([
        "0001_case/after.sql": "CREATE TABLE late (id INTEGER PRIMARY KEY);",
        "0001_case/late.csv": "id\n1\n",
      ]), expected: "catalog 0001_case/late.csv"),
    BadCase(
      name: "rows for a table of the next migration",
      bundle: Bundle([
        "0001_case/late.csv": "id\n1\n",
        "0002_next/up.sql": "CREATE TABLE late (id INTEGER PRIMARY KEY);",
      ]), expected: "catalog 0001_case/late.csv"),
  ]
}
