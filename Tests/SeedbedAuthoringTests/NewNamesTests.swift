import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// SQL after which Seedbed could not tell which keys are left to the user: a device, `lint` and
/// `make` refuse it in the same sentence.
struct NewNamesTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let files: [String: String]
    /// nil if it may.
    let error: String?
    var testDescription: String { name }

    init(_ name: String, _ files: [String: String], _ error: String? = nil) {
      (self.name, self.files, self.error) = (name, files, error)
    }
  }

  private static let first = [
    "catalog.json": #"{"tables": {"t": {"source": "data/t.csv"}}}"#,
    "data/t.csv": "id,s\n1,A\n2,B\n3,C\n",
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT NOT NULL UNIQUE);\n"
      + "CREATE TABLE e (nr INTEGER PRIMARY KEY);",
    "0001_t/down.sql": "DROP TABLE e; DROP TABLE t;",
    "0001_t/t.csv": "id,s\n1,A\n2,B\n",
  ]

  private static let copied = """
    CREATE TABLE t2 (id INTEGER PRIMARY KEY, s TEXT NOT NULL UNIQUE, n TEXT);
    INSERT INTO t2 (id, s) SELECT id, s FROM t;

    """

  private static let madeAgain = madeAgain("t", "t2")
  private static func madeAgain(_ old: String, _ new: String) -> String {
    "This SQL drops '\(old)', which has rows of releases, and makes '\(new)' with the same key "
      + "columns. Seedbed knows by a table's name which keys are left to the user, and cannot tell "
      + "whether '\(new)' is the same table. If it is, rename it with ALTER TABLE … RENAME TO. If "
      + "it is not, drop '\(old)' in a migration of its own."
  }

  private static func gone(_ column: String) -> String {
    "This SQL removes the column '\(column)' of 't', by which Seedbed knows the rows of releases "
      + "and the keys that are left to the user. If it only has another name, rename it with ALTER "
      + "TABLE … RENAME COLUMN. If other columns are the key now, name them in the option 'key', "
      + "ship a release with rows of the table, and remove the column in a later one."
  }

  static let cases = [
    Case(
      "a table is made again under another name", ["up.sql": copied + "DROP TABLE t;"],
      "up.sql:3:1: " + madeAgain),
    Case(
      "before the rows and after them", ["up.sql": copied, "after.sql": "\n\nDROP TABLE t;"],
      "after.sql:3:1: " + madeAgain),
    Case(
      "one whose first rows come with this release",
      [
        "e.csv": "nr\n1\n",
        "after.sql": "CREATE TABLE e2 (nr INTEGER PRIMARY KEY); DROP TABLE e;",
      ], "after.sql:1:43: " + madeAgain("e", "e2")),
    Case(
      "over a third name",
      [
        "up.sql": "CREATE TABLE x (id INTEGER PRIMARY KEY); DROP TABLE t;\n"
          + "ALTER TABLE x RENAME TO t2;"
      ], "up.sql:1:42: " + madeAgain),
    Case(
      "a table is made again without its key's column",
      [
        "up.sql": "CREATE TABLE x (nr INTEGER PRIMARY KEY, s TEXT);\n"
          + "INSERT INTO x SELECT * FROM t; DROP TABLE t;\nALTER TABLE x RENAME TO t;"
      ], "up.sql:2:32: " + gone("id")),
    Case(
      "or without that of its option",
      [
        "up.sql": "CREATE TABLE x (id INTEGER PRIMARY KEY, n TEXT);\n"
          + "INSERT INTO x SELECT * FROM t;\nDROP TABLE t; ALTER TABLE x RENAME TO t;",
        "migration.json": #"{"tables": {"t": {"key": ["s"]}}}"#,
      ], "up.sql:3:1: " + gone("s")),
    Case("a table goes", ["up.sql": "DROP TABLE t;", "after.sql": "SELECT 1;"]),
    Case(
      "a table goes, and one with another key comes",
      ["up.sql": "DROP TABLE t; CREATE TABLE u (code TEXT PRIMARY KEY);"]),
    Case(
      "one of the migration's own goes",
      [
        "up.sql": "CREATE TABLE i (id INTEGER PRIMARY KEY); CREATE TABLE k (id INTEGER);",
        "i.csv": "id\n1\n", "after.sql": "INSERT INTO k SELECT id FROM i; DROP TABLE i;",
      ]),
    Case(
      "one that no release fills is made again",
      [
        "up.sql": "CREATE TABLE a (id INTEGER); CREATE TABLE b (id INTEGER); DROP TABLE a;"
      ]),
    Case(
      "a column that is no key goes",
      ["up.sql": "ALTER TABLE t ADD COLUMN x; ALTER TABLE t DROP COLUMN x;"]),
    Case(
      "the old key's column goes once the option names another",
      [
        "up.sql": "CREATE TABLE x (s TEXT PRIMARY KEY); INSERT INTO x SELECT s FROM t;\n"
          + "DROP TABLE t; ALTER TABLE x RENAME TO t;",
        "migration.json": #"{"tables": {"t": {"key": ["s"]}}}"#,
      ]),
  ]

  @Test(arguments: cases) func `a device, lint and make refuse the same`(_ c: Case) throws {
    let files = c.files.map { ("0002_u/" + $0.key, $0.value) }
    let bench = try Workbench(Self.first.merging(files) { $1 })
    let error = c.error.map { "0002_u/" + $0 }
    _ = try CatalogLock.write(directory: bench.catalog)
    let found = try Linter(directory: bench.catalog).findings().filter(\.isRefusal)
    #expect(found.map { "\($0.place): \($0.message)" } == [error].compactMap(\.self))
    let migrator = try bench.migrator()
    #expect(bench.failure { _ = try migrator.up() } == error ?? "nothing")
    let version: Value = c.error == nil ? 2 : 1
    #expect(try bench.rows("SELECT max(version) FROM seedbed_migrations") == [[version]])
    if let error { #expect(bench.failure { _ = try bench.make() } == error) }
  }
}
