import Seedbed
import TestSupport

/// A table of random columns and keys, its source, and random edits of that.
struct RandomTable {
  enum Kind: CaseIterable {
    case integer, text, real, blob, numeric, date, boolean, typeless

    var type: String {
      switch self {
      case .integer: "INTEGER"
      case .text: "TEXT"
      case .real: "REAL"
      case .blob: "BLOB"
      case .numeric: "NUMERIC"
      case .date: "DATE"
      case .boolean: "BOOLEAN"
      case .typeless: ""
      }
    }
  }

  enum Key: CaseIterable {
    case rowid, autoincrement, text, caseless, composite, withoutRowid, option
  }

  struct Column {
    var name: String
    var kind: Kind
  }

  let name: String
  let key: Key
  let columns: [Column]
  let keyCount: Int
  /// By the text of the key, as one row of the source.
  private(set) var rows: [[Value]] = []

  init(_ dice: inout Dice) {
    let names = ["t", "two words", "Größe", "quote\"d", "عربي", "a.b", "select"]
    name = names[dice.below(names.count)]
    key = Key.allCases[dice.below(Key.allCases.count)]
    let kinds: [Kind] =
      switch key {
      case .rowid, .autoincrement: [.integer]
      case .text, .caseless, .option: [.text]
      case .composite, .withoutRowid: [.text, .integer]
      }
    keyCount = kinds.count
    var columns = kinds.enumerated().map { Column(name: "k \($0)", kind: $1) }
    let spellings = ["x", "was:y", "größe", "a,b", "c\"d", "😀", "e f", "G"]
    for index in 0..<(1 + dice.below(6)) {
      let kind = Kind.allCases[dice.below(Kind.allCases.count)]
      columns.append(Column(name: spellings[index], kind: kind))
    }
    self.columns = columns
    rows = (0..<dice.below(25)).map { _ in freshRow(&dice) }
    rows = unique(rows)
  }

  var sql: String {
    var definitions = columns.enumerated().map { index, column in
      let isAlias = index == 0 && (key == .rowid || key == .autoincrement)
      let tail =
        isAlias
        ? " PRIMARY KEY" + (key == .autoincrement ? " AUTOINCREMENT" : "")
        : key == .caseless && index == 0
          ? " NOT NULL COLLATE NOCASE PRIMARY KEY"
          : key == .option && index == 0
            ? " UNIQUE"
            : key == .text && index == 0 ? " PRIMARY KEY" : ""
      return "\(column.name.quoted) \(column.kind.type)\(tail)"
    }
    if key == .option { definitions.insert("id INTEGER PRIMARY KEY", at: 0) }
    definitions.append("favourite INTEGER DEFAULT 0")
    if keyCount > 1 {
      definitions.append("PRIMARY KEY (\(columns.prefix(keyCount).map(\.name).quotedList))")
    }
    return "CREATE TABLE \(name.quoted) (\(definitions.joined(separator: ", ")))"
      + (key == .withoutRowid ? " WITHOUT ROWID;" : ";")
  }

  var options: String {
    let blobs = columns.filter { $0.kind == .blob }.enumerated().map { index, column in
      "\(json(column.name)): \"\(index % 2 == 0 ? "base64" : "hex")\""
    }
    let keys = columns.prefix(keyCount).map { json($0.name) }.joined(separator: ", ")
    return """
      {"tables": {\(json(name)): {"source": "data/source.csv", "key": [\(keys)],
        "blobs": {\(blobs.joined(separator: ", "))}}}}
      """
  }

  private func json(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" ? "\\\"" : String($0) }.joined() + "\""
  }

  // MARK: edits

  mutating func edit(_ dice: inout Dice) {
    rows.removeAll { _ in dice.chance(15) }
    for index in rows.indices where dice.chance(40) {
      for column in columns.indices.dropFirst(keyCount) where dice.chance(50) {
        rows[index][column] = value(columns[column].kind, &dice)
      }
    }
    for _ in 0..<dice.below(8) { rows.append(freshRow(&dice)) }
    rows = unique(rows)
    rows.shuffle(using: &dice)
  }

  private func unique(_ rows: [[Value]]) -> [[Value]] {
    var seen: Set<String> = []
    return rows.filter { row in
      seen.insert(row.prefix(keyCount).map { "\($0)".asciiLowercased() }.joined(separator: "|"))
        .inserted
    }
  }

  private func freshRow(_ dice: inout Dice) -> [Value] {
    columns.enumerated().map { index, column in
      guard index < keyCount else { return value(column.kind, &dice) }
      return column.kind == .integer
        ? .integer(Int64(dice.below(60)))
        : .text(
          ["", "a", "B b", "é", "x,y", "\""][dice.below(6)]
            + String(dice.below(12)))
    }
  }

  private func value(_ kind: Kind, _ dice: inout Dice) -> Value {
    if dice.chance(20) { return .null }
    let texts = [
      "", "a", " ", "two\nlines", "say \"hi\"", "x,y;z", "\r\n", "é\u{301}\"\u{301}", "😀👨‍👩‍👧",
      "שלום",
      "NULL",
      "=1+1", "a\tb",
    ]
    switch kind {
    case .integer: return .integer([0, 1, -7, .max, .min, 4_294_967_296][dice.below(6)])
    case .text, .typeless:
      return .text((texts + ["007", "1.50", "1e5"])[dice.below(texts.count + 3)])
    case .real: return .real([0, 1, -1.5, 0.1, 1e300, 1e-300, 123_456_789.123][dice.below(7)])
    case .blob: return .blob([[], [0], [1, 2, 255], Array("text".utf8)][dice.below(4)])
    case .numeric: return [.integer(12), .real(1.25), .integer(-3)][dice.below(3)]
    case .date: return [.text("2021-03-04"), .integer(5), .real(2.5), .text("")][dice.below(4)]
    case .boolean: return .integer(Int64(dice.below(2)))
    }
  }

  // MARK: as CSV, written by another hand than the library's

  func csv(_ dice: inout Dice) -> String {
    let quotesAll = dice.chance(50)
    let end = dice.chance(50) ? "\r\n" : "\n"
    func quoted(_ text: String) -> String {
      var scalars = "\"".unicodeScalars
      for scalar in text.unicodeScalars {
        scalars.append(scalar)
        if scalar == "\"" { scalars.append(scalar) }
      }
      scalars.append("\"")
      return String(scalars)
    }
    var text = columns.map { quoted($0.name) }.joined(separator: ",") + end
    var blobs = 0
    let isHex = columns.map { column in
      if column.kind == .blob { blobs += 1 }
      return blobs % 2 == 0
    }
    for row in rows {
      let fields = row.enumerated().map { index, value -> String in
        switch value {
        case .null: return ""
        case .integer(let number): return quotesAll ? "\"\(number)\"" : "\(number)"
        case .real(let number): return "\(number)"
        case .text(let text): return quoted(text)
        case .invalidText: return ""
        case .blob(let bytes): return isHex[index] ? Self.hex(bytes) : Self.base64(bytes)
        }
      }
      text += fields.joined(separator: ",") + end
    }
    return text
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.isEmpty
      ? "\"\"" : bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    switch bytes {
    case []: "\"\""
    case [0]: "AA=="
    case [1, 2, 255]: "AQL/"
    default: "dGV4dA=="
    }
  }
}
