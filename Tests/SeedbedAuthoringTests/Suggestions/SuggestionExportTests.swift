import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// What a device writes, and that the author's side reads exactly that.
struct SuggestionExportTests {
  private static func device(_ user: String) throws -> Workbench {
    let bench = try Workbench(SuggestionFileTests.files)
    _ = try bench.migrator().up()
    try bench.execute(user)
    return bench
  }

  private static func export(
    _ bench: Workbench, _ format: SuggestionExport.Format = .csv
  ) throws -> (text: String, result: SuggestionExport.Result) {
    let pieces = Pieces()
    let result = try SuggestionExport.write(
      nil, deletions: true, additions: true, of: bench.migrator(), as: format
    ) { pieces.all.append($0) }
    return (pieces.text, result)
  }

  private static let user = """
    UPDATE t SET name = '=1+1, "so"', b = x'ab', stamp = 'now', own = 'secret' WHERE id = 1;
    UPDATE t SET name = '', size = -2.5 WHERE id = 2;
    DELETE FROM t WHERE id = 3;
    INSERT INTO t (id, name, own) VALUES (9, '@nine', 'secret');
    """

  @Test func `values are as in row files, and no formula begins a field`() throws {
    let (text, result) = try Self.export(Self.device(Self.user))
    #expect(
      text == """
        kind,table,key,column,base,mine,version
        edit,t,"{""id"":1}",name,one,"'=1+1, ""so""\",1
        edit,t,"{""id"":1}",b,00ff,ab,1
        edit,t,"{""id"":2}",name,two,"",1
        edit,t,"{""id"":2}",size,,-2.5,1
        addition,t,"{""id"":9}",,,"{""id"":9,""name"":""@nine"",""size"":null,""b"":null}",1
        deletion,t,"{""id"":3}",,,,1

        """)
    #expect(result == .init(suggestions: 6, omitted: 0, unwritable: []))
  }

  @Test func `the author reads what was written, from either form`() throws {
    let bench = try Self.device(Self.user)
    for format in [SuggestionExport.Format.csv, .jsonLines] {
      let review = try SuggestionFileTests.review([Self.export(bench, format).text])
      #expect(review.refused == [])
      let list = try review.list()
      #expect(list.count == 6 && list.allSatisfy { $0.state == .open })
      let names = list.filter { $0.column == "name" }.compactMap(\.suggested.mine)
      #expect(Set(names) == ["=1+1, \"so\"", ""])
    }
    let both = try SuggestionFileTests.review([
      Self.export(bench, .csv).text, Self.export(bench, .jsonLines).text,
    ])
    #expect(try both.list().map(\.count) == [2, 2, 2, 2, 2, 2])
  }

  @Test func `a value that no row file can hold is left out and reported`() throws {
    let bench = try Self.device(
      "UPDATE t SET size = 'large', name = char(0) WHERE id = 1; UPDATE t SET size = 9 WHERE id = 2"
    )
    let (text, result) = try Self.export(bench)
    #expect(text.split(separator: "\n").count == 2 && text.contains(",size,,9.0,"))
    #expect(result.unwritable.map(\.column) == ["name", "size"])
    #expect(result.unwritable.map(\.key) == ["id=1", "id=1"])
  }
}
