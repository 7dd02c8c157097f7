import Seedbed

/// What SQL has gained since 3.38, the oldest SQLite that Seedbed works with. The list has what
/// tokens show, and not all that is new.
enum NewerSQL {
  struct Use: Equatable {
    var name: String
    /// 3039 for 3.39.
    var since: Int
    var offset: Int
  }

  private static let functions: [(since: Int, names: [String])] = [
    (3041, ["unhex"]), (3042, ["json_error_position"]), (3043, ["octet_length", "timediff"]),
    (3044, ["concat", "concat_ws", "string_agg"]),
    (
      3045,
      [
        "jsonb", "jsonb_array", "jsonb_extract", "jsonb_group_array", "jsonb_group_object",
        "jsonb_insert", "jsonb_object", "jsonb_patch", "jsonb_remove", "jsonb_replace", "jsonb_set",
      ]
    ),
    (3046, ["json_pretty"]), (3048, ["if"]), (3050, ["unistr", "unistr_quote"]),
    (3051, ["jsonb_each", "jsonb_tree"]),
  ]

  private static let words: [(since: Int, parts: [String])] = [
    (3039, ["RIGHT", "JOIN"]), (3039, ["RIGHT", "OUTER", "JOIN"]), (3039, ["FULL", "JOIN"]),
    (3039, ["FULL", "OUTER", "JOIN"]), (3039, ["IS", "DISTINCT", "FROM"]),
    (3039, ["IS", "NOT", "DISTINCT", "FROM"]),
  ]

  /// A name before a bracket that no function has.
  private static let beforeNames = ["TABLE", "INTO", "ON", "REFERENCES", "INDEX", "EXISTS", "VIEW"]

  /// - Parameter code: tokens without comments.
  static func uses(in code: [SQLToken]) -> [Use] {
    code.indices.compactMap { index in
      let offset = code[index].range.lowerBound
      let rest = code[index...]
      if code[index].kind == SQLToken.string,
        ["subsec", "subsecond"].contains(where: code[index].text.isSameName(as:))
      {
        return Use(name: "'\(code[index].text)'", since: 3042, offset: offset)
      }
      if let (since, parts) = words.first(where: { rest.prefix($0.parts.count).has($0.parts) }) {
        return Use(name: parts.joined(separator: " "), since: since, offset: offset)
      }
      if code[index].kind == .number, code[index].text.contains("_") {
        return Use(name: "'_' in a number", since: 3046, offset: offset)
      }
      guard rest.dropFirst().first?.isSign("(") == true, code[index].kind == .word,
        index == 0 || !beforeNames.contains(where: code[index - 1].isWord)
      else { return nil }
      if let (name, since) = newerForm(of: code[index], in: code.brackets(from: index) ?? []) {
        return Use(name: name, since: since, offset: offset)
      }
      for (since, names) in functions {
        guard let name = names.first(where: code[index].isWord) else { continue }
        return Use(name: "\(name)()", since: since, offset: offset)
      }
      return nil
    }
  }

  /// What is older, with arguments that are newer.
  private static func newerForm(
    of word: SQLToken, in arguments: ArraySlice<SQLToken>
  ) -> (name: String, since: Int)? {
    let items = arguments.items
    if word.isWord("iif"), items.count == 2 { return ("iif() of two arguments", 3048) }
    if word.isWord("RAISE"), items.count == 2, items[1].count > 1 {
      return ("RAISE() of an expression", 3047)
    }
    // Windows and queries may have it for long.
    let isWindow = word.isWord("OVER") || word.isWord("AS")
    if !isWindow, arguments.hasOuter("ORDER"), !arguments.hasOuter("SELECT") {
      return ("ORDER BY in \(word.text)()", 3044)
    }
    return nil
  }
}
