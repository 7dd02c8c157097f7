import Testing

@Suite struct `A stranger's program calls all that is public` {
  @Test func `and reads or sets each variable`() throws {
    let listed = try Project.text("Tests/PublicAPI.txt").split(separator: "\n").map(String.init)
    let files = Project.files(in: "\(Stranger.folder)/Sources") { $0.hasSuffix(".swift") }
    #expect(!files.isEmpty)
    expectNone(Stranger(try files.map(Project.text)).violations(listed: listed))
  }
}

@Suite struct `What a stranger's program does not call is found` {
  /// A line of the list, what calls it, and what only looks so.
  static let cases: [(line: String, uses: [String], others: [String])] = [
    (
      "A.up(to:progress:): func up(to version: Int, progress: (() -> Void)?) throws",
      ["a.up(to: f(b: 1), progress: nil)", "a.up(to: [1, 2]) { g() }"],
      [
        "a.up(to: 1)", "b.up(to: 1, progress: nil)", "a.up(progress: nil, to: 1)",
        "// a.up(to: 1, progress: nil)", "\"a.up(to: 1, progress: nil)\"",
        "await a.up(to: 1, progress: nil)", "c.a.up(to: 1, progress: nil)", "a.up",
      ]
    ),
    (
      "A.up(to:isolation:progress:): func up(to version: Int) async throws",
      ["try await a.up(to: 1, progress: p)", "await a.up(to: 1) { }"],
      ["a.up(to: 1, progress: p)", "await a.up { }"]
    ),
    ("A.all(): func all() -> [Int]", ["a.all()"], ["a.all(\"b\")", "a.all"]),
    ("A.has(_:): func has(_ name: String)", ["a.has(\"b\")", "a.has(b)"], ["a.has()"]),
    (
      "A.B.init(_:at:): init?(_ parts: [Int], at path: String)",
      ["A.B(\"c\", at: d)", "A.B([c, d], at: \"\")"], ["B(c, at: d)", "A.B(c)", "a.b(c, at: d)"]
    ),
    ("A.B.json(_:): static func json(_ all: [Int])", ["A.B.json(c)"], ["b.json(c)"]),
    ("A.B.count: var count: Int { get }", ["b.count", "b.count = 1"], ["a.count", "b.count(c)"]),
    ("A.B.key: let key: Int", ["if b.key == 1 {}"], ["b.keys", "\\.key", "b?.key"]),
    ("A.subscript(_:): subscript(name: String) -> Int { get }", ["a[\"b\"]"], ["[a]", "b[a]"]),
  ]

  @Test(arguments: cases)
  func `by its tokens`(line: String, uses: [String], others: [String]) {
    for use in uses { #expect(Stranger([use]).violations(listed: [line]) == [], "\(use)") }
    for other in others {
      #expect(Stranger([other]).violations(listed: [line]).count == 1, "\(other)")
    }
  }

  @Test func `a variable of what an app makes is set`() {
    let listed = ["A.init(): init()", "A.count: var count: Int"]
    #expect(Stranger(["A()\na.count = 1"]).violations(listed: listed) == [])
    for read in ["a.count", "a.count == 1", "a.count.b = 1"] {
      #expect(Stranger(["A()\n\(read)\n"]).violations(listed: listed).count == 1, "\(read)")
    }
  }

  @Test func `overloads need a call each`() {
    let listed = ["A.init(at:): init(at path: String)", "A.init(at:): init(at url: URL)"]
    #expect(Stranger(["A(at: b)", "A(at: c)"]).violations(listed: listed) == [])
    #expect(Stranger(["A(at: b)"]).violations(listed: listed).count == 1)
  }

  @Test(arguments: [
    "A: struct A", "A: final class A", "A.b: case b", "A.b(_:): case b(Int)",
    "A.V: typealias V = Int64", "A.==(_:_:): static func == (one: A, other: A) -> Bool",
    "A.hash(into:): func hash(into hasher: inout Hasher)",
  ])
  func `types, cases and what Hashable asks for need none`(line: String) {
    #expect(Stranger([]).violations(listed: [line]) == [])
  }

  @Test func `a violation names place and remedy`() {
    let listed = ["Migrator.undo(to:): func undo(to version: Int)"]
    #expect(
      Stranger(["migrator.up()"]).violations(listed: listed).map(\.description) == [
        "Tests/Stranger: nothing here has 'migrator.undo(to:)', for 'Migrator.undo(to:)'. "
          + "Write it there as it stands, with arguments, and expect what comes back."
      ])
  }
}
