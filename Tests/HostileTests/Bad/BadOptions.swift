extension BadCase {
  static let options = (unknown + types + values_ + misplaced).map(\.beforeTheRun) + schema

  /// The place is where the marker stands, which is not a part of the text.
  private static func bad(_ text: String, in file: String = "catalog.json") -> BadCase {
    let parts = text.split(separator: "▸", omittingEmptySubsequences: false)
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    let place = "\(lines.count):\((lines.last?.utf8.count ?? 0) + 1)"
    return BadCase(
      name: "\(file): \(text)",
      bundle: Bundle([
        file: parts.joined(), "0001_case/items.csv": "id,name\n1,one\n",
      ]), expected: "catalog \(file):\(place)")
  }

  /// The same as an option of the table `items`.
  private static func table(_ text: String) -> BadCase {
    bad("{\"tables\": {\"items\": {\(text)}}}")
  }

  private static let unknown: [BadCase] = [
    bad(#"{▸"verfy": "fail"}"#), bad(#"{▸"Verify": "fail"}"#), bad(#"{▸"": 1}"#),
    bad(#"{▸"table": {}}"#), bad(#"{▸"$schema": "x"}"#), bad(#"{▸"version": 1}"#),
    bad("{\n  \"verify\": \"warn\",\n  ▸\"strict\": true\n}"), bad("{▸\"ver\\u0066y\": 1}"),
    table(#"▸"keys": ["id"]"#), table(#"▸"onedited": "fail""#), table(#"▸"on_taken": "fail""#),
    table(#"▸"blob": {}"#), table(#"▸"reserved": 5"#), table(#"▸"ignored": []"#),
    table(#""key": ["id"], ▸"reference": {}"#), table(#"▸"verify": "warn""#),
    bad(#"{▸"verify ": "fail"}"#, in: "0001_case/migration.json"),
    bad(#"{▸"foreignkeys": "off"}"#, in: "0001_case/migration.json"),
    bad(#"{▸"withdraw": true}"#, in: "0001_case/migration.json"),
    bad(#"{"description": "x", ▸"author": "y"}"#, in: "0001_case/migration.json"),
  ]

  private static let types: [BadCase] = [
    bad("▸[]"), bad("▸\"tables\""), bad("▸null"), bad("▸true"), bad("▸42"), bad("▸-0.5e-3"),
    bad(#"{"tables": ▸[]}"#), bad(#"{"tables": ▸null}"#), bad(#"{"tables": ▸"items"}"#),
    bad(#"{"tables": {"items": ▸[]}}"#), bad(#"{"tables": {"items": ▸null}}"#),
    bad(#"{"tables": {"items": ▸"id"}}"#), bad(#"{"verify": ▸true}"#), bad(#"{"verify": ▸null}"#),
    bad(#"{"verify": ▸["fail"]}"#), table(#""key": ▸"id""#), table(#""key": ▸{"id": 1}"#),
    table(#""key": [▸1]"#), table(#""key": ["id", ▸null]"#), table(#""key": [▸["id"]]"#),
    table(#""source": ▸["a.csv"]"#), table(#""onEdited": ▸1"#), table(#""onTaken": ▸null"#),
    table(#""reserve": ▸"1000000""#), table(#""reserve": ▸true"#), table(#""blobs": ▸["data"]"#),
    table(#""blobs": {"data": ▸true}"#), table(#""ignore": ▸"note""#), table(#""ignore": [▸0]"#),
    table(#""references": ▸["parts"]"#), table(#""references": {"parts": ▸"item"}"#),
    table(#""references": {"parts": [▸1]}"#), table(#""references": {"parts": [["item"], ▸"x"]}"#),
    table(#""disposable": ▸true"#), table(#""disposable": [▸{}]"#), table(#""identity": ▸"name""#),
    table(#""identity": [▸false]"#),
    bad(#"{"description": ▸5}"#, in: "0001_case/migration.json"),
    bad(#"{"withdrawn": ▸"yes"}"#, in: "0001_case/migration.json"),
    bad(#"{"withdrawn": ▸1}"#, in: "0001_case/migration.json"),
    bad(#"{"foreignKeys": ▸false}"#, in: "0001_case/migration.json"),
  ]

  private static let values_: [BadCase] = [
    bad(#"{"verify": ▸"Fail"}"#), bad(#"{"verify": ▸"off"}"#), bad(#"{"verify": ▸""}"#),
    table(#""onEdited": ▸"keepUser""#), table(#""onEdited": ▸"keepEdit""#),
    table(#""onTaken": ▸"keepEdits""#), table(#""onTaken": ▸"replace""#),
    table(#""reserve": ▸0"#), table(#""reserve": ▸-1"#), table(#""reserve": ▸1.0"#),
    table(#""reserve": ▸1e6"#), table(#""reserve": ▸9223372036854775808"#),
    table(#""reserve": ▸4611686018427387905"#), table(#""blobs": {"data": ▸"Base64"}"#),
    table(#""blobs": {"data": ▸"utf8"}"#), table(#""blobs": {▸"": "hex"}"#),
    table(#""blobs": {"data": "hex", ▸"DATA": "hex"}"#), table(#""key": ▸[]"#),
    table(#""key": [▸""]"#), table(#""key": ["id", ▸"ID"]"#), table(#""ignore": ["a", ▸"a"]"#),
    table(#""references": {▸"": ["item"]}"#), table(#""references": {"parts": ▸[]}"#),
    table(#""references": {"parts": ["item", ▸"item"]}"#),
    table(#""disposable": ["parts", ▸"Parts"]"#), table(#""identity": [▸""]"#),
    bad(#"{"tables": {"items": {}, ▸"ITEMS": {}}}"#), bad(#"{"tables": {▸"": {}}}"#),
    bad(#"{"foreignKeys": ▸"deferred"}"#, in: "0001_case/migration.json"),
    bad(#"{"foreignKeys": ▸"OFF"}"#, in: "0001_case/migration.json"),
  ]

  /// Options that are right, and stand where they do not belong.
  private static let misplaced: [BadCase] = [
    bad(#"{▸"description": "x"}"#), bad(#"{▸"foreignKeys": "off"}"#), bad(#"{▸"withdrawn": true}"#),
    bad(#"{▸"key": ["id"]}"#), bad(#"{▸"onEdited": "fail"}"#), bad(#"{▸"reserve": 5}"#),
    bad(#"{▸"source": "x"}"#, in: "0001_case/migration.json"),
    bad(#"{▸"onTaken": "fail"}"#, in: "0001_case/migration.json"),
    table(#"▸"description": "x""#), table(#"▸"tables": {}"#), table(#"▸"withdrawn": true"#),
  ]

  /// Only the database can tell that these are wrong.
  private static let schema: [BadCase] = [
    table(#""references": {▸"part": ["item"]}"#), table(#""references": {▸"parts": ["thing"]}"#),
    table(#""references": {▸"pairs": ["a", "b"]}"#), table(#""disposable": [▸"part"]"#),
    table(#""disposable": [▸"pairs"]"#), table(#""identity": [▸"nam"]"#),
    table(#""reserve": ▸1000"#),
  ]
}
