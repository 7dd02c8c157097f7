/// One row file of a migration, its header checked against its table.
package final class RowFile {
  /// What its rows are to do. `down` reads the same files the other way round.
  enum Role: Equatable { case insert, update, delete }

  /// One column of the file, or one that is filled from what the file has.
  package final class Field {
    package enum Source {
      case file
      /// The file's as well: it names a row of another table.
      case natural
      /// Receives the key of a row that natural fields name.
      case resolved
      /// Receives what the database would have chosen, since rows of this migration refer to it.
      case assigned
    }

    /// Of the file's table; of a natural field, of the table that it names a row of.
    package let column: ColumnSchema
    /// True for `was:name` in an update file: the value that the seed believes to be there.
    var isBase: Bool
    let source: Source
    /// As the header has it.
    package let header: String
    /// A type in SQL for what the file has.
    package let type: String

    @inline(never) init(
      _ column: ColumnSchema, of table: TableSchema, _ dialect: any Dialect, isBase: Bool = false,
      source: Source = .file, header: String? = nil
    ) {
      (self.column, self.isBase, self.source) = (column, isBase, source)
      self.header = header ?? column.name
      type = dialect.fieldType(of: column, in: table)
    }

    /// The header without what tells an old value from a new one.
    var plainHeader: String { header.hasPrefix("was:") ? String(header.dropFirst(4)) : header }

    /// What old and new values of the same have in common.
    fileprivate var meaning: String {
      source == .natural ? "natural " + plainHeader : "own " + column.name
    }

    var isStreamed: Bool { source == .file || source == .natural }
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
  /// In the order of the file, and after them those that the file does not have itself.
  private(set) var fields: [Field]
  let naturals: [NaturalReference]
  /// The table's foreign keys, and references by natural key that the schema does not declare.
  let parents: [ParentKey]
  let open: () throws -> RowReader
  /// The rows in SQL, with the columns `c0`, `c1` … and `line`.
  let source: String

  /// The types of the fields that the file itself has.
  var streamedTypes: [String] { fields.filter(\.isStreamed).map(\.type) }

  /// The columns that hold the row itself: no bases, and nothing that SQLite computes.
  @inline(never) var valueIndexes: [Int] {
    fields.indices.filter {
      !fields[$0].isBase && fields[$0].source != .natural && fields[$0].column.generated == .no
    }
  }
  /// The fields of the table's own columns.
  @inline(never) var ownIndexes: [Int] {
    fields.indices.filter { fields[$0].source != .natural && fields[$0].source != .assigned }
  }
  /// The key's places in the file.
  var keyIndexes: [Int] { target.key.compactMap { index(of: $0.name) } }

  /// The columns that an update sets.
  var changes: [Change] {
    let keys = Set(keyIndexes)
    return valueIndexes.filter { !keys.contains($0) }.map { index in
      let column = fields[index].column
      return Change(
        column: column, seed: index, base: baseIndex(of: column.name),
        isIgnored: isIgnored(column))
    }
  }

  /// Where new and old values are, by the columns' names in lower case: a file may have 2,000.
  private var valuePlaces: [String: Int] = [:]
  private var basePlaces: [String: Int] = [:]

  /// Where a column's value is in the file; nil if the file does not have it.
  @inline(never) func index(of name: String) -> Int? { valuePlaces[name.asciiLowercased()] }

  func isIgnored(_ column: ColumnSchema) -> Bool {
    target.options.ignore.contains { $0.isSameName(as: column.name) }
  }

  /// Where the file has the key that its rows had: those of an update may get new ones.
  var oldKeyIndexes: [Int] { target.key.compactMap { oldIndex(of: $0.name) } }

  /// Where the old value of a column is in the file, or the only one.
  func oldIndex(of name: String) -> Int? { baseIndex(of: name) ?? index(of: name) }

  @inline(never) func baseIndex(of name: String) -> Int? { basePlaces[name.asciiLowercased()] }

  /// The columns of the key that the file changes.
  var keyChanges: [ColumnSchema] { target.key.filter { baseIndex(of: $0.name) != nil } }

  /// The columns that decide whether a row is what the seed says: ignored ones do not, and the key
  /// was found to be the same by its own collation.
  var comparedIndexes: [Int] {
    let keys = Set(keyIndexes)
    return valueIndexes.filter {
      !keys.contains($0) && !isIgnored(fields[$0].column) && fields[$0].source != .assigned
    }
  }

  /// The table's columns that the file does not know: favourites, notes, counters. An id that
  /// SQLite chose itself is none: seed rows have one too.
  var userColumns: [ColumnSchema] {
    var known = Set(ownIndexes.map { fields[$0].column.name })
    if let id = target.schema.rowidAlias { known.insert(id.name) }
    return target.schema.columns.filter {
      !known.contains($0.name) && $0.generated == .no && !isIgnored($0)
    }
  }

  /// The columns that must be as the seed knows them, if the file says how; an insert has none.
  var identity: [Change] {
    guard role != .insert else { return [] }
    return target.identity.compactMap { column in
      let base = baseIndex(of: column.name)
      guard let seed = index(of: column.name) ?? base else { return nil }
      return Change(column: column, seed: seed, base: base, isIgnored: false)
    }
  }

  /// Reads the header and checks it; the reader that `open` gives afterwards is ready to stream.
  init(_ check: HeaderCheck, reader: @escaping () throws -> RowReader) throws {
    let (place, target, connection) = (check.place, check.target, check.connection)
    let header = try reader().header
    let (fields, naturals) = try check.read(header)
    let decoders = try check.decoders(for: fields, naturals)
    let empties = check.empties(for: fields, naturals)
    role = Self.role(of: check.file.kind, isInverted: check.isInverted)
    if check.isInverted, role == .update {
      let bases = Set(fields.filter(\.isBase).map(\.meaning))
      let values = Set(fields.filter { !$0.isBase }.map(\.meaning))
      let changed = bases.intersection(values)
      // An old value alone is not changed, so it is what both directions find.
      for index in fields.indices where changed.contains(fields[index].meaning) {
        fields[index].isBase.toggle()
      }
    }
    (migrationFile, self.place, self.target) = (check.file, place, target)
    (self.fields, self.naturals) = (fields, naturals)
    source = connection.dialect.fileRows
    parents =
      target.parents
      + naturals.filter { natural in
        !fields[natural.receivers[0]].isBase
          && !target.parents.contains { $0.isSame(as: natural.key) }
      }.map(\.key)
    open = {
      let new = try reader()
      guard new.header == header else { throw SeedbedError.fileChanged(place) }
      new.decoders = decoders
      new.empties = empties
      return new
    }
    findPlaces()
    // What asks SQLite makes a table, which cannot be dropped while rows are read.
    if role != .insert {
      for column in userColumns { _ = try connection.constantDefault(of: column) }
    }
  }

  /// Rows to insert that are in a table of this connection.
  init(_ columns: [ColumnSchema], of target: TableTarget, from source: String) {
    role = .insert
    migrationFile = MigrationFile(
      name: target.name, kind: .insert(table: target.name), size: 0, isCompressed: false)
    place = target.name
    self.target = target
    fields = columns.map { Field($0, of: target.schema, target.dialect) }
    naturals = []
    parents = target.parents
    self.source = source
    open = { throw SeedbedError.rowsReadTwice(target.name) }
    findPlaces()
  }

  private func findPlaces() {
    for index in valueIndexes { valuePlaces[fields[index].column.name.asciiLowercased()] = index }
    for index in ownIndexes where fields[index].isBase {
      basePlaces[fields[index].column.name.asciiLowercased()] = index
    }
  }

  private init(_ file: RowFile) {
    (role, migrationFile, place, target) = (file.role, file.migrationFile, file.place, file.target)
    (fields, naturals, parents) = (file.fields, file.naturals, file.parents)
    (open, source) = (file.open, file.source)
    (valuePlaces, basePlaces) = (file.valuePlaces, file.basePlaces)
  }

  private static func role(of kind: MigrationFile.Kind, isInverted: Bool) -> Role {
    switch kind {
    case .update: .update
    case .delete: isInverted ? .insert : .delete
    default: isInverted ? .delete : .insert
    }
  }

  /// The same file with columns that it leaves to the database.
  func assigning(_ columns: [ColumnSchema]) -> RowFile {
    let file = RowFile(self)
    for column in columns where file.index(of: column.name) == nil {
      file.fields.append(Field(column, of: target.schema, target.dialect, source: .assigned))
      file.findPlaces()
    }
    return file
  }
}
