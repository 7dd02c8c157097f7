import Seedbed

extension Connection {
  /// Runs `body` and takes back all it did.
  func trying<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SAVEPOINT seedbed_trial")
    defer {
      // Sound: where SQLite ended the transaction by itself there is nothing to take back.
      try? execute("ROLLBACK TO seedbed_trial")
      try? execute("RELEASE seedbed_trial")
    }
    return try body()
  }

  /// Whether SQLite understands a statement as it is only because it takes what stands in double
  /// quotes and is no name for a string; then where that is, in bytes.
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
      // What is wrong both ways is told when it runs.
      guard (try? prepare(sql)) != nil else { return nil }
      return offset ?? 0
    }
  }
}
