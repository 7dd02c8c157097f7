/// The ten rules once more, as plainly as they can be written: one byte at a time, nothing cut
/// into pieces, nothing fast. What it says of a file, the real reader must say too.
struct PlainCSV {
  enum Outcome: Equatable {
    /// Fields, nil for NULL.
    case rows([[String?]])
    /// The line and the column of the first error.
    case wrong(line: Int, column: Int)
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var start = 0

  private struct Wrong: Error { var line: Int, column: Int }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The records after the header.
  static func outcome(_ bytes: [UInt8]) -> Outcome {
    var parser = PlainCSV(bytes)
    do {
      if bytes.isEmpty { throw Wrong(line: 1, column: 1) }
      let header = try parser.record()
      try parser.checkHeader(header)
      var rows: [[String?]] = []
      while parser.position < bytes.count {
        rows.append(try parser.record(of: header.count))
      }
      return .rows(rows)
    } catch let wrong as Wrong {
      return .wrong(line: wrong.line, column: wrong.column)
    } catch {
      return .wrong(line: 0, column: 0)
    }
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func wrong(_ place: Int? = nil) -> Wrong {
    Wrong(line: line, column: (place ?? position) - start + 1)
  }

  private func checkHeader(_ fields: [String?]) throws {
    var column = 1
    var seen: Set<String> = []
    for field in fields {
      // The test's headers hold no quotes, so a field's length is what it takes.
      if field?.isEmpty != false { throw Wrong(line: 1, column: column) }
      guard let field, seen.insert(field).inserted else { throw Wrong(line: 1, column: column) }
      column += field.utf8.count + 1
    }
  }

  private mutating func record(of count: Int? = nil) throws -> [String?] {
    start = position
    var fields: [(text: [UInt8]?, start: Int)] = []
    var lines = 0
    repeat {
      if !fields.isEmpty { position += 1 }
      fields.append((try field(&lines), fields.isEmpty ? start : position))
      fields[fields.count - 1].start = fieldStart
    } while byte == UInt8(ascii: ",")
    let end = position
    switch byte {
    case nil: break
    case UInt8(ascii: "\n"): position += 1
    case UInt8(ascii: "\r") where position + 1 < bytes.count && bytes[position + 1] == 0x0A:
      position += 2
    default: throw wrong()
    }
    if fields.count == 1, fields[0].text == nil { throw wrong(start) }
    if let count {
      if fields.allSatisfy({ $0.text == nil }) { throw wrong(start) }
      if fields.count < count { throw wrong(end) }
      if fields.count > count { throw wrong(fields[count].start) }
    }
    let record = bytes[start..<end]
    if let invalid = firstInvalid(Array(record)) { throw wrong(start + invalid) }
    line += lines + 1
    return fields.map { $0.text.map { String(decoding: $0, as: UTF8.self) } }
  }

  private var fieldStart = 0

  /// nil for NULL.
  private mutating func field(_ lines: inout Int) throws -> [UInt8]? {
    fieldStart = position
    var text: [UInt8] = []
    guard byte == UInt8(ascii: "\"") else {
      while let next = byte, ![0x2C, 0x0A, 0x0D].contains(next) {
        if next == 0 || next == UInt8(ascii: "\"") { throw wrong() }
        text.append(next)
        position += 1
      }
      return text.isEmpty ? nil : text
    }
    let opening = position
    position += 1
    while true {
      guard let next = byte else { throw unterminated(opening) }
      if next == 0 { throw wrong() }
      position += 1
      if next == UInt8(ascii: "\"") {
        if byte != UInt8(ascii: "\"") { break }
        position += 1
      }
      if next == 0x0A { lines += 1 }
      text.append(next)
    }
    return text
  }

  /// By the line of the opening quote.
  private func unterminated(_ opening: Int) -> Wrong {
    let before = bytes[start..<opening]
    let breaks = before.filter { $0 == 0x0A }.count
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? start
    return Wrong(line: line + breaks, column: opening - lineStart + 1)
  }

  private func firstInvalid(_ bytes: [UInt8]) -> Int? {
    // The longest prefix that Swift takes for UTF-8.
    (0..<bytes.count).first { index in
      bytes[index] >= 0x80 && !isInside(bytes, index)
        && (1...4).allSatisfy { length in
          index + length > bytes.count
            || String(validating: bytes[index..<(index + length)], as: UTF8.self) == nil
        }
    }
  }

  /// Whether the byte continues a whole sequence that began before it.
  private func isInside(_ bytes: [UInt8], _ index: Int) -> Bool {
    (1...3).contains { back in
      guard index - back >= 0, bytes[index - back] >= 0xC0 else { return false }
      return (2...4).contains { length in
        length > back && index - back + length <= bytes.count
          && String(validating: bytes[(index - back)..<(index - back + length)], as: UTF8.self)
            != nil
      }
    }
  }
}
