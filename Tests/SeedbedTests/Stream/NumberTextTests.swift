import CSeedbedSQLite
@testable import SeedbedCells
import TestSupport
import Testing

@testable import Seedbed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct NumberTextTests {
  /// Decimals on which parsers have failed: halfway cases, the ends of the range, long digits.
  static let hardReals =
    """
    9007199254740993 9007199254740992.5 9007199254740993.0000000000000001 1e22 1e23 8.5e22
    123456789012345680000 0.1e-6 6.02214076e23 1.602176634e-19 2.2250738585072011e-308
    2.2250738585072012e-308 2.2250738585072014e-308 1.7976931348623157e308 1.7976931348623158e308
    179769313486231570000000000000000000000e270 4.9406564584124654e-324 2.4703282292062328e-324
    2.47032822920623272088284396434110686182e-324 2.47032822920623272e-324
    6.631236846766476e-316 3.2378839133029012895883524125015321748630094e-319
    5708990770823839524233143877797980545530986496e0 9214843084008499
    0.500000000000000166533453693773481063544750213623046875 3.518437208883201171875e13
    62.5364939768271845828 8.10109172351e-10 1.50000000000000011102230246251565
    9007199254740991.4999999999999999999999999999999995 30078505129381147446200
    1777820000000000000001 8.43920e-3 547e-1 1e-1 100000000000000016777215
    100000000000000016777216 0000000000000000000000000000000000000000.1 1e-22 1e-23
    0.000000000000000000000000000000000000000000000000000000000000000000000000000001e78
    1234567890123456789012345678901234567890e-20 4503599627370496.5 4503599627370497.5
    36893488147419107329 2.4703282292062327208828439643411068618252990130716238221279284125e-324
    7.2057594037927933e16 0.0000000000000000000000000000000000000000000123456789012345678901e40
    """.split { $0 == " " || $0 == "\n" }.map(String.init)

  @Test(arguments: hardReals) func `a hard decimal is rounded correctly`(_ text: String) {
    // What vanishes to zero is refused.
    let expected = strtod(text, nil) == 0 ? nil : strtod(text, nil)
    #expect(real(text)?.bitPattern == expected?.bitPattern)
    #expect(real("-" + text)?.bitPattern == expected.map { (-$0).bitPattern })
  }

  @Test func `random decimals are read as C and Swift read them`() {
    var random = Dice(seed: 20_261_120)
    for _ in 0..<60_000 {
      let text = random.decimal()
      let value = strtod(text, nil)
      let hasDigits = text.prefix { $0 != "e" && $0 != "E" }.contains { ("1"..."9").contains($0) }
      let expected = value.isFinite && (value != 0 || !hasDigits) ? value : nil
      #expect(real(text)?.bitPattern == expected?.bitPattern, "seed 20261120, text \(text)")
      if let expected { #expect(Double(text)?.bitPattern == expected.bitPattern) }
    }
  }

  /// Fields of coordinates and measurements: 16 to 19 digits, and halfway between two doubles.
  @Test func `decimals with more digits than a double are rounded once`() {
    var random = Dice(seed: 13)
    for _ in 0..<60_000 {
      let digits = String(UInt64.random(in: 1 << 53..<10_000_000_000_000_000_000, using: &random))
      let point = Int.random(in: 0...digits.count, using: &random)
      let text = "\(digits.prefix(point)).\(digits.dropFirst(point))"
      #expect(real(text)?.bitPattern == strtod(text, nil).bitPattern, "seed 13, \(text)")
    }
    for _ in 0..<20_000 {
      // A double of 53 bits and one bit more, which is a tie.
      let tie = (1 << 53 | random.next() >> 11) << 1 | 1
      let power = Int.random(in: 1...10, using: &random)
      let (product, overflow) = tie.multipliedReportingOverflow(
        by: (0..<power).reduce(1) { product, _ in product * 5 })
      guard !overflow, String(product).count <= 19 else { continue }
      // product / 10^power is tie / 2^power.
      let text = "\(product)e-\(power)"
      #expect(real(text)?.bitPattern == strtod(text, nil).bitPattern, "seed 13, \(text)")
    }
  }

  @Test func `random doubles survive their own description`() {
    var random = Dice(seed: 7)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(real(value.description)?.bitPattern == value.bitPattern, "seed 7, \(value)")
    }
  }

  @Test func `random integers are read as Int64 reads them`() {
    var random = Dice(seed: 11)
    for _ in 0..<20_000 {
      let value = Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
      #expect(integer(String(value)) == value)
      // One digit more is out of range, or another number.
      let longer = "\(value)\(random.next() % 10)"
      #expect(integer(longer) == (value == 0 ? nil : Int64(longer)), "seed 11, \(longer)")
    }
  }

  @Test func `an exponent that makes up for a million digits counts`() {
    let zeros = String(repeating: "0", count: 1_000_000)
    #expect(real("0.\(zeros)1e1000001") == 1)
    #expect(real("1\(zeros)e-1000000") == 1)
    #expect(real("0.\(zeros)1e100") == nil)
    #expect(real("1\(zeros)") == nil)
  }

  @Test(arguments: [
    ("0", ""), ("-0.00", ""), ("1", "1"), ("100", "1"), ("-1.50e3", "15"), ("0.00120", "12"),
    ("1002003", "1002003"), ("1E5", "1"),
  ]) func `significant digits are those between the zeros`(_ text: String, _ digits: String) {
    #expect(NumberText.significantDigits(text.utf8) == Array(digits.utf8))
  }

  /// What is let through into a column of NUMERIC affinity must come out of SQLite as it went in.
  @Test func `SQLite keeps what a NUMERIC column accepts`() throws {
    let connection = try Connection(":memory:", .memory, setup: nil)
    try connection.execute("CREATE TABLE t (n DATE)")
    // It reads some of the smallest a bit off, such as 3.470259694e-292. Ours is the nearest.
    let readsOff = sqlite3_libversion_number() / 1000 == 3051
    var random = Dice(seed: 3)
    for _ in 0..<20_000 {
      let text = random.nearlyNumber()
      try connection.execute("DELETE FROM t")
      try connection.execute("INSERT INTO t VALUES (?)", [.text(text)])
      let stored = try #require(try connection.value("SELECT n FROM t"))
      let decoded = decode(text)
      if readsOff, case (.real(let theirs), .real(let ours)) = (stored, decoded),
        abs(ours) < 1e-200
      {
        #expect(abs(theirs - ours) <= ours.ulp, "seed 3, text '\(text)'")
      } else if let decoded {
        #expect(stored == decoded, "seed 3, text '\(text)'")
      } else {
        #expect(stored.text == nil, "seed 3: '\(text)' was refused, but SQLite keeps it as text")
      }
    }
  }

  private func decode(_ text: String) -> Value? {
    var text = text
    return text.withUTF8 { field in
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: field.count)
      defer { bytes.deallocate() }
      _ = bytes.initialize(from: field)
      var cell = Cell(bits: 0, length: UInt32(field.count), kind: .text)
      guard cell.set(numberOrText: bytes) else { return nil }
      switch cell.kind {
      case .integer: return .integer(Int64(bitPattern: cell.bits))
      case .real: return .real(Double(bitPattern: cell.bits))
      default: return .text(String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  private func real(_ text: String) -> Double? { withField(text, NumberText.real) }
  private func integer(_ text: String) -> Int64? { withField(text, NumberText.integer) }

  private func withField<Result>(
    _ text: String, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Result
  ) -> Result {
    var bytes = Array(text.utf8)
    return bytes.withUnsafeMutableBufferPointer { body($0) }
  }
}
