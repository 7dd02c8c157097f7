import Foundation
import TestSupport
import Testing

@testable import Seedbed

/// The same damage, judged by us and by the `gzip` that everybody has.
@Suite struct GzipDifferenceTests {
  /// Where we are stricter than `gzip -t`, and why.
  enum Stricter: String, CaseIterable {
    case trailing = "gzip ignores what follows the last member; we cannot tell it from damage"
    case padding = "gzip ignores zero bytes behind the last member"
    case flags = "gzip overlooks a reserved flag, which RFC 1952 wants refused"
  }

  static let count = 1000
  static let seed: UInt64 = 20_261_121

  @Test func `what gzip refuses we refuse, and what it takes we take`() throws {
    let place = try Place(in: Place.memory)
    var dice = Dice(seed: Self.seed)
    var files: [(name: String, bytes: [UInt8])] = []
    for number in 0..<Self.count {
      let name = "\(number).gz"
      let bytes = Self.damaged(&dice)
      files.append((name, bytes))
      try Data(bytes).write(to: URL(fileURLWithPath: place.path + "/" + name))
    }
    let said = try Self.gzipTest(in: place)
    var counts: [String: Int] = [:]
    var unexplained: [String] = []
    for file in files {
      let error = try Self.ours(place.path, file.name)
      let theirs = said[file.name] ?? ""
      let verdict = Self.verdict(error, theirs)
      counts[verdict ?? "?", default: 0] += 1
      if verdict == nil {
        let we = error?.message ?? "take it"
        unexplained.append("seed \(Self.seed), \(file.name): gzip '\(theirs)', we '\(we)'")
      }
    }
    print("gzip -t and we, \(Self.count) files: \(counts.sorted { $0.key < $1.key })")
    #expect(unexplained.prefix(10) == [])
    for reason in Stricter.allCases { #expect(counts[reason.rawValue] != nil, "\(reason)") }
    // A comparison that only ever saw one of the two would prove nothing.
    #expect((counts["both take it"] ?? 0) > 50)
    #expect((counts["both refuse it"] ?? 0) > 300)
  }

  /// Who said what; nil where that needs an explanation and has none.
  private static func verdict(
    _ error: SeedbedError?, _ theirs: String
  ) -> String? {
    guard let error else { return theirs.isEmpty ? "both take it" : nil }
    if !theirs.isEmpty, !theirs.contains("ignored") { return "both refuse it" }
    if error.message.contains("Other bytes follow") { return Stricter.trailing.rawValue }
    if error.message.contains("truncated"), theirs.contains("trailing garbage") {
      return Stricter.trailing.rawValue
    }
    if error.message.contains("Zero bytes follow") { return Stricter.padding.rawValue }
    if error.message.contains("header flags") { return Stricter.flags.rawValue }
    return nil
  }

  /// What `gzip -t` says of each file that it does not simply take. It ends at the first that it
  /// refuses, so each file has a process of its own.
  private static func gzipTest(in place: Place) throws -> [String: String] {
    let script = "for f in *.gz; do gzip -t $f; done"
    let output = try Tool.run("sh", ["-c", script], in: place)
    var said: [String: String] = [:]
    // A blank line stands before some of its errors.
    for line in output.split(separator: "\n") where line.hasPrefix("gzip: ") {
      let words = line.dropFirst(6).split(separator: ":", maxSplits: 1)
      said[String(words[0]), default: ""] += words.count > 1 ? words[1] : "refused"
    }
    return said
  }

  private static func ours(_ folder: String, _ name: String) throws -> SeedbedError? {
    let file = try Folder(folder, host: .real).open(name)
    do {
      let content = try ContentReader(file, place: name, isCompressed: true)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
      defer { buffer.deallocate() }
      while try content.read(into: buffer) > 0 {}
      return nil
    } catch let error as SeedbedError {
      return error
    }
  }

  // MARK: damage

  private static func damaged(_ dice: inout Dice) -> [UInt8] {
    var bytes = (0...dice.below(3)).flatMap { _ in member(&dice) }
    for _ in 0..<dice.below(3) where !bytes.isEmpty {
      let place = dice.below(bytes.count)
      switch dice.below(7) {
      case 0: bytes[place] ^= 1 << UInt8(dice.below(8))
      case 1: bytes[place] = UInt8(dice.below(256))
      case 2: bytes.removeLast(bytes.count - place)
      case 3: bytes.insert(UInt8(dice.below(256)), at: place)
      case 4: bytes.remove(at: place)
      case 5: bytes += (0...dice.below(20)).map { _ in UInt8(dice.below(256)) }
      default: bytes += [UInt8](repeating: 0, count: dice.below(20) + 1)
      }
    }
    return bytes
  }

  private static func member(_ dice: inout Dice) -> [UInt8] {
    let text = (0..<dice.below(80)).map { _ in dice.pick(Array("ab,\"\n1".utf8)) }
    var gzip = Gzip(text, level: Int32(dice.below(10)))
    if dice.below(4) == 0 {
      gzip.flags |= Gzip.extra
      let count = dice.below(20)
      gzip.optional += [UInt8(count), 0] + (0..<count).map { _ in UInt8(dice.below(256)) }
    }
    if dice.below(4) == 0 {
      gzip.flags |= Gzip.name
      gzip.optional += Array("name\0".utf8)
    }
    if dice.below(4) == 0 {
      gzip.flags |= Gzip.comment
      gzip.optional += Array("comment\0".utf8)
    }
    if dice.below(6) == 0 { gzip.addHeaderCRC(wrongBy: dice.below(4) == 0 ? 1 : 0) }
    return gzip.bytes
  }
}
