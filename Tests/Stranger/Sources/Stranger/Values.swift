import Foundation
import Seedbed

extension Stranger {
  static func tryValues(_ folder: String, _ locked: String) throws {
    let row: Migrator.Row = ["id": 1, "word": "one"]
    expect("the same key", Migrator.Row(dictionaryLiteral: ("id", 1)), ["id": 1])
    expect("a row's columns", row.columns, ["id", "word"])
    expect("a row's values", row.values, [.integer(1), .text("one")])
    expect("a row's value", row["word"], Migrator.Value(stringLiteral: "one"))
    expect("no such column", row["note"], nil)
    expect("a literal", Migrator.Value(integerLiteral: 7), 7)
    let values: [Migrator.Value] = [
      .null, .integer(-1), .real(0.5), .text("é"), .invalidText([0xFF]), .blob([1, 2]),
    ]
    expect("values differ", Set(values).count, 6)
    let texts = values.map { value in value.description }
    expect("how values read", texts, ["NULL", "-1", "0.5", "é", "\u{FFFD}", "2 bytes"])
    tryNames()
    try tryErrors(folder)
    try tryRemedies(folder)
  }

  private static func tryNames() {
    expect("a name", Migrator.CollisionPolicy(rawValue: "moveUser"), .moveUser)
    expect("a name", Migrator.EditPolicy(rawValue: "keepEdits"), .keepEdits)
    expect("a name", Migrator.Conflict.Kind(rawValue: "keyTaken"), .keyTaken)
    expect("a name", Migrator.Conflict.Resolution(rawValue: "merged"), .merged)
    expect("a name", Migrator.Conflict.Side(rawValue: "mine"), .mine)
    expect("a name", Migrator.Options.Reporting(rawValue: "keys"), .keys)
    expect("a name", Migrator.Origin.Kind(rawValue: "user"), .user)
    expect("a name", Migrator.Suggestion.Kind(rawValue: "deletion"), .deletion)
    expect("a name", Migrator.Progress.Phase(rawValue: "checking"), .checking)
    expect("a name", Migrator.Report.Outcome(rawValue: "planned"), .planned)
    expect("a name", Migrator.Status.LastRun.Outcome(rawValue: "failed"), .failed)
    expect("a name", Migrator.Status.Migration.State(rawValue: "drifted"), .drifted)
    expect("a name", Migrator.Status.State(rawValue: "upToDate"), .upToDate)
    expect("a name", SeedbedError.Code(rawValue: "csv"), .csv)
    expect("no name", SeedbedError.Code(rawValue: "cvs"), nil)
  }

  /// `up` to a version that the database is above.
  private static func tryRemedies(_ folder: String) throws {
    let migrator = Migrator(
      catalog: try Catalog(files: Words.files(2)), at: folder + "/above.sqlite")
    try migrator.up()
    let seedbedError = try error { try migrator.up(to: 1) }
    expect("what to call instead", seedbedError.remedies, [.down(to: 1)])
  }

  /// A file that does not fit its table, after a release that is applied.
  private static func tryErrors(_ folder: String) throws {
    var files = Words.files(1)
    files["0002_bad/words.csv"] = Array("id,word\n7,seven\nx,eight\n".utf8)
    let migrator = Migrator(catalog: try Catalog(files: files), at: folder + "/bad.sqlite")
    let seedbedError = try error { try migrator.up() }
    expect("the code", seedbedError.code, .csv)
    expect("what was applied", seedbedError.applied, [1])
    expect("the version", seedbedError.version, 2)
    expect("the database changed before", !seedbedError.isDatabaseUnchanged)
    expect("the message quotes it", seedbedError.message.contains("'x'"))
    expect("the document", seedbedError.json.contains("\"code\""))
    let lastRun = given("last run", try migrator.status().lastRun)
    expect("the run failed", lastRun.outcome, .failed)
    expect("and says why", given("message", lastRun.message).contains("'x'"))
    let place = given("place", seedbedError.place)
    expect("the file", place.file, "0002_bad/words.csv")
    expect("the line", place.line, 3)
    expect("the column", place.column, 1)
    expect("the place reads", place.description, "0002_bad/words.csv:3:1")
    expect("it begins so", seedbedError.description.hasPrefix(place.description))
  }
}
