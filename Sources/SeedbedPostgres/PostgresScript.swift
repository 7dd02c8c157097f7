import Seedbed

/// An SQL file divided into statements, as psql would send them.
struct PostgresScript {
  typealias Token = PostgresTokens.Token

  struct Statement {
    var piece: Script.Piece
    /// The range of its bytes in the file.
    var range: Range<Int>
  }

  let script: Script
  private(set) var statements: [Statement] = []

  /// - Throws: the error in the text, or the error for a statement that a migration may not
  ///   contain.
  init(_ script: Script, ledgerTables: Set<Name>) throws {
    self.script = script
    try script.checkText()
    var lines = Script.Lines(in: script)
    var code: [Token] = []
    var depth = Depth()
    func end() throws {
      guard let first = code.first, let last = code.last else { return }
      let range = first.range.lowerBound..<last.range.upperBound
      lines.advance(to: range.lowerBound)
      let piece = lines.piece(String(decoding: script.bytes[range], as: UTF8.self))
      if let reason = refusal(of: code, ledgerTables: ledgerTables) {
        throw SeedbedError(.sql, reason, at: script.place(piece))
      }
      statements.append(Statement(piece: piece, range: range))
      code.removeAll(keepingCapacity: true)
      depth = Depth()
    }
    for token in PostgresTokens(script.bytes, script.textStart..<script.bytes.count) {
      if token.isSign("\\") {
        throw SeedbedError(
          .sql, "Commands of psql, which begin with a backslash, are not SQL. Remove this one.",
          at: script.place(script.piece(at: token.range.lowerBound)))
      }
      if token.isSign(";"), depth.isOuter {
        try end()
      } else {
        depth.pass(token, after: code.last)
        code.append(token)
      }
    }
    try end()
  }

  func code(of statement: Statement) -> [Token] {
    Array(PostgresTokens(script.bytes, statement.range))
  }

  /// Whether a semicolon ends the statement. It does not between parentheses, as in CREATE RULE,
  /// nor in the body of an SQL-standard function:
  ///
  /// > CREATE FUNCTION … BEGIN ATOMIC statement; statement; … END (CREATE FUNCTION)
  private struct Depth {
    private var parentheses = 0
    private var words = 0
    private var isRoutine = false
    /// The open BEGIN ATOMIC and CASE, each of which ends with END.
    private var blocks = 0

    var isOuter: Bool { parentheses == 0 && blocks == 0 }

    mutating func pass(_ token: Token, after last: Token?) {
      if token.isSign("(") { parentheses += 1 }
      if token.isSign(")") { parentheses = max(0, parentheses - 1) }
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
