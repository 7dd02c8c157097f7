/// The columns that identify the rows of a table.
extension TableSchema {
  /// The rowid, or the primary key if there is no rowid: what identifies rows in SQLite.
  @inline(never) var identity: [String] { rowidName.map { [$0] } ?? primaryKey.names }

  /// Whether no two rows can have the same values in these columns.
  func isUnique(_ names: [String]) -> Bool {
    let wanted = names.asNames
    return primaryKey.names.asNames == wanted
      || indexes.contains {
        $0.isUnique && $0.isPlain && $0.columns.compactMap { $0 }.asNames == wanted
      }
  }

  /// Whether no two rows can have the same values in these columns, by the columns' own collations.
  ///
  /// - Parameter isExact: whether none of the columns can be left out, so that a foreign key may
  ///   refer to them.
  ///
  /// > The parent key must be a named column or columns in the parent table, not the rowid, and
  /// > subject to a UNIQUE index that uses the collations of the parent's columns. (Foreign Keys)
  func tellsApart(_ names: [String], isExact: Bool = false) -> Bool {
    let known = names.asNames
    let fits = { (count: Int) in !isExact || count == known.count }
    if let alias = rowidAlias, known.contains(alias.name), fits(1) { return true }
    return indexes.contains { index in
      guard index.isUnique, index.isPlain, fits(index.columns.count) else { return false }
      return zip(index.columns, index.collations).allSatisfy { name, collation in
        guard let name, known.contains(name) else { return false }
        return column(name)?.collation.isSameName(as: collation) == true
      }
    }
  }

  /// Whether an index finds rows by these columns.
  func hasIndex(on names: [String]) -> Bool {
    let wanted = names.asNames
    let firsts = indexes.filter { !$0.isPartial }.map { $0.columns.first ?? nil }
    return (firsts + [rowidAlias?.name]).contains { name in
      name.map { wanted.contains($0) } == true
    }
  }
}
