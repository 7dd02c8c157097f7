/// The columns and values of a JSON object of the ledger, each value as the JSON text it has, but
/// that a null is SQL's NULL.
///
/// Only what the ledger writes is understood: strings, numbers, null, and small objects for bytes.
struct LoggedValues {
  private(set) var names: [String] = []
  private var texts: [String] = []

  init(_ json: String) {
    var rest = json.unicodeScalars.dropFirst()
    while let scalar = rest.first, scalar == "\"" || scalar == "," {
      if scalar == "," { rest.removeFirst() }
      names.append(Self.name(Self.value(&rest)))
      rest = rest.dropFirst()  // The colon.
      let text = Self.value(&rest)
      texts.append(text == "null" ? "NULL" : text)
    }
  }

  /// A value as JSON text: `"Nihonium"`, `39.95`, or `NULL`.
  subscript(name: String) -> String? {
    names.firstIndex(of: name).map { texts[$0] }
  }

  /// `number=113, name="Nihonium"`
  var listed: String {
    zip(names, texts).map { "\($0)=\($1)" }.joined(separator: ", ").printable
  }

  /// Up to the comma, colon or brace that ends it.
  private static func value(_ rest: inout Substring.UnicodeScalarView) -> String {
    var text = String.UnicodeScalarView()
    var (depth, isQuoted, isEscaped) = (0, false, false)
    while let scalar = rest.first {
      if !isQuoted, depth == 0, scalar == "," || scalar == ":" || scalar == "}" { break }
      rest.removeFirst()
      text.append(scalar)
      if isEscaped {
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = isQuoted
      } else if scalar == "\"" {
        isQuoted.toggle()
      } else if !isQuoted {
        depth += scalar == "{" ? 1 : scalar == "}" ? -1 : 0
      }
    }
    return String(text)
  }

  /// A name without its quotes; what is escaped in one is rare enough to be shown so.
  private static func name(_ text: String) -> String { String(text.dropFirst().dropLast()) }
}
