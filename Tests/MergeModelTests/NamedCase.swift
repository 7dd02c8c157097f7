import Seedbed
import Testing

/// One rule of the merge: what is shipped, what the user does, what is shipped then.
struct NamedCase: CustomTestStringConvertible, Sendable {
  var name: String
  var schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);"
  var options = ""
  var first: [String: String] = ["t.csv": "id,a,b\n1,x,y\n"]
  var user = ""
  var second: [String: String]
  /// Columns of a SELECT joined with `|`, rows with `;`.
  var query = "SELECT * FROM t ORDER BY 1"
  var rows: String
  /// `table kind policy resolution`, in any order.
  var conflicts: [String] = []
  /// Inserted, updated, deleted, unchanged, kept of the first table.
  var counts: [Int]?
  /// Words of the error, where the second release fails.
  var error: String?
  /// Whether the second release is taken back afterwards, and the rows are as before.
  var goesBack = true
  /// What the user does after the second release, and the rows that taking it back leaves then.
  var since = ""
  var leaves: String?
  /// What the inverse of the release leaves, which brings nothing back from the log; nil for the
  /// same as today's `down`.
  var inverse: String?
  /// What applying it again leaves then; nil for the same as the first time.
  var again: String?
  /// What is shipped after that, release by release, in place of taking it back; `leaves` is what
  /// they leave then.
  var then: [[String: String]] = []
  /// Whether going back to the second release from there leaves what that one left.
  var returns = false

  var testDescription: String { name }

  /// - Parameter twin: the database of another engine, on which it is played instead.
  func run(on twin: (any Twin)? = nil) throws {
    let bench = try Bench(beside: twin)
    let engines = twin == nil ? "" : "\"engines\": [\"sqlite\", \"postgresql\"], "
    try bench.write("catalog.json", "{\(engines)\"tables\": {\(options)}}")
    try write(first.merging(["up.sql": schema]) { $1 }, "1_first/", bench)
    _ = try migrator(bench).up()
    for statement in user.split(separator: ";") { try run(String(statement), bench) }
    let before = try show(bench)
    try write(second, "2_second/", bench)
    do {
      let report = try migrator(bench).up()
      #expect(error == nil, "it should fail")
      check(report)
    } catch let found as SeedbedError {
      guard let error else { throw found }
      #expect(found.description.contains(error), "\(found)")
      #expect(try show(bench) == before)
      return
    }
    let after = try show(bench)
    #expect(after == rows)
    guard goesBack || !then.isEmpty else { return }
    for statement in since.split(separator: ";") { try run(String(statement), bench) }
    if !then.isEmpty {
      for (number, files) in then.enumerated() {
        try write(files, "\(3 + number)_then/", bench)
        _ = try migrator(bench).up()
      }
      #expect(try show(bench) == leaves, "after all releases")
      if !returns { return }
      _ = try migrator(bench).down(to: 2)
      #expect(try show(bench) == rows, "after down to the second")
      return
    }
    _ = try migrator(bench).down(to: 1)
    let left = try show(bench)
    #expect(left == inverse ?? leaves ?? before, "after down")
    // Up, down and up again is up.
    guard since.isEmpty else { return }
    _ = try migrator(bench).up()
    let repeated = try show(bench)
    #expect(repeated == again ?? rows, "up again")
  }

  private func check(_ report: Migrator.Report) {
    let found = report.migrations[0].conflicts.map {
      "\($0.table) \($0.kind) \($0.policy ?? "-") \($0.resolution)"
    }
    #expect(found.sorted() == conflicts.sorted())
    guard let counts, let table = report.migrations[0].tables.first?.counts else { return }
    #expect(
      [table.inserted, table.updated, table.deleted, table.unchanged, table.kept] == counts)
  }

  private func write(_ files: [String: String], _ folder: String, _ bench: Bench) throws {
    for (name, text) in files {
      try bench.write(folder + name, text)
      if name.hasSuffix(".sql"), bench.twin != nil {
        try bench.write(folder + name.dropLast(4) + ".postgresql.sql", text)
      }
    }
  }

  private func migrator(_ bench: Bench) throws -> Migrator {
    try bench.migrator(isTwin: bench.twin != nil)
  }

  private func run(_ sql: String, _ bench: Bench) throws {
    try bench.twin?.run(sql) ?? bench.device.run(sql)
  }

  private func show(_ bench: Bench) throws -> String {
    let database: any Database = bench.twin ?? bench.device
    return try database.rows(query).map { $0.map(\.shown).joined(separator: "|") }
      .joined(separator: ";")
  }
}

extension Cell {
  var shown: String {
    if case .text(let text) = self { return text }
    return sql
  }
}
