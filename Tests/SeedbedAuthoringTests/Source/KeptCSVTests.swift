import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// A source CSV that is written again in its own order.
struct KeptCSVTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var old: String
    var new: String

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "one in another order, with every byte of its rows",
      old: "id,a,r\n3,\"three\",3.00\n1,one,1.0\n2,two,2e0\n",
      new: "id,a,r\n3,\"three\",3.00\n1,one,1.0\n2,two,2e0\n4,four,4.0\n"),
    Case(
      name: "one with its columns in another order", old: "R,A,id\n2.0,two,2\n1.0,one,1\n",
      new: "R,A,id\n2.0,two,2\n1.0,one,1\n3.0,three,3\n4.0,four,4\n"),
    Case(
      name: "rows that changed, that are gone and that are new",
      old: "id,a,r\n9,gone,\n4,four,4.0\n3,drei,3.0\n8,gone,\n1,one,1.0\n",
      new: "id,a,r\n4,four,4.0\n3,three,3.0\n1,one,1.0\n2,two,2.0\n"),
    Case(
      name: "lines that end in CRLF, and a mark at the start",
      old: "\u{FEFF}\"id\",\"a\",\"r\"\r\n\"4\",\"four\",\"4\"\r\n\"3\",\"x\",\"3\"\r\n",
      new: "\u{FEFF}\"id\",\"a\",\"r\"\r\n\"4\",\"four\",\"4\"\r\n3,three,3.0\r\n1,one,1.0\r\n"
        + "2,two,2.0\r\n"),
    Case(
      name: "a last line without an end", old: "id,a,r\n2,two,2\n1,one,1",
      new: "id,a,r\n2,two,2\n1,one,1\n3,three,3.0\n4,four,4.0\n"),
    Case(
      name: "a header alone", old: "id,a,r",
      new: "id,a,r\n1,one,1.0\n2,two,2.0\n3,three,3.0\n4,four,4.0\n"),
    Case(
      name: "fields with line breaks", old: "r,id,a\n4,4,\"fo\nur\"\n1,1,one\n",
      new: "r,id,a\n4.0,4,four\n1,1,one\n2.0,2,two\n3.0,3,three\n"),
    Case(
      name: "anew, what has other columns", old: "id,a\n2,two\n1,one\n",
      new: "id,a,r\n1,one,1.0\n2,two,2.0\n3,three,3.0\n4,four,4.0\n"),
    Case(
      name: "anew, what is no CSV of the table", old: "my notes\nare here\n",
      new: "id,a,r\n1,one,1.0\n2,two,2.0\n3,three,3.0\n4,four,4.0\n"),
    Case(
      name: "anew, what has a key twice", old: "id,a,r\n2,two,2\n2,two,2\n",
      new: "id,a,r\n1,one,1.0\n2,two,2.0\n3,three,3.0\n4,four,4.0\n"),
  ]

  @Test(arguments: cases)
  func `written is`(_ example: Case) throws {
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"t": {"source": "data/t.csv"}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, r REAL);",
      "0001_t/t.csv": "id,a,r\n1,one,1\n2,two,2\n3,three,3\n4,four,4\n",
      "data/t.csv": example.old,
    ])
    let pieces = Pieces()
    let rows = try TableExport.seedRows(
      of: "t", directory: bench.catalog, inPlaceOf: bench.catalog + "/data/t.csv"
    ) { pieces.all.append($0) }
    #expect(pieces.text == example.new)
    #expect(rows == 4)
    try bench.write(["data/t.csv": pieces.text])
    #expect(try bench.make().isUpToDate)
  }

  @Test func `a large file keeps its order, chunk by chunk`() throws {
    let rows = (1...20_000).map { "\($0),\"text \($0 * 7)\"\n" }
    let bench = try Workbench([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);",
      "0001_t/t.csv": "id,a\n" + rows.joined(),
      "t.csv": "id,a\n" + rows.reversed().joined(),
    ])
    let pieces = Pieces()
    _ = try TableExport.seedRows(
      of: "t", directory: bench.catalog, inPlaceOf: bench.catalog + "/t.csv"
    ) { pieces.all.append($0) }
    #expect(pieces.text == "id,a\n" + rows.reversed().joined())
    #expect(pieces.all.count > 4)
  }
}
