extension GoodCase {
  static let families: [(String, [GoodCase])] = [
    ("gzip framing", gzip), ("CSV", csv), ("values and types", values), ("tables", tables),
    ("names", names), ("options", options), ("lock", lock), ("SQL files", sql),
  ]

  static let all = families.flatMap { $0.1 }

  /// One file of rows of `items` and of what is asked of it.
  static func items(
    _ name: String, _ text: String, _ query: String = "SELECT id, name FROM items WHERE id < 10",
    _ expected: String
  ) -> GoodCase {
    GoodCase(name, Bundle(file: "items.csv", Array(text.utf8)), query, expected)
  }
}
