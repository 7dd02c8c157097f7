/// Rows that refer to two others by references that share a column. What follows a key has all of
/// its parents afterwards, and the same ones; otherwise the key stays.
extension NamedCase {
  private static let schema = """
    CREATE TABLE items (shop INTEGER NOT NULL, item INTEGER NOT NULL, name TEXT,
      PRIMARY KEY (shop, item));
    CREATE TABLE shelves (shop INTEGER NOT NULL, shelf INTEGER NOT NULL, name TEXT,
      PRIMARY KEY (shop, shelf));
    CREATE TABLE notes (id INTEGER PRIMARY KEY, shop INTEGER, item INTEGER, shelf INTEGER, a TEXT,
      FOREIGN KEY (shop, item) REFERENCES items (shop, item) DEFERRABLE INITIALLY DEFERRED,
      FOREIGN KEY (shop, shelf) REFERENCES shelves (shop, shelf) DEFERRABLE INITIALLY DEFERRED);
    """
  private static let query =
    "SELECT shop, item, name FROM items UNION ALL SELECT shop, shelf, name FROM shelves "
    + "UNION ALL SELECT shop, item, CAST(shelf AS TEXT) FROM notes"
  private static let shop = [
    "items.csv": "shop,item,name\n1,7,seven\n", "shelves.csv": "shop,shelf,name\n1,5,top\n",
  ]
  private static let note = "INSERT INTO notes VALUES (1, 1, 7, 5, 'mine')"

  static let shared = [
    NamedCase(
      name: "without one of its parents, a row keeps both references as they are", schema: schema,
      first: [
        "items.csv": "shop,item,name\n1,7,seven\n", "shelves.csv": "shop,shelf,name\n1,5,top\n",
        "notes.csv": "id,shop,item,shelf,a\n1,,,,x\n",
      ], user: "INSERT INTO shelves VALUES (2, 5, 'mine')",
      second: [
        "items.csv": "shop,item,name\n2,8,eight\n", "shelves.csv": "shop,shelf,name\n2,5,new\n",
        "notes.update.csv":
          "id,shop,item,shelf,a,was:shop,was:item,was:shelf,was:a\n1,2,8,5,y,,,,x\n",
      ],
      query: "SELECT id, shop, item, shelf, a FROM notes", rows: "1|NULL|NULL|NULL|y",
      conflicts: ["notes parentTaken - skipped", "shelves keyTaken keepUser keptUser"]),
    NamedCase(
      name: "what cannot follow keeps the key", schema: schema, first: shop, user: note,
      second: ["items.update.csv": "shop,was:shop,item\n2,1,7\n"], query: query,
      rows: "1|7|seven;1|5|top;1|7|5", conflicts: ["items referenced keepEdits keptUser"]),
    NamedCase(
      name: "not even if it would refer to another row", schema: schema,
      first: shop.merging(["shelves.csv": "shop,shelf,name\n1,5,top\n2,5,cellar\n"]) { $1 },
      user: note, second: ["items.update.csv": "shop,was:shop,item\n2,1,7\n"], query: query,
      rows: "1|7|seven;1|5|top;2|5|cellar;1|7|5",
      conflicts: ["items referenced keepEdits keptUser"]),
    NamedCase(
      name: "a row that follows one and refers to no other", schema: schema, first: shop,
      user: "INSERT INTO notes VALUES (1, 1, 7, NULL, 'mine')",
      second: ["items.update.csv": "shop,was:shop,item\n2,1,7\n"], query: query,
      rows: "2|7|seven;1|5|top;2|7|NULL"),
    NamedCase(
      name: "both of one row move, though half of the way one would name the row itself",
      schema: """
        CREATE TABLE pieces (shop INTEGER NOT NULL, item TEXT NOT NULL, a INTEGER, b TEXT, c TEXT,
          PRIMARY KEY (shop, item),
          FOREIGN KEY (a, b) REFERENCES pieces (shop, item) DEFERRABLE INITIALLY DEFERRED,
          FOREIGN KEY (a, c) REFERENCES pieces (shop, item) DEFERRABLE INITIALLY DEFERRED);
        """,
      first: ["pieces.csv": "shop,item,a,b,c\n4,j,,,\n"],
      user: "INSERT INTO pieces VALUES (13, 'j', 4, 'j', 'j')",
      second: ["pieces.update.csv": "shop,item,was:shop,was:item\n13,f,4,j\n"],
      query: "SELECT shop, item, a, b, c FROM pieces ORDER BY 1, 2",
      rows: "13|f|NULL|NULL|NULL;13|j|13|f|f"),
    NamedCase(
      name: "both move alike, each in its file", schema: schema, first: shop, user: note,
      second: [
        "items.update.csv": "shop,was:shop,item\n2,1,7\n",
        "shelves.update.csv": "shop,was:shop,shelf\n2,1,5\n",
      ], query: query, rows: "2|7|seven;2|5|top;2|7|5"),
    NamedCase(
      name: "both move, but not alike", schema: schema, first: shop, user: note,
      second: [
        "items.update.csv": "shop,was:shop,item\n2,1,7\n",
        "shelves.update.csv": "shop,was:shop,shelf\n3,1,5\n",
      ], query: query, rows: "1|7|seven;1|5|top;1|7|5",
      conflicts: [
        "items referenced keepEdits keptUser", "shelves referenced keepEdits keptUser",
      ]),
    NamedCase(
      name: "both follow one row",
      schema: "CREATE TABLE shops (shop INTEGER PRIMARY KEY, name TEXT);"
        + schema.replacing(
          "PRIMARY KEY (shop",
          with: "FOREIGN KEY (shop) REFERENCES shops DEFERRABLE, PRIMARY KEY (shop"),
      first: shop.merging(["shops.csv": "shop,name\n1,one\n2,two\n"]) { $1 }, user: note,
      second: ["shops.update.csv": "shop,was:shop\n1,2\n2,1\n"], query: query,
      rows: "2|7|seven;2|5|top;2|7|5"),
    NamedCase(
      name: "a row to retire is no parent of what follows", schema: schema,
      first: shop.merging(["shelves.csv": "shop,shelf,name\n1,5,top\n2,5,cellar\n"]) { $1 },
      user: note,
      second: [
        "items.update.csv": "shop,was:shop,item\n2,1,7\n",
        "shelves.delete.csv": "shop,shelf,name\n2,5,cellar\n",
      ], query: query, rows: "1|7|seven;1|5|top;1|7|5",
      conflicts: ["items referenced keepEdits keptUser"]),
    NamedCase(
      name: "an orphan stays what it is", schema: schema, first: shop,
      user: "PRAGMA foreign_keys = OFF; INSERT INTO notes VALUES (1, 1, 7, 6, 'mine')",
      second: ["items.update.csv": "shop,was:shop,item\n2,1,7\n"], query: query,
      rows: "1|7|seven;1|5|top;1|7|6", conflicts: ["items referenced keepEdits keptUser"]),
    NamedCase(
      name: "a user's row whose id is a reference does not move",
      schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT);"
        + "CREATE TABLE t (id INTEGER PRIMARY KEY REFERENCES p, a TEXT);",
      options: #""t": {"onTaken": "moveUser"}"#,
      first: ["p.csv": "id,a\n1,x\n2,y\n3,z\n", "t.csv": "id,a\n1,seed\n"],
      user: "INSERT INTO t VALUES (2, 'mine')", second: ["t.csv": "id,a\n2,seed\n"],
      rows: "1|seed;2|mine", conflicts: ["t keyTaken moveUser keptUser"]),
    NamedCase(
      name: "what comes to refer to a disposable row keeps it",
      schema: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
        CREATE TABLE c (id INTEGER PRIMARY KEY, t_id INTEGER REFERENCES t ON DELETE CASCADE);
        CREATE TABLE d (
          id INTEGER PRIMARY KEY, c_id INTEGER REFERENCES c ON DELETE CASCADE, a TEXT);
        """, options: #""t": {"disposable": ["c"]}"#,
      first: [
        "t.csv": "id,a\n1,x\n2,y\n", "c.csv": "id,t_id\n7,1\n8,2\n", "d.csv": "id,c_id\n1,8\n",
      ], user: "UPDATE d SET a = 'mine'",
      second: ["t.delete.csv": "id,a\n1,x\n", "d.update.csv": "id,c_id,was:c_id\n1,7,8\n"],
      query:
        "SELECT d.id, c_id, d.a, t_id, t.a FROM d JOIN c ON c.id = c_id JOIN t ON t.id = t_id",
      rows: "1|7|mine|1|x", conflicts: ["t referenced keepEdits keptUser"]),
  ]

  /// The user's row refers to two others of its own table, and gets a new key itself.
  static let sharedAndMoving = [
    (", FOREIGN KEY (p, q) REFERENCES t", ""), ("", #""t": {"references": {"t": ["p", "q"]}}"#),
  ].map { key, options in
    NamedCase(
      name: "a row with a new key keeps its parents, too, declared \(options.isEmpty ? "" : "not ")"
        + "in the schema",
      schema: "CREATE TABLE t (a INTEGER NOT NULL, b TEXT NOT NULL, p INTEGER, q TEXT, r TEXT, "
        + "PRIMARY KEY (a, b), FOREIGN KEY (p, r) REFERENCES t\(key));",
      options: options, first: ["t.csv": "a,b,p,q,r\n3,e,,,\n3,n,,,\n10,k,,,\n"],
      user: "UPDATE t SET p = 3, q = 'e', r = 'n' WHERE b = 'k'",
      second: ["t.update.csv": "a,b,was:a,was:b\n1,n,3,n\n5,k,10,k\n"],
      query: "SELECT * FROM t ORDER BY b", rows: "3|e|NULL|NULL|NULL;5|k|3|e|n;3|n|NULL|NULL|NULL",
      conflicts: ["t referenced keepEdits keptUser"])
  }

  /// A row cannot follow two others of which one gets the key of the other.
  static let sharedAndPassed = NamedCase(
    name: "what refers to a row and to its successor keeps both",
    schema: "CREATE TABLE t (a INTEGER NOT NULL, b TEXT NOT NULL, p INTEGER, q TEXT, r TEXT, "
      + "PRIMARY KEY (a, b), FOREIGN KEY (p, q) REFERENCES t DEFERRABLE INITIALLY DEFERRED, "
      + "FOREIGN KEY (p, r) REFERENCES t DEFERRABLE INITIALLY DEFERRED);",
    first: ["t.csv": "a,b,p,q,r\n7,e,,,\n7,m,,,\n"],
    user: "INSERT INTO t VALUES (5, 'i', 7, 'm', 'e')",
    second: ["t.update.csv": "a,b,was:a,was:b\n7,e,7,m\n8,e,7,e\n"],
    query: "SELECT * FROM t ORDER BY b", rows: "7|e|NULL|NULL|NULL;5|i|7|m|e;7|m|NULL|NULL|NULL",
    conflicts: ["t keyTaken keepUser keptUser", "t referenced keepEdits keptUser"])

  private static let trips = ["start", "finish"].map { first in
    """
    CREATE TABLE places (country TEXT NOT NULL, city TEXT NOT NULL, PRIMARY KEY (country, city));
    CREATE TABLE trips (id INTEGER PRIMARY KEY, country TEXT, start TEXT, finish TEXT,
      FOREIGN KEY (country, \(first)) REFERENCES places,
      FOREIGN KEY (country, \(first == "start" ? "finish" : "start")) REFERENCES places);
    """
  }

  /// The user edits two references that share a column, in whichever order they are declared.
  static let sharedAndEdited = trips.flatMap { schema in
    [
      ("stay if one does", #", "columns": {"start": "keepEdits"}"#, "1|at|Graz|Linz"),
      ("give way if one does", "", "1|de|Ulm|Bonn"),
    ].map { name, columns, rows in
      NamedCase(
        name: "both \(name): \(schema.contains("(country, start) REFERENCES places,"))",
        schema: schema, options: #""trips": {"onEdited": "preferSeed"\#(columns)}"#,
        first: [
          "places.csv": "country,city\nde,Ulm\nde,Bonn\nde,Kiel\nat,Graz\nat,Linz\nat,Bonn\n",
          "trips.csv": "id,country,start,finish\n1,de,\(columns.isEmpty ? "Ulm" : "Kiel"),Kiel\n",
        ],
        user: "UPDATE trips SET country = 'at', start = 'Graz', finish = 'Linz'",
        second: [
          "trips.update.csv":
            "id,country,start,finish,was:country,was:start,was:finish\n"
            + "1,de,Ulm,Bonn,de,\(columns.isEmpty ? "Ulm" : "Kiel"),Kiel\n"
        ], query: "SELECT * FROM trips", rows: rows,
        conflicts: columns.isEmpty
          ? ["trips edited preferSeed tookSeed"]
          : ["trips edited keepEdits keptUser", "trips edited preferSeed keptUser"],
        inverse: columns.isEmpty ? "1|de|Ulm|Kiel" : nil)
    }
  }

  /// Of one policy, a column that stays with its reference and one that gives way: two conflicts.
  static let sharedAndSplit = NamedCase(
    name: "one stays and one gives way",
    schema: trips[0].replacing("finish TEXT,", with: "finish TEXT, fare TEXT,"),
    options: #""trips": {"onEdited": "preferSeed", "columns": {"start": "keepEdits"}}"#,
    first: [
      "places.csv": "country,city\nde,Ulm\nde,Hof\nde,Kiel\nde,Bonn\n",
      "trips.csv": "id,country,start,finish,fare\n1,de,Ulm,Kiel,old\n",
    ], user: "UPDATE trips SET start = 'Hof', fare = 'mine'",
    second: [
      "trips.update.csv":
        "id,country,start,fare,was:country,was:start,was:fare\n1,de,Bonn,new,de,Ulm,old\n"
    ], query: "SELECT * FROM trips", rows: "1|de|Hof|Kiel|new",
    conflicts: [
      "trips edited keepEdits merged", "trips edited preferSeed merged",
      "trips edited preferSeed tookSeed",
    ], inverse: "1|de|Hof|Kiel|old")

  /// A mark in the column that both share would take the place of a parent that does not change.
  static let sharedAndExchanged = NamedCase(
    name: "keys that are references pass each other",
    schema: """
      CREATE TABLE places (country TEXT, city TEXT, PRIMARY KEY (country, city));
      CREATE TABLE offices (country TEXT, city TEXT, name TEXT, PRIMARY KEY (country, city),
        FOREIGN KEY (country, city) REFERENCES places DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE trips (id INTEGER PRIMARY KEY, country TEXT, office TEXT, city TEXT,
        FOREIGN KEY (country, office) REFERENCES offices,
        FOREIGN KEY (country, city) REFERENCES places DEFERRABLE INITIALLY DEFERRED);
      """,
    first: [
      "places.csv": "country,city\nde,Ulm\nde,Hof\n",
      "offices.csv": "country,city,name\nde,Ulm,one\nde,Hof,two\n",
      "trips.csv": "id,country,office,city\n1,de,Ulm,Hof\n",
    ], user: "SELECT 1",
    second: [
      "offices.update.csv":
        "country,was:country,city,was:city\nde,de,Hof,Ulm\nde,de,Ulm,Hof\n"
    ], query: "SELECT city, name FROM offices UNION ALL SELECT office, city FROM trips",
    rows: "Hof|one;Ulm|two;Hof|Hof")

  /// The user edits one of two references that share a column, and keeps it.
  static let sharedAndKept = trips.map { schema in
    NamedCase(
      name: "the other stays, too: \(schema.contains("(country, start) REFERENCES places,"))",
      schema: schema,
      first: [
        "places.csv": "country,city\nde,Ulm\nde,Hof\nde,Kiel\nde,Bonn\nat,Graz\nat,Bonn\n",
        "trips.csv": "id,country,start,finish\n1,de,Ulm,Kiel\n",
      ], user: "UPDATE trips SET start = 'Hof'",
      second: [
        "trips.update.csv": "id,country,start,finish,was:country,was:start,was:finish\n"
          + "1,at,Graz,Bonn,de,Ulm,Kiel\n"
      ], query: "SELECT * FROM trips", rows: "1|de|Hof|Kiel",
      conflicts: ["trips edited keepEdits keptUser"])
  }

  /// A new row whose optional parent the user deleted.
  static let withoutParents = ["SET NULL", "SET DEFAULT"].map { action in
    NamedCase(
      name: "it comes as \(action) leaves it",
      schema: "CREATE TABLE p (id TEXT PRIMARY KEY, a TEXT);"
        + "CREATE TABLE t (id INTEGER PRIMARY KEY, p TEXT DEFAULT 'x' REFERENCES p "
        + "ON DELETE \(action));",
      first: ["p.csv": "id,a\nx,\ny,\n", "t.csv": "id,p\n1,y\n"],
      user:
        "DELETE FROM p WHERE id = 'y'; UPDATE t SET p = \(action == "SET NULL" ? "NULL" : "'x'")",
      second: ["t.csv": "id,p\n2,y\n3,x\n"],
      rows: action == "SET NULL" ? "1|NULL;2|NULL;3|x" : "1|x;2|x;3|x",
      conflicts: ["t parentDeleted - merged"], counts: [2, 0, 0, 0, 0],
      inverse: action == "SET NULL" ? "1|NULL;2|NULL" : "1|x;2|x")
  }
}
