import Seedbed
import SeedbedCells

/// A column of a source CSV: its meaning in the table, and how its values are written.
struct SourceField {
  /// The name in the header: a column, or a reference by natural key.
  let header: String
  /// The column that it fills. For a reference, the column of the other table by which the row is
  /// found.
  let column: ColumnSchema
  /// The columns of the table that it fills.
  let fills: [String]
  /// Its value for a row `m` of the table.
  let sql: String
  let isKey: Bool
  /// Whether triggers or the app rewrite the columns that it fills.
  let isIgnored: Bool
  /// The reference that uses it to name a row of another table; nil for a plain column.
  let reference: ParentKey?
  let decoder: FieldDecoder
  /// The meaning of an empty field.
  let empty: EmptyField
  private let affinity: String

  /// The type of a temporary table's column that accepts and compares values as this column does.
  var type: String { "\(affinity) COLLATE \(column.collation.quoted)" }

  /// The type in the virtual table of rows.
  var streamedType: String { affinity }

  /// The value as it is written in a CSV file, with its quotes; nil if no field can represent it.
  func text(of value: Value) -> String? {
    value.isNull && empty == .text ? nil : decoder.field(of: value)
  }
}

extension SourceField {
  /// Checks a header against its table, by the rules for files with rows to insert.
  static func read(
    _ names: [String], place: String, of target: TableTarget, options: MigrationOptions,
    on connection: any DatabaseSession
  ) throws -> [SourceField] {
    let header = names.map { RowReader.HeaderField(name: $0, column: 1) }
    return try read(header, place: place, of: target, options: options, on: connection)
  }

  static func read(
    _ header: [RowReader.HeaderField], place: String, of target: TableTarget,
    options: MigrationOptions, on connection: any DatabaseSession
  ) throws -> [SourceField] {
    let file = MigrationFile(
      name: place, kind: .insert(table: target.name), size: 0, isCompressed: false)
    let check = HeaderCheck(
      file: file, place: place, target: target, seesEdits: false, isInverted: false,
      options: options, connection: connection)
    let (fields, naturals) = try check.read(header)
    let decoders = try check.decoders(for: fields, naturals)
    let empties = check.empties(for: fields, naturals)
    let key = target.key.map(\.name).asNames
    let ignored = target.options.ignore.asNames
    return header.indices.map { index in
      let column = fields[index].column
      let natural = naturals.first { $0.fields.contains(index) }
      let fills = natural.map { $0.receivers.map { fields[$0].column.name } } ?? [column.name]
      return SourceField(
        header: fields[index].header, column: column, fills: fills,
        sql: natural.map { sql($0, column, fills) } ?? "m.\(column.name.quoted)",
        isKey: !key.isDisjoint(with: fills.asNames),
        isIgnored: fills.allSatisfy { ignored.contains($0) },
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
