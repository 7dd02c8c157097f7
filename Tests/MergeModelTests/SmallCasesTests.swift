import Foundation
import TestSupport
import Testing

/// Every small case of the merge: `Scripts/checks/cases` plays all of them. By day others each run.
@Suite struct `Every small case` {
  @Test func `is merged as the model says, and by the laws`() throws {
    let chunks = try Self.chunks(drawn: 12, of: 150)
    let start = Date()
    let tally = Tally(chunks)
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      while let chunk = tally.next() { tally.add(chunk, Result { try chunk.play().count }) }
    }
    for failure in tally.failures { Issue.record(failure) }
    #expect(tally.played > 0)
    print(tally.words)
    print("\(tally.played) small cases in \(Date().timeIntervalSince(start)) s")
  }

  @Test func `is one of so many patterns`() throws {
    #expect((0...6).map { Patterns.strings($0).count } == [1, 2, 5, 15, 52, 203, 877])
    #expect((0...3).map { Patterns.spelled($0).count } == [1, 2, 6, 25])
    let counts = Dictionary(
      uniqueKeysWithValues: SmallCases.variants.map { ($0.name, CaseSpace($0.family).count) })
    let first = ["plain", "unique", "moves", "uniqueMoves"].map { counts[$0] }
    #expect(first == [97_969, 193_243, 67_525, 140_415])
    // README.md has the number.
    let all = counts.values.reduce(0, +)
    let page = try Checkout.text("README.md").replacing(",", with: "")
    #expect(page.contains("**\(all) small cases**"), "There are \(all).")
  }

  @Test func `has laws that can be broken`() throws {
    // Row 1 only: `a`, `a` in release 1; `b`, `a` the user's; `a`, `b` in release 2.
    let cases = SmallCases(try Self.variants("plain")[0], CaseSpace(.rows()), [])
    func law(_ mine: [Cell]?, _ seed: [Cell]?, _ row: [Cell]?) -> String? {
      let rows = [["a", "a"], mine, seed, row].map { $0.map { [7, 1] + $0 } }
      let one = SmallCases.Case(
        number: 7, rows: rows.prefix(3).map { [[$0, nil]] }, exchanged: [])
      return cases.brokenLaw(one, [Set([rows[3]].compactMap(\.self))])
    }
    #expect(law(["b", "a"], ["a", "b"], ["b", "b"]) == nil)
    #expect(law(["b", "a"], ["a", "b"], ["a", "b"]) == "a value of the user's is lost")
    #expect(law(["b", "a"], ["a", "b"], nil) == "a row that the user changed or made is gone")
    #expect(
      law(["b", "a"], ["a", "b"], ["b", "a"])
        == "a release and an edit of other cells cannot change places")
    #expect(law(nil, ["a", "b"], ["a", "b"]) == "a row that the user deleted is back")
    #expect(law(nil, ["a", "a"], nil) == nil)
  }

  @Test func `has references whose meaning can be lost`() throws {
    let cases = SmallCases(try Self.variants("optional")[0], CaseSpace(.rows()), [])
    let parents = (0..<2).map { place -> [Cell]? in
      [CaseFamily.id(place, 7), "a", .text("seed \(place)")]
    }
    func child(_ place: Int) -> [Cell] { [7, CaseFamily.id(place, 7), "user 0"] }
    let one = SmallCases.Case(
      number: 7, rows: [[nil], [child(0)], [nil]].map { [parents, $0] }, exchanged: [])
    func law(_ children: [[Cell]]) -> String? {
      cases.brokenReference(one, [Set(parents.compactMap(\.self)), Set(children)])
    }
    #expect(law([child(0)]) == nil)
    #expect(try #require(law([child(1)])).contains("referred to"))
    #expect(try #require(law([])).contains("is gone"))
  }

  /// Those of the environment, or some of each variant that is drawn.
  static func chunks(drawn variants: Int, of count: Int) throws -> [SmallCases] {
    let environment = ProcessInfo.processInfo.environment
    let chosen = try Self.variants(environment["SEEDBED_VARIANTS"])
    guard let range = environment["SEEDBED_CASES"] ?? (Seeds.areMany ? "all" : nil) else {
      return drawn(chosen, variants, count)
    }
    let numbers = try #require(Self.range(range), "SEEDBED_CASES is 'all' or FIRST-LAST.")
    return chosen.flatMap { variant in
      let space = CaseSpace(variant.family)
      let all = Array(numbers.clamped(to: 0..<space.count))
      return stride(from: 0, to: all.count, by: 5000).map { start in
        SmallCases(variant, space, Array(all[start..<min(start + 5000, all.count)]))
      }
    }
  }

  private static func drawn(
    _ variants: [SmallCases.Variant], _ most: Int, _ count: Int
  ) -> [SmallCases] {
    let environment = ProcessInfo.processInfo.environment
    let text = environment["SEEDBED_SEED"] ?? environment["SEEDBED_CRASH_SEED"]
    let seed = text.flatMap { UInt64($0) } ?? .random(in: 1..<1_000_000_000)
    var dice = Dice(seed: seed)
    print("Drawn: small cases; SEEDBED_SEED=\(seed) draws them again")
    return variants.shuffled(using: &dice).prefix(most).map { variant in
      let space = CaseSpace(variant.family)
      let numbers = Set((0..<count).map { _ in dice.below(space.count) })
      return SmallCases(variant, space, numbers.sorted())
    }
  }

  static func variants(_ text: String?) throws -> [SmallCases.Variant] {
    guard let text else { return SmallCases.variants }
    return try text.split(separator: ",").map { name in
      try #require(
        SmallCases.variants.first { $0.name == name }, "There is no variant '\(name)'.")
    }
  }

  private static func range(_ text: String) -> Range<Int>? {
    if text == "all" { return 0..<Int.max }
    let ends = text.split(separator: "-").compactMap { Int($0) }
    guard ends.count == 2, ends[0] <= ends[1] else { return nil }
    return ends[0]..<ends[1] + 1
  }

  /// Hands out what is to be played, and counts.
  final class Tally: @unchecked Sendable {
    // Sound: everything is read and written under the lock.
    private let lock = NSLock()
    private var rest: ArraySlice<SmallCases>
    private var counts: [String: Int] = [:]
    private var errors: [(variant: String, error: any Error)] = []

    init(_ chunks: [SmallCases]) { rest = chunks[...] }

    /// nil at the end. Of a variant of which one has failed no more are played.
    func next() -> SmallCases? {
      lock.withLock {
        let failed = Set(errors.map(\.variant))
        rest = rest.drop { failed.contains($0.variant.name) }
        return rest.popFirst()
      }
    }

    func add(_ chunk: SmallCases, _ result: Result<Int, any Error>) {
      lock.withLock {
        switch result {
        case .success(let played): counts[chunk.variant.name, default: 0] += played
        case .failure(let error): errors.append((chunk.variant.name, error))
        }
      }
    }

    var played: Int { lock.withLock { counts.values.reduce(0, +) } }
    var failures: [any Error] { lock.withLock { errors.map(\.error) } }
    var words: String {
      let sorted = lock.withLock { counts.sorted { $0.key < $1.key } }
      return "Played: " + sorted.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
  }
}
