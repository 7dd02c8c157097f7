import Seedbed
import Testing

/// What happens to one table over several releases, forward and back, with a user in between.
struct Story: CustomTestStringConvertible, Sendable {
  var name: String
  var schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, u TEXT)"
  /// Otherwise the first release creates it.
  var appOwnsTable = false
  var options = ""
  /// The files of releases 1, 2 and so on.
  var releases: [[String: String]]
  var steps: [Step]

  enum Step: Sendable {
    case up(Version)
    /// Under the policies that take most from users.
    case takingUp(Version)
    case down(Version)
    case reseed
    case user(String)
    /// The rows of `t`: columns joined with `|`, rows with `;`.
    case shows(String)
    /// The keys of `t` that are left to the user: key, kind and version.
    case left(String)
  }

  var testDescription: String { name }

  /// - Parameter twin: the database of another engine, on which it is played instead.
  func play(on twin: (any Twin)? = nil) throws {
    let bench = try Bench(beside: twin)
    let database: any Database = twin ?? bench.device
    let engines = twin == nil ? "" : "\"engines\": [\"sqlite\", \"postgresql\"], "
    try bench.write("catalog.json", "{\(engines)\"tables\": {\(options)}}")
    for (number, files) in releases.enumerated() {
      for (file, text) in files { try bench.write("\(number + 1)_release/\(file)", text) }
    }
    if appOwnsTable {
      try database.run(schema)
    } else {
      try bench.write("1_release/up.sql", schema)
      if twin != nil { try bench.write("1_release/up.postgresql.sql", schema) }
    }
    for (number, step) in steps.enumerated() {
      try play(step, on: database, bench, isTwin: twin != nil, "step \(number + 1)")
    }
  }

  private func play(
    _ step: Step, on database: any Database, _ bench: Bench, isTwin: Bool, _ place: Comment
  ) throws {
    let taking = Migrator.Policies(onEdited: .overwriteRow, onTaken: .replaceUser)
    switch step {
    case .up(let version): _ = try bench.migrator(isTwin: isTwin).up(to: version)
    case .takingUp(let version): _ = try bench.migrator(taking, isTwin: isTwin).up(to: version)
    case .down(let version): _ = try bench.migrator(isTwin: isTwin).down(to: version)
    case .reseed: _ = try bench.migrator(isTwin: isTwin).reseed("t")
    case .user(let sql): try database.run(sql)
    case .shows(let rows): #expect(try show("SELECT * FROM t", on: database) == rows, place)
    case .left(let keys):
      let left = "SELECT key, kind, version FROM seedbed_left_to_user WHERE table_name = 't'"
      #expect(try show(left, on: database) == keys, place)
    }
  }

  private func show(_ query: String, on database: any Database) throws -> String {
    try database.rows(query + " ORDER BY 1").map { $0.map(\.shown).joined(separator: "|") }
      .joined(separator: ";")
  }
}

extension Story {
  private static let both = ["t.csv": "id,a\n1,x\n13,y\n"]
  private static let one = ["t.csv": "id,a\n1,x\n"]
  private static let adds = ["t.csv": "id,a\n13,y\n"]
  private static let changes = ["t.update.csv": "id,a,was:a\n13,z,y\n"]
  private static let retires = ["t.delete.csv": "id,a\n13,y\n"]
  private static let own = Step.user("INSERT INTO t VALUES (13, 'own', 'mine')")
  private static let ownStays = Step.shows("1|x|NULL;13|own|mine")
  private static let isTaken = Step.left(#"{"id":13}|keyTaken|0"#)

  /// The user has made a row under a key that a release had retired, or that it was to change.
  static let usersRows = [
    Story(
      name: "a user's row under a retired key is not retired by the next up",
      options: #""t": {"onEdited": "preferSeed"}"#, releases: [both, retires],
      steps: [
        .up(2), own, .up(2), .down(1), isTaken, ownStays, .up(2), ownStays, .down(1), isTaken,
        .up(2), ownStays,
      ]),
    Story(
      name: "not even under the policies that take most", releases: [both, retires],
      steps: [
        .up(2), own, .down(1), isTaken, .takingUp(2), ownStays, .down(1), .takingUp(2), ownStays,
      ]
    ),
    Story(
      name: "it is not changed either",
      releases: [both, changes, ["t.delete.csv": "id,a\n13,z\n"]],
      steps: [
        .up(3), .user("INSERT INTO t VALUES (13, 'y', 'mine')"), .down(2), isTaken, .down(1),
        isTaken, .up(3), .shows("1|x|NULL;13|y|mine"),
      ]),
    Story(
      name: "nor by reseed", releases: [both, retires],
      steps: [.up(2), own, .down(1), .reseed, ownStays, isTaken]),
    Story(
      name: "nor moved", options: #""t": {"onTaken": "moveUser"}"#, releases: [both, retires],
      steps: [.up(2), own, .down(1), isTaken, .up(2), ownStays]),
    Story(
      name: "nobody is in the way of a row that the seed does not have yet",
      releases: [one, adds, retires],
      steps: [
        .up(3), own, .down(2), isTaken, .down(1), .left(""), ownStays, .up(2),
        .left(#"{"id":13}|keyTaken|2"#), ownStays, .up(3), ownStays,
      ]),
    Story(
      name: "down to nothing and up again", appOwnsTable: true, releases: [both, retires],
      steps: [
        .up(2), own, .down(0), .left(""), .shows("13|own|mine"), .up(2), ownStays,
        .left(#"{"id":13}|keyTaken|1"#),
      ]),
    Story(
      name: "the key stays the user's when their row is gone", releases: [both, retires],
      steps: [
        .up(2), own, .down(1), .user("DELETE FROM t WHERE id = 13"), .up(2), .down(1), isTaken,
        .shows("1|x|NULL"),
      ]),
    Story(
      name: "a row whose UNIQUE value is held leaves its key to the user",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, u TEXT)",
      releases: [both, retires],
      steps: [
        .up(2), .user("INSERT INTO t VALUES (7, 'y', 'mine')"), .down(1),
        .left(#"{"id":13}|uniqueTaken|0"#), .user("DELETE FROM t WHERE id = 7"),
        .user("INSERT INTO t VALUES (13, 'y', NULL)"), .takingUp(2), .shows("1|x|NULL;13|y|NULL"),
      ]),
    Story(
      name: "a user's row has the key that a row had before",
      schema: "CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT, u TEXT)",
      releases: [["t.csv": "id,a\na,x\n"], ["t.update.csv": "id,was:id\nb,a\n"]],
      steps: [
        .up(2), .user("INSERT INTO t VALUES ('a', 'own', 'mine')"), .down(1),
        .left(#"{"id":"a"}|keyTaken|0"#), .reseed, .shows("a|own|mine;b|x|NULL"), .takingUp(2),
        .shows("a|own|mine;b|x|NULL"), .down(1), .left(#"{"id":"a"}|keyTaken|0"#), .takingUp(2),
        .shows("a|own|mine;b|x|NULL"),
      ]),
  ]

  /// What the inverse finds changed, gone or referred to.
  static let seedRows = [
    Story(
      name: "what the user deleted after a change stays deleted", releases: [both, changes],
      steps: [
        .up(2), .user("DELETE FROM t WHERE id = 13"), .down(1),
        .left(#"{"id":13}|deletedByUser|0"#), .user("INSERT INTO t VALUES (13, 'y', NULL)"),
        .takingUp(2), .shows("1|x|NULL;13|y|NULL"),
      ]),
    Story(
      name: "and what they deleted after it was added", releases: [one, adds],
      steps: [
        .up(2), .user("DELETE FROM t WHERE id = 13"), .down(1),
        .left(#"{"id":13}|deletedByUser|0"#), .up(2), .shows("1|x|NULL"), .down(1), .up(2),
        .shows("1|x|NULL"),
      ]),
    Story(
      name: "what was skipped may come",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER REFERENCES t, u TEXT)",
      releases: [["t.csv": "id,a\n1,\n2,\n"], ["t.csv": "id,a\n13,2\n"]],
      steps: [
        .up(1), .user("DELETE FROM t WHERE id = 2"), .up(2), .shows("1|NULL|NULL"), .down(1),
        .left(""), .user("INSERT INTO t VALUES (2, NULL, NULL)"), .up(2),
        .shows("1|NULL|NULL;2|NULL|NULL;13|2|NULL"),
      ]),
    Story(
      name: "so does what a release had kept, and is gone", releases: [both, retires],
      steps: [
        .up(1), .user("UPDATE t SET u = 'mine' WHERE id = 13"), .up(2),
        .left(#"{"id":13}|editedRetired|2"#), .user("DELETE FROM t WHERE id = 13"), .down(1),
        .left(#"{"id":13}|deletedByUser|0"#), own, .takingUp(2), ownStays,
      ]),
    Story(
      name: "a row that was added and edited is not replaced", releases: [one, adds],
      steps: [
        .up(2), .user("UPDATE t SET a = 'mine' WHERE id = 13"), .down(1),
        .left(#"{"id":13}|editedRetired|0"#), .takingUp(2), .shows("1|x|NULL;13|mine|NULL"),
        .down(1), .left(#"{"id":13}|editedRetired|0"#),
      ]),
    Story(
      name: "if it is as the release has it, it is the seed's again",
      releases: [one, adds, changes],
      steps: [
        .up(2), .user("UPDATE t SET u = 'mine' WHERE id = 13"), .down(1), .up(2), .left(""),
        .up(3), .shows("1|x|NULL;13|z|mine"),
      ]),
    Story(
      name: "a row to which a user's refers stays, and is the seed's again",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, u TEXT);"
        + "CREATE TABLE n (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id))",
      releases: [one, adds],
      steps: [
        .up(2), .user("INSERT INTO n VALUES (1, 13)"), .down(1),
        .left(#"{"id":13}|referenced|0"#), .shows("1|x|NULL;13|y|NULL"), .up(2), .left(""),
      ]),
    Story(
      name: "a user's row that kept one out does not once the release is undone",
      releases: [one, adds],
      steps: [
        .up(1), own, .up(2), .left(#"{"id":13}|keyTaken|2"#), .down(1), .left(""),
        .user("DELETE FROM t WHERE id = 13"), .up(2), .shows("1|x|NULL;13|y|NULL"),
      ]),
  ]
}

@Suite struct `Forward and back` {
  @Test(arguments: Story.usersRows)
  func `a release never takes a row that a user made`(_ story: Story) throws { try story.play() }

  @Test(arguments: Story.seedRows)
  func `the inverse leaves keys as the release does`(_ story: Story) throws { try story.play() }
}
