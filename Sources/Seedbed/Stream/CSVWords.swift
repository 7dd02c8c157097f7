import SeedbedCells

/// The CSV rule that a refused record breaks.
enum CSVWords {
  static let empty =
    "The file is empty. Its first line must be the header: the names of the columns."
  static let isGzip = "The content is gzip, but the name does not end in .gz. Add that to the name."
  static let blankHeader =
    "The first line is blank. It must be the header: the names of the columns, separated by commas."
  static let utf16 = "This looks like UTF-16. Save the file as UTF-8."
  static let nul =
    "Found a NUL byte. Text cannot hold one: remove it, or ship the column as a BLOB."
  static let bareCR =
    "Found a carriage return without a line feed. Lines end in LF or CRLF; inside a field "
    + "put it in quotes."
  static let blankLine =
    "Found a blank line. Remove it; a row of one NULL field cannot be written."
  static let emptyRow =
    "Every field of this record is empty: a row that a spreadsheet left behind. Remove it."
  static let conflictMark =
    "This line is a conflict marker of git. Choose between the rows of both branches, and remove "
    + "the markers."
  static let afterQuote =
    "Text follows a closing quote. Quote the whole field, and double each quote inside it: \"\"."
  static let quoteInside =
    "Found a quote inside an unquoted field. Quote the whole field, and double each quote inside "
    + "it: \"\"."
  static let unterminated = "The quote that opens here is never closed."
  static func of(_ rule: CSVFault.Rule) -> String {
    switch rule {
    case .nul: nul
    case .bareCR: bareCR
    case .blankHeader: blankHeader
    case .blankLine: blankLine
    case .emptyRow: emptyRow
    case .conflictMark: conflictMark
    case .afterQuote: afterQuote
    case .quoteInside: quoteInside
    case .unterminated: unterminated
    case .fieldCount(let found, let expected): fieldCount(found, expected: expected)
    case .tooManyFields(let limit): tooManyFields(limit)
    case .recordSize(let limit): recordSize(limit)
    }
  }

  static let headerEmptyName = "The header has a column without a name."

  static func headerTwice(_ name: String) -> String {
    "The header names the column '\(name.shortened(to: 40))' twice."
  }

  static func delimiter(_ name: String) -> String {
    "The header looks separated by \(name). Separate fields by commas."
  }

  static func encoding(_ byte: UInt8) -> String {
    "Found the byte 0x\(String(byte, radix: 16, uppercase: true)), which is not UTF-8 here. A file "
      + "saved as Latin-1 or Windows-1252 looks like this: save it as UTF-8."
  }

  static func fieldCount(_ found: Int, expected: Int) -> String {
    "found \(found) \(found == 1 ? "field" : "fields"), expected \(expected). Every record needs a "
      + "value, even an empty one, for each header column."
  }

  static func tooManyFields(_ limit: Int) -> String {
    "This record has more than \(limit) fields, the most that an update of a whole table can have: "
      + "2000 columns and their old values."
  }

  static func recordSize(_ limit: Int) -> String {
    "This record is longer than \(limit / 1_048_576) MiB. An unclosed quote often causes this."
  }

  static func contentSize(_ limit: Int64) -> String {
    "The file decompresses to more than \(limit) bytes, the limit for a catalog without a lock. "
      + "Write the lock, which states the size."
  }

  static func nullKey(_ column: String) -> String {
    "The key column '\(column)' is empty. Every row needs its key."
  }

  static func field(_ found: String, _ column: String, _ expected: String) -> String {
    "found '\(found.shortened(to: 40))' in column '\(column.shortened(to: 40))', expected "
      + expected
  }
}
