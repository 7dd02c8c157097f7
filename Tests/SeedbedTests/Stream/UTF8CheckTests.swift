import SeedbedCells
import TestSupport
import Testing

@testable import Seedbed

@Suite struct UTF8CheckTests {
  private func firstInvalid(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { UTF8Check.firstInvalid($0) }
  }

  /// Bytes, and the first of them that is wrong.
  static let cases: [(bytes: [UInt8], wrong: Int?)] = [
    ([], nil), ([0x00], nil), ([0x7F], nil), ([0x80], 0), ([0xBF], 0), ([0xC0, 0x80], 0),
    ([0xC1, 0xBF], 0), ([0xC2, 0x80], nil), ([0xC2], 0), ([0xC2, 0x41], 0), ([0xDF, 0xBF], nil),
    ([0xDF, 0xC0], 0), ([0xE0, 0x9F, 0xBF], 0), ([0xE0, 0xA0, 0x80], nil), ([0xE0, 0xA0], 0),
    ([0xE1, 0x80, 0x80], nil), ([0xE1, 0x80, 0x7F], 0), ([0xED, 0x9F, 0xBF], nil),
    ([0xED, 0xA0, 0x80], 0), ([0xEE, 0x80, 0x80], nil), ([0xEF, 0xBF, 0xBF], nil),
    ([0xF0, 0x8F, 0xBF, 0xBF], 0), ([0xF0, 0x90, 0x80, 0x80], nil), ([0xF0, 0x90, 0x80], 0),
    ([0xF3, 0xBF, 0xBF, 0xBF], nil), ([0xF4, 0x8F, 0xBF, 0xBF], nil),
    ([0xF4, 0x90, 0x80, 0x80], 0), ([0xF5, 0x80, 0x80, 0x80], 0), ([0xFF], 0),
    ([0x41, 0x42, 0xE9, 0x41], 2), ([0x41, 0xC3, 0xA9, 0xC3], 3),
  ]

  @Test(arguments: cases) func `the first wrong byte is found`(_ bytes: [UInt8], _ wrong: Int?) {
    #expect(firstInvalid(bytes) == wrong)
    // Behind and before ASCII of every length, since eight bytes are looked at at a time.
    for count in 0...17 {
      let ascii = [UInt8](repeating: 0x61, count: count)
      #expect(firstInvalid(ascii + bytes) == wrong.map { $0 + count })
      #expect(firstInvalid(bytes + ascii) == wrong)
    }
  }

  @Test func `it agrees with Swift on random bytes`() {
    var random = Dice(seed: 5)
    for _ in 0..<50_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        // Bytes that begin or continue sequences, more often than chance.
        [0xC3, 0xE2, 0xF0, 0x82, 0xAC, 0x9F, 0x41, UInt8(random.next() & 0xFF)][
          Int(random.next() % 8)]
      }
      #expect(
        (firstInvalid(bytes) == nil) == (String(validating: bytes, as: UTF8.self) != nil),
        "seed 5, bytes \(bytes)")
    }
  }
}
