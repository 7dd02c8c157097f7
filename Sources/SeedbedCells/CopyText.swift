/// Rows in the text format of COPY: fields end with a tab, rows with a line feed, and `\` escapes.
package struct CopyText: ~Copyable {
  package private(set) var bytes: UnsafeMutablePointer<UInt8>
  package private(set) var count = 0
  private var capacity: Int

  private static let backslash = UInt8(ascii: "\\")

  package init(capacity: Int) {
    self.capacity = capacity
    bytes = .allocate(capacity: capacity)
  }

  deinit { bytes.deallocate() }

  package mutating func clear() { count = 0 }

  /// Appends a row of `fieldCount` fields from `cells` on, but not its end.
  @inline(__always)
  package mutating func append(
    _ cells: UnsafePointer<Cell>, _ fieldCount: Int, of chunk: UnsafePointer<UInt8>
  ) {
    for index in 0..<fieldCount {
      if index > 0 { append(UInt8(ascii: "\t")) }
      append(cells[index], of: chunk)
    }
  }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    bytes[count] = byte
    count += 1
  }

  package mutating func append(_ number: Int64) {
    reserve(20)
    var rest = number.magnitude
    var end = count + (number < 0 ? 1 : 0) + Self.digitCount(rest)
    if number < 0 { bytes[count] = UInt8(ascii: "-") }
    count = end
    repeat {
      end -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes[end] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
  }

  private static func digitCount(_ number: UInt64) -> Int {
    var (rest, count) = (number, 1)
    while rest >= 10 { (rest, count) = (rest / 10, count + 1) }
    return count
  }

  @inline(__always)
  private mutating func append(_ cell: Cell, of chunk: UnsafePointer<UInt8>) {
    let length = Int(cell.length)
    switch cell.kind {
    case .null:
      reserve(2)
      bytes[count] = Self.backslash
      bytes[count + 1] = UInt8(ascii: "N")
      count += 2
    case .text: append(text: chunk + cell.start, length)
    case .escaped: append(doubled: chunk + cell.start, length)
    case .integer: append(Int64(bitPattern: cell.bits))
    // The shortest text that reads back as exactly this number.
    case .real: for byte in Double(bitPattern: cell.bits).description.utf8 { append(byte) }
    case .blob: append(blob: chunk + cell.start, length)
    }
  }

  /// Bytes that need no escape move eight at a time.
  private mutating func append(text: UnsafePointer<UInt8>, _ length: Int) {
    // Each byte may need two, and whole words are stored.
    reserve(2 * length + 8)
    var index = 0
    while index < length {
      // Sound: a chunk has room for eight bytes after its last.
      let word = UnsafeRawPointer(text + index).loadUnaligned(as: UInt64.self).littleEndian
      let step = min(8, length - index)
      let looked = step == 8 ? UInt64.max : (1 << UInt64(8 * step)) - 1
      guard Self.special(word) & looked == 0 else {
        append(slowly: text + index, step)
        index += step
        continue
      }
      UnsafeMutableRawPointer(bytes + count)
        .storeBytes(of: word.littleEndian, as: UInt64.self)
      count += step
      index += step
    }
  }

  /// Not zero if one of the eight bytes is a backslash or below 14: tab, line feed, carriage return
  /// and rare ones. The lowest mark is exact; marks above it may be false.
  @inline(__always)
  private static func special(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let low = (word &- 14 * ones) & ~word
    let mixed = word ^ (ones * UInt64(backslash))
    return (low | ((mixed &- ones) & ~mixed)) & (ones << 7)
  }

  private mutating func append(slowly text: UnsafePointer<UInt8>, _ length: Int) {
    for index in 0..<length { append(escaping: text[index]) }
  }

  private mutating func append(escaping byte: UInt8) {
    switch byte {
    case Self.backslash: append(Self.backslash, Self.backslash)
    case UInt8(ascii: "\t"): append(Self.backslash, UInt8(ascii: "t"))
    case UInt8(ascii: "\n"): append(Self.backslash, UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): append(Self.backslash, UInt8(ascii: "r"))
    default: append(byte)
    }
  }

  private mutating func append(_ first: UInt8, _ second: UInt8) {
    append(first)
    append(second)
  }

  /// Appends a field that was not decoded, with its quotes still doubled.
  private mutating func append(doubled text: UnsafePointer<UInt8>, _ length: Int) {
    var index = 0
    while index < length {
      append(escaping: text[index])
      index += text[index] == UInt8(ascii: "\"") ? 2 : 1
    }
  }

  /// Appends `\x48656c6c6f` with its backslash escaped.
  private mutating func append(blob: UnsafePointer<UInt8>, _ length: Int) {
    reserve(2 * length + 3)
    append(Self.backslash, Self.backslash)
    append(UInt8(ascii: "x"))
    for index in 0..<length {
      append(Self.digit(blob[index] >> 4), Self.digit(blob[index] & 15))
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  @inline(__always)
  private mutating func reserve(_ room: Int) {
    if capacity - count < room { grow(room) }
  }

  @inline(never)
  private mutating func grow(_ room: Int) {
    capacity = max(2 * capacity, count + room)
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    grown.update(from: bytes, count: count)
    bytes.deallocate()
    bytes = grown
  }
}
