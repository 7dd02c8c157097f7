import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring
@testable import SeedbedOverTheAir

/// Options of a download that protect less of what users made than those of the app.
struct WeakerOptionsTests {
  struct Case: CustomTestStringConvertible {
    /// The options of the table in the app, and in the download.
    var own = "{}"
    var new: String
    /// What is found; nil if the download is taken.
    var found: String?
    var testDescription: String { "\(new) after \(own)" }
  }

  static let cases = [
    Case(new: "{}"),
    Case(new: #"{"ignore": ["word"]}"#, found: #""ignore" with 'word'"#),
    Case(own: #"{"ignore": ["word"]}"#, new: #"{"ignore": ["WORD"]}"#),
    Case(own: #"{"ignore": ["word"]}"#, new: "{}"),
    Case(new: #"{"compare": {"word": "text"}}"#, found: #""compare" with 'word'"#),
    Case(new: #"{"disposable": ["notes"]}"#, found: #""disposable" with 'notes'"#),
    Case(new: #"{"key": ["word"]}"#, found: #"another "key""#),
    Case(own: #"{"key": ["ID"]}"#, new: #"{"key": ["id"]}"#),
    Case(own: #"{"identity": ["word"]}"#, new: "{}", found: #""identity" without 'word'"#),
    Case(new: #"{"onEdited": "preferSeed"}"#, found: #""onEdited": "preferSeed""#),
    Case(
      own: #"{"onEdited": "preferSeed"}"#, new: #"{"onEdited": "overwriteRow"}"#,
      found: #""onEdited": "overwriteRow""#),
    Case(own: #"{"onEdited": "preferSeed"}"#, new: #"{"onEdited": "keepRow"}"#),
    Case(new: #"{"onTaken": "moveUser"}"#, found: #""onTaken": "moveUser""#),
    Case(new: #"{"onTaken": "replaceUser"}"#, found: #""onTaken": "replaceUser""#),
    Case(
      new: #"{"columns": {"word": "preferSeed"}}"#,
      found: "the policy preferSeed for the column 'word'"),
    Case(
      own: #"{"onEdited": "preferSeed", "columns": {"word": "keepEdits"}}"#,
      new: #"{"onEdited": "preferSeed"}"#, found: "the policy preferSeed for the column 'word'"),
    Case(
      own: #"{"onEdited": "preferSeed"}"#,
      new: #"{"onEdited": "keepEdits", "columns": {"word": "preferSeed"}}"#),
  ]

  private static func catalog(_ table: String, _ options: String) -> String {
    #"{"id": "\#(Publisher.id)", "tables": {"\#(table)": \#(options)}}"#
  }

  private static func publish(_ c: Case, table: String = "words") throws -> Publisher {
    let publisher = try Publisher([
      "catalog.json": catalog(table, c.own),
      "0001_words/up.sql": """
      CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT);
      CREATE TABLE notes (id INTEGER PRIMARY KEY, word INTEGER REFERENCES words (id), note TEXT);
      """,
    ])
    _ = try publisher.shipped()
    try publisher.bench.write(["catalog.json": catalog(table, c.new)])
    return publisher
  }

  private static func download(_ publisher: Publisher) throws -> String {
    try CatalogLock.write(directory: publisher.bench.catalog)
    return try publisher.download(publisher.bundle(since: 2))
  }

  @Test(arguments: cases) func `a download does not weaken options`(_ c: Case) throws {
    let publisher = try Self.publish(c)
    let path = try Self.download(publisher)
    let migrator = publisher.migrator(try publisher.newest([path]))
    let reason = c.found.map { found in
      Migrator.PassedOver.Reason.weakerOptions("0003_words: \(found) of the table 'words'.")
    }
    #expect(try migrator.plan().passedOver.map(\.reason) == [reason].compactMap(\.self))
    let report = try migrator.up()
    #expect(report.passedOver.map(\.reason) == [reason].compactMap(\.self))
    #expect(report.to == (reason == nil ? 4 : 2))
  }

  @Test func `an app may allow it, and its own policies count`() throws {
    let publisher = try Self.publish(Case(new: #"{"onEdited": "preferSeed"}"#))
    let path = try Self.download(publisher)
    var own = publisher.migrator(try publisher.newest([path]), on: "own.sqlite")
    own.options.onEdited = .keepEdits
    let kept = try own.up()
    #expect(kept.to == 4 && kept.notes == [])
    let allowing = publisher.migrator(
      try publisher.newest([path], allowsSQL: true), on: "allowed.sqlite")
    let report = try allowing.up()
    #expect(report.to == 4 && report.passedOver == [])
    #expect(
      report.notes == [
        "A download's options protect less of what users made than those of the app, which allows "
          + #"that. 0003_words: "onEdited": "preferSeed" of the table 'words'."#,
        "A download's options protect less of what users made than those of the app, which allows "
          + #"that. 0004_words: "onEdited": "preferSeed" of the table 'words'."#,
      ])
  }

  @Test func `the options of one release count, and the next best is taken`() throws {
    let publisher = try Publisher([
      "0004_words/migration.json": #"{"tables": {"words": {"ignore": ["word"]}}}"#
    ])
    let whole = try publisher.download(publisher.bundle(since: 2), as: "whole")
    let may = try publisher.download(
      publisher.bundle(of: publisher.shipped(to: 3), since: 2), as: "may")
    let report = try publisher.migrator(publisher.newest([whole, may])).up()
    #expect(report.passedOver.words == ["weakerOptions"] && report.to == 3)
    #expect(
      report.passedOver.map(\.description).joined().contains(
        #"0004_words: "ignore" with 'word' of the table 'words'. Ship that"#))
  }

  @Test(arguments: [
    (#"{"ignore": ["note"]}"#, []), (#"{"onTaken": "replaceUser"}"#, ["weakerOptions"]),
  ])
  func `in a table of the users' own, their rows count`(
    _ options: String, _ expected: [String]
  ) throws {
    let publisher = try Self.publish(Case(new: options), table: "notes")
    try publisher.bench.write(["0004_words/notes.csv": "id,word,note\n7,1,seven\n"])
    let report = try publisher.migrator(publisher.newest([Self.download(publisher)])).up()
    #expect(report.passedOver.words == expected)
  }
}
