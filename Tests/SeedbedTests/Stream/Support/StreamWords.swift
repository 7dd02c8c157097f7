/// The whole text of each error of the stream, as users read it.
enum StreamWords {
  static let empty =
    "The file is empty. Its first line must be the header: the names of the columns."
  static let blankHeader =
    "The first line is blank. It must be the header: the names of the columns, separated by commas."
  static let utf16 = "This looks like UTF-16. Save the file as UTF-8."
  static let isGzip = "The content is gzip, but the name does not end in .gz. Add that to the name."
  static let nul =
    "Found a NUL byte. Text cannot hold one: remove it, or ship the column as a BLOB."
  static let bareCR =
    "Found a carriage return without a line feed. Lines end in LF or CRLF; inside a field "
    + "put it in quotes."
  static let blankLine =
    "Found a blank line. Remove it; a row of one NULL field cannot be written."
  static let emptyRow =
    "Every field of this record is empty: a row that a spreadsheet left behind. Remove it."
  static let afterQuote =
    "Text follows a closing quote. Quote the whole field, and double each quote inside it: \"\"."
  static let quoteInside =
    "Found a quote inside an unquoted field. Quote the whole field, and double each quote inside "
    + "it: \"\"."
  static let unterminated = "The quote that opens here is never closed."
  static let noName = "The header has a column without a name."

  static func encoding(_ byte: String) -> String {
    "Found the byte 0x\(byte), which is not UTF-8 here. A file saved as Latin-1 or Windows-1252 "
      + "looks like this: save it as UTF-8."
  }

  static func fields(_ found: String, _ expected: Int) -> String {
    "found \(found), expected \(expected). Every record needs a value, even an empty one, for each "
      + "header column."
  }

  static func delimiter(_ name: String) -> String {
    "The header looks separated by \(name). Separate fields by commas."
  }

  static func twice(_ name: String) -> String { "The header names the column '\(name)' twice." }

  static func integer(_ found: String) -> String {
    "found '\(found)' in column 'n', expected a whole number such as -12, within 64 bits and "
      + "without leading zeros."
  }

  static func real(_ found: String) -> String {
    "found '\(found)' in column 'n', expected a decimal number such as 12.5 or 1.2e-3 that a "
      + "64-bit float can hold."
  }

  static func boolean(_ found: String) -> String {
    "found '\(found)' in column 'n', expected 0 or 1."
  }

  static func number(_ found: String) -> String {
    "found '\(found)' in column 'n', expected a number that SQLite stores without loss. To keep "
      + "leading zeros or more digits, declare the column TEXT."
  }

  static func numberOrText(_ found: String) -> String {
    "found '\(found)' in column 'n', expected text, or a number that SQLite keeps as it is "
      + "written. The column's type would make SQLite change the value: declare the column "
      + "TEXT."
  }

  static func base64(_ found: String) -> String {
    "found '\(found)' in column 'n', expected base64, with its padding."
  }

  static func hex(_ found: String) -> String {
    "found '\(found)' in column 'n', expected hexadecimal digits, two for each byte."
  }
}
