import Seedbed

/// One column of a source CSV: what it means in its table, and how its values are written.
struct SourceField {
  /// As the header has it: a column, or a reference by natural key.
  let header: String
  /// The column that it fills; of a reference, what it is found by in the other table.
  let column: ColumnSchema
  /// The columns of the table that it fills.
  let fills: [String]
  /// Its value for a row `m` of the table.
  let sql: String
  let isKey: Bool
  /// Whether triggers or the app rewrite what it fills.
  let isIgnored: Bool
  /// The reference that names a row of another table by this; nil for a plain column.
  let reference: ParentKey?
  let decoder: FieldDecoder
  /// What an empty field of it is.
  let empty: EmptyField
  private let affinity: String

  /// As a column of a temporary table that takes what this one takes, and compares as it does.
  var type: String { "\(affinity) COLLATE \(column.collation.quoted)" }

  /// As a column of the virtual table of rows.
  var streamedType: String { affinity }

  /// The value as written in a CSV file, with its quotes; nil if no field can represent it.
  func text(of value: Value) -> String? { decoder.field(of: value) }
}

extension SourceField {
  /// Checks a header against its table, by the rules of a file with rows to insert.
  static func read(
    _ names: [String], place: String, of target: TableTarget, options: MigrationOptions,
    on connection: Connection
  ) throws -> [SourceField] {
    let header = names.map { RowReader.HeaderField(name: $0, column: 1) }
    return try read(header, place: place, of: target, options: options, on: connection)
  }

  static func read(
    _ header: [RowReader.HeaderField], place: String, of target: TableTarget,
    options: MigrationOptions, on connection: Connection
  ) throws -> [SourceField] {
    let file = MigrationFile(
      name: place, kind: .insert(table: target.name), size: 0, isCompressed: false)
    let check = HeaderCheck(
      file: file, place: place, target: target, seesEdits: false, isInverted: false,
      options: options, connection: connection)
    let (fields, naturals) = try check.read(header)
    let decoders = try check.decoders(for: fields, naturals)
    let empties = check.empties(for: fields, naturals)
    let key = Set(target.key.map(\.name))
    let ignored = Set(target.options.ignore.map { $0.asciiLowercased() })
    return header.indices.map { index in
      let column = fields[index].column
      let natural = naturals.first { $0.fields.contains(index) }
      let fills = natural.map { $0.receivers.map { fields[$0].column.name } } ?? [column.name]
      return SourceField(
        header: fields[index].header, column: column, fills: fills,
        sql: natural.map { sql($0, column, fills) } ?? "m.\(column.name.quoted)",
        isKey: !key.isDisjoint(with: fills),
        isIgnored: fills.allSatisfy { ignored.contains($0.asciiLowercased()) },
        reference: natural?.key, decoder: decoders[index], empty: empties[index],
        affinity: fields[index].type)
    }
  }

  /// The name of the row that `m` refers to.
  private static func sql(
    _ natural: NaturalReference, _ column: ColumnSchema, _ receivers: [String]
  ) -> String {
    let matches = zip(natural.keyColumns, receivers)
      .map { "p.\($0.name.quoted) = m.\($1.quoted)" }.allTrue
    return "(SELECT p.\(column.name.quoted) FROM main.\(natural.parent.name.quoted) AS p "
      + "WHERE \(matches))"
  }
}
