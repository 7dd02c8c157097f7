/// The names of the ledger's tables. Their SQL is in `SQLiteDialect+Ledger.swift` and
/// `PostgresDialect+Ledger.swift`, in the same format.
///
/// Times are UTC, ISO 8601 with milliseconds; keys and rows are JSON.
package enum LedgerSchema {
  /// Increased when a later release changes the tables.
  package static let format: Int64 = 3

  /// The table that only a database with downloads has. Its SQL is in `Ledger+Ratchet.swift`.
  static let signed = "signed"

  package static let tables = [
    "ledger", "migrations", "runs", "conflicts", "left_to_user", "applying",
  ]
}
