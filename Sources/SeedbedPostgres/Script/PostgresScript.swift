import Seedbed

/// An SQL file divided into statements, as psql would send them.
struct PostgresScript {
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
    for statement in ServerStatements(script.bytes, from: script.textStart) {
      let code = statement.code
      guard let first = code.first, let last = code.last else { continue }
      if let token = code.first(where: { $0.isSign("\\") }) {
        throw SeedbedError(
          .sql, "Commands of psql, which begin with a backslash, are not SQL. Remove this one.",
          at: script.place(script.piece(at: token.range.lowerBound)))
      }
      let range = first.range.lowerBound..<last.range.upperBound
      lines.advance(to: range.lowerBound)
      let piece = lines.piece(String(decoding: script.bytes[range], as: UTF8.self))
      if let reason = refusal(of: code, ledgerTables: ledgerTables) {
        throw SeedbedError(.sql, reason, at: script.place(piece))
      }
      statements.append(Statement(piece: piece, range: range))
    }
  }

  func code(of statement: Statement) -> [SQLToken] {
    SQLTokens(script.bytes, statement.range, .postgresql).filter { $0.kind != .comment }
  }
}
