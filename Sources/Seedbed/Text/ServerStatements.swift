/// The statements of an SQL text, as psql divides it. A command of psql ends with its line.
package struct ServerStatements: Sequence, IteratorProtocol {
  package struct Statement {
    /// Without comments. Of a command of psql, only its backslash.
    package let code: [SQLToken]
    /// The range of its bytes up to its semicolon.
    package let range: Range<Int>
  }

  private let end: Int
  private var tokens: SQLTokens

  package init(_ text: [UInt8], from start: Int = 0) {
    end = text.count
    tokens = SQLTokens(text, start..<end, .postgresql)
  }

  package mutating func next() -> Statement? {
    var code: [SQLToken] = []
    var depth = Depth()
    while let token = tokens.next() {
      let start = (code.first ?? token).range.lowerBound
      if token.kind == .comment { continue }
      if code.isEmpty, token.isSign("\\") {
        tokens.skipLine()
        return Statement(code: [token], range: start..<tokens.position)
      }
      if token.isSign(";"), depth.isOuter {
        if code.isEmpty { continue }
        return Statement(code: code, range: start..<token.range.lowerBound)
      }
      depth.pass(token, after: code.last)
      code.append(token)
    }
    return code.first.map { Statement(code: code, range: $0.range.lowerBound..<end) }
  }

  /// Whether a semicolon ends the statement. It does not between parentheses, as in CREATE RULE,
  /// nor in the body of an SQL-standard function:
  ///
  /// > CREATE FUNCTION … BEGIN ATOMIC statement; statement; … END (CREATE FUNCTION)
  private struct Depth {
    private var brackets = 0
    private var words = 0
    private var isRoutine = false
    /// The open BEGIN ATOMIC and CASE, each of which ends with END.
    private var blocks = 0

    var isOuter: Bool { brackets == 0 && blocks == 0 }

    mutating func pass(_ token: SQLToken, after last: SQLToken?) {
      brackets = Swift.max(0, brackets + token.nesting)
      guard token.kind == .word else { return }
      words += 1
      if words <= 4, ["function", "procedure"].contains(token.text) { isRoutine = true }
      // After AS or a dot, it may be the name of a column.
      guard isRoutine, last?.isWord("as") != true, last?.isSign(".") != true else { return }
      switch token.text {
      case "atomic" where blocks == 0 && last?.isWord("begin") == true: blocks = 1
      case "case" where blocks > 0: blocks += 1
      case "end" where blocks > 0: blocks -= 1
      default: break
      }
    }
  }
}
