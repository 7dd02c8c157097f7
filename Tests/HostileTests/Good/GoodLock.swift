extension GoodCase {
  private static let query = "SELECT count(*) FROM items WHERE id < 10"

  static let lock: [GoodCase] = [
    GoodCase("a lock", BadCase.lockable.locked(), query, "3"),
    GoodCase(
      "a lock of one file", Bundle(["0001_case/items.csv": "id,name\n"]).locked(), query,
      "0"),
    GoodCase("a lock of gzip", Bundle(file: "items.csv.gz", BadCase.richest).locked(), query, "3"),
    GoodCase(
      "a lock, and a stranger beside it",
      BadCase.lockable.then("data/source.csv") { _ in [1, 2, 3] }, query, "3"),
    GoodCase(
      "a lock, and a dot file in a folder",
      BadCase.lockable.then("0001_case/.DS_Store") { _ in [0] }, query, "3"),
    GoodCase(
      "a lock, and a file that an office program left",
      BadCase.lockable.then("0002_next/~$items.csv") { _ in [0] }, query, "3"),
    GoodCase(
      "a lock of sixty migrations",
      (1...60).reduce(Bundle()) { bundle, number in
        bundle.with("\(number)_n/verify.sql", "SELECT 1 WHERE 0;")
      }.locked(), "SELECT count(*) FROM seedbed_migrations", "60"),
    GoodCase(
      "a lock of a name with blanks",
      Bundle(["0001_case/odd name.csv": "id\n1\n"]).locked(), "SELECT id FROM \"odd name\"", "1"),
  ]
}
