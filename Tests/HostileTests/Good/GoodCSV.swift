extension GoodCase {
  static let csv = lines + quoting + plain + letters + shapes

  private static let two = "1|one / 2|two"

  private static let lines: [GoodCase] = [
    items("LF", "id,name\n1,one\n2,two\n", expected: two),
    items("CRLF", "id,name\r\n1,one\r\n2,two\r\n", expected: two),
    items("LF and CRLF mixed", "id,name\r\n1,one\n2,two\r\n", expected: two),
    items("no line end at the end", "id,name\n1,one\n2,two", expected: two),
    items("a quoted field at the end", "id,name\n1,one\n2,\"two\"", expected: two),
    items("a byte order mark", "\u{FEFF}id,name\n1,one\n2,two\n", expected: two),
    items(
      "a byte order mark and a quoted name", "\u{FEFF}\"id\",name\n1,one\n2,two\n", expected: two),
    items("only a header", "id,name\n", expected: ""),
    items("only a header, without a line end", "id,name", expected: ""),
    items("only a header with CRLF", "id,name\r\n", expected: ""),
  ]

  private static func items(_ name: String, _ text: String, expected: String) -> GoodCase {
    items(name, text, "SELECT id, name FROM items WHERE id < 10", expected)
  }

  /// One field, and the text that it must become, in hexadecimal so that nothing is lost.
  private static func field(_ name: String, _ field: String, _ text: String) -> GoodCase {
    let digits = text.utf8.map { byte in
      let hex = String(byte, radix: 16, uppercase: true)
      return hex.count == 1 ? "0" + hex : hex
    }.joined()
    return items(name, "id,name\n1,\(field)\n", "SELECT hex(name) FROM items WHERE id = 1", digits)
  }

  private static let quoting: [GoodCase] = [
    field("a quoted field", "\"one\"", "one"), field("an empty text", "\"\"", ""),
    field("a comma", "\"a,b\"", "a,b"), field("a doubled quote", "\"a\"\"b\"", "a\"b"),
    field("only a quote", "\"\"\"\"", "\""), field("two quotes", "\"\"\"\"\"\"", "\"\""),
    field("a quote first", "\"\"\"a\"", "\"a"), field("a quote last", "\"a\"\"\"", "a\""),
    field("a line feed", "\"a\nb\"", "a\nb"), field("CRLF inside quotes", "\"a\r\nb\"", "a\r\nb"),
    field("a carriage return inside quotes", "\"a\rb\"", "a\rb"),
    field("only line feeds", "\"\n\n\"", "\n\n"), field("quoted blanks", "\"  a \"", "  a "),
    field("a quoted comma alone", "\",\"", ","),
    field("quotes and commas", "\"\"\",\"\",\"", "\",\","),
    field(
      "a hundred quotes", "\"" + String(repeating: "\"\"", count: 100) + "\"",
      String(repeating: "\"", count: 100)),
  ]

  private static let plain: [GoodCase] = [
    field("blanks around", "  one  ", "  one  "), field("a tab", "a\tb", "a\tb"),
    field("NULL as text", "NULL", "NULL"), field("null as text", "null", "null"),
    field("\\N as text", "\\N", "\\N"), field("a backslash", "a\\", "a\\"),
    field("a semicolon", "a;b", "a;b"), field("a single quote", "it's", "it's"),
    field("SQL", "'); DROP TABLE items; --", "'); DROP TABLE items; --"),
    field("a formula", "=1+1", "=1+1"), field("a hash", "#1", "#1"),
    field("a digit in text", "007", "007"),
    field("an escape character", "\u{1B}[31m", "\u{1B}[31m"),
    field("a bell", "\u{7}", "\u{7}"), field("a vertical tab", "\u{B}", "\u{B}"),
    field("DEL", "\u{7F}", "\u{7F}"), field("a blank", " ", " "),
  ]

  private static let letters: [GoodCase] = [
    field("an umlaut", "ä", "ä"), field("a letter and a combining mark", "a\u{308}", "a\u{308}"),
    field("the last letter of two bytes", "\u{7FF}", "\u{7FF}"),
    field("the first letter of three bytes", "\u{800}", "\u{800}"),
    field("the letter before the surrogates", "\u{D7FF}", "\u{D7FF}"),
    field("the letter behind the surrogates", "\u{E000}", "\u{E000}"),
    field("the last letter of three bytes", "\u{FFFF}", "\u{FFFF}"),
    field("the first letter of four bytes", "\u{10000}", "\u{10000}"),
    field("the last letter", "\u{10FFFF}", "\u{10FFFF}"), field("emoji", "👩‍🚀🇯🇵", "👩‍🚀🇯🇵"),
    field("the replacement character", "\u{FFFD}", "\u{FFFD}"),
    field("a byte order mark inside", "a\u{FEFF}b", "a\u{FEFF}b"),
    field("right to left", "\u{202E}abc", "\u{202E}abc"),
    field("a line separator", "\u{2028}", "\u{2028}"),
    field("next line", "\u{85}", "\u{85}"), field("a no-break space", "\u{A0}", "\u{A0}"),
  ]

  private static let shapes: [GoodCase] = [
    items("columns in another order", "name,id\none,1\n", expected: "1|one"),
    items("columns in another case", "ID,Name\n1,one\n", expected: "1|one"),
    items("quoted names", "\"id\",\"name\"\n1,one\n", expected: "1|one"),
    items(
      "NULL and empty text", "id,name,note,code\n1,one,,\"\"\n",
      "SELECT note IS NULL, code = '' FROM items WHERE id = 1", "1|1"),
    items(
      "a field of a MiB", "id,name\n1," + String(repeating: "x", count: 1 << 20) + "\n",
      "SELECT length(name) FROM items WHERE id = 1", "1048576"),
    items(
      "a record of 16 MiB", "id,name\n1," + String(repeating: "x", count: (16 << 20) - 3) + "\n",
      "SELECT length(name) FROM items WHERE id = 1", "\((16 << 20) - 3)"),
    items("rows backwards", "id,name\n2,two\n1,one\n", expected: two),
    items(
      "5000 rows", "id,name\n" + (1000..<6000).map { "\($0),n\($0)\n" }.joined(),
      "SELECT count(*), sum(name = 'n' || id) FROM items WHERE id >= 1000", "5000|5000"),
    GoodCase(
      "a table with an odd name",
      Bundle(
        file: "odd name.csv", Array("id,\"a,b\",\"say \"\"so\"\"\"\n1,x,y\n".utf8)),
      "SELECT * FROM \"odd name\"", "1|x|y"),
  ]
}
