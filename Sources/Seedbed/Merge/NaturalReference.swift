/// A reference by natural key: fields of a file that name a row of another table, and columns that
/// receive the key of that row.
struct NaturalReference {
  /// The table of the rows that are named.
  let parent: TableSchema
  /// The places in the file of the fields that name a row.
  var fields: [Int]
  /// The places, behind the file's own fields, of the columns that receive its key.
  var receivers: [Int]
  /// The parent's columns by which it is named, one for each field.
  let naturalColumns: [ColumnSchema]
  /// The parent's columns that are received.
  let keyColumns: [ColumnSchema]
  /// The option `key` of the parent: a row with NULL in it is a user's, and has no name.
  let optionKey: [ColumnSchema]
  /// The foreign key that this is.
  let key: ParentKey

  /// Whether the schema says that no two rows can be meant.
  var isUnique: Bool { parent.tellsApart(naturalColumns.map(\.name)) }

  /// Holds for rows of the parent that a seed may have.
  func isKeyed(_ table: String) -> [String] {
    optionKey.map { "\(table).\($0.name.quoted) IS NOT NULL" }
  }

  /// The names as the keys left to the user are written, where these columns are such a key.
  func collated(_ values: [Value], like key: [ColumnSchema]) -> String {
    let named = zip(naturalColumns, values).map { ($0, $1) }
    let sorted = key.compactMap { column in named.first { $0.0.name == column.name } }
    guard sorted.count == named.count else { return "" }
    return RowJSON.collatedKey(sorted.map(\.0), sorted.map(\.1))
  }

  /// The place among the parent's columns as a temporary table has them.
  func type(of column: ColumnSchema) -> String {
    let affinity = Affinity(of: column, isStrict: parent.isStrict).rawValue
    return "\(affinity) COLLATE \(column.collation.quoted)"
  }

  /// What stands in a receiver where no row is found, or several: no key is like it, and two are
  /// the same where the fields are.
  static let mark = "seedbed:unresolved "

  func unresolvedSQL(stage: String = "s") -> String {
    let values = fields.map { "quote(\(stage).c\($0))" }.joined(separator: " || ',' || ")
    return "CAST('\(Self.mark)' || \(values) AS BLOB)"
  }

  /// What stands there while this migration has yet to insert the row: unlike what is unresolved
  /// it fits the column, and no row has it.
  static func awaited(_ column: ColumnSchema, isStrict: Bool, mark: Int64) -> Value {
    switch Affinity(of: column, isStrict: isStrict) {
    // Above 0, since a CHECK may say that ids are.
    case .integer, .numeric: .integer(.max / 2 + mark)
    case .real: .real(1e15 + Double(mark))
    case .blob where isStrict: .blob(Array("seedbed:awaited \(mark)".utf8))
    case .text, .blob: .text("\u{1}seedbed:awaited \(mark)")
    }
  }
}

extension TableSchema {
  /// Whether at most one row has the same values in these columns, by the columns' own collations.
  func tellsApart(_ names: [String]) -> Bool {
    let known = Set(names.map { $0.asciiLowercased() })
    if let alias = rowidAlias, known.contains(alias.name.asciiLowercased()) { return true }
    return indexes.contains { index in
      guard index.isUnique, index.isPlain else { return false }
      return zip(index.columns, index.collations).allSatisfy { name, collation in
        guard let name, known.contains(name.asciiLowercased()) else { return false }
        return column(name)?.collation.asciiLowercased() == collation.asciiLowercased()
      }
    }
  }
}

extension RowFile {
  /// The reference that fills a column.
  func natural(of name: String) -> NaturalReference? {
    guard let index = index(of: name) else { return nil }
    return naturals.first { $0.receivers.contains(index) }
  }

  /// The reference that fills columns of a foreign key.
  func natural(of parent: ParentKey) -> NaturalReference? {
    parent.childColumns.lazy.compactMap { natural(of: $0) }.first {
      $0.parent.name == parent.parent
    }
  }

  /// Fields as JSON; where a natural key finds no row, it stands there itself, under its header.
  ///
  /// `mark` is that of the row, where a parent may be awaited.
  func json(
    _ indexes: [Int], behind first: [(String, Value)] = [], mark: Int64? = nil,
    _ value: (Int) -> Value
  ) -> String {
    var names = first.map(\.0)
    var values = first.map(\.1)
    var seen: Set<Int> = []
    for index in indexes {
      let own = value(index)
      if let natural = naturals.first(where: { $0.receivers.contains(index) }),
        isUnresolved(own, index, mark)
      {
        for field in natural.fields where seen.insert(field).inserted {
          names.append(fields[field].header)
          values.append(value(field))
        }
      } else {
        names.append(fields[index].column.name)
        values.append(own)
      }
    }
    return RowJSON.object(names, values)
  }

  func isUnresolved(_ value: Value, _ index: Int, _ mark: Int64? = nil) -> Bool {
    if case .blob(let bytes) = value, bytes.starts(with: NaturalReference.mark.utf8) { return true }
    return mark.map { value == awaited(index, mark: $0) } ?? false
  }

  func awaited(_ index: Int, mark: Int64) -> Value {
    NaturalReference.awaited(
      fields[index].column, isStrict: target.schema.isStrict, mark: mark)
  }

  /// Names that a conflict's values have: what it knows by a natural key is the column that would
  /// have received the key.
  func columnNames(_ names: Set<String>) -> Set<String> {
    let unresolved = naturals.filter { natural in
      natural.fields.contains { names.contains(fields[$0].header) }
    }
    return names.union(unresolved.flatMap(\.receivers).map { fields[$0].column.name })
  }
}
