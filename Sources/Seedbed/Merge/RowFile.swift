/// One row file of a migration, its header held against the table it serves.
struct RowFile {
  /// What its rows are to do. `down` reads the same files the other way round.
  enum Role: Equatable { case insert, update, delete }

  /// One column of the file.
  struct Field {
    var column: ColumnSchema
    /// True for `was:name` in an update file: the value that the seed believes to be there.
    var isBase: Bool
  }

  /// A column that an update sets: where the file has the new value and the old one.
  struct Change {
    var column: ColumnSchema
    var seed: Int
    /// nil in a file without `was:` columns.
    var base: Int?
    /// Triggers or the app rewrite it: a difference is no edit.
    var isIgnored: Bool
  }

  let role: Role
  let migrationFile: MigrationFile
  /// `0001_elements/elements.csv.gz`, for errors.
  let place: String
  let target: TableTarget
  /// In the order of the file.
  let fields: [Field]
  let open: () throws -> RowReader

  var columns: [ColumnSchema] { fields.map(\.column) }

  /// The affinities of the file's columns, as types that SQL understands.
  let types: [String]
  /// The columns that hold the row itself: no bases, and nothing that SQLite computes.
  let valueIndexes: [Int]
  /// The key's places in the file.
  let keyIndexes: [Int]

  /// Where a column's value is in the file; nil where the file does not have it.
  func index(of name: String) -> Int? {
    let folded = name.asciiLowercased()
    return valueIndexes.first { fields[$0].column.name.asciiLowercased() == folded }
  }

  func isIgnored(_ column: ColumnSchema) -> Bool {
    target.options.ignore.contains { $0.asciiLowercased() == column.name.asciiLowercased() }
  }

  /// Where the file has the key that its rows had: those of an update may get new ones.
  var oldKeyIndexes: [Int] { target.key.compactMap { oldIndex(of: $0.name) } }

  /// Where the old value of a column is in the file, or the only one.
  func oldIndex(of name: String) -> Int? {
    let folded = name.asciiLowercased()
    return fields.firstIndex { $0.isBase && $0.column.name.asciiLowercased() == folded }
      ?? index(of: name)
  }

  /// The columns of the key that the file changes.
  var keyChanges: [ColumnSchema] {
    target.key.filter { column in fields.contains { $0.isBase && $0.column.name == column.name } }
  }

  var hasKeyChanges: Bool { !keyChanges.isEmpty }

  /// The columns that decide whether a row is what the seed says: ignored ones do not, and the key
  /// was found to be the same by its own collation.
  var comparedIndexes: [Int] {
    let keys = Set(keyIndexes)
    return valueIndexes.filter { !keys.contains($0) && !isIgnored(fields[$0].column) }
  }

  /// The columns that an update sets.
  var changes: [Change] {
    let keys = Set(keyIndexes)
    return valueIndexes.filter { !keys.contains($0) }.map { index in
      let column = fields[index].column
      let base = fields.indices.first { fields[$0].isBase && fields[$0].column.name == column.name }
      return Change(column: column, seed: index, base: base, isIgnored: isIgnored(column))
    }
  }

  /// The table's columns that the file does not know: favourites, notes, counters. An id that
  /// SQLite chose itself is none: seed rows have one too.
  var userColumns: [ColumnSchema] {
    var known = Set(fields.map(\.column.name))
    if let id = target.schema.rowidAlias { known.insert(id.name) }
    return target.schema.columns.filter {
      !known.contains($0.name) && $0.generated == .no && !isIgnored($0)
    }
  }
}

extension RowFile {
  /// Reads the header and checks it; the reader that `open` gives afterwards is ready to stream.
  ///
  /// - Parameters:
  ///   - isInverted: read backwards, for `down`: what was inserted is deleted and the reverse,
  ///     and old values change places with new ones.
  ///   - seesEdits: false where the policy is `overwriteRow`, which needs no old values.
  init(
    _ file: MigrationFile, place: String, target: TableTarget, isInverted: Bool, seesEdits: Bool,
    reader: @escaping () throws -> RowReader
  ) throws {
    let header = try reader().header
    let check = HeaderCheck(
      file: file, place: place, target: target, seesEdits: seesEdits, isInverted: isInverted)
    var fields = try check.fields(of: header)
    let decoders = try check.decoders(for: fields)
    let required = fields.map { field in target.key.contains { $0.name == field.column.name } }
    if isInverted, case .update = file.kind {
      let bases = Set(fields.filter(\.isBase).map(\.column.name))
      let values = Set(fields.filter { !$0.isBase }.map(\.column.name))
      // An old value alone is not changed, so it is what both directions find.
      for index in fields.indices
      where bases.intersection(values).contains(fields[index].column.name) {
        fields[index].isBase.toggle()
      }
    }
    role = Self.role(of: file.kind, isInverted: isInverted)
    migrationFile = file
    self.place = place
    self.target = target
    self.fields = fields
    types = fields.map { Affinity(of: $0.column, isStrict: target.schema.isStrict).rawValue }
    let valueIndexes = fields.indices.filter {
      !fields[$0].isBase && fields[$0].column.generated == .no
    }
    self.valueIndexes = valueIndexes
    keyIndexes = target.key.compactMap { key in
      valueIndexes.first {
        fields[$0].column.name.asciiLowercased() == key.name.asciiLowercased()
      }
    }
    open = {
      let new = try reader()
      guard new.header == header else { throw SeedbedError.fileChanged(place) }
      new.decoders = decoders
      new.required = required
      return new
    }
  }

  private static func role(of kind: MigrationFile.Kind, isInverted: Bool) -> Role {
    switch kind {
    case .update: .update
    case .delete: isInverted ? .insert : .delete
    default: isInverted ? .delete : .insert
    }
  }
}
