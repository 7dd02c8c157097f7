import Seedbed

/// Which rows of a release cannot come before which others, found by SQL over what each row is
/// before the release and after it:
///
///     1  who gets a UNIQUE value needs who gives it up, and the other way round
///     2  who refers to a row needs the row that brings what it refers to
///     3  who goes, or gives up what others refer to, needs those that stop referring to it
///     4  who names a row by natural key needs the row whose name changes, and the other way round
struct ReleaseNeeds {
  /// By the number of a row, the numbers of those that must be there with it or before it.
  private(set) var needs: [[Int32]]
  private let rows: ReleaseRows
  /// In SQL, what each table's rows are before and after the release.
  private let sides: [Sides]
  private let connection: Connection

  private struct Sides {
    let before: String
    let after: String
    /// The columns that decide, by their names in small letters.
    let columns: [String: String]
    /// Values that no two rows may have in common.
    let unique: [[Decisive]]

    func column(_ name: String) -> String { columns[name.asciiLowercased()] ?? "NULL" }
  }

  /// - Parameters:
  ///   - before: has the state before the release.
  ///   - after: has the state after it, and these sources loaded.
  init(
    _ rows: ReleaseRows, before: Connection, after: Connection, _ sourceTables: [SourceTable]
  ) throws {
    self.rows = rows
    connection = after
    needs = Array(repeating: [], count: rows.count)
    var sides: [Sides] = []
    for (index, difference) in rows.differences.enumerated() {
      let unique = try Self.uniqueSets(of: difference.target.schema, after)
      let columns = Self.decisive(index, rows.differences) + unique.joined().filter(\.isComputed)
      let side = Sides(
        before: "temp." + "seedbed:before \(index)".quoted,
        after: "temp." + "seedbed:after \(index)".quoted,
        columns: Dictionary(
          uniqueKeysWithValues: columns.enumerated().map { ($1.name.asciiLowercased(), "c\($0)") }),
        unique: unique)
      sides.append(side)
      let definitions = columns.enumerated().map { place, column in
        ", c\(place) \(column.type.quoted) COLLATE \(column.collation.quoted)"
      }.joined()
      for table in [side.before, side.after] {
        try after.execute("CREATE TABLE \(table) (number INTEGER PRIMARY KEY\(definitions))")
      }
      let selected = columns.map(\.sql)
      try Self.copyBefore(rows, index, difference.target, selected, from: before, to: side, after)
      let name = difference.target.name
      guard let source = sourceTables.first(where: { $0.target.name == name }) else {
        continue
      }
      try Self.copyAfter(rows, index, source, selected, to: side, after)
    }
    self.sides = sides
    for index in rows.differences.indices {
      try passOn(index)
      for key in Self.references(of: rows.differences[index]) { try refer(index, key) }
    }
  }

  // MARK: before and after

  /// What decides: a column, or what an index computes.
  private struct Decisive {
    let name: String
    let type: String
    /// By which it is compared.
    let collation: String
    /// Of a row `m` of the table.
    let sql: String
    var isComputed = false

    init(_ column: ColumnSchema, collation: String? = nil) {
      (name, type) = (column.name, column.declaredType)
      (self.collation, sql) = (collation ?? column.collation, "m.\(column.name.quoted)")
    }

    init(_ name: String, _ type: String, collation: String, _ sql: String) {
      (self.name, self.type, self.collation, self.sql) = (name, type, collation, sql)
      isComputed = true
    }
  }

  /// The columns of a table that UNIQUE and references speak of.
  private static func decisive(
    _ index: Int, _ differences: [TableDifference]
  ) -> [Decisive] {
    let target = differences[index].target
    let unique = target.schema.indexes.filter { $0.isUnique && $0.isPlain }.flatMap(\.columns)
    var names = target.schema.primaryKey.map(\.name) + unique.compactMap(\.self)
    for difference in differences {
      for key in references(of: difference) {
        if difference.target.name == target.name { names += key.key.childColumns }
        if key.key.parent == target.name { names += key.key.parentColumns + key.names }
      }
    }
    let wanted = Set(names.map { $0.asciiLowercased() })
    return target.schema.columns.filter { wanted.contains($0.name.asciiLowercased()) }
      .map { Decisive($0) }
  }

  private static func copyBefore(
    _ rows: ReleaseRows, _ index: Int, _ target: TableTarget, _ columns: [String],
    from before: Connection, to side: Sides, _ after: Connection
  ) throws {
    let matches = target.key.map { "m.\($0.name.quoted) = ?" }.allTrue
    let selected = (["1"] + columns).joined(separator: ", ")
    let row = try before.prepare("SELECT \(selected) FROM \(target.sql) AS m WHERE \(matches)")
    let marks = String(repeating: ", ?", count: columns.count)
    let insert = try after.prepare("INSERT INTO \(side.before) VALUES (?\(marks))")
    for run in rows.runs where run.difference == index && run.operation != .insert {
      let difference = rows.differences[index]
      for (place, number) in run.numbers.enumerated() {
        row.bind(
          run.operation == .update ? difference.updates[place].key : difference.deletes[place])
        guard try row.step() else { continue }
        try insert.run([.integer(Int64(number))] + row.values(from: 1))
      }
    }
  }

  private static func copyAfter(
    _ rows: ReleaseRows, _ index: Int, _ source: SourceTable, _ columns: [String], to side: Sides,
    _ after: Connection
  ) throws {
    let numbers = "temp." + "seedbed:numbers".quoted
    try after.execute("CREATE TABLE \(numbers) (row INTEGER PRIMARY KEY, number INTEGER)")
    let insert = try after.prepare("INSERT INTO \(numbers) VALUES (?, ?)")
    for run in rows.runs where run.difference == index && run.operation != .delete {
      let difference = rows.differences[index]
      for (place, number) in run.numbers.enumerated() {
        let row =
          run.operation == .update ? difference.updates[place].row : difference.inserts[place]
        try insert.run([.integer(row), .integer(Int64(number))])
      }
    }
    let matches = source.keyIndexes.map { "s.c\($0) = \(source.fields[$0].sql)" }.allTrue
    try after.execute(
      """
      INSERT INTO \(side.after)
      SELECT \((["n.number"] + columns).joined(separator: ", "))
      FROM \(source.target.sql) AS m CROSS JOIN \(source.sql) AS s ON \(matches)
      CROSS JOIN \(numbers) AS n ON n.row = s.rowid
      """)
    try after.execute("DROP TABLE \(numbers)")
  }

  // MARK: UNIQUE values

  private static func uniqueSets(
    of schema: TableSchema, _ connection: Connection
  ) throws -> [[Decisive]] {
    let computed = schema.computesUniqueValues ? try connection.expressions(of: schema) : nil
    let primary = schema.primaryKey.map { Decisive($0) }
    let others = schema.indexes.filter(\.isUnique).map { index in
      if index.isPlain {
        return zip(index.columns, index.collations).compactMap { name, collation in
          name.flatMap(schema.column).map { Decisive($0, collation: collation) }
        }
      }
      // One that is not understood speaks up in the trial of the parts.
      guard let found = computed?.indexes[index.name] else { return [] }
      return zip(found.terms, index.collations).enumerated().map { place, made in
        let value = found.value(made.0).sql { "m.\(schema.columns[$0].name.quoted)" }
        // No column is called so.
        let name = "seedbed:\(index.name):\(place)"
        return Decisive(name, made.0.type, collation: made.1, value)
      }
    }
    return ([primary] + others).filter { !$0.isEmpty }
  }

  private mutating func passOn(_ index: Int) throws {
    let side = sides[index]
    for columns in side.unique {
      let same = columns.map { column in
        "o.\(side.column(column.name)) COLLATE \(column.collation.quoted) "
          + "= n.\(side.column(column.name))"
      }
      try join(
        bothWays: true,
        """
        SELECT o.number, n.number FROM \(side.before) AS o JOIN \(side.after) AS n
        ON \(same.allTrue)
        """)
    }
  }

  // MARK: references

  private struct Reference {
    var key: ParentKey
    /// The parent's columns by which the files name it; empty if they have its key.
    var names: [String]
  }

  private static func references(of difference: TableDifference) -> [Reference] {
    var references = difference.target.parents.map { Reference(key: $0, names: []) }
    for field in difference.source.fields {
      guard let key = field.reference else { continue }
      if let place = references.firstIndex(where: { $0.key.isSame(as: key) }) {
        references[place].names.append(field.column.name)
      } else {
        references.append(Reference(key: key, names: [field.column.name]))
      }
    }
    return references
  }

  private mutating func refer(_ index: Int, _ reference: Reference) throws {
    let key = reference.key
    guard let other = rows.differences.firstIndex(where: { $0.target.name == key.parent }) else {
      return
    }
    let (child, parent) = (sides[index], sides[other])
    let columns = zip(key.childColumns, key.parentColumns).map {
      (child.column($0), parent.column($1))
    }
    let refers = columns.map { "p.\($1) = c.\($0)" }.allTrue
    let changes = { (columns: [String], other: String, own: String) in
      columns.map { "\(other).\($0) COLLATE BINARY IS NOT \(own).\($0)" }.anyTrue
    }
    let parentChanges = changes(columns.map(\.1), "q", "p")
    try join(
      """
      SELECT c.number, p.number FROM \(child.after) AS c JOIN \(parent.after) AS p ON \(refers)
      LEFT JOIN \(parent.before) AS q ON q.number = p.number
      WHERE q.number IS NULL OR \(parentChanges)
      """)
    try join(
      """
      SELECT p.number, c.number FROM \(child.before) AS c JOIN \(parent.before) AS p ON \(refers)
      LEFT JOIN \(parent.after) AS q ON q.number = p.number
      LEFT JOIN \(child.after) AS d ON d.number = c.number
      WHERE (q.number IS NULL OR \(parentChanges))
        AND (d.number IS NULL OR \(changes(columns.map(\.0), "d", "c")))
      """)
    if reference.names.isEmpty { return }
    let renamed = changes(reference.names.map(parent.column), "o", "n")
    for (children, parents) in [(child.before, parent.before), (child.after, parent.after)] {
      try join(
        bothWays: true,
        """
        SELECT c.number, p.number FROM \(children) AS c JOIN \(parents) AS p ON \(refers)
        JOIN \(parent.before) AS o ON o.number = p.number
        JOIN \(parent.after) AS n ON n.number = p.number WHERE \(renamed)
        """)
    }
  }

  /// Notes that the first of each pair needs the second.
  private mutating func join(bothWays: Bool = false, _ sql: String) throws {
    let pairs = try connection.prepare(sql)
    while try pairs.step() {
      let (one, other) = (pairs.integer(0), pairs.integer(1))
      if one == other { continue }
      needs[Int(one)].append(Int32(other))
      if bothWays { needs[Int(other)].append(Int32(one)) }
    }
  }
}
