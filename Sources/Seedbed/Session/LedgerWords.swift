/// How an engine spells the ledger's tables.
package struct LedgerWords: Sendable {
  /// The type of whole numbers, and the definition of an id that the engine chooses.
  package let integer, chosenID: String
  /// The type of a text that is part of a key.
  let keyText: String
  /// True for SQLite, where a column takes values of any type, so that CHECK has to say which, and
  /// where GLOB compares case. Elsewhere LIKE does.
  let takesAnyType: Bool

  package init(integer: String, chosenID: String, keyText: String, takesAnyType: Bool) {
    (self.integer, self.chosenID) = (integer, chosenID)
    (self.keyText, self.takesAnyType) = (keyText, takesAnyType)
  }
}
