extension TriggerSchema {
  /// Whether the trigger may leave a row unchanged without an error.
  ///
  /// > RAISE(IGNORE): the remainder of the current trigger program, the statement that caused it
  /// > and any subsequent trigger programs are abandoned. (CREATE TRIGGER)
  ///
  /// After the change, that is too late.
  func mayIgnore(_ event: Event) -> Bool {
    if let passesOver { return passesOver.contains(event) }
    let words = StatementTokens.words(of: sql).map { $0.uppercased() }
    // Without either word it is BEFORE.
    let timing = words.dropFirst(3).prefix(2)
    guard timing.first != "AFTER", timing.contains(event.rawValue) else { return false }
    return zip(words, words.dropFirst()).contains { $0 == "RAISE" && $1 == "IGNORE" }
  }
}
