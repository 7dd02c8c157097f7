extension TriggerSchema {
  /// Whether it may end the transaction together with the statement: by RAISE(ROLLBACK), or by
  /// INSERT OR ROLLBACK if the statement says nothing else. No trigger of a server's can.
  var mayRollBack: Bool {
    if passesOver != nil { return false }
    let code = SQLTokens.code(of: sql)
    return code.has(["RAISE", "(", "ROLLBACK"]) || code.has(["OR", "ROLLBACK"])
  }

  /// Whether the trigger may leave a row unchanged without an error.
  ///
  /// > RAISE(IGNORE): the remainder of the current trigger program, the statement that caused it
  /// > and any subsequent trigger programs are abandoned. (CREATE TRIGGER)
  ///
  /// After the change, that is too late.
  func mayIgnore(_ event: Event) -> Bool {
    if let passesOver { return passesOver.contains(event) }
    // Without either word it is BEFORE.
    let timing = SQLTokens.firstWords(5, of: sql).dropFirst(3)
    guard timing.first != "AFTER", timing.contains(event.rawValue) else { return false }
    return SQLTokens.code(of: sql).has(["RAISE", "(", "IGNORE"])
  }
}
