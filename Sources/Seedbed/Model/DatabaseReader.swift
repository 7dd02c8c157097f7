extension Migrator {
  /// The database, read-only, for the duration of a closure of the app.
  public struct DatabaseReader {
    /// Whether a name is a table's.
    let isTable: (String) throws(SeedbedError) -> Bool
    /// The first value of a query.
    let firstValue: (String) throws(SeedbedError) -> Value?

    /// Whether there is a table of this name. A view does not count.
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
