/// A function, initializer, subscript or computed property, from its keyword to its last brace.
struct FunctionBody: Equatable {
  let keyword: String
  let firstLine: Int
  let lastLine: Int

  var lineCount: Int { lastLine - firstLine + 1 }

  /// All that have a body; a closure counts for the function it stands in.
  static func all(in text: String) -> [FunctionBody] {
    let tokens = Token.all(in: text)
    return tokens.indices.compactMap { index in
      let token = tokens[index]
      let isMember = index > 0 && tokens[index - 1].text == "."
      guard keywords.contains(token.text), !isMember,
        let opening = opening(after: index, in: tokens),
        let closing = closing(of: opening, in: tokens)
      else { return nil }
      return FunctionBody(
        keyword: token.text, firstLine: token.line, lastLine: tokens[closing].line)
    }
  }

  private static let keywords: Set = ["func", "init", "deinit", "subscript", "var"]

  /// What ends a declaration that has no body: the next one, or a statement.
  private static let ends: Set = [
    "func", "init", "deinit", "subscript", "var", "let", "case", "struct", "class", "enum",
    "extension", "protocol", "typealias", "static", "private", "public", "if", "for", "while",
    "repeat", "switch", "do", "guard", "return", "try", "throw", "defer", "}", ";",
  ]

  /// The brace that opens the body: the first outside parentheses and brackets.
  private static func opening(after keyword: Int, in tokens: [Token]) -> Int? {
    var depth = 0
    for index in tokens.indices.dropFirst(keyword + 1) {
      let text = tokens[index].text
      if text == "(" || text == "[" { depth += 1 }
      if text == ")" || text == "]" { depth -= 1 }
      if depth > 0 { continue }
      if text == "{" { return index }
      // `var x = …` is stored: what follows is its value.
      let isValue = text == "=" && tokens[keyword].text == "var"
      if depth < 0 || ends.contains(text) || isValue { return nil }
    }
    return nil
  }

  private static func closing(of opening: Int, in tokens: [Token]) -> Int? {
    var depth = 0
    for index in tokens.indices.dropFirst(opening) {
      if tokens[index].text == "{" { depth += 1 }
      if tokens[index].text == "}" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
