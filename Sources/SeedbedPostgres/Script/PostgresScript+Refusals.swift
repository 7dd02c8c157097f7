import Seedbed

/// The statements that a migration may not contain, as far as their words show it. The server
/// refuses the rest.
extension PostgresScript {
  func refusal(of code: [SQLToken], ledgerTables: Set<Name>) -> String? {
    let words = code.prefix(8).filter { $0.kind == .word }.map(\.text)
    guard let first = words.first else { return nil }
    let second = words.dropFirst().first ?? ""
    return transactionRefusal(first, second)
      ?? outsideRefusal(first, second, code)
      ?? settingRefusal(first, second, code)
      ?? ledgerRefusal(first, words, code, ledgerTables)
  }

  /// Statements that begin or end a transaction.
  private func transactionRefusal(_ first: String, _ second: String) -> String? {
    let statement: String
    switch (first, second) {
    case ("begin", _), ("start", "transaction"), ("commit", _), ("end", _), ("rollback", _),
      ("abort", _), ("savepoint", _), ("release", _):
      statement = first == "start" ? "START TRANSACTION" : first
    case ("prepare", "transaction"), ("set", "transaction"): statement = first + " " + second
    default: return nil
    }
    return "A migration is already one transaction: remove the \(statement.uppercased()) statement."
  }

  /// Statements that run only outside transactions, and those that read or write the server's
  /// files.
  private func outsideRefusal(_ first: String, _ second: String, _ code: [SQLToken]) -> String? {
    switch (first, second) {
    case ("vacuum", _): return Self.outside("VACUUM")
    case ("alter", "system"), ("create", "database"), ("create", "tablespace"),
      ("drop", "database"), ("drop", "tablespace"):
      return Self.outside("\(first) \(second)".uppercased())
    case ("create", _), ("drop", _), ("alter", _), ("reindex", _):
      guard code.hasOuter("concurrently") else { return nil }
      return "CONCURRENTLY is not allowed: it cannot run in a transaction. Remove the word."
    case ("copy", _):
      return "COPY is not allowed: rows belong in a row file, such as words.csv. Remove it."
    default: return nil
    }
  }

  private static func outside(_ statement: String) -> String {
    "\(statement) is not allowed: it cannot run in a transaction. Remove it."
  }

  /// Statements whose effect the connection would keep after the transaction.
  private func settingRefusal(_ first: String, _ second: String, _ code: [SQLToken]) -> String? {
    switch (first, second) {
    case ("set", "local"), ("set", "constraints"): return nil
    case ("set", _): return "SET is not allowed: it outlives the migration. Write SET LOCAL."
    case ("listen", _), ("unlisten", _), ("discard", _), ("load", _), ("reset", _):
      return "\(first.uppercased()) is not allowed: it outlives the migration. Remove it."
    default: break
    }
    guard code.contains(where: { $0.isWord("set_config") }), !code.setsConfigLocally else {
      return nil
    }
    return "set_config is not allowed here: it outlives the migration. Make its last argument true."
  }

  // MARK: the ledger

  private func ledgerRefusal(
    _ first: String, _ words: [String], _ code: [SQLToken], _ tables: Set<Name>
  ) -> String? {
    let names = tables.map { PostgresName($0.text).table }.asNames
    let isWritten: Bool
    switch first {
    case "alter", "drop", "truncate": isWritten = code.names(oneOf: names)
    case "create":
      let kinds: Set = ["index", "trigger", "rule", "policy"]
      isWritten =
        !kinds.isDisjoint(with: words) && code.names(oneOf: names) || writes(code, oneOf: names)
    default: isWritten = writes(code, oneOf: names)
    }
    return isWritten ? "The ledger belongs to Seedbed; SQL files may only read it." : nil
  }

  /// Whether the statement itself, or a body in it, writes to one of the tables. A body is that of
  /// DO or of a function.
  private func writes(_ code: [SQLToken], oneOf names: Set<Name>) -> Bool {
    let effects = PostgresEffects(code).effects
    if effects.contains(where: { names.contains(PostgresName($0.table).table) }) {
      return true
    }
    return code.contains { token in
      token.kind == SQLToken.body
        && writes(SQLTokens.code(of: token.text, .postgresql), oneOf: names)
    }
  }
}

extension [SQLToken] {
  func names(oneOf names: Set<Name>) -> Bool {
    contains { $0.isName && names.contains($0.text) }
  }

  /// Whether the last argument of each `set_config(…)` is `true`.
  fileprivate var setsConfigLocally: Bool {
    indices.filter { self[$0].isWord("set_config") }.allSatisfy { index in
      let isCall = self[index...].dropFirst().first?.isSign("(") == true
      return isCall && brackets(from: index)?.last?.isWord("true") == true
    }
  }
}
