/// SQL is written with `?` or `?1` for values; PostgreSQL's name for them is `$1`.
enum Placeholders {
  /// The same statement with `$1`, `$2` …; what is in quotes or comments stays as it is. A `?`
  /// without a number is the next after the highest so far, as for SQLite.
  static func numbered(_ sql: String) -> String {
    var scanner = Scanner(bytes: Array(sql.utf8))
    return scanner.translate()
  }

  private struct Scanner {
    let bytes: [UInt8]
    var index = 0
    var output: [UInt8] = []
    var highest = 0

    mutating func translate() -> String {
      output.reserveCapacity(bytes.count + 16)
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "?"): placeholder()
        case UInt8(ascii: "'"): quoted(hasEscapes: isEscapeString)
        case UInt8(ascii: "\""): quoted(hasEscapes: false)
        case UInt8(ascii: "$") where !isWithinName: dollarQuoted()
        case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"): lineComment()
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): comment()
        default: take(1)
        }
      }
      return String(decoding: output, as: UTF8.self)
    }

    private func byte(_ offset: Int) -> UInt8? {
      let place = index + offset
      return bytes.indices.contains(place) ? bytes[place] : nil
    }

    private mutating func take(_ count: Int) {
      let end = min(index + count, bytes.count)
      output += bytes[index..<end]
      index = end
    }

    private static func isDigit(_ byte: UInt8?) -> Bool {
      byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    /// Letters, digits, `_`, `$` and all beyond ASCII.
    private static func isOfName(_ byte: UInt8?) -> Bool {
      guard let byte else { return false }
      let letter = byte | 0x20
      return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) || isDigit(byte)
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
    }

    private var isWithinName: Bool { Self.isOfName(byte(-1)) }

    /// `E'…'`, in which a backslash escapes.
    private var isEscapeString: Bool {
      guard let mark = byte(-1), mark | 0x20 == UInt8(ascii: "e") else { return false }
      return !Self.isOfName(byte(-2))
    }

    private mutating func placeholder() {
      index += 1
      var number = 0
      while let digit = byte(0), Self.isDigit(digit), number < 100_000 {
        number = number * 10 + Int(digit - UInt8(ascii: "0"))
        index += 1
      }
      if number == 0 { number = highest + 1 }
      highest = max(highest, number)
      output += "$\(number)".utf8
    }

    private mutating func quoted(hasEscapes: Bool) {
      let quote = bytes[index]
      take(1)
      while let next = byte(0) {
        // A doubled quote ends one string and begins another, which comes to the same.
        let isEscaped = hasEscapes && next == UInt8(ascii: "\\")
        take(isEscaped ? 2 : 1)
        if next == quote {
          guard byte(0) == quote else { return }
          take(1)
        }
      }
    }

    /// `$$…$$` or `$tag$…$tag$`.
    private mutating func dollarQuoted() {
      var end = index + 1
      while end < bytes.count, bytes[end] != UInt8(ascii: "$"), Self.isOfName(bytes[end]) {
        end += 1
      }
      guard end < bytes.count, bytes[end] == UInt8(ascii: "$"), !Self.isDigit(byte(1)) else {
        return take(1)
      }
      let tag = bytes[index...end]
      take(tag.count)
      while index < bytes.count, !bytes[index...].starts(with: tag) { take(1) }
      take(tag.count)
    }

    private mutating func lineComment() {
      while let next = byte(0), next != UInt8(ascii: "\n") { take(1) }
    }

    /// > Comments nest, as specified in the SQL standard. (SQL Syntax)
    private mutating func comment() {
      var depth = 0
      repeat {
        if byte(0) == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
          depth += 1
          take(2)
        } else if byte(0) == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
          depth -= 1
          take(2)
        } else {
          take(1)
        }
      } while depth > 0 && index < bytes.count
    }
  }
}
