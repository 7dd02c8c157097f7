extension BadCase {
  static let records = quotes + ends + controls + counts + blanks + limits

  private static func bad(_ name: String, _ text: String, _ place: String) -> BadCase {
    .file("items.csv", name, text, "csv \(place)")
  }

  private static let quotes: [BadCase] = [
    bad("a quote never closed, first field", "id,name\n\"1,one\n", "2:1"),
    bad("a quote never closed, last field", "id,name\n1,\"one\n2,two\n", "2:3"),
    bad("a quote never closed in the header", "id,\"name\n1,one\n", "1:4"),
    bad("a quote alone at the end", "id,name\n1,one\n2,\"", "3:3"),
    bad("a quote that a doubled one leaves open", "id,name\n1,\"one\"\"\n", "2:3"),
    bad("three quotes and no more", "id,name\n1,\"\"\"", "2:3"),
    bad("an open quote behind a field of two lines", "id,name,note\n1,\"a\nb\",\"c\n", "3:4"),
    bad("an open quote after many lines", "id,name,note\n1,\"a\n\n\n\",\"x\n", "5:3"),
    bad("a letter behind a closing quote", "id,name\n1,\"one\"x\n", "2:8"),
    bad("a space behind a closing quote", "id,name\n1,\"one\" \n", "2:8"),
    bad("a tab behind a closing quote", "id,name\n\"1\"\t,one\n", "2:4"),
    bad("a quoted word behind a quoted word", "id,name\n1,\"one\" \"two\"\n", "2:8"),
    bad("text behind a quote in the header", "id,\"na\"me\n1,one\n", "1:8"),
    bad("text behind a quote that spans lines", "id,name\n1,\"a\nb\"c\n", "2:8"),
    bad("a quote inside a plain field", "id,name\n1,on\"e\n", "2:5"),
    bad("a quote behind a space", "id,name\n1, \"one\"\n", "2:4"),
    bad("a quote at a plain field's end", "id,name\n1,one\"\n", "2:6"),
    bad("inches", "id,name\n1,5\"\n", "2:4"),
    bad("a quote inside a plain name", "id,na\"me\n1,one\n", "1:6"),
    bad("escaping by a backslash", "id,name\n1,\"on\\\"e\"\n", "2:8"),
    bad("a second quoted field never closed", "id,name\n\"1\",\"one\n", "2:5"),
  ]

  private static let ends: [BadCase] = [
    bad("a bare carriage return", "id,name\n1,one\r2,two\n", "2:6"),
    bad("a carriage return at the very end", "id,name\n1,one\r", "2:6"),
    bad("two carriage returns", "id,name\n1,one\r\r\n", "2:6"),
    bad("only carriage returns, as old Macs wrote", "id,name\r1,one\r", "1:8"),
    bad("a carriage return inside a plain field", "id,name\n1,o\rne\n", "2:4"),
    bad("a carriage return behind a closing quote", "id,name\n1,\"one\"\rx\n", "2:8"),
    bad("LF and CR the wrong way round", "id,name\n\r1,one\n", "2:1"),
    bad("a carriage return behind a comma", "id,name\n1,\rone\n", "2:3"),
  ]

  private static let controls: [BadCase] = [
    bad("a NUL in a plain field", "id,name\n1,o\0e\n", "2:4"),
    bad("a NUL in quotes", "id,name\n1,\"o\0e\"\n", "2:5"),
    bad("a NUL as a whole field", "id,name\n1,\0\n", "2:3"),
    bad("a NUL behind a closing quote", "id,name\n1,\"one\"\0\n", "2:8"),
    bad("a NUL for a line end", "id,name\01,one\n", "1:8"),
    bad("a NUL at the end", "id,name\n1,one\n\0", "3:1"),
    bad("a NUL in the header", "id,na\0me\n1,one\n", "1:6"),
    bad("a NUL on the second line of a field", "id,name\n1,\"a\n\0\"\n", "2:6"),
  ]

  private static let counts: [BadCase] = [
    bad("one field too few", "id,name\n1\n", "2:2"),
    bad("one field too many", "id,name\n1,one,uno\n", "2:7"),
    bad("one empty field too many", "id,name\n1,one,\n", "2:7"),
    bad("one quoted field too many", "id,name\n1,one,\"\"\n", "2:7"),
    bad("many fields too many", "id,name\n1,one,,,,,\n", "2:7"),
    bad("a short record after good ones", "id,name\n1,one\n2,two\n3\n4,four\n", "4:2"),
    bad("a long record after a field of three lines", "id,name\n1,\"a\n\nb\"\n2,x,y\n", "5:5"),
    bad("a short record at the end, no line feed", "id,name,note\n1,one", "2:6"),
    bad("a short record with CRLF", "id,name,note\r\n1,one\r\n", "2:6"),
    bad("one field for a header of one that is quoted twice", "id\n1,\"2\"\n", "2:3"),
    bad("a decimal comma", "id,name,price\n1,one,1,5\n", "2:9"),
    bad("records by semicolons", "id,name\n1;one\n", "2:6"),
    bad("records by tabs", "id,name\n1\tone\n", "2:6"),
    bad("a comment", "id,name\n# nothing\n1,one\n", "2:10"),
    bad("a short record that spans lines", "id,name\n\"1\n2\"\n", "2:6"),
  ]

  private static let blanks: [BadCase] = [
    bad("a blank line in between", "id,name\n1,one\n\n2,two\n", "3:1"),
    bad("a blank line at the end", "id,name\n1,one\n\n", "3:1"),
    bad("a blank line behind the header", "id,name\n\n1,one\n", "2:1"),
    bad("a blank line with CRLF", "id,name\r\n1,one\r\n\r\n", "3:1"),
    bad("a blank line before the header", "\nid,name\n1,one\n", "1:1"),
    bad("a blank line with CRLF before the header", "\r\nid,name\n", "1:1"),
    bad("a file of one line feed", "\n", "1:1"), bad("a file of nothing", "", "1:1"),
    bad("a spreadsheet's empty row", "id,name,note\n1,one,x\n,,\n", "3:1"),
    bad("a spreadsheet's longer empty row", "id,name\n1,one\n,,,,\n", "3:1"),
    bad("a spreadsheet's shorter empty row", "id,name,note\n1,one,x\n,\n", "3:1"),
    bad("a spreadsheet's empty row, no line feed", "id,name\n1,one\n,", "3:1"),
    .file("exact.csv", "a blank line where one column is all", "id\n1\n\n2\n", "csv 3:1"),
  ]

  private static let limits: [BadCase] = [
    bad("a record of 16 MiB and a byte", "id,name\n1," + letters((16 << 20) - 2) + "\n", "2:1"),
    bad("a header of 16 MiB and a byte", "id," + letters((16 << 20) - 3) + "\n", "1:1"),
    bad("an open quote before 17 MiB", "id,name\n1,one\n2,\"" + letters(17 << 20), "3:1"),
    bad("4001 fields", "id,name\n" + String(repeating: "x,", count: 4000) + "x\n", "2:8001"),
    bad(
      "a header of 4001 fields", (0...4000).map { "c\($0)" }.joined(separator: ",") + "\n",
      "1:\((0..<4000).reduce(0) { $0 + "c\($1),".utf8.count } + 1)"),
  ]

  private static func letters(_ count: Int) -> String { String(repeating: "x", count: count) }
}
