import Testing

/// One short file and what comes of it.
struct CSVCase: Sendable, CustomTestStringConvertible {
  var name: String
  var content: [UInt8]
  var types: [String]?
  /// The records, or one line with the error.
  var expected: [String]

  var testDescription: String { name }

  static func good(
    _ name: String, _ content: String, _ rows: [String], types: String? = nil
  ) -> CSVCase {
    CSVCase(
      name: name, content: Array(content.utf8),
      types: types?.split(separator: ",").map(String.init), expected: rows)
  }

  /// `place` is the line and the column.
  static func bad(
    _ name: String, _ content: String, _ place: String, _ words: String, types: String? = nil
  ) -> CSVCase {
    bad(name, bytes: Array(content.utf8), place, words, types: types)
  }

  static func bad(
    _ name: String, bytes: [UInt8], _ place: String, _ words: String, types: String? = nil
  ) -> CSVCase {
    CSVCase(
      name: name, content: bytes, types: types?.split(separator: ",").map(String.init),
      expected: ["csv t.csv:\(place): \(words)"])
  }

  static let accepted =
    recordsAndLines + quotes + nulls + headers + characters + typed

  private static let recordsAndLines: [CSVCase] = [
    .good("one record", "a,b\n1,2\n", ["'1' '2'"]),
    .good("records end in LF", "a\nx\ny\n", ["'x'", "'y'"]),
    .good("records end in CRLF", "a\r\nx\r\ny\r\n", ["'x'", "'y'"]),
    .good("LF and CRLF mixed", "a\r\nx\ny\r\nz\n", ["'x'", "'y'", "'z'"]),
    .good("no newline at the end", "a,b\n1,2", ["'1' '2'"]),
    .good("no newline after a quoted field", "a\n\"x\"", ["'x'"]),
    .good("CRLF after a quoted field", "a,b\r\n\"1\",\"2\"\r\n", ["'1' '2'"]),
    .good("only a header", "a,b\n", []),
    .good("only a header, without a newline", "a,b", []),
    .good("only a header, with CRLF", "a,b\r\n", []),
    .good("a header of one character", "a", []),
    .good("one column", "a\n1\n2\n3\n", ["'1'", "'2'", "'3'"]),
    .good("a field longer than eight bytes", "a\nabcdefghijklmnopq\n", ["'abcdefghijklmnopq'"]),
    .good(
      "fields of seven, eight and nine bytes", "a,b,c\n1234567,12345678,123456789\n",
      ["'1234567' '12345678' '123456789'"]),
    .good(
      "nine columns", "a,b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,8,9\n",
      ["'1' '2' '3' '4' '5' '6' '7' '8' '9'"]),
    .good(
      "records of very different length",
      "a,b\n1,2\n\(String(repeating: "x", count: 200)),3\n4,5\n",
      ["'1' '2'", "'\(String(repeating: "x", count: 200))' '3'", "'4' '5'"]),
    .good(
      "a chunk of exactly 64 bytes",
      "a\n\(String(repeating: "x", count: 62))\(String(repeating: "y", count: 63))\nz\n",
      ["'\(String(repeating: "x", count: 62))\(String(repeating: "y", count: 63))'", "'z'"]),
  ]

  private static let quotes: [CSVCase] = [
    .good("a quoted field", "a\n\"x\"\n", ["'x'"]),
    .good("a comma inside quotes", "a,b\n\"1,2\",3\n", ["'1,2' '3'"]),
    .good("a line feed inside quotes", "a,b\n\"1\n2\",3\n", ["'1\n2' '3'"]),
    .good("a CRLF inside quotes is kept", "a\n\"1\r\n2\"\n", ["'1\r\n2'"]),
    .good("a bare CR inside quotes is kept", "a\n\"1\r2\"\n", ["'1\r2'"]),
    .good("line feeds alone inside quotes", "a\n\"\n\n\n\"\n", ["'\n\n\n'"]),
    .good("an escaped quote", "a\n\"1\"\"2\"\n", ["'1\"2'"]),
    .good("only an escaped quote", "a\n\"\"\"\"\n", ["'\"'"]),
    .good("two escaped quotes side by side", "a\n\"\"\"\"\"\"\n", ["'\"\"'"]),
    .good("an escaped quote at the start", "a\n\"\"\"x\"\n", ["'\"x'"]),
    .good("an escaped quote at the end", "a\n\"x\"\"\"\n", ["'x\"'"]),
    .good("an escaped quote, no newline at the end", "a\n\"x\"\"\"", ["'x\"'"]),
    .good("escaped quotes before a comma", "a,b\n\"x\"\"\",\"\"\"y\"\n", ["'x\"' '\"y'"]),
    .good("a quoted comma and an escaped quote", "a\n\",\"\",\"\n", ["',\",'"]),
    .good(
      "many escaped quotes", "a\n\"\(String(repeating: "\"\"", count: 40))\"\n",
      ["'\(String(repeating: "\"", count: 40))'"]),
    .good(
      "a long quoted field", "a\n\"\(String(repeating: "x", count: 100))\"\n",
      ["'\(String(repeating: "x", count: 100))'"]),
    .good("quoted and plain fields in turn", "a,b,c,d\n\"1\",2,\"3\",4\n", ["'1' '2' '3' '4'"]),
    .good("every field quoted", "\"a\",\"b\"\n\"1\",\"2\"\n", ["'1' '2'"]),
    .good("spaces are kept inside quotes", "a\n\"  x  \"\n", ["'  x  '"]),
    .good("a whole record of line feeds and quotes", "a,b\n\"\n\"\"\n\",\"\"\n", ["'\n\"\n' ''"]),
  ]

  private static let nulls: [CSVCase] = [
    .good("an unquoted empty field is NULL", "a,b\n1,\n", ["'1' NULL"]),
    .good("a quoted empty field is the empty string", "a,b\n1,\"\"\n", ["'1' ''"]),
    .good("one column, the empty string", "a\n\"\"\n", ["''"]),
    .good("the empty string, no newline at the end", "a\n\"\"", ["''"]),
    .good("NULL first", "a,b\n,1\n", ["NULL '1'"]),
    .good("NULL in the middle", "a,b,c\n1,,3\n", ["'1' NULL '3'"]),
    .good("NULL last before CRLF", "a,b\r\n1,\r\n", ["'1' NULL"]),
    .good("NULL last at the end of the file", "a,b\n1,", ["'1' NULL"]),
    .good("all fields but the last are NULL", "a,b,c\n,,3\n", ["NULL NULL '3'"]),
    .good("empty strings only", "a,b\n\"\",\"\"\n", ["'' ''"]),
    .good("NULL and the empty string", "a,b\n,\"\"\n", ["NULL ''"]),
    .good(
      "the words for NULL are text", "a,b,c,d\nNULL,null,\\N,NaN\n",
      ["'NULL' 'null' '\\N' 'NaN'"]),
    .good("a backslash is no escape", "a,b\n\\,\\n\n", ["'\\' '\\n'"]),
    .good("NULL in a number column", "n,b\n,x\n", ["NULL 'x'"], types: "INTEGER,TEXT"),
  ]

  private static let headers: [CSVCase] = [
    .good("a byte order mark", "\u{FEFF}a,b\n1,2\n", ["'1' '2'"]),
    .good("a byte order mark before a quoted header", "\u{FEFF}\"a\",b\n1,2\n", ["'1' '2'"]),
    .good("a byte order mark and only a header", "\u{FEFF}a", []),
    .good("a byte order mark inside the file is text", "a\n\u{FEFF}x\n", ["'\u{FEFF}x'"]),
    .good("a comma in a quoted header", "\"a,b\",c\n1,2\n", ["'1' '2'"]),
    .good("a line feed in a quoted header", "\"a\nb\",c\n1,2\n", ["'1' '2'"]),
    .good("a quote in a header", "\"a\"\"b\"\n1\n", ["'1'"]),
    .good("a semicolon in a quoted header", "\"a;b\"\n1\n", ["'1'"]),
    .good("a semicolon in one name of several", "a;b,c\n1,2\n", ["'1' '2'"]),
    .good("names that only other alphabets fold", "ä,Ä\n1,2\n", ["'1' '2'"]),
    .good("spaces in names are part of them", "a, a\n1,2\n", ["'1' '2'"]),
    .good(
      "a header of a hundred names",
      (0..<100).map { "c\($0)" }.joined(separator: ",") + "\n"
        + (0..<100).map(String.init).joined(separator: ",") + "\n",
      [(0..<100).map { "'\($0)'" }.joined(separator: " ")]),
  ]

  private static let characters: [CSVCase] = [
    .good("two, three and four bytes", "a\nä€😀\n", ["'ä€😀'"]),
    .good(
      "text of many bytes a character", "a,b\nΔοκιμή,試験試験試験\n",
      ["'Δοκιμή' '試験試験試験'"]),
    .good("the last character of Unicode", "a\n\u{10FFFF}\n", ["'\u{10FFFF}'"]),
    .good("the characters beside the surrogates", "a\n\u{D7FF}\u{E000}\n", ["'\u{D7FF}\u{E000}'"]),
    .good("a noncharacter is a character", "a\n\u{FFFE}\n", ["'\u{FFFE}'"]),
    .good("tabs are text", "a\n\tx\ty\t\n", ["'\tx\ty\t'"]),
    .good(
      "other control characters are text", "a\n\u{1}\u{B}\u{C}\u{1F}\u{7F}\n",
      ["'\u{1}\u{B}\u{C}\u{1F}\u{7F}'"]),
    .good("a tab just before a comma", "a,b\n1\t,2\n", ["'1\t' '2'"]),
    .good("control characters inside quotes", "a\n\"\t\u{1}\n\t\"\n", ["'\t\u{1}\n\t'"]),
    .good("spaces are not trimmed", "a,b\n x , y \n", ["' x ' ' y '"]),
    .good("only spaces", "a,b\n , \n", ["' ' ' '"]),
    .good("characters beside the comma and the quote", "a\n!#$%&'()*+-./\n", ["'!#$%&'()*+-./'"]),
    .good("what other dialects mean something by", "a\n#x;'y'|z\n", ["'#x;'y'|z'"]),
    .good("a separator line of Unicode is text", "a\n1\u{2028}2\u{85}3\n", ["'1\u{2028}2\u{85}3'"]),
  ]

  private static let typed: [CSVCase] = [
    .good("whole numbers", "n\n0\n-1\n42\n", ["0", "-1", "42"], types: "INTEGER"),
    .good("a quoted number is the same number", "n\n\"42\"\n", ["42"], types: "INTEGER"),
    .good("reals", "n\n1\n-2.5\n1e3\n.5\n", ["1.0", "-2.5", "1000.0", "0.5"], types: "REAL"),
    .good("booleans", "n\n0\n1\n", ["0", "1"], types: "BOOLEAN"),
    .good("decimals", "n\n1.50\n-3\n", ["1.5", "-3"], types: "DECIMAL"),
    .good("dates", "n\n2026-11-20\n", ["'2026-11-20'"], types: "DATE"),
    .good("hexadecimal bytes", "n\n00ff\n\"\"\n", ["x'00ff'", "x''"], types: "BLOB hex"),
    .good("base64", "n\nAAEC\n/w==\n\"\"\n", ["x'000102'", "x'ff'", "x''"], types: "BLOB base64"),
    .good(
      "a column of each kind", "i,t,r,b\n7,x,0.25,1\n,,,0\n",
      ["7 'x' 0.25 1", "NULL NULL NULL 0"], types: "INT,TEXT,DOUBLE,BOOL"),
  ]
}
