import Seedbed

extension Connection {
  /// Runs `body`, and rolls back everything it did.
  func trying<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SAVEPOINT seedbed_trial")
    defer {
      // Sound: if SQLite itself ended the transaction, there is nothing to roll back.
      try? execute("ROLLBACK TO seedbed_trial")
      try? execute("RELEASE seedbed_trial")
    }
    return try body()
  }

  /// The offset in bytes of an unknown name in double quotes, if SQLite accepts the statement only
  /// because it reads the name as a string.
  func doubleQuotedString(in sql: String) throws -> Int? {
    guard takesDoubleQuotedStrings else { return nil }
    try setDoubleQuotedStrings(false)
    defer { try? setDoubleQuotedStrings(true) }  // It was set a moment ago.
    do {
      _ = try prepare(sql)
      return nil
    } catch let failure as SQLiteFailure {
      let offset = failure.offset
      try setDoubleQuotedStrings(true)
      // A statement that fails in both ways is reported when it runs.
      guard (try? prepare(sql)) != nil else { return nil }
      return offset ?? 0
    }
  }
}
