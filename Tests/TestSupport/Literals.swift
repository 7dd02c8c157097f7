public import Seedbed

// Rows and times as the ledger has them, so that tests can be read.

extension Migrator.Row: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {
    do {
      try self.init(logged: value, "row")
    } catch {
      fatalError("'\(value)' is no row: \(error)")
    }
  }
}

extension Migrator.Timestamp: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(text: value) }
}
