import SeedbedCells
import Testing

@testable import Seedbed
@testable import SeedbedPostgres

@Suite struct `Fields are escaped for COPY` {
  private func copied(_ field: [UInt8], _ kind: Cell.Kind) -> String {
    // A chunk has eight bytes more, here such as would need an escape.
    let chunk = [UInt8(ascii: "\t")] + field + [UInt8](repeating: UInt8(ascii: "\\"), count: 8)
    let cell = Cell(bits: 1, length: UInt32(field.count), kind: kind)
    return chunk.withUnsafeBufferPointer { chunk in
      guard let bytes = chunk.baseAddress else { return "" }
      return withUnsafePointer(to: cell) { cell in
        var text = CopyText(capacity: 1)
        text.append(cell, 1, of: bytes)
        let copied = UnsafeBufferPointer(start: text.bytes, count: text.count)
        return String(decoding: copied, as: UTF8.self)
      }
    }
  }

  /// The plainest way to say the same.
  private func expected(_ field: String) -> String {
    let escapes: [Unicode.Scalar: String] = ["\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"]
    return field.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }

  @Test func `text of any length, with any sign anywhere`() {
    for length in 0..<20 {
      let plain = Array("abcdefghijklmnopqrst".unicodeScalars.prefix(length))
      for place in 0...length {
        for sign in "\\\t\n\r\"'\u{1}\u{B}[]ä\u{80}🙂".unicodeScalars {
          var scalars = plain
          scalars.insert(sign, at: place)
          let field = String(String.UnicodeScalarView(scalars))
          #expect(copied(Array(field.utf8), .text) == expected(field))
        }
      }
    }
    #expect(copied([], .text) == "")
    #expect(copied(Array("\t\n\\\r\t\n\\\r\t".utf8), .text) == expected("\t\n\\\r\t\n\\\r\t"))
  }

  @Test func `what nobody decoded`() {
    #expect(copied(Array("a\"\"b\\\"\"".utf8), .escaped) == "a\"b\\\\\"")
    #expect(copied(Array("\"\"".utf8), .escaped) == "\"")
  }

  @Test func `bytes and NULL`() {
    #expect(copied([], .null) == "\\N")
    #expect(copied([], .blob) == "\\\\x")
    #expect(copied([0, 9, 0xAF], .blob) == "\\\\x0009af")
  }

  @Test(arguments: [0, 1, -1, 9, 10, -10, 99, 100, 12_345_678_901, Int64.max, Int64.min])
  func `whole numbers`(number: Int64) {
    var text = CopyText(capacity: 1)
    text.append(number)
    let copied = UnsafeBufferPointer(start: text.bytes, count: text.count)
    #expect(String(decoding: copied, as: UTF8.self) == String(number))
  }
}
