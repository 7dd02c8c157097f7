/// What a statement does with values beside asking whether two are the same: with `=`, `IS`,
/// `IS DISTINCT FROM`, `IN`, `GROUP BY`, or a UNIQUE index.
struct Comparisons {
  private let tokens: [String]

  init(_ sql: String) {
    let pattern = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[?$]\d*|\w+|<=|>=|<>|\|\||::|[^\s\w]/
    tokens = sql.matches(of: pattern).map { String($0.output) }
  }

  /// All of it, each as an operator and its operands, or as a function and its first argument.
  var others: Set<String> {
    var found: Set<String> = []
    for (index, token) in tokens.enumerated() {
      switch token.uppercased() {
      case "<", ">", "<=", ">=", "BETWEEN", "LIKE", "GLOB", "REGEXP", "||", "+", "-", "*", "/", "%",
        "<>":
        // As in `+p.k0`, which keeps SQLite from an index, and in `count(*)`.
        if isUnary(index) { continue }
        found.insert("\(before(index)) \(token) \(after(index))")
      case "ORDER":
        found.insert("ORDER BY \(after(index + 1))")
      case "(" where index > 0 && isFunction(tokens[index - 1]):
        found.insert("\(tokens[index - 1])(\(after(index)))")
      default: break
      }
    }
    return found
  }

  private func isUnary(_ index: Int) -> Bool {
    guard index > 0 else { return true }
    return ["(", ",", "=", "SELECT", "AND", "IS", "WHEN", "THEN", "."].contains(
      tokens[index - 1].uppercased())
  }

  /// A name or value without the row that it is of, and a number of a column without the number.
  private func shown(_ token: String?) -> String {
    guard let token else { return "" }
    if token.allSatisfy(\.isNumber) { return "number" }
    if token.hasPrefix("'") { return "text" }
    return token.replacing(/^([a-z]+)\d+$/) { String($0.output.1) }
  }

  private func before(_ index: Int) -> String {
    var place = index - 1
    while place > 0, tokens[place] == ")" || tokens[place - 1].uppercased() == "COLLATE" {
      place -= tokens[place] == ")" ? 1 : 2
    }
    return shown(tokens[place])
  }

  private func after(_ index: Int) -> String {
    var place = index + 1
    while place < tokens.count, tokens[place] == "(" || tokens[place] == "+" { place += 1 }
    if place + 2 < tokens.count, tokens[place + 1] == "." { place += 2 }
    return place < tokens.count ? shown(tokens[place]) : ""
  }

  /// What stands before a bracket and is no word of SQL's grammar.
  private func isFunction(_ token: String) -> Bool {
    let words: Set = [
      "AND", "OR", "NOT", "IN", "ON", "EXISTS", "WHEN", "THEN", "ELSE", "CASE", "WHERE", "SELECT",
      "VALUES", "AS", "IS", "FROM", "BY", "KEY", "UNIQUE", "USING", "HAVING", "UNION", "ALL",
      "OVER",
      "CONFLICT",
    ]
    // Other names with a bracket are those of tables and of their columns.
    let isName = token.first?.isLetter ?? false || token.hasPrefix("\"seedbed:same")
    return isName && token.count > 1 && !words.contains(token.uppercased())
  }
}
