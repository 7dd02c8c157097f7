/// Columns by their names, for code that knows that they are there. A slip becomes an error.
extension TableSchema {
  func slot(of name: String) throws -> Int {
    guard let slot = index(of: name) else {
      throw SeedbedError(
        .sql,
        "Seedbed looks for a column '\(name)' in '\(self.name)', which has none. Nothing was "
          + "changed. This is a bug in Seedbed: please report it, with the table and its files.")
    }
    return slot
  }

  func slots(of names: [String]) throws -> [Int] { try names.map(slot) }
}
