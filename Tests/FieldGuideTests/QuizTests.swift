import Foundation
import Seedbed
import TestSupport
import Testing

@testable import fieldguide

/// What is drawn, with the same dice each time.
struct QuizTests {
  /// A guide with so many elements, whose numbers have gaps.
  private final class Bench {
    let app: App
    let database: Database
    let numbers: [String]

    /// - Parameter numbers: a table-valued expression of SQL, with one column `number`.
    init(_ numbers: String) throws {
      app = try App()
      _ = try app.run("--release", "2", "show", "1")
      try app.sql("DELETE FROM elements")
      try app.sql(
        """
        INSERT INTO elements (number, symbol, name, period)
        SELECT number, substr('abcdefghijklmnopqrstuvwxyz', number % 26 + 1, 1) || (number % 100),
          'e' || number, 1 FROM (\(numbers)) WHERE true ON CONFLICT (symbol) DO NOTHING
        """)
      self.numbers = try app.sql("SELECT number FROM elements")
      database = try Database(app.database)
    }

    func answer(_ number: String, isRight: Bool = true) throws {
      try database.rows(
        "INSERT INTO studies (element, asked, answer, correct) VALUES (?, 'name', 'x', ?)",
        number, isRight ? "1" : "0")
    }

    /// How often each was drawn.
    func counts(_ draws: Int, seed: UInt64) throws -> [String: Int] {
      let quiz = Quiz(database: database)
      var dice = Dice(seed: seed)
      var counts: [String: Int] = [:]
      for _ in 0..<draws { counts[try #require(try quiz.draw(using: &dice)), default: 0] += 1 }
      return counts
    }
  }

  /// How far the counts are from even: with fair dice about as much as there are numbers, and
  /// beyond this in one of 30,000 cases.
  private static func isUniform(_ counts: [String: Int], over numbers: [String]) -> Bool {
    let freedom = Double(numbers.count - 1)
    return chiSquare(counts, over: numbers) < freedom + 4 * (2 * freedom).squareRoot()
  }

  private static func chiSquare(_ counts: [String: Int], over numbers: [String]) -> Double {
    let expected = Double(counts.values.reduce(0, +)) / Double(numbers.count)
    let all = numbers.map { Double(counts[$0] ?? 0) }
    return all.map { ($0 - expected) * ($0 - expected) / expected }.reduce(0, +)
  }

  /// One of four numbers is there, in clusters of different density.
  private static let gaps = """
    WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 800)
    SELECT n AS number FROM c WHERE n < 60 OR n % 7 = 0 OR n > 770
    """

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `each element is as likely as any other, however the gaps lie`(seed: UInt64) throws {
    let bench = try Bench(Self.gaps)
    #expect(bench.numbers.count > 150)
    let draws = bench.numbers.count * 50
    let counts = try bench.counts(draws, seed: seed)
    #expect(Self.isUniform(counts, over: bench.numbers))
    // A throw that is rounded to the next element is not fair, and this test would see it.
    var dice = Dice(seed: seed)
    var rounded: [String: Int] = [:]
    for _ in 0..<draws {
      let throwing = Int.random(in: 1...800, using: &dice)
      if let next = bench.numbers.first(where: { Int($0) ?? 0 >= throwing }) {
        rounded[next, default: 0] += 1
      }
    }
    #expect(!Self.isUniform(rounded, over: bench.numbers))
  }

  @Test func `what was asked lately is passed over, and the rest is even`() throws {
    let bench = try Bench(Self.gaps)
    let asked = bench.numbers.prefix(Quiz.pause + 2)
    for number in asked { try bench.answer(number) }
    let rest = bench.numbers.filter { !asked.dropFirst(2).contains($0) }
    let counts = try bench.counts(rest.count * 50, seed: 4)
    #expect(Set(counts.keys) == Set(rest))
    #expect(Self.isUniform(counts, over: rest))
  }

  @Test func `what was missed comes every second time, and the rest is even`() throws {
    let bench = try Bench(Self.gaps)
    let missed = Array(bench.numbers.prefix(3))
    let mended = bench.numbers[3]
    for number in missed + [mended] { try bench.answer(number, isRight: false) }
    try bench.answer(mended)
    for number in bench.numbers.suffix(Quiz.pause) { try bench.answer(number) }
    let rest = bench.numbers.dropLast(Quiz.pause).filter { !missed.contains($0) }
    let draws = rest.count * 100
    let counts = try bench.counts(draws, seed: 5)
    let ofMissed = missed.compactMap { counts[$0] }.reduce(0, +)
    #expect(abs(Double(ofMissed) / Double(draws) - 0.5) < 0.02)
    #expect(Self.isUniform(counts.filter { missed.contains($0.key) }, over: missed))
    #expect(Self.isUniform(counts.filter { !missed.contains($0.key) }, over: rest))
  }

  @Test func `a table that is nearly all gaps is drawn from its index, as evenly`() throws {
    let bench = try Bench(
      """
      WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 40)
      SELECT n AS number FROM c UNION ALL SELECT 9000000000000000000
      """)
    let counts = try bench.counts(41 * 10, seed: 6)
    #expect(bench.numbers.count == 41 && Self.isUniform(counts, over: bench.numbers))
  }

  @Test(arguments: 1...3) func `a small table does not run out`(count: Int) throws {
    let bench = try Bench("SELECT value AS number FROM json_each('\(Array(1...count))')")
    var dice = Dice(seed: 7)
    let quiz = Quiz(database: bench.database)
    for _ in 0..<20 { try bench.answer(try #require(try quiz.draw(using: &dice))) }
    #expect(Set(try bench.app.sql("SELECT element FROM studies")).count == count)
    try bench.app.sql("DELETE FROM studies")
    try bench.app.sql("DELETE FROM elements")
    #expect(try quiz.draw(using: &dice) == nil)
  }

  @Test func `of a million elements it reads single rows`() throws {
    let bench = try Bench("SELECT 1 AS number")
    try bench.app.sql("DROP TABLE elements")
    try bench.app.sql(
      "CREATE TABLE elements (number INTEGER PRIMARY KEY, symbol TEXT UNIQUE, name TEXT UNIQUE)")
    try bench.app.sql(
      """
      WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000)
      INSERT INTO elements SELECT n * 3 - n % 3, 's' || n, 'n' || n FROM c
      """)
    for sql in [Quiz.lately, Quiz.missed, Quiz.ends, Quiz.element] {
      let plan = try bench.database.rows("EXPLAIN QUERY PLAN " + sql).map { $0[3] }
      #expect(!plan.isEmpty && !plan.contains { $0.contains("SCAN elements") }, "\(plan)")
    }
    // The search sees a table that is read as a whole.
    let plan = try bench.database.rows("EXPLAIN QUERY PLAN " + Quiz.count).map { $0[3] }
    #expect(plan.contains { $0.contains("SCAN elements") }, "\(plan)")
    let counts = try bench.counts(20_000, seed: 8)
    let parts = Dictionary(grouping: counts) { String((Int($0.key) ?? 0) / 30_001) }
    let sums = parts.mapValues { $0.map(\.value).reduce(0, +) }
    #expect(Self.isUniform(sums, over: (0..<100).map(String.init)))
  }

  // MARK: at the terminal

  @Test func `it asks, and tells right from wrong`() throws {
    let app = try App()
    _ = try app.run("show", "1")
    try app.sql("DELETE FROM elements WHERE number > 1")
    let words = [
      "sh", "-c", "printf 'hydrogen\\n h \\n\\nHydrogen\\n' | \"$@\"", "sh", App.program,
    ]
    let asked = try Child.run(words + ["--folder", app.place.path, "quiz", "4"])
    #expect(asked.code == 0)
    let answers = try app.sql("SELECT asked || ' ' || ifnull(answer, '-') || correct FROM studies")
    #expect(answers.count == 4)
    for (line, answer) in zip(asked.output.split(separator: "\n"), answers) {
      let isSymbol = answer.hasPrefix("symbol ")
      let question =
        isSymbol ? "What is the symbol of Hydrogen? " : "Which element has the symbol H? "
      #expect(line.hasPrefix(question))
      let isRight = answer.hasSuffix("1")
      #expect(line.hasSuffix(isRight ? "Right." : isSymbol ? "It is H." : "It is Hydrogen."))
      #expect(isRight == ["symbol h1", "name hydrogen1", "name Hydrogen1"].contains(answer))
    }
    #expect(answers[2].hasSuffix("-0"))
  }

  // MARK: the record

  /// A catalog with two more releases: one renumbers 113, the next drops 57 and 58.
  private static func later(in app: App) throws -> Catalog {
    let catalog = app.place.url.appending(path: "Migrations")
    try FileManager.default.copyItem(
      at: Checkout.root.appending(path: "Migrations"), to: catalog)
    try app.place.remove("Migrations/seedbed.lock")
    let source = try Checkout.text("Migrations/data/elements.csv").split(separator: "\n")
    let dropped = [source[0]] + source.filter { $0.hasPrefix("57,") || $0.hasPrefix("58,") }
    for (file, text) in [
      "0005_number/elements.update.csv": "number,was:number\n213,113\n",
      "0006_fewer/elements.delete.csv": dropped.joined(separator: "\n"),
    ] {
      try app.place.write("Migrations/" + file, text)
    }
    return try Catalog(directory: catalog)
  }

  @Test func `the record outlives an update, another number and a retired element`() throws {
    let app = try App()
    _ = try app.run("--release", "2", "show", "1")
    for number in ["113", "57", "1"] {
      try app.sql(
        """
        INSERT INTO studies (element, asked, answer, correct) VALUES (\(number), 'name', 'x', 0)
        """)
    }
    let report = try Migrator(catalog: try Self.later(in: app), at: app.database).up()
    #expect(report.to == 6)
    #expect(try app.sql("SELECT element FROM studies ORDER BY id") == ["213", "57", "1"])
    // 57 stays because there are answers about it, and 58 is gone.
    #expect(try app.sql("SELECT number FROM elements WHERE number IN (57, 58, 113)") == ["57"])
    #expect(
      try app.run("mine").output.hasPrefix(
        "1  57, Lanthanum: The guide dropped or renumbered it, but you have notes or answers about "
          + "it. Yours stays.\n"))
    #expect(try app.run("forget", "57").output.hasSuffix(" notes and answers (1).\n"))
  }
}
