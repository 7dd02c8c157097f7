/// The new names of tables and columns while SQL runs, followed from one statement to the next.
///
/// After one statement they are certain. After several they are not: SQLite gives the root page of
/// a dropped table to the next new table, and the position of a dropped column to the next column.
struct FollowedTables: Equatable {
  struct Table: Equatable {
    /// The table at the beginning.
    let old: TableLayout
    /// The table now, or when it last existed.
    fileprivate(set) var now: TableLayout
    fileprivate(set) var isThere = true
    /// The present names of its columns, by their names at the beginning. Dropped columns are left
    /// out.
    fileprivate(set) var columns: [Name: String]
  }

  private(set) var tables: [Table]
  /// All existing tables.
  private(set) var layouts: [TableLayout]

  init(_ layouts: [TableLayout]) {
    self.layouts = layouts
    tables = layouts.map { layout in
      let names = layout.columns.map { (Name($0.name), $0.name) }
      return Table(
        old: layout, now: layout, columns: Dictionary(names) { first, _ in first })
    }
  }

  /// The new names of existing tables and columns.
  var renamed: [Ledger.Renamed] {
    tables.filter(\.isThere).compactMap { table in
      let columns = table.columns.filter { !$0.key.text.isSameText(as: $0.value) }
      if table.now.name.isSameText(as: table.old.name), columns.isEmpty { return nil }
      return Ledger.Renamed(old: table.old.name, new: table.now.name, columns: columns)
    }
  }

  /// - Parameter next: all tables that exist after one more statement.
  mutating func follow(_ next: [TableLayout]) {
    let before = Dictionary(layouts.map { (ExactText($0.name), $0) }) { first, _ in first }
    let byNumber = Dictionary(next.map { ($0.number, $0) }) { first, _ in first }
    let byName = Dictionary(next.map { (ExactText($0.name), $0) }) { first, _ in first }
    let made = next.filter { before[$0.name] == nil }
    /// Whether a name is free: another table that had it has a new name now.
    func isFree(_ name: String) -> Bool {
      guard let other = before[name] else { return true }
      return byNumber[other.number].map { !$0.name.isSameText(as: name) } ?? false
    }
    for index in tables.indices {
      let now = tables[index].now
      if tables[index].isThere, let same = byNumber[now.number],
        same.name.isSameText(as: now.name) || isFree(same.name)
      {
        tables[index].take(same, isSame: true)
      } else if let rebuilt = byName[now.name]
        ?? made.first(where: { $0.name.isSameName(as: now.name) })
      {
        // A table that was dropped and created again keeps its name.
        tables[index].take(rebuilt, isSame: false)
      } else {
        tables[index].isThere = false
      }
    }
    layouts = next
  }
}

extension FollowedTables.Table {
  fileprivate mutating func take(_ next: TableLayout, isSame: Bool) {
    // A statement that adds or drops a column renames none, and may change the numbers of others.
    let keepsNumbers = isSame && next.columns.count == now.columns.count
    var names: [Name: String] = [:]
    for column in now.columns {
      names[column.name] =
        next.columns.first {
          keepsNumbers ? $0.number == column.number : $0.name.isSameName(as: column.name)
        }?.name
    }
    columns = columns.compactMapValues { names[$0] }
    (now, isThere) = (next, true)
  }
}
