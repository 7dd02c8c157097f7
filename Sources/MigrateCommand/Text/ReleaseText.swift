internal import Seedbed
internal import SeedbedAuthoring

/// Rows of a release in words for a person.
///
///     + number=119  symbol="Uue"  name=NULL
///     ~ number=113  symbol "Uut" → "Nh"
///     - number=120  symbol="Ubn"
struct ReleaseText {
  /// The width of lines; nil for one line per row, however long.
  let columns: Int?
  var palette: Palette?

  private static let valueLimit = 40
  /// The most fields to show of a row that is added or retired.
  private static let mostFields = 12

  func lines(_ row: ReleaseReading.Row) -> [String] {
    let key = row.key.map { column in
      column.isChanged ? "\(column.name.printable)=\(change(column))" : assigned(column)
    }
    let fields = row.fields.map { field in
      row.operation == .update ? "\(field.name.printable) \(change(field))" : assigned(field)
    }
    let mark = row.operation.mark
    let separator = row.operation == .update ? ", " : "  "
    let start = "\(mark) " + key.joined(separator: ", ")
    guard let columns else {
      let line = start + (fields.isEmpty ? "" : "  " + fields.joined(separator: separator))
      return [line]
    }
    let more = row.operation == .update ? 0 : fields.count - Self.mostFields
    var shown = more > 1 ? Array(fields.prefix(Self.mostFields)) : fields
    if more > 1 { shown.append("… and \(Measures.count(more, "more column", "more columns"))") }
    return wrapped(start, shown, separator, columns).map { painted($0, row.operation) }
  }

  /// The pieces after the start, unbroken: a piece that does not fit begins a new line.
  private func wrapped(
    _ start: String, _ pieces: [String], _ separator: String, _ columns: Int
  ) -> [String] {
    var lines: [String] = []
    var (line, width) = (start, start.displayWidth)
    func end(_ line: String, _ width: Int) {
      lines.append(width > columns ? line.cut(to: columns) : line)
    }
    for (index, piece) in pieces.enumerated() {
      let joint = index == 0 ? "  " : separator
      let pieceWidth = piece.displayWidth
      if width + joint.utf8.count + pieceWidth < columns {
        line += joint
        line += piece
        width += joint.utf8.count + pieceWidth
      } else {
        line = (line + joint).trimmed
        end(line, line.displayWidth)
        (line, width) = ("    " + piece, 4 + pieceWidth)
      }
    }
    end(line, width)
    return lines
  }

  private func painted(_ line: String, _ operation: ReleaseReading.Row.Operation) -> String {
    palette?(line, operation.paint) ?? line
  }

  // MARK: values

  private func assigned(_ field: ReleaseReading.Field) -> String {
    "\(field.name.printable)=\(text(field.new ?? field.old ?? .null))"
  }

  /// `"Uut" → "Nh"`; without a known old value, only the new one.
  func change(_ field: ReleaseReading.Field) -> String {
    let new = field.new ?? .null
    guard let old = field.old else { return "→ " + text(new) }
    if case .text(let before) = old, case .text(let after) = new, columns != nil {
      let (first, second) = Self.excerpts(before, after)
      return "\(quoted(first)) → \(quoted(second))"
    }
    return "\(text(old)) → \(text(new))"
  }

  func text(_ value: ReleaseReading.Value) -> String {
    switch value {
    case .null: "NULL"
    case .empty: "empty"
    case .number(let number): columns == nil ? number : number.shortened(to: Self.valueLimit)
    case .text(let text): quoted(text)
    case .blob(let bytes): "BLOB of \(Measures.bytes(Int64(bytes)))"
    }
  }

  private func quoted(_ text: String) -> String {
    if columns == nil { return "\"" + text.escaped + "\"" }
    // Reads no more than it shows: a field may have 16 MiB.
    let isShort = text.utf8.count <= Self.valueLimit
    let start = isShort ? text : String(text.prefix(Self.valueLimit + 1))
    return "\"" + start.escaped.shortened(to: Self.valueLimit) + "\""
  }

  /// Parts of two long texts, from shortly before they differ. Their beginnings might look the
  /// same.
  static func excerpts(_ first: String, _ second: String) -> (String, String) {
    if max(first.utf8.count, second.utf8.count) <= valueLimit { return (first, second) }
    var (one, other) = (first.unicodeScalars.startIndex, second.unicodeScalars.startIndex)
    // The positions of the last scalars that both have.
    var places: [(String.Index, String.Index)] = []
    var count = 0
    while one < first.endIndex, other < second.endIndex,
      first.unicodeScalars[one] == second.unicodeScalars[other]
    {
      places.append((one, other))
      if places.count > 20 { places.removeFirst(10) }
      first.unicodeScalars.formIndex(after: &one)
      second.unicodeScalars.formIndex(after: &other)
      count += 1
    }
    let fits =
      first.prefix(valueLimit + 1).count <= valueLimit
      && second.prefix(valueLimit + 1).count <= valueLimit
    guard !fits, count > valueLimit / 2, let place = places.suffix(10).first else {
      return (first, second)
    }
    return ("…" + first[place.0...], "…" + second[place.1...])
  }
}

extension ReleaseReading.Field {
  var isChanged: Bool { old != nil && new != nil && old != new }
}

extension ReleaseReading.Row.Operation {
  var mark: String {
    switch self {
    case .insert: "+"
    case .update: "~"
    case .delete: "-"
    }
  }

  var paint: Paint {
    switch self {
    case .insert: .good
    case .update: .waiting
    case .delete: .bad
    }
  }

  /// `12 more added`
  var participle: String {
    switch self {
    case .insert: "added"
    case .update: "changed"
    case .delete: "retired"
    }
  }
}

extension StringProtocol {
  /// Control characters, and those that are invisible or turn the direction of text, as `\u{…}`.
  var harmless: String {
    if unicodeScalars.allSatisfy({ !$0.isControl && !$0.isInvisible }) { return String(self) }
    return unicodeScalars.map { scalar in
      scalar.isControl || scalar.isInvisible
        ? "\\u{" + String(scalar.value, radix: 16) + "}" : String(scalar)
    }.joined()
  }
}

extension String {
  /// Text for use between quotes: invisible characters and quotes are escaped.
  fileprivate var escaped: String {
    let isSafe = unicodeScalars.allSatisfy { scalar in
      !scalar.isControl && !scalar.isInvisible && scalar != "\"" && scalar != "\\"
    }
    if isSafe { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isControl || scalar.isInvisible:
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// A character without a shape, or one that changes the direction of text. A review must not miss
  /// it. Joiners belong to words and to emoji.
  fileprivate var isInvisible: Bool {
    switch value {
    case 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
    default: false
    }
  }
}
