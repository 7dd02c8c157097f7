import Seedbed

/// SQL that makes one state of the tables from another:
///
///     1  indexes that are gone or different are dropped
///     2  tables that are gone are dropped
///     3  tables, then columns, get their new names
///     4  columns are added, or the table is made again with its rows
///     5  new tables and indexes are made
struct MirroredChange {
  private(set) var statements: [String] = []
  /// Whether a table is dropped, perhaps to be made again: SQLite must not look at references then.
  private(set) var dropsTables = false
  private let old: MirroredTables
  private let new: MirroredTables
  /// Tables that are made, for the first time or again.
  private var made: Set<Int64> = []

  init(from old: MirroredTables, to new: MirroredTables) {
    (self.old, self.new) = (old, new)
    let both = new.tables.keys.filter { old.tables[$0] != nil }.sorted()
    for number in old.tables.keys.sorted() { dropIndexes(of: number) }
    for number in old.tables.keys.sorted() where new.tables[number] == nil {
      statements.append("DROP TABLE \(old.tables[number]?.name.quoted ?? "")")
      dropsTables = true
    }
    renameTables(both)
    for number in both { renameColumns(of: number) }
    for number in both { change(number) }
    for number in new.tables.keys.sorted() where old.tables[number] == nil {
      guard let table = new.tables[number] else { continue }
      statements.append("CREATE TABLE \(table.name.quoted) (\(parts(of: table)))")
      made.insert(number)
    }
    for number in new.tables.keys.sorted() { makeIndexes(of: number) }
  }

  /// The statements as a file.
  var text: String { statements.map { $0 + ";\n" }.joined() }

  // MARK: names

  private mutating func renameTables(_ both: [Int64]) {
    let changes = both.compactMap { number -> (from: String, to: String)? in
      guard let from = old.tables[number]?.name, let to = new.tables[number]?.name,
        !from.isSameText(as: to)
      else { return nil }
      return (from, to)
    }
    rename(changes) { "ALTER TABLE \($0.quoted) RENAME TO \($1.quoted)" }
  }

  private mutating func renameColumns(of number: Int64) {
    guard let before = old.tables[number], let after = new.tables[number] else { return }
    let changes = before.columns.compactMap { place, column -> (from: String, to: String)? in
      let name = after.name(of: place)
      return name.isEmpty || name.isSameText(as: column.name) ? nil : (column.name, name)
    }
    rename(changes) {
      "ALTER TABLE \(after.name.quoted) RENAME COLUMN \($0.quoted) TO \($1.quoted)"
    }
  }

  /// Names may be exchanged, so a name that is still in use is reached by another one.
  private mutating func rename(
    _ changes: [(from: String, to: String)], _ sql: (String, String) -> String
  ) {
    let used = changes.map(\.from).asNames
    guard changes.contains(where: { used.contains($0.to) }) else {
      return statements += changes.map { sql($0.from, $0.to) }
    }
    statements += changes.enumerated().map { sql($1.from, "seedbed:\($0)") }
    statements += changes.enumerated().map { sql("seedbed:\($0)", $1.to) }
  }

  // MARK: tables

  private mutating func change(_ number: Int64) {
    guard let before = old.tables[number], let after = new.tables[number],
      !after.hasShape(of: before)
    else { return }
    let added = after.columns.dropFirst(before.columns.count)
    var plain = after
    plain.columns.removeLast(max(0, after.columns.count - before.columns.count))
    if plain.hasShape(of: before), added.allSatisfy(\.column.isAddable) {
      statements += added.map { _, column in
        "ALTER TABLE \(after.name.quoted) ADD COLUMN \(column.name.quoted) \(column.definition)"
      }
    } else {
      makeAgain(after, before)
      made.insert(number)
      dropsTables = true
    }
  }

  private mutating func makeAgain(_ after: MirroredTables.Table, _ before: MirroredTables.Table) {
    let new = "seedbed:new".quoted
    let known = Set(before.columns.map(\.number))
    let filled = after.columns.filter { !$0.column.isGenerated }.filter { number, column in
      known.contains(number) || column.filler != nil
    }
    let values = filled.map { number, column in
      guard known.contains(number) else { return column.filler ?? "NULL" }
      return column.filler.map { "coalesce(\(column.name.quoted), \($0))" } ?? column.name.quoted
    }
    statements.append("CREATE TABLE \(new) (\(parts(of: after)))")
    if !filled.isEmpty {
      statements.append(
        "INSERT INTO \(new) (\(filled.map(\.column.name).quotedList)) "
          + "SELECT \(values.joined(separator: ", ")) FROM \(after.name.quoted)")
    }
    statements.append("DROP TABLE \(after.name.quoted)")
    statements.append("ALTER TABLE \(new) RENAME TO \(after.name.quoted)")
  }

  private func parts(of table: MirroredTables.Table) -> String {
    var parts = table.columns.map { "\($0.column.name.quoted) \($0.column.definition)" }
    if !table.key.isEmpty { parts.append("PRIMARY KEY (\(table.key.map(table.name).quotedList))") }
    for reference in table.references {
      guard let parent = new.tables[reference.parent] else { continue }
      parts.append(
        "FOREIGN KEY (\(reference.columns.map(table.name).quotedList)) REFERENCES "
          + "\(parent.name.quoted) (\(reference.parentColumns.map(parent.name).quotedList)) "
          + "DEFERRABLE INITIALLY DEFERRED")
    }
    return parts.joined(separator: ", ")
  }

  // MARK: indexes

  private mutating func dropIndexes(of number: Int64) {
    guard let before = old.tables[number] else { return }
    let kept = new.tables[number]?.indexes ?? []
    statements += before.indexes.filter { !kept.contains($0) }.map {
      "DROP INDEX \($0.name.quoted)"
    }
  }

  private mutating func makeIndexes(of number: Int64) {
    guard let after = new.tables[number] else { return }
    let kept = made.contains(number) ? [] : old.tables[number]?.indexes ?? []
    statements += after.indexes.filter { !kept.contains($0) }.map { index in
      "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(index.name.quoted) ON "
        + "\(after.name.quoted) (\(index.columns.map(after.name).quotedList))"
    }
  }
}
