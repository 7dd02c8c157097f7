extension String {
  /// Appends a string as JSON writes it, with its quotes.
  package mutating func append(json string: String) {
    self += "\""
    // Nearly every string is so, and is copied as it is.
    if string.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) {
      self += string
      self += "\""
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": self += "\\\""
      case "\\": self += "\\\\"
      case "\n": self += "\\n"
      case "\r": self += "\\r"
      case "\t": self += "\\t"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        self += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: unicodeScalars.append(scalar)
      }
    }
    self += "\""
  }

  /// As JSON writes it.
  package var json: String {
    var text = ""
    text.append(json: self)
    return text
  }
}
