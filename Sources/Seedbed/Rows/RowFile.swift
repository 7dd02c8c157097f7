/// One row file of a migration, its header checked against its table.
package final class RowFile {
  /// The operation on its rows. `down` reads the same files in the opposite direction.
  enum Role: String { case insert, update, delete }

  /// A column of the file, or a column that is filled from the file's fields.
  package final class Field {
    enum Source {
      case file
      /// A column of the file that names a row of another table.
      case natural
      /// A column that receives the key of a row that natural fields name.
      case resolved
      /// A column that receives the id that the database would have chosen, since rows of this
      /// migration refer to it.
      case assigned
      /// The owner of the row, which no file has.
      case owner
      /// The owner of a row that natural fields name.
      case ownerOfName
    }

    /// A column of the file's table. For a natural field, a column of the table whose row it names.
    package let column: ColumnSchema
    /// True for `was:name` in an update file: the value that the seed expects.
    var isBase: Bool
    let source: Source
    /// The name in the header.
    package let header: String
    /// An SQL type for the file's values.
    package let type: String
    /// Whether each owner's copy has an id of its own, which the file's is mixed into.
    var isMixed = false

    init(
      _ column: ColumnSchema, of table: TableSchema, _ dialect: any Dialect, isBase: Bool = false,
      source: Source = .file, header: String? = nil
    ) {
      (self.column, self.isBase, self.source) = (column, isBase, source)
      self.header = header ?? column.name
      type = dialect.fieldType(of: column, in: table)
    }

    /// The header without the mark of an old value.
    var plainHeader: String { header.hasPrefix("was:") ? String(header.dropFirst(4)) : header }

    /// The text that a column's old and new values have in common.
    fileprivate var meaning: String {
      isName ? "natural " + plainHeader : "own " + column.name
    }

    func isValue(of other: ColumnSchema?) -> Bool { !isName && !isBase && column === other }

    var isStreamed: Bool { source == .file || source == .natural }
    /// Whether `RowFile.source` has it.
    var isRead: Bool { isStreamed || isOwner }
    /// Whether its value is that of the owner for whom a row is read.
    var isOwner: Bool { source == .owner || source == .ownerOfName }
    /// Whether it finds a row of another table, and is not written.
    var isName: Bool { source == .natural || source == .ownerOfName }
  }

  /// A column that an update sets: the positions of the new and the old value in the file.
  struct Change {
    var column: ColumnSchema
    var seed: Int
    /// nil in a file without `was:` columns.
    var base: Int?
    /// Triggers or the app rewrite the column, so a difference is not a user's edit.
    var isIgnored: Bool
  }

  let role: Role
  let migrationFile: MigrationFile
  /// `0001_elements/elements.csv.gz`, for errors.
  let place: String
  let target: TableTarget
  /// The fields in the file's order, and after them the columns that are not in the file itself.
  private(set) var fields: [Field]
  let naturals: [NaturalReference]
  /// The table's foreign keys, and the references by natural key that the schema does not declare.
  let parents: [ParentKey]
  let open: () throws -> RowReader
  /// The table of the streamed fields: of rows that were copied, or of a stream.
  let table: String
  /// The rows in SQL, with the columns `c0`, `c1` … and `line`.
  let source: String

  /// The types of the fields that the file itself has.
  var streamedTypes: [String] { fields.filter(\.isStreamed).map(\.type) }
  /// Whether the rows are in a table.
  var isTable: Bool { table != target.dialect.fileRows }
  /// Whether each row is read once for each owner.
  var isPerOwner: Bool { fields.contains(where: \.isOwner) }

  /// The columns of the row itself: no old values, and no columns that SQLite computes.
  @inline(never) var valueIndexes: [Int] {
    fields.indices.filter {
      !fields[$0].isBase && !fields[$0].isName && fields[$0].column.generated == .no
    }
  }
  /// The fields of the table's own columns.
  @inline(never) var ownIndexes: [Int] {
    fields.indices.filter { !fields[$0].isName && fields[$0].source != .assigned }
  }
  /// The positions of the key in the file.
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

  /// The positions of new and old values, by the columns' names: a file may have
  /// 2,000 columns.
  private var valuePlaces: [Name: Int] = [:]
  private var basePlaces: [Name: Int] = [:]

  /// The position of a column's value in the file; nil if the file does not have it.
  @inline(never) func index(of name: String) -> Int? { valuePlaces[name] }

  func isIgnored(_ column: ColumnSchema) -> Bool {
    target.options.ignore.contains(name: column.name)
  }

  /// The positions of the key that the rows had before. Rows of an update may get new keys.
  var oldKeyIndexes: [Int] { target.key.compactMap { oldIndex(of: $0.name) } }

  /// The position of a column's old value in the file, or of its only value.
  func oldIndex(of name: String) -> Int? { baseIndex(of: name) ?? index(of: name) }

  func baseIndex(of name: String) -> Int? { basePlaces[name] }

  /// The columns of the key that the file changes.
  var keyChanges: [ColumnSchema] { target.key.filter { baseIndex(of: $0.name) != nil } }

  /// The columns that decide whether a row is as the seed says. Ignored columns are left out; the
  /// key was already compared by its own collation.
  var comparedIndexes: [Int] {
    let keys = Set(keyIndexes)
    return valueIndexes.filter {
      !keys.contains($0) && !isIgnored(fields[$0].column) && fields[$0].source != .assigned
        && !fields[$0].isMixed
    }
  }

  /// The table's columns that are not in the file, such as favourites, notes and counters. An id
  /// that SQLite chose is not one of them, since seed rows have ids too.
  var userColumns: [ColumnSchema] {
    var known = ownIndexes.map { fields[$0].column.name }.asNames
    if let id = target.schema.rowidAlias { known.insert(id.name) }
    return target.schema.columns.filter {
      !known.contains($0.name) && $0.generated == .no && !isIgnored($0)
    }
  }

  /// The columns that must have the values that the seed expects, if the file has these values. An
  /// insert file has none.
  var identity: [Change] {
    guard role != .insert else { return [] }
    return target.identity.compactMap { column in
      let base = baseIndex(of: column.name)
      guard let seed = index(of: column.name) ?? base else { return nil }
      return Change(column: column, seed: seed, base: base, isIgnored: false)
    }
  }

  /// Reads the header and checks it. `open` then returns a reader that is ready to stream.
  init(_ check: HeaderCheck, reader: @escaping () throws -> RowReader) throws {
    let (place, target, connection) = (check.place, check.target, check.connection)
    let header = try reader().header
    let (fields, naturals) = try check.read(header)
    try check.refuseOwners(fields, naturals)
    let decoders = try check.decoders(for: fields, naturals)
    let empties = check.empties(for: fields, naturals)
    role = Self.role(of: check.file.kind, isInverted: check.isInverted)
    if check.isInverted, role == .update {
      let bases = fields.filter(\.isBase).map(\.meaning).asNames
      let values = fields.filter { !$0.isBase }.map(\.meaning).asNames
      let changed = bases.intersection(values)
      // An old value without a new one does not change, so both directions expect it.
      for index in fields.indices where changed.contains(fields[index].meaning) {
        fields[index].isBase.toggle()
      }
    }
    (migrationFile, self.place, self.target) = (check.file, place, target)
    (self.fields, self.naturals) = (fields, naturals)
    table = connection.dialect.fileRows
    source = Owners.source(fields, from: table, connection.dialect)
    parents = Self.parents(of: target, naturals, fields)
    open = {
      let new = try reader()
      guard new.header == header else { throw SeedbedError.fileChanged(place) }
      new.decoders = decoders
      new.empties = empties
      return new
    }
    findPlaces()
    // Asking SQLite creates a table, which cannot be dropped while rows are read.
    if role != .insert {
      for column in userColumns { _ = try connection.constantDefault(of: column) }
    }
  }

  /// Rows from a table of this connection, which has a column for each name in the header.
  init(
    _ role: Role, _ header: [String], of target: TableTarget, _ options: MigrationOptions,
    from table: String, on connection: any DatabaseSession
  ) throws {
    let kind: MigrationFile.Kind =
      switch role {
      case .insert: .insert(table: target.name)
      case .update: .update(table: target.name)
      case .delete: .delete(table: target.name)
      }
    migrationFile = MigrationFile(name: target.name, kind: kind, size: 0, isCompressed: false)
    let check = HeaderCheck(
      file: migrationFile, place: target.name, target: target, seesEdits: role != .insert,
      isInverted: false, options: options, connection: connection)
    let (fields, naturals) = try check.read(
      header.enumerated().map { RowReader.HeaderField(name: $1, column: $0 + 1) })
    (self.role, place, self.target, self.table) = (role, target.name, target, table)
    (self.fields, self.naturals) = (fields, naturals)
    source = Owners.source(fields, from: table, connection.dialect)
    parents = Self.parents(of: target, naturals, fields)
    open = { throw SeedbedError.rowsReadTwice(target.name) }
    findPlaces()
  }

  /// Makes the table from which they are read.
  var tableCreation: String {
    let columns = streamedTypes.enumerated().map { "c\($0) \($1)" } + ["line BIGINT"]
    return "CREATE TABLE \(table) (\(columns.listed)\(target.dialect.numberedRows))"
  }

  private static func parents(
    of target: TableTarget, _ naturals: [NaturalReference], _ fields: [Field]
  ) -> [ParentKey] {
    target.parents
      + naturals.filter { natural in
        !fields[natural.receivers[0]].isBase
          && !target.parents.contains { $0.isSame(as: natural.key) }
      }.map(\.key)
  }

  private func findPlaces() {
    for index in valueIndexes { valuePlaces[fields[index].column.name] = index }
    for index in ownIndexes where fields[index].isBase {
      basePlaces[fields[index].column.name] = index
    }
  }

  private init(_ file: RowFile) {
    (role, migrationFile, place, target) = (file.role, file.migrationFile, file.place, file.target)
    (fields, naturals, parents) = (file.fields, file.naturals, file.parents)
    (open, source, table) = (file.open, file.source, file.table)
    (valuePlaces, basePlaces) = (file.valuePlaces, file.basePlaces)
  }

  private static func role(of kind: MigrationFile.Kind, isInverted: Bool) -> Role {
    switch kind {
    case .update: .update
    case .delete: isInverted ? .insert : .delete
    default: isInverted ? .delete : .insert
    }
  }

  /// The same file with columns whose values it leaves to the database.
  func assigning(_ columns: [ColumnSchema]) -> RowFile {
    let file = RowFile(self)
    for column in columns where file.index(of: column.name) == nil {
      file.fields.append(Field(column, of: target.schema, target.dialect, source: .assigned))
      file.findPlaces()
    }
    return file
  }
}
