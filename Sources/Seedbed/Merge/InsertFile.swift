/// One insert file, its header held against the table it serves.
struct InsertFile {
  let migrationFile: MigrationFile
  /// `0001_elements/elements.csv.gz`, for errors.
  let place: String
  let target: TableTarget
  /// The table's columns in the order of the file.
  let columns: [ColumnSchema]
  let open: () throws -> RowReader

  /// The affinities of the file's columns, as types that SQL understands.
  var types: [String] {
    columns.map { Affinity(of: $0, isStrict: target.schema.isStrict).rawValue }
  }

  /// Where a column is in the file; nil where the file leaves it to its default.
  func index(of name: String) -> Int? {
    let folded = name.asciiLowercased()
    return columns.firstIndex { $0.name.asciiLowercased() == folded }
  }

  /// The key's places in the file.
  var keyIndexes: [Int] { target.key.compactMap { index(of: $0.name) } }

  /// The columns that decide whether a row is what the seed says: ignored ones do not, and the key
  /// was found to be the same by its own collation.
  var comparedIndexes: [Int] {
    let passedOver = Set(target.options.ignore.map { $0.asciiLowercased() })
      .union(target.key.map { $0.name.asciiLowercased() })
    return columns.indices.filter { !passedOver.contains(columns[$0].name.asciiLowercased()) }
  }

  /// Reads the header and checks it; the reader that `open` gives afterwards is ready to stream.
  init(
    _ file: MigrationFile, place: String, target: TableTarget,
    reader: @escaping () throws -> RowReader
  ) throws {
    migrationFile = file
    self.place = place
    self.target = target
    let header = try reader().header
    let columns = try Self.columns(header, target.schema, place)
    self.columns = columns
    for key in target.key where !columns.contains(where: { $0.name == key.name }) {
      throw SeedbedError.keyMissingInHeader(
        key.name, table: target.name, SeedbedError.Place(place, line: 1))
    }
    let blobs = Dictionary(
      target.options.blobs.map { ($0.key.asciiLowercased(), $0.value) }, uniquingKeysWith: { $1 })
    let decoders = try columns.map { column in
      do {
        return try FieldDecoder(
          column: column, isStrict: target.schema.isStrict,
          blob: blobs[column.name.asciiLowercased()])
      } catch let error as SeedbedError {
        throw error.located(at: SeedbedError.Place(place, line: 1))
      }
    }
    let required = columns.map { column in target.key.contains { $0.name == column.name } }
    open = {
      let new = try reader()
      guard new.header == header else { throw SeedbedError.fileChanged(place) }
      new.decoders = decoders
      new.required = required
      return new
    }
  }

  private static func columns(
    _ header: [RowReader.HeaderField], _ schema: TableSchema, _ file: String
  ) throws -> [ColumnSchema] {
    try header.map { field in
      let place = SeedbedError.Place(file, line: 1, column: field.column)
      guard let column = schema.column(field.name) else {
        if field.name.contains(":") { throw SeedbedError.headerNotSupported(field.name, place) }
        throw SeedbedError.noSuchColumn(
          field.name, table: schema.name, among: schema.columns.map(\.name), place)
      }
      guard column.generated == .no else {
        throw SeedbedError.generatedColumn(column.name, table: schema.name, place)
      }
      return column
    }
  }
}
