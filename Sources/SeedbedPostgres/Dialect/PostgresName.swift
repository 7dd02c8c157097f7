/// A table's name, spelled as in a catalog and in reports: `words`, or `content.words`.
struct PostgresName: Equatable {
  var schema: String?
  var table: String

  init(_ name: String) {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    schema = parts.count == 2 ? String(parts[0]) : nil
    table = String(parts[parts.count - 1])
  }
}
