extension BadCase {
  /// By what is wrong with them.
  static let families: [(String, [BadCase])] = [
    ("gzip framing", gzip), ("text that is not UTF-8", encoding), ("CSV records", records),
    ("CSV headers", headers), ("values and types", values), ("tables", tables),
    ("keys, constraints and parents", rows), ("names and links", names), ("JSON", json),
    ("options", options), ("lock", lock), ("SQL files", sql),
  ]

  static let all = families.flatMap { $0.1 }
}
