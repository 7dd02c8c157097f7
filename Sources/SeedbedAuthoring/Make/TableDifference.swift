import Seedbed

/// The changes that turn a table of the catalog into its source CSV.
struct TableDifference {
  /// A row that both have, with different values.
  struct Change {
    /// The source's row, by its rowid.
    var row: Int64
    /// The key of the row in the table.
    var key: [Value]
    /// The source's fields that differ.
    var fields: [Int]
  }

  let source: SourceTable
  /// The rows whose keys are to change; nil if nothing says so.
  let renamed: RenamedKeys?
  let connection: Connection
  /// Rows that only the source has, by their rowids, in the order of their keys.
  private(set) var inserts: [Int64] = []
  private(set) var updates: [Change] = []
  /// Keys of rows that only the table has.
  private(set) var deletes: [[Value]] = []
  /// The source's fields that differ in some row.
  private(set) var changedFields: Set<Int> = []
  /// The number of rows in the table.
  private(set) var tableRows = 0

  var target: TableTarget { source.target }
  var isEmpty: Bool { inserts.isEmpty && updates.isEmpty && deletes.isEmpty }

  init(_ source: SourceTable, renamed: RenamedKeys? = nil, on connection: Connection) throws {
    (self.source, self.renamed, self.connection) = (source, renamed, connection)
    try compare()
  }

  /// Compares both in the order of the table's key. A row with an incomplete key is always a
  /// user's.
  private mutating func compare() throws {
    let keys = target.key.map { "m.\($0.name.quoted)" }
    let matches = source.keyIndexes.map { index in
      "s.c\(index) = \(renamed?.newKey(source.fields[index]) ?? source.fields[index].sql)"
    }
    let differs = comparedFields.map { index in
      "\(source.fields[index].sql) COLLATE BINARY IS NOT s.c\(index)"
    }
    let rows = try connection.prepare(
      """
      SELECT s.rowid, \(differs.anyTrue), \(renamed?.isOther ?? "true"),
        \(keys.joined(separator: ", "))
      FROM \(target.sql) AS m \(renamed?.join ?? "")
      LEFT JOIN \(source.sql) AS s ON \(matches.allTrue)
      WHERE \(keys.map { "\($0) IS NOT NULL" }.allTrue)
      ORDER BY \(keys.joined(separator: ", "))
      """)
    let old = try connection.prepare(RowSelection(source.fields, of: target).sql)
    let new = try connection.prepare(source.selection)
    var matched = [Bool](repeating: false, count: source.rowCount + 1)
    var matchedCount = 0
    // A row does not stay under the key that another one gets.
    let claimed = try renamed?.rows(of: source) ?? []
    while try rows.step() {
      tableRows += 1
      let row = rows.integer(0)
      if rows.isNull(0) || claimed.contains(row) && rows.integer(2) == 1 {
        deletes.append(rows.values(from: 3))
        continue
      }
      matched[Int(row)] = true
      matchedCount += 1
      if rows.integer(1) == 0 { continue }
      let key = rows.values(from: 3)
      old.bind(key)
      new.bind([.integer(row)])
      guard try old.step(), try new.step() else { continue }
      // Devices treat reals that agree in 15 digits as the same.
      let fields = comparedFields.filter { !old.isSame($0, as: new, $0) }
      if fields.isEmpty { continue }
      changedFields.formUnion(fields)
      updates.append(Change(row: row, key: key, fields: fields))
    }
    if matchedCount < source.rowCount { try findInserts(matched) }
  }

  /// Whether rows get another key, or the same key spelled differently.
  var changesKeys: Bool { !changedFields.isDisjoint(with: source.keyIndexes) }

  /// Only the changes in some fields of rows that both have.
  func only(_ fields: Set<Int>) -> TableDifference {
    var part = self
    part.updates = updates.filter { !fields.isDisjoint(with: $0.fields) }
    part.changedFields = changedFields.intersection(fields)
    (part.inserts, part.deletes) = ([], [])
    return part
  }

  /// Only these rows: the indexes of changes that no key is part of, the keys of rows to retire,
  /// and the source's rows to add.
  func only(updates: [Int], deletes: [[Value]], inserts: [Int64]) -> TableDifference {
    var part = self
    part.updates = updates.map { self.updates[$0] }
    part.changedFields.subtract(source.keyIndexes)
    (part.deletes, part.inserts) = (deletes, inserts)
    return part
  }

  /// Whether a row of both gets another key.
  func changesKey(_ change: Change) -> Bool {
    change.fields.contains { source.fields[$0].isKey }
  }

  /// Some of the rows, by their indexes.
  func only(updates: [Int], deletes: [Int], inserts: [Int]) -> TableDifference {
    var part = self
    part.updates = updates.map { self.updates[$0] }
    part.deletes = deletes.map { self.deletes[$0] }
    part.inserts = inserts.map { self.inserts[$0] }
    return part
  }

  private var comparedFields: [Int] {
    source.fields.indices.filter { !source.fields[$0].isIgnored }
  }

  private mutating func findInserts(_ matched: [Bool]) throws {
    let order = source.keyIndexes.map { "c\($0)" }.joined(separator: ", ")
    let rows = try connection.prepare("SELECT rowid FROM \(source.sql) ORDER BY \(order)")
    while try rows.step() {
      let row = rows.integer(0)
      if !matched[Int(row)] { inserts.append(row) }
    }
  }
}

extension SourceTable {
  /// A query for all fields of a row, by its rowid.
  var selection: String {
    "SELECT \(fields.indices.map { "c\($0)" }.joined(separator: ", ")) FROM \(sql) WHERE rowid = ?"
  }
}

/// Fields of one row of a table, by its key.
struct RowSelection {
  let sql: String

  init(_ fields: [SourceField], of target: TableTarget) {
    let matches = target.key.names.equalsParameters(of: "m").allTrue
    sql =
      "SELECT \(fields.map(\.sql).joined(separator: ", ")) FROM \(target.sql) AS m "
      + "WHERE \(matches)"
  }
}
