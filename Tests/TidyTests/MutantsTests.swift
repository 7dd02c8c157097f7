import Testing

/// `Scripts/checks/mutants` without its builds: what it finds to change, and how that looks.
@Suite struct `Mutants are found` {
  @Test func `in each area and of each kind, each with a name of its own`() throws {
    let listed = try Shell.run("python3", "Scripts/checks/mutants", "--list")
    #expect(listed.status == 0, "\(listed)")
    let all = listed.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(all.count > 300)
    #expect(Set(all.map { $0[0] }).count == all.count, "Two mutants have one name.")
    for (area, least) in [
      ("Merge", 100), ("Apply", 100), ("Beside", 50), ("Ledger", 25), ("Backup", 25),
      ("OverTheAir", 20),
    ] {
      #expect(all.count { $0[1] == area } >= least, "Too few in '\(area)'.")
    }
    for kind in ["condition", "comparison", "call", "sql"] {
      #expect(all.count { $0[2] == kind } >= 40, "Too few of the kind '\(kind)'.")
    }
  }

  static let cases: [(String, [String])] = [
    ("if a, let b = c() { d }", ["condition: a => !a"]),
    ("guard try !a(b) else { return }", ["condition: !a(b) => !(!a(b))"]),
    ("guard case .a = b, #available(iOS 18, *) else { return }", []),
    (
      "let a = b && c.contains { $0.d }",
      ["condition: b => !b", "condition: c.contains { $0.d } => !(c.contains { $0.d })"]
    ),
    ("let a = b.c ? \"d\" : e", ["condition: b.c => !b.c"]),
    ("return a.count <= b", ["comparison: a.count <= b => a.count < b"]),
    ("if a == b { c }", ["condition: a == b => !(a == b)"]),
    ("let a: Set<Int> = b as? Set<Int>", []),
    (
      "do {\n  try a.b(c)\n    .d()\n  e += 1\n}",
      ["call: try a.b(c)\n    .d() => ", "call: e += 1 => "]
    ),
    ("let a = b.map { c in d(c) }", []),
    ("assert(a)\nhost.reached(.end)", []),
    (
      "let a = \"SELECT 1 FROM \\(b) WHERE c = ? AND d ORDER BY e\"",
      [
        #"sql: "SELECT 1 FROM \(b) WHERE c = ? AND d ORDER BY e" => "#
          + #""SELECT 1 FROM \(b) WHERE c = ? AND true ORDER BY e""#,
        #"sql: "SELECT 1 FROM \(b) WHERE c = ? AND d ORDER BY e" => "#
          + #""SELECT 1 FROM \(b) WHERE true AND d ORDER BY e""#,
      ]
    ),
    ("let a = \"It's \\(b && c), and so on\"", ["condition: b => !b", "condition: c => !c"]),
    ("#if canImport(Darwin)\n  a(b)\n#else\n  c(d)\n#endif", ["call: c(d) => "]),
  ]

  @Test(arguments: cases) func `in a line`(_ swift: String, _ mutants: [String]) throws {
    let script = """
      import sys
      sys.path.insert(0, "Tests/Mutants")
      import sites
      for site in sites.sites_of("Sources/Seedbed/Merge/A.swift", sys.argv[1]):
          print(f"{site.kind}: {site.original} => {site.changed}", end="\\0")
      """
    let found = try Shell.run(["python3", "-B", "-c", script, "func f() {\n\(swift)\n}\n"])
    #expect(found.status == 0, "\(found)")
    #expect(found.output.split(separator: "\0").map(String.init) == mutants)
  }

  @Test func `both programs are in one, and a switch decides`() throws {
    let script = """
      import sys
      sys.path.insert(0, "Tests/Mutants")
      import plant, sites
      text = sys.argv[1]
      found = sites.chosen(sites.sites_of("Sources/Seedbed/Merge/A.swift", text))
      text, _ = plant.planted(text, found, {site.identifier: at for at, site in enumerate(found)})
      print(text, end="")
      """
    let swift = "if a {\n  b()\n  if c < d { e }\n}\n"
    let planted = try Shell.run(["python3", "-B", "-c", script, swift])
    #expect(
      planted.output == """
        if a {
          if !Mutant.isOn(0) { b() }
          if Mutant.turn(1, c < d) { e }
        }

        """)
  }

  @Test func `a slip is refused`() throws {
    let outcome = try Shell.run("python3", "Scripts/checks/mutants", "--show", "nothing")
    #expect(outcome.status == 64)
    #expect(
      outcome.output
        == "mutants: there is no mutant 'nothing'. See Scripts/checks/mutants --list.\n")
  }
}
