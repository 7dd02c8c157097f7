/// A catalog with all kinds of files, and a user who was there before its second release.
extension Sandbox {
  static let story = [
    "Migrations/0001_base/up.sql": """
    CREATE TABLE elements (number INTEGER PRIMARY KEY, symbol TEXT UNIQUE, name TEXT,
      favourite INTEGER DEFAULT 0);
    CREATE TABLE isotopes (id INTEGER PRIMARY KEY, element INTEGER REFERENCES elements (number));
    CREATE TABLE notes (id INTEGER PRIMARY KEY, element INTEGER REFERENCES elements (number));

    """,
    "Migrations/0001_base/down.sql":
      "DROP TABLE notes;\nDROP TABLE isotopes;\nDROP TABLE elements;\n",
    "Migrations/0001_base/elements.csv":
      "number,symbol,name\n1,H,Hydrogen\n2,He,Helium\n3,Li,Lithium\n4,Be,Beryllium\n5,B,Boron\n",
    "Migrations/0002_next/elements.update.csv":
      "number,symbol,was:symbol,name,was:name\n1,D,H,Deuterium,Hydrogen\n2,Hx,He,Heliox,Helium\n",
    "Migrations/0002_next/elements.delete.csv":
      "number,symbol,name\n3,Li,Lithium\n4,Be,Beryllium\n",
    "Migrations/0002_next/elements.csv": "number,symbol,name\n20,Ca,Calcium\n21,Sc,Scandium\n",
    "Migrations/0002_next/isotopes.csv": "id,element\n1,20\n2,5\n",
  ]

  /// At 1, with what a user did since.
  static func toldStory(_ files: [String: String] = [:]) throws -> Sandbox {
    let sandbox = try Sandbox().write(story.merging(files) { $1 })
    let outcome = try Program.run(["up", "--to", "1"], in: sandbox)
    guard outcome.code == 0 else { throw Failure(description: "\(outcome)") }
    for change in [
      "UPDATE elements SET name = 'My hydrogen' WHERE number = 1",
      "UPDATE elements SET favourite = 1 WHERE number = 3",
      "INSERT INTO notes VALUES (1, 4)", "DELETE FROM elements WHERE number = 5",
      "INSERT INTO elements (number, symbol, name) VALUES (20, 'Kk', 'Mine')",
      "INSERT INTO elements (number, symbol, name) VALUES (51, 'Sc', 'Mine too')",
    ] { try sandbox.sql(change) }
    return sandbox
  }
}
