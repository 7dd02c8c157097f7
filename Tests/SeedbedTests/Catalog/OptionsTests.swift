import SeedbedCells
import Testing
import TestSupport

@testable import Seedbed

/// catalog.json and migration.json.
struct OptionsTests {
  /// The options of the migration 1 in a catalog with these two files.
  private func options(catalog: String?, migration: String? = nil) throws -> MigrationOptions {
    let fixture = try Place(["0001_a/up.sql": ""])
    if let catalog { try fixture.write("catalog.json", catalog) }
    if let migration { try fixture.write("0001_a/migration.json", migration) }
    let made = try fixture.catalog()
    return try made.options(of: made.migrations()[0])
  }

  @Test func `without files the defaults`() throws {
    let options = try options(catalog: nil)
    #expect(options == MigrationOptions())
    #expect(options.foreignKeys == .on)
    #expect(options.verify == .fail)
    #expect(options.isWithdrawn == false)
  }

  @Test func `every option of a migration`() throws {
    let options = try options(
      catalog: nil,
      migration: """
        {"description": "IUPAC", "foreignKeys": "off", "verify": "warn", "withdrawn": true,
         "tables": {}}
        """)
    #expect(options.description == "IUPAC")
    #expect(options.foreignKeys == .off)
    #expect(options.verify == .warn)
    #expect(options.isWithdrawn)
  }

  @Test func `every option of a table`() throws {
    let options = try options(
      catalog: """
        {"verify": "warn", "tables": {"elements": {
          "key": ["number"], "source": "data/elements.csv", "onEdited": "preferSeed",
          "onTaken": "replaceUser", "blobs": {"spectrum": "hex"}, "empty": "text",
          "ignore": ["updated_at"], "columns": {"name": "keepEdits", "law": "preferSeed"},
          "compare": {"body": "text"}}}}
        """)
    #expect(options.verify == .warn)
    let table = options.table("Elements")
    #expect(table.key == ["number"])
    #expect(table.source == "data/elements.csv")
    #expect(table.onEdited == .preferSeed)
    #expect(table.onTaken == .replaceUser)
    #expect(table.blobs == ["spectrum": .hex])
    #expect(table.empty == .inTable(.text))
    #expect(table.ignore == ["updated_at"])
    #expect(table.policy(of: "Name") == .keepEdits && table.policy(of: "law") == .preferSeed)
    #expect(table.policy(of: "weight") == nil)
    #expect(table.compare.map(\.column) == ["body"])
    #expect(options.table("other") == TableOptions())
  }

  @Test func `an option of the migration replaces the catalog's as a whole, others stay`() throws {
    let options = try options(
      catalog: """
        {"verify": "warn", "tables": {
          "a": {"key": ["x", "y"], "onEdited": "fail", "ignore": ["p"]}, "b": {"key": ["z"]}}}
        """,
      migration: """
        {"tables": {"A": {"key": ["w"], "ignore": []}, "c": {"onTaken": "fail"}}}
        """)
    #expect(options.verify == .warn)
    #expect(options.table("a").key == ["w"])
    #expect(options.table("a").onEdited == .fail)
    #expect(options.table("a").ignore == [])
    #expect(options.table("b").key == ["z"])
    #expect(options.table("c").onTaken == .fail)
    #expect(options.tables.count == 3)
  }

  @Test(arguments: [
    ("{}", [EngineName.sqlite]), (#"{"engines": ["sqlite"]}"#, [.sqlite]),
    (#"{"engines": ["sqlite", "postgresql"]}"#, [.sqlite, .postgresql]),
    (#"{"engines": ["postgresql", "sqlite"]}"#, [.postgresql, .sqlite]),
  ])
  func `the engines of a catalog`(_ text: String, _ engines: [EngineName]) throws {
    #expect(try options(catalog: text).engines == engines)
    #expect(try options(catalog: text, migration: "{}").engines == engines)
  }

  @Test(arguments: [
    (
      #"["sqlite", "postgres"]"#,
      "24: 'postgres' is not a value of 'engines'. Did you mean 'postgresql'?"
    ),
    (#"["sqlite", "mysql"]"#, "24: 'mysql' is not a value of 'engines'. Use sqlite or postgresql."),
    (#"["SQLite"]"#, "14: 'SQLite' is not a value of 'engines'. Did you mean 'sqlite'?"),
    (
      #"["sqlite", 1]"#,
      #"24: 'engines' is a number, expected one of "sqlite" and "postgresql"."#
    ),
    (#"["sqlite", "sqlite"]"#, "24: 'engines' holds 'sqlite' twice. Keep one of them."),
    (
      #""sqlite""#,
      #"13: 'engines' is a string, expected an array of engines, like ["sqlite", "postgresql"]."#
    ),
    (
      "[]",
      #"13: 'engines' is empty. Name the engines that the catalog serves, like "#
        + #"["sqlite", "postgresql"], or leave the option out for SQLite alone."#
    ),
  ])
  func `refused as engines is`(_ text: String, _ error: String) {
    #expect(
      failureText { _ = try options(catalog: "{\"engines\": \(text)}") }
        == "catalog.json:1:" + error)
  }

  @Test(arguments: [
    ("engines", #"["sqlite"]"#), ("tooOld", #""x""#), ("build", "true"), ("sqlite", #""3.39""#),
  ])
  func `an option of the catalog is none of a migration`(_ name: String, _ value: String) {
    #expect(
      failureText { _ = try options(catalog: nil, migration: "{\"\(name)\": \(value)}") }
        == "0001_a/migration.json:1:2: '\(name)' is for the whole catalog, not for one migration. "
        + "Move it to catalog.json.")
  }

  @Test(arguments: [("3.39", 3039), ("3.39.4", 3039), ("3.40", 3040)])
  func `the oldest SQLite is a version`(_ text: String, _ number: Int) throws {
    #expect(try options(catalog: "{\"sqlite\": \"\(text)\"}").oldestSQLite == number)
  }

  @Test(arguments: ["3", "4.40", "3.x", "", "3.39.1.2", "3.4", "3.39.", "3.39.x", "3.+39"])
  func `what is no version of SQLite is refused`(_ v: String) {
    #expect(failureText { _ = try options(catalog: #"{"sqlite": "\#(v)"}"#) }!.contains("3.39"))
  }

  @Test func `withdrawn is known without asking for the options`() throws {
    let fixture = try Place(["1_a/up.sql": "", "2_b/migration.json": "{\"withdrawn\": true}"])
    #expect(try fixture.catalog().migrations().map(\.isWithdrawn) == [false, true])
  }

  @Test(arguments: [
    ("[]", "catalog.json:1:1: 'catalog.json' is an array, expected an object: {…}."),
    (
      #"{"descripton": ""}"#,
      "catalog.json:1:2: 'descripton' is not an option. Did you mean 'description'?"
    ),
    (
      #"{"description": ""}"#,
      "catalog.json:1:2: 'description' belongs to one migration, not to the whole catalog. Move it "
        + "to the migration's migration.json."
    ),
    (
      #"{"withdrawn": true}"#,
      "catalog.json:1:2: 'withdrawn' belongs to one migration, not to the whole catalog. Move it "
        + "to the migration's migration.json."
    ),
    (
      #"{"colour": 1}"#,
      "catalog.json:1:2: 'colour' is not an option. Options here are engines, "
        + "tooOld, adopt, build, id, sqlite, name, requires, verify and tables."
    ),
    (
      #"{"key": ["id"]}"#,
      "catalog.json:1:2: 'key' is an option of a table. Put it under \"tables\", below the table's "
        + "name."
    ),
    (
      #"{"verify": "warning"}"#,
      "catalog.json:1:12: 'warning' is not a value of 'verify'. Use fail or warn."
    ),
    (
      #"{"verify": true}"#,
      "catalog.json:1:12: 'verify' is true or false, expected one of \"fail\" and \"warn\"."
    ),
    (
      #"{"tables": []}"#,
      "catalog.json:1:12: 'tables' is an array, expected an object with the tables' names as keys."
    ),
    (
      #"{"tables": {"": {}}}"#,
      "catalog.json:1:13: 'tables' holds an empty name. Write the name as the schema has it."
    ),
    (
      #"{"tables": {"a": {}, "A": {}}}"#,
      "catalog.json:1:22: 'tables' holds 'A' twice; names that differ only in case are the same. "
        + "Keep one of them."
    ),
    (
      #"{"tables": {"a": null}}"#,
      "catalog.json:1:18: 'a' is null, expected an object with the table's options."
    ),
  ])
  func `refused in the whole catalog is`(_ text: String, _ error: String) {
    #expect(failureText { _ = try options(catalog: text) } == error)
  }

  @Test(arguments: [
    (
      #"{"Key": ["id"]}"#,
      "catalog.json:1:19: 'Key' is not an option. Did you mean 'key'?"
    ),
    (
      #"{"onedited": "fail"}"#,
      "catalog.json:1:19: 'onedited' is not an option. Did you mean 'onEdited'?"
    ),
    (
      #"{"colour": 1}"#,
      "catalog.json:1:19: 'colour' is not an option. Options here are key, source, onEdited, "
        + "onTaken, columns, compare, reserve, blobs, empty, ignore, references, disposable, "
        + "identity and per."
    ),
    (
      #"{"key": "id"}"#,
      "catalog.json:1:26: 'key' is a string, expected an array of columns' names, like "
        + "[\"number\"]."
    ),
    (
      #"{"key": []}"#,
      "catalog.json:1:26: 'key' is empty. Name at least one column, or leave it out."
    ),
    (
      #"{"key": ["id", 1]}"#,
      "catalog.json:1:33: An element of 'key' is a number, expected a column's name."
    ),
    (
      #"{"key": ["id", "ID"]}"#,
      "catalog.json:1:33: 'key' holds 'ID' twice; names that differ only in case are the same. "
        + "Keep one of them."
    ),
    (
      #"{"ignore": [""]}"#,
      "catalog.json:1:30: 'ignore' holds an empty name. Write the name as the schema has it."
    ),
    (#"{"source": 1}"#, "catalog.json:1:29: 'source' is a number, expected a string."),
    (
      #"{"onEdited": "keepedits"}"#,
      "catalog.json:1:31: 'keepedits' is not a value of 'onEdited'. Did you mean 'keepEdits'?"
    ),
    (
      #"{"columns": {"name": "keepRow"}}"#,
      "catalog.json:1:39: 'keepRow' is a policy for whole rows, and 'name' is a column. Use "
        + "keepEdits or preferSeed, or set \"onEdited\" of the table."
    ),
    (
      #"{"columns": {"name": "keepEdit"}}"#,
      "catalog.json:1:39: 'keepEdit' is not a value of 'name'. Did you mean 'keepEdits'?"
    ),
    (
      #"{"columns": ["name"]}"#,
      "catalog.json:1:30: 'columns' is an array, expected an object like {\"legal_text\": "
        + "\"preferSeed\"}."
    ),
    (
      #"{"columns": {"name": "keepEdits", "NAME": "preferSeed"}}"#,
      "catalog.json:1:52: 'columns' holds 'NAME' twice; names that differ only in case are the "
        + "same. Keep one of them."
    ),
    (
      #"{"compare": {"body": "lines"}}"#,
      "catalog.json:1:39: 'lines' is not a value of 'body'. Use text."
    ),
    (
      #"{"empty": "texts"}"#,
      "catalog.json:1:28: 'texts' is not a value of 'empty'. Did you mean 'text'?"
    ),
    (
      #"{"empty": "NULLs and so on"}"#,
      "catalog.json:1:28: 'NULLs and so on' is not a value of 'empty'. Use null or text."
    ),
    (
      #"{"empty": true}"#,
      "catalog.json:1:28: 'empty' is true or false, expected one of \"null\" and \"text\"."
    ),
    (
      #"{"blobs": ["x"]}"#,
      #"catalog.json:1:28: 'blobs' is an array, expected an object like {"spectrum": "base64"}."#
    ),
    (
      #"{"blobs": {"x": "base-64"}}"#,
      "catalog.json:1:34: 'base-64' is not a value of 'x'. Did you mean 'base64'?"
    ),
  ])
  func `refused in a table's options is`(_ text: String, _ error: String) {
    let text = #"{"tables": {"t": "# + text + "}}"
    #expect(failureText { _ = try options(catalog: text) } == error)
  }

  @Test func `a migration's error names its own file`() {
    #expect(
      failureText { _ = try options(catalog: nil, migration: "{\n  \"forignKeys\": \"off\"}") }
        == "0001_a/migration.json:2:3: 'forignKeys' is not an option. Did you mean 'foreignKeys'?")
    #expect(
      failureText { _ = try options(catalog: nil, migration: "{\"withdrawn\": \"yes\"}") }
        == "0001_a/migration.json:1:15: 'withdrawn' is a string, expected true or false.")
  }
}
