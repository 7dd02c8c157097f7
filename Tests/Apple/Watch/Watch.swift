/// Numbers where `Int` has 32 bits, as on most watches. WebAssembly has that too, and the toolchain
/// runs it.

/// The number of the first case that fails; 0 if none does.
@_cdecl("firstFailure") public func firstFailure() -> Int32 {
  let exponents: [(StaticString, Int)] = [
    ("6.02e23", 21), ("1e-5", -5), ("1e99999999999999999999", 1 << 30),
    ("1.5e-99999999999999999999", -1 - 1 << 30),
  ]
  var number: Int32 = 0
  for (text, exponent) in exponents {
    number += 1
    guard NumberText.decimal(bytes(of: text))?.exponent == exponent else { return number }
  }
  let values: [(StaticString, Double)] = [
    ("6.02e23", 6.02e23), ("1e-5", 1e-5), ("-9007199254740991e3", -9_007_199_254_740_991e3),
  ]
  for (text, value) in values {
    number += 1
    guard NumberText.real(bytes(of: text)) == value else { return number }
  }
  let whole: [(StaticString, Int64)] = [
    ("123456789012345678", 123_456_789_012_345_678), ("-2147483649", -2_147_483_649),
  ]
  for (text, value) in whole {
    number += 1
    guard NumberText.integer(bytes(of: text)) == value else { return number }
  }
  return 0
}

private func bytes(of text: StaticString) -> UnsafeMutableBufferPointer<UInt8> {
  let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8CodeUnitCount)
  for place in bytes.indices { bytes[place] = text.utf8Start[place] }
  return bytes
}
