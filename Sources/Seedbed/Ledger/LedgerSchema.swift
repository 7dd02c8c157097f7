/// The ledger's tables, which each engine makes from one readable SQL text.
///
/// Times are UTC, ISO 8601 with milliseconds; keys and rows are JSON.
package enum LedgerSchema {
  /// Raised when a later release changes the tables.
  package static let format: Int64 = 3

  static let tables = [
    "ledger", "migrations", "runs", "conflicts", "left_to_user", "applying",
  ]
}
