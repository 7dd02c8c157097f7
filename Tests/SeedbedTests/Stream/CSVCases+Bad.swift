extension CSVCase {
  static let refused =
    lineEnds + strayQuotes + fieldCounts + badHeaders + badBytes + badFields + firstErrors

  private static let lineEnds: [CSVCase] = [
    .bad("a bare CR", "a\nx\ry\n", "2:2", StreamWords.bareCR),
    .bad("a bare CR at the end of the file", "a\nx\r", "2:2", StreamWords.bareCR),
    .bad("a bare CR after a quoted field", "a\n\"x\"\ry\n", "2:4", StreamWords.bareCR),
    .bad("a bare CR in the header", "a\rb\n", "1:2", StreamWords.bareCR),
    .bad("a bare CR alone on a line", "a\nx\n\ry\n", "3:1", StreamWords.bareCR),
    .bad("CR CR LF", "a\nx\r\r\n", "2:2", StreamWords.bareCR),
    .bad("a file of old Mac lines", "a,b\r1,2\r", "1:4", StreamWords.bareCR),
    .bad("a blank line", "a,b\n1,2\n\n3,4\n", "3:1", StreamWords.blankLine),
    .bad("a blank line with CRLF", "a,b\r\n1,2\r\n\r\n", "3:1", StreamWords.blankLine),
    .bad("a blank line at the end", "a,b\n1,2\n\n", "3:1", StreamWords.blankLine),
    .bad("a blank line after the header", "a\n\n", "2:1", StreamWords.blankLine),
    .bad(
      "a blank line after a field of many lines", "a\n\"x\ny\nz\"\n\n", "5:1",
      StreamWords.blankLine),
  ]

  private static let strayQuotes: [CSVCase] = [
    .bad("text after a closing quote", "a,b\n\"abc\"d,e\n", "2:6", StreamWords.afterQuote),
    .bad("a space after a closing quote", "a,b\n\"abc\" ,e\n", "2:6", StreamWords.afterQuote),
    .bad("text after an escaped quote's field", "a\n\"a\"\"b\"c\n", "2:7", StreamWords.afterQuote),
    .bad("text after the empty string", "a\n\"\"x\n", "2:3", StreamWords.afterQuote),
    .bad("a tab after a closing quote", "a\n\"x\"\t\n", "2:4", StreamWords.afterQuote),
    .bad(
      "text after a quote that closes on another line", "a,b\n1,\"x\ny\"z\n", "2:8",
      StreamWords.afterQuote),
    .bad("a quote inside an unquoted field", "a,b\nab\"c,d\n", "2:3", StreamWords.quoteInside),
    .bad("a quote at the end of an unquoted field", "a\nabc\"\n", "2:4", StreamWords.quoteInside),
    .bad("a space before an opening quote", "a,b\n1, \"2\"\n", "2:4", StreamWords.quoteInside),
    .bad("inches", "a,b\n1,27\" screen\n", "2:5", StreamWords.quoteInside),
    .bad("a quote inside a name", "a\"b,c\n1,2\n", "1:2", StreamWords.quoteInside),
    .bad("an unterminated quote", "a,b\n1,\"2\n", "2:3", StreamWords.unterminated),
    .bad("an unterminated quote at the very end", "a,b\n1,\"", "2:3", StreamWords.unterminated),
    .bad(
      "an unterminated quote lines later", "a,b\n1,2\n3,\"4\n5\n6\n", "3:3",
      StreamWords.unterminated),
    .bad(
      "an unterminated quote in a record of many lines", "a,b\n\"1\n2\",\"3\n4\n", "3:4",
      StreamWords.unterminated),
    .bad(
      "an unterminated quote that ends with an escaped one", "a\n\"x\"\"", "2:1",
      StreamWords.unterminated),
    .bad("an unterminated quote in the header", "a,\"b\n1,2\n", "1:3", StreamWords.unterminated),
  ]

  private static let fieldCounts: [CSVCase] = [
    .bad("too few fields", "a,b,c\n1,2\n", "2:4", StreamWords.fields("2 fields", 3)),
    .bad(
      "too few fields before CRLF", "a,b,c\r\n1,2\r\n", "2:4",
      StreamWords.fields("2 fields", 3)),
    .bad(
      "too few fields at the end of the file", "a,b,c\n1,2", "2:4",
      StreamWords.fields("2 fields", 3)),
    .bad("one field of two", "a,b\n1\n", "2:2", StreamWords.fields("1 field", 2)),
    .bad(
      "too few fields, the last one quoted", "a,b\n\"1\"\n", "2:4",
      StreamWords.fields("1 field", 2)),
    .bad("too many fields", "a,b\n1,2,3\n", "2:5", StreamWords.fields("3 fields", 2)),
    .bad(
      "too many fields, the surplus one quoted", "a,b\n1,2,\"3\"\n", "2:5",
      StreamWords.fields("3 fields", 2)),
    .bad(
      "too many fields, the surplus ones empty", "a,b\n1,2,,\n", "2:5",
      StreamWords.fields("4 fields", 2)),
    .bad("a comma too many", "a\n1,\n", "2:3", StreamWords.fields("2 fields", 1)),
    .bad(
      "too few fields after a field of many lines", "a,b\n\"1\n2\"\n", "2:6",
      StreamWords.fields("1 field", 2)),
    .bad(
      "a field too many on the third line", "a,b\n1,2\n1,2,3\n", "3:5",
      StreamWords.fields("3 fields", 2)),
    .bad("an empty row of a spreadsheet", "a,b,c\n1,2,3\n,,\n", "3:1", StreamWords.emptyRow),
    .bad("an empty row of a spreadsheet, too short", "a,b,c\n,\n", "2:1", StreamWords.emptyRow),
    .bad("an empty row of a spreadsheet, too long", "a,b\n,,,\r\n", "2:1", StreamWords.emptyRow),
    .bad("an empty row at the end of the file", "a,b\n1,2\n,", "3:1", StreamWords.emptyRow),
  ]

  private static let badHeaders: [CSVCase] = [
    .bad("an empty file", "", "1:1", StreamWords.empty),
    .bad("only a byte order mark", "\u{FEFF}", "1:1", StreamWords.empty),
    .bad("a blank first line", "\na,b\n1,2\n", "1:1", StreamWords.blankHeader),
    .bad("a blank first line with CRLF", "\r\na\r\n", "1:1", StreamWords.blankHeader),
    .bad("only a newline", "\n", "1:1", StreamWords.blankHeader),
    .bad("a name that is missing", "a,,c\n1,2,3\n", "1:3", StreamWords.noName),
    .bad("a last name that is missing", "a,\n1,2\n", "1:3", StreamWords.noName),
    .bad("a name that is the empty string", "a,\"\"\n1,2\n", "1:3", StreamWords.noName),
    .bad("a header of commas", ",,\n1,2,3\n", "1:1", StreamWords.noName),
    .bad("a name twice", "a,b,a\n1,2,3\n", "1:5", StreamWords.twice("a")),
    .bad("a name twice in other case", "Name,nAME\n1,2\n", "1:6", StreamWords.twice("nAME")),
    .bad("a quoted name twice", "a,\"a\"\n1,2\n", "1:3", StreamWords.twice("a")),
    .bad(
      "a long name twice",
      "\(String(repeating: "x", count: 50)),\(String(repeating: "x", count: 50))\n",
      "1:52", StreamWords.twice(String(repeating: "x", count: 39) + "…")),
    .bad("semicolons", "a;b;c\n1;2;3\n", "1:1", StreamWords.delimiter("semicolons")),
    .bad(
      "a spreadsheet's line about its separator", "sep=;\na;b\n", "1:1",
      StreamWords.delimiter("semicolons")),
    .bad("tabs", "a\tb\n1\t2\n", "1:1", StreamWords.delimiter("tabs")),
    .bad("vertical bars", "a|b\n1|2\n", "1:1", StreamWords.delimiter("vertical bars")),
    .bad(
      "semicolons after a byte order mark", "\u{FEFF}a;b\n", "1:1",
      StreamWords.delimiter("semicolons")),
  ]

  private static let badBytes: [CSVCase] = [
    .bad(
      "UTF-16, little end first, marked", bytes: [0xFF, 0xFE, 0x61, 0, 0x0A, 0], "1:1",
      StreamWords.utf16),
    .bad(
      "UTF-16, big end first, marked", bytes: [0xFE, 0xFF, 0, 0x61, 0, 0x0A], "1:1",
      StreamWords.utf16),
    .bad("UTF-16, little end first", bytes: [0x61, 0, 0x0A, 0], "1:1", StreamWords.utf16),
    .bad("UTF-16, big end first", bytes: [0, 0x61, 0, 0x0A], "1:1", StreamWords.utf16),
    .bad("gzip without .gz", bytes: [0x1F, 0x8B, 8, 0], "1:1", StreamWords.isGzip),
    .bad("NUL in a field", "a,b\n1,x\0y\n", "2:4", StreamWords.nul),
    .bad("NUL inside quotes", "a\n\"x\0\"\n", "2:3", StreamWords.nul),
    .bad("NUL after a closing quote", "a\n\"x\"\0\n", "2:4", StreamWords.nul),
    .bad("NUL on a later line of a field", "a,b\n1,\"x\ny\0\"\n", "2:7", StreamWords.nul),
    .bad("NUL in the header", "ab\0\n", "1:3", StreamWords.nul),
    .bad("NUL at the end of the file", "a\nx\n\0", "3:1", StreamWords.nul),
    .bad(
      "Latin-1", bytes: Array("a,b\n1,caf".utf8) + [0xE9, 0x0A], "2:6",
      StreamWords.encoding("E9")),
    .bad(
      "Latin-1 in the header", bytes: [0x61, 0xE4, 0x2C, 0x62, 0x0A], "1:2",
      StreamWords.encoding("E4")),
    .bad(
      "Latin-1 inside quotes", bytes: Array("a\n\"".utf8) + [0xFC] + Array("ber\"\n".utf8), "2:2",
      StreamWords.encoding("FC")),
    .bad(
      "a byte that continues nothing", bytes: [0x61, 0x0A, 0x80, 0x0A], "2:1",
      StreamWords.encoding("80")),
    .bad(
      "an overlong slash", bytes: [0x61, 0x0A, 0xC0, 0xAF, 0x0A], "2:1",
      StreamWords.encoding("C0")),
    .bad(
      "an overlong form of three bytes", bytes: [0x61, 0x0A, 0xE0, 0x80, 0xAF, 0x0A], "2:1",
      StreamWords.encoding("E0")),
    .bad(
      "an overlong form of four bytes", bytes: [0x61, 0x0A, 0xF0, 0x80, 0x80, 0xAF, 0x0A], "2:1",
      StreamWords.encoding("F0")),
    .bad(
      "a surrogate", bytes: [0x61, 0x0A, 0x78, 0xED, 0xA0, 0x80, 0x0A], "2:2",
      StreamWords.encoding("ED")),
    .bad(
      "above U+10FFFF", bytes: [0x61, 0x0A, 0xF4, 0x90, 0x80, 0x80, 0x0A], "2:1",
      StreamWords.encoding("F4")),
    .bad(
      "a byte that is never UTF-8", bytes: [0x61, 0x0A, 0x78, 0xFF, 0x0A], "2:2",
      StreamWords.encoding("FF")),
    .bad(
      "a sequence cut off by the end", bytes: [0x61, 0x0A, 0xE2, 0x82], "2:1",
      StreamWords.encoding("E2")),
    .bad(
      "a sequence cut off by a comma",
      bytes: [0x61, 0x2C, 0x62, 0x0A, 0xE2, 0x82, 0x2C, 0x31, 0x0A],
      "2:1", StreamWords.encoding("E2")),
    .bad(
      "a bad byte on the second line of a field",
      bytes: Array("a,b\n1,\"x\ny".utf8) + [0xE9] + Array("\"\n".utf8), "2:7",
      StreamWords.encoding("E9")),
  ]

  private static let badFields: [CSVCase] = [
    .bad(
      "text for a whole number", "b,n\nx,abc\n", "2:3", StreamWords.integer("abc"),
      types: "TEXT,INTEGER"),
    .bad(
      "a quoted text for a whole number", "b,n\nx,\"abc\"\n", "2:3", StreamWords.integer("abc"),
      types: "TEXT,INTEGER"),
    .bad(
      "the empty string for a whole number", "n\n\"\"\n", "2:1", StreamWords.integer(""),
      types: "INTEGER"),
    .bad("leading zeros", "n\n1\n007\n", "3:1", StreamWords.integer("007"), types: "INTEGER"),
    .bad(
      "an escaped quote in a number", "n\n\"1\"\"2\"\n", "2:1", StreamWords.integer("1\"2"),
      types: "INTEGER"),
    .bad("text for a real", "n\n1.5x\n", "2:1", StreamWords.real("1.5x"), types: "REAL"),
    .bad("two for a boolean", "n\n2\n", "2:1", StreamWords.boolean("2"), types: "BOOLEAN"),
    .bad(
      "a zip code for a number", "n\n01234\n", "2:1", StreamWords.number("01234"),
      types: "NUMERIC"),
    .bad(
      "a version number for a date", "n\n1.10\n", "2:1", StreamWords.numberOrText("1.10"),
      types: "DATE"),
    .bad(
      "base64 without its padding", "n\nAA\n", "2:1", StreamWords.base64("AA"),
      types: "BLOB base64"),
    .bad(
      "base64 that goes wrong late is shown as it was", "n\nAAECAAEC!AEC\n", "2:1",
      StreamWords.base64("AAECAAEC!AEC"), types: "BLOB base64"),
    .bad("hexadecimal of odd length", "n\nabc\n", "2:1", StreamWords.hex("abc"), types: "BLOB hex"),
    .bad(
      "hexadecimal that goes wrong late is shown as it was", "n\n0102030g\n", "2:1",
      StreamWords.hex("0102030g"), types: "BLOB hex"),
    .bad(
      "a long field is cut", "n\n\(String(repeating: "9", count: 41))\n", "2:1",
      StreamWords.integer(String(repeating: "9", count: 39) + "…"), types: "INTEGER"),
    .bad(
      "a field of forty characters is whole", "n\n\(String(repeating: "9", count: 40))\n", "2:1",
      StreamWords.integer(String(repeating: "9", count: 40)), types: "INTEGER"),
    .bad(
      "line breaks in a field are shown as spaces", "n\n\"1\n2\r\n3\"\n", "2:1",
      StreamWords.integer("1 2 3"), types: "INTEGER"),
    .bad(
      "a field after one of many lines", "b,n\n\"x\ny\",z\n", "2:7", StreamWords.integer("z"),
      types: "TEXT,INTEGER"),
  ]

  /// However the file is cut, the first error in it is the one that is told.
  private static let firstErrors: [CSVCase] = [
    .bad(
      "a bad field before a stray quote", "n\nx\n1\"\n", "2:1", StreamWords.integer("x"),
      types: "INTEGER"),
    .bad(
      "a bad field before a short record", "n,b\nx,1\n1\n", "2:1", StreamWords.integer("x"),
      types: "INTEGER,TEXT"),
    .bad(
      "a bad byte before a stray quote",
      bytes: [0x61, 0x0A, 0xE9, 0x0A] + Array("1\"\n".utf8), "2:1", StreamWords.encoding("E9")),
    .bad(
      "a bad field before a bad byte", bytes: Array("n\nx\n".utf8) + [0xE9, 0x0A], "2:1",
      StreamWords.integer("x"), types: "INTEGER"),
    .bad(
      "a bad byte before a bad field",
      bytes: Array("b,n\n".utf8) + [0xE9] + Array(",1\nx,y\n".utf8),
      "2:1", StreamWords.encoding("E9"), types: "TEXT,INTEGER"),
    .bad(
      "a bad last column before a bad first column", "b,n\n1,x\ny,2\n", "2:3",
      StreamWords.integer("x"), types: "INTEGER,INTEGER"),
    .bad(
      "two bad fields in one record", "n,b\nx,y\n", "2:1", StreamWords.integer("x"),
      types: "INTEGER,INTEGER"),
    .bad(
      "a bad field before an unterminated quote", "n,b\nx,1\n2,\"\n", "2:1",
      StreamWords.integer("x"), types: "INTEGER,TEXT"),
    .bad(
      "a stray quote before a bad field in the same record", "n,b\nx,1\"\n", "2:4",
      StreamWords.quoteInside, types: "INTEGER,TEXT"),
  ]
}
