extension GoodCase {
  static let names: [GoodCase] = folders + strangers + tags

  private static let query = "SELECT id FROM items WHERE id < 10"

  private static func folder(_ name: String) -> GoodCase {
    GoodCase(
      "a folder called \(name)", Bundle(["\(name)/items.csv": "id,name\n1,one\n"]), query, "1")
  }

  private static let folders = [
    "1_a", "0001_a", "000000000000000000000000001_a", "20261121193542_now", "42_a-b-c", "7__",
    "7_-",
    "9223372036854775807_last", "3_THREE_3",
  ].map(folder)

  /// What has no number, or is another program's, is none of the engine's.
  private static let strangers: [GoodCase] = [
    "data/items.csv", "README.md", ".gitattributes", ".git/HEAD", "0001_case/.DS_Store",
    "0001_case/.items.csv.swp", "0001_case/~$items.csv", "notes/0002_two/items.csv", "_0002/x",
    "catalog.json.bak", "\u{661}_x/items.csv",
  ].map { stranger in
    GoodCase(
      "beside it \(stranger)",
      Bundle(["0001_case/items.csv": "id,name\n1,one\n"]).with(stranger, "\0 nothing"), query, "1")
  }

  private static let tags: [GoodCase] = [
    GoodCase(
      "three files of one table",
      Bundle([
        "0001_case/items.csv": "id,name\n1,one\n", "0001_case/items.b~.csv": "id,name\n2,two\n",
        "0001_case/items.a~.csv": "name,id,note\nthree,3,x\n",
      ]), query, "1 / 2 / 3"),
    GoodCase(
      "a tag with a full stop before it",
      Bundle(["0001_case/items.de.at~.csv": "id,name\n1,eins\n"]).with(
        "0001_case/up.sql", "CREATE TABLE \"items.de\" (id INTEGER PRIMARY KEY, name);"),
      "SELECT name FROM \"items.de\"", "eins"),
    GoodCase(
      "a gap between numbers",
      Bundle([
        "0003_c/items.csv": "id,name\n3,three\n", "10_a/items.csv": "id,name\n1,one\n",
        "0200_b/items.csv": "id,name\n2,two\n",
      ]), "SELECT group_concat(version) FROM seedbed_migrations", "3,10,200"),
    GoodCase(
      "a whole table's story",
      Bundle([
        "1_a/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a);",
        "1_a/t.csv": "id,a\n1,x\n2,y\n",
        "2_b/t.update.csv": "id,a,was:a\n1,z,x\n", "3_c/t.delete.csv": "id,a\n2,y\n",
        "4_d/after.sql": "INSERT INTO t VALUES (9, 'w');",
      ]), "SELECT id, a FROM t", "1|z / 9|w"),
  ]
}
