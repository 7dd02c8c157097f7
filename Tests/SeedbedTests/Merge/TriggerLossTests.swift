import Testing

@testable import Seedbed

/// Rows of other tables that triggers delete while a release is applied: a note counts them.
struct TriggerLossTests {
  static let catalog = [
    "0001_a/up.sql": """
    CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, word INTEGER);
    CREATE TABLE log (word INTEGER);
    CREATE TRIGGER goes AFTER DELETE ON words BEGIN
      INSERT INTO log VALUES (OLD.id); DELETE FROM log WHERE word < 0;
      DELETE FROM notes WHERE word = OLD.id; END;
    """,
    "0001_a/down.sql": "SELECT 1;",
    "0001_a/words.csv": "id,text\n1,one\n2,two\n3,three\n",
    "0002_b/words.csv": "id,text\n4,four\n",
    "0003_c/words.delete.csv": "id,text\n1,one\n2,two\n",
  ]
  static let note =
    "0003_c has no file for 'notes', and 2 of its rows went with rows that were changed: a trigger "
    + "deletes them. Users' rows may be among them."

  private func device() throws -> Device {
    let device = try Device(Self.catalog)
    try device.up(to: 2)
    try device.run("INSERT INTO notes (word) VALUES (1), (2), (3), (4), (5)")
    return device
  }

  @Test func `they are counted in a plan and a run`() throws {
    let device = try device()
    #expect(try device.migrator().plan().notes == [Self.note])
    let report = try device.up()
    #expect(report.notes == [Self.note])
    #expect(report.json.contains(#""notes":["0003_c has no file for 'notes'"#))
    #expect(try device.rows("SELECT word FROM notes") == ["3", "4", "5"])
  }

  @Test func `they are counted on a handle of the app's`() throws {
    let device = try device()
    let app = try AppHandle(device.database, setup: "PRAGMA foreign_keys=1")
    #expect(try LentHandleTests.lent(device).up(on: app.handle).notes == [Self.note])
  }

  @Test func `they are counted when a migration is taken back`() throws {
    let device = try device()
    let notes = try device.migrator().down(to: 1).notes
    #expect(notes.count == 1 && notes[0].hasPrefix("0002_b has no file for 'notes', and 1 of"))
  }

  @Test func `rows of a table that the release has files for are its own`() throws {
    var files = Self.catalog
    files["0003_c/notes.csv"] = "id,word\n70,3\n"
    let device = try Device(files)
    try device.up(to: 2)
    try device.run("INSERT INTO notes (word) VALUES (1)")
    #expect(try device.up().notes == [])
  }
}
