extension Migrator {
  /// The database, read-only, for the duration of a closure of the app.
  public struct DatabaseReader {
    /// By name.
    let isTable: (String) throws(SeedbedError) -> Bool
    /// Of a query.
    let firstValue: (String) throws(SeedbedError) -> Value?

    /// Whether there is a table of this name; views are none.
    public func hasTable(_ name: String) throws(SeedbedError) -> Bool { try isTable(name) }

    /// The first value of a query, if it is a whole number.
    public func integer(_ query: String) throws(SeedbedError) -> Int64? {
      try firstValue(query)?.integer
    }

    /// The first value of a query, if it is text.
    public func text(_ query: String) throws(SeedbedError) -> String? {
      try firstValue(query)?.text
    }
  }
}
