/// Rows in the log that name others by natural key: whether those come shows only later.
extension Stage {
  /// The log shows the keys of rows that were found since, and the names of those that were not.
  func mendLog(_ ledger: Ledger) throws {
    for (number, (row, fields)) in logged {
      // The key of a row to change was found before.
      let key = file.role == .insert ? try keyText(row: row) : nil
      try ledger.mend(number, key: key, seed: json(fields, row: row), on: connection)
    }
    logged = [:]
  }
}
