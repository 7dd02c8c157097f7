/// Rows that refer to each other, and are settled at once.
final class SettledTogether {
  /// Those that go, by their tables and keys.
  private var going: Set<ExactText> = []
  private var leaving: [Int64: RowSettlement] = [:]
  /// What is to be checked when all are written, by the conflicts' numbers.
  private var checks: [Int64: [() throws -> Void]] = [:]

  func add(_ settlement: RowSettlement, _ side: Migrator.Conflict.Side) throws {
    if try settlement.goes(side) {
      settlement.together = self
      leaving[settlement.conflict.id] = settlement
      going.insert(Self.row(settlement.target.name, settlement.rows.collated(settlement.key)))
    }
  }

  /// Throws if a row that stays refers to one that goes.
  func refuseIfReferred(_ conflict: Migrator.Conflict) throws {
    guard let settlement = leaving[conflict.id],
      let row = try settlement.rows.current(settlement.key)
    else { return }
    try settlement.refuseIfReferred(row, to: nil)
  }

  /// - Parameter key: in the ledger's form.
  func goes(_ table: String, _ key: String) -> Bool { going.contains(Self.row(table, key)) }

  func check(_ conflict: Migrator.Conflict, later body: @escaping () throws -> Void) {
    checks[conflict.id, default: []].append(body)
  }

  func check(_ conflict: Migrator.Conflict) throws {
    for body in checks[conflict.id] ?? [] { try body() }
  }

  private static func row(_ table: String, _ key: String) -> ExactText {
    ExactText("\(table)\0\(key)")
  }
}
