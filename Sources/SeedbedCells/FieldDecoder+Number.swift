/// Decodes columns of NUMERIC affinity. SQLite turns each text that looks like a number into one; a
/// field is accepted only if that loses nothing.
extension Cell {
  mutating func set(number field: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    if let integer = NumberText.integer(field) { return set(integer) }
    guard let decimal = NumberText.decimal(field), !decimal.hasLeadingZeros,
      let value = NumberText.real(field),
      NumberText.significantDigits(field) == NumberText.significantDigits(value.description.utf8)
    else { return false }
    return set(value)
  }

  mutating func set(numberOrText field: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    guard Self.looksNumeric(field) else { return true }
    let text = String(decoding: field, as: UTF8.self)
    if let integer = NumberText.integer(field) {
      return text == String(integer) && set(integer)
    }
    // SQLite would store `1.0` as the integer 1.
    guard let value = NumberText.real(field), value.description == text,
      value != value.rounded()
    else { return false }
    return set(value)
  }

  /// Whether SQLite would read the text as a number, including white space around it and a sign.
  private static func looksNumeric(_ field: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    var text = field[...]
    while let first = text.first, isSpace(first) { text.removeFirst() }
    while let last = text.last, isSpace(last) { text.removeLast() }
    if let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      text.removeFirst()
    }
    guard text.first != UInt8(ascii: "-") else { return false }
    return NumberText.decimal(UnsafeMutableBufferPointer(rebasing: text)) != nil
  }
}
