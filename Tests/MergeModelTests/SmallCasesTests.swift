import Foundation
import TestSupport
import Testing

/// Every small case of the merge: `Scripts/checks/cases` plays all of them. By day another part
/// each run.
@Suite struct `Every small case` {
  @Test func `is merged as the model says, and by three laws`() throws {
    let environment = ProcessInfo.processInfo.environment
    let variants = try Self.variants(environment["SEEDBED_VARIANTS"])
    let chunks: [SmallCases]
    if let range = environment["SEEDBED_CASES"] {
      let bases = try #require(Self.range(range), "SEEDBED_CASES is FIRST-LAST, within 0-99.")
      chunks = variants.flatMap { variant in bases.map { SmallCases(variant, base: $0) } }
    } else {
      chunks = Self.drawn(variants, Seeds.areMany ? 100 : 4)
    }
    let start = Date()
    let tally = Tally(chunks)
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      while let chunk = tally.next() { tally.add(Result { try chunk.play() }) }
    }
    for failure in tally.failures { Issue.record(failure) }
    #expect(tally.played > 0)
    print("\(tally.played) small cases in \(Date().timeIntervalSince(start)) s")
  }

  @Test func `has laws that can be broken`() {
    // Row 1 only: `a`, `a` in release 1; `b`, `a` the user's; `a`, `b` in release 2.
    let cases = SmallCases(.plain, base: 10)
    func law(_ mine: Int, _ seed: Int, _ row: [Cell]?) -> String? {
      let one = SmallCases.Case(base: 10, mine: mine, seed: seed)
      let rows = row.map { [[.integer(one.number), 1] + $0] } ?? []
      return cases.brokenLaw(one, Set(rows))
    }
    #expect(law(40, 20, ["b", "b"]) == nil)
    #expect(law(40, 20, ["a", "b"]) == "a value of the user's is lost")
    #expect(law(40, 20, nil) == "a row that the user changed or made is gone")
    #expect(law(40, 20, ["b", "a"]) == "a release and an edit of other cells cannot change places")
    #expect(law(0, 20, ["a", "b"]) == "a row that the user deleted is back")
    #expect(law(0, 10, nil) == nil)
  }

  /// Some states that a user leaves of a drawn state of release 1, for each variant.
  static func drawn(_ variants: [SmallCases.Variant], _ states: Int) -> [SmallCases] {
    let seed = ProcessInfo.processInfo.environment["SEEDBED_SEED"].flatMap { UInt64($0) }
    var dice = Dice(seed: seed ?? .random(in: 0..<1_000_000_000))
    return variants.map { variant in
      // In every third one a row is absent in release 1.
      let base = dice.chance(30) ? dice.below(10) : dice.below(SmallCases.states)
      let first = dice.below(SmallCases.states - states + 1)
      print("Small cases: \(variant.rawValue), base \(base), mine from \(first)")
      return SmallCases(variant, base: base, mine: first..<(first + states))
    }
  }

  static func variants(_ text: String?) throws -> [SmallCases.Variant] {
    guard let text else { return SmallCases.Variant.allCases }
    return try text.split(separator: ",").map {
      try #require(SmallCases.Variant(rawValue: String($0)), "There is no variant '\($0)'.")
    }
  }

  static func range(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: "-").compactMap { Int($0) }
    guard ends.count == 2, ends[0] <= ends[1], ends[1] < SmallCases.states else { return nil }
    return ends[0]...ends[1]
  }

  /// Hands out what is to be played, and counts.
  final class Tally: @unchecked Sendable {
    // Sound: everything is read and written under the lock.
    private let lock = NSLock()
    private var rest: ArraySlice<SmallCases>
    private var count = 0
    private var errors: [any Error] = []

    init(_ chunks: [SmallCases]) { rest = chunks[...] }

    /// nil at the end, and once enough have failed.
    func next() -> SmallCases? { lock.withLock { errors.count < 3 ? rest.popFirst() : nil } }

    func add(_ result: Result<Int, any Error>) {
      lock.withLock {
        switch result {
        case .success(let played): count += played
        case .failure(let error): errors.append(error)
        }
      }
    }

    var played: Int { lock.withLock { count } }
    var failures: [any Error] { lock.withLock { errors } }
  }
}
