package import SeedbedCells

/// Checks the header of a row file against its table.
package final class HeaderCheck {
  let file: MigrationFile
  let place: String
  let target: TableTarget
  /// False for the policy `overwriteRow`, which needs no old values.
  let seesEdits: Bool
  /// True for `down`, which reads files backwards: inserted rows are deleted and vice versa, and
  /// old and new values change places. Such a file may be older than the option `identity`.
  let isInverted: Bool
  let options: MigrationOptions
  let connection: any DatabaseSession
  /// Whether a delete file with the key alone has the rows as they were.
  var isKeyWholeRow: () throws -> Bool = { false }

  package init(
    file: MigrationFile, place: String, target: TableTarget, seesEdits: Bool, isInverted: Bool,
    options: MigrationOptions, connection: any DatabaseSession
  ) {
    (self.file, self.place, self.target, self.options) = (file, place, target, options)
    (self.seesEdits, self.isInverted, self.connection) = (seesEdits, isInverted, connection)
  }

  /// The file's fields in order, followed by the columns that its references by natural key fill.
  package func read(
    _ header: [RowReader.HeaderField]
  ) throws -> (fields: [RowFile.Field], naturals: [NaturalReference]) {
    let reading = HeaderParser(target.schema, on: connection)
    var fields: [RowFile.Field] = []
    var named: [Named] = []
    for name in header {
      let at = SeedbedError.Place(place, line: 1, column: name.column)
      let (field, natural) = try self.field(name, reading, at)
      if let natural { named.append((natural, fields.count, at)) }
      fields.append(field)
    }
    if let owner = target.owner, !fields.contains(where: { $0.isValue(of: owner) }) {
      fields.append(RowFile.Field(owner, of: target.schema, connection.dialect, source: .owner))
      for index in fields.indices where fields[index].source == .file {
        fields[index].isMixed = target.isID(fields[index].column)
      }
    }
    let naturals = try naturals(named, &fields)
    let line = SeedbedError.Place(place, line: 1)
    let own = fields.filter { !$0.isName }
    let given = own.filter { !$0.isBase }.map(\.column.name).asNames
    for key in target.key where !given.contains(key.name) {
      throw SeedbedError.csv(
        "The header does not have '\(key.name.shortened(to: 40))', the key of the table "
          + "'\(target.name)'. Every row needs its key.", line)
    }
    switch file.kind {
    case .update: try checkUpdate(own, line)
    case .delete: try checkDelete(own, line)
    default: break
    }
    return (fields, naturals)
  }

  private func field(
    _ field: RowReader.HeaderField, _ reading: HeaderParser, _ at: SeedbedError.Place
  ) throws -> (RowFile.Field, HeaderParser.Natural?) {
    // A column that has this name takes precedence.
    if let column = target.schema.column(field.name) {
      try refuseGenerated(column, at)
      return (RowFile.Field(column, of: target.schema, connection.dialect, header: field.name), nil)
    }
    let isBase = isUpdate && field.name.hasPrefix("was:")
    let name = isBase ? String(field.name.dropFirst(4)) : field.name
    if isBase, let column = target.schema.column(name) {
      if column.isFixed { throw SeedbedError.isFixed(column.name, table: target.name, at) }
      return (
        RowFile.Field(
          column, of: target.schema, connection.dialect, isBase: true, header: field.name), nil
      )
    }
    guard let natural = try reading.natural(name, at) else { throw unknown(name, at) }
    for column in natural.receivers { try refuseGenerated(column, at) }
    let named = RowFile.Field(
      natural.column, of: natural.parent, connection.dialect, isBase: isBase, source: .natural,
      header: field.name)
    return (named, natural)
  }

  private func refuseGenerated(_ column: ColumnSchema, _ at: SeedbedError.Place) throws {
    if column.generated != .no, !isDelete {
      throw SeedbedError.csv(
        "The column '\(column.name)' of the table '\(target.name)' is generated: the database "
          + "computes it. Remove it from the file.", at)
    }
  }

  private var isUpdate: Bool { if case .update = file.kind { true } else { false } }
  private var isDelete: Bool { if case .delete = file.kind { true } else { false } }

  private func unknown(_ name: String, _ place: SeedbedError.Place) -> SeedbedError {
    let guess = Nearest.question(about: name, among: target.schema.columns.names)
    return SeedbedError.csv(
      "The table '\(target.name)' has no column '\(name.shortened(to: 40))'.\(guess) The first "
        + "line must be the header, with the columns' exact names.", place
    ).because(of: .noColumn(name, table: target.name))
  }

  // MARK: references by natural key

  /// A field that names a row.
  private typealias Named = (
    natural: HeaderParser.Natural, field: Int, place: SeedbedError.Place
  )

  /// The references by natural key. Several fields name one row if they fill the same columns.
  private func naturals(
    _ named: [Named], _ fields: inout [RowFile.Field]
  ) throws -> [NaturalReference] {
    let groups = named.grouped { field in
      let names = field.natural.receivers.map { $0.name }
      // A column's name may contain any character, but the header cannot contain a NUL.
      return ([fields[field.field].isBase ? "was:" : ""] + names).joined(separator: "\0")
    }
    var naturals: [NaturalReference] = []
    for group in groups {
      let (natural, isBase) = (group[0].natural, fields[group[0].field].isBase)
      for other in group
      where !other.natural.parent.name.isSameText(as: natural.parent.name) {
        throw SeedbedError.csv(
          "The header fills '\(natural.receivers[0].name)' from '\(natural.parent.name)' and from "
            + "'\(other.natural.parent.name)'. All the fields that fill a column name one row of "
            + "one table.", other.place)
      }
      for column in natural.receivers {
        let isTaken = fields.contains {
          !$0.isName && $0.isBase == isBase
            && $0.column.name.isSameName(as: column.name)
        }
        if isTaken {
          throw SeedbedError.csv(
            "The header sets the column '\(column.name)' twice: directly or by a natural key. "
              + "Remove one.", group[0].place)
        }
      }
      let key = try receivedKey(natural, group[0].place)
      let owner = try owner(of: natural, &fields, group[0].place)
      let first = fields.count
      fields += natural.receivers.map {
        RowFile.Field($0, of: target.schema, connection.dialect, isBase: isBase, source: .resolved)
      }
      naturals.append(
        NaturalReference(
          parent: natural.parent, fields: group.map(\.field),
          receivers: Array(first..<fields.count), receivingColumns: natural.receivers,
          naturalColumns: group.map(\.natural.column), owner: owner, keyColumns: key,
          optionKey: optionKey(natural.parent),
          key: ParentKey(
            parent: natural.parent.name, childColumns: natural.receivers.names,
            parentColumns: key.names)))
    }
    return naturals
  }

  /// The parent's columns that a foreign key on the receiving columns refers to, or else the
  /// parent's key.
  private func receivedKey(
    _ natural: HeaderParser.Natural, _ place: SeedbedError.Place
  ) throws -> [ColumnSchema] {
    let (receivers, parent) = (natural.receivers, natural.parent)
    let keys = target.parents.filter { $0.parent.isSameText(as: parent.name) }
    // A foreign key on exactly these columns comes before one with more.
    for key in keys.ordered(by: \.childColumns.count) {
      let columns = receivers.compactMap { receiver in
        zip(key.childColumns, key.parentColumns)
          .first { $0.0.isSameName(as: receiver.name) }
          .flatMap { parent.column($0.1) }
      }
      if columns.count == receivers.count { return columns }
    }
    let named = optionKey(parent)
    let key = parent.primaryKey.isEmpty ? named : parent.primaryKey
    guard key.count == receivers.count else {
      let found =
        key.isEmpty
        ? "has neither a primary key nor the option \"key\""
        : "has the key (\(key.names.joined(separator: ", ")))"
      throw SeedbedError.csv(
        "The header fills (\(receivers.names.joined(separator: ", "))) with the key of a row "
          + "of '\(parent.name)', but no foreign key says which columns those are, and "
          + "'\(parent.name)' \(found). Name as many columns as the key has: "
          + "(a,b):\(parent.name).<column>.", place)
    }
    return key
  }

  private func optionKey(_ parent: TableSchema) -> [ColumnSchema] {
    options.table(parent.name).key?.compactMap { parent.column($0) } ?? []
  }

  // MARK: what each kind of file needs

  private func checkUpdate(_ fields: [RowFile.Field], _ line: SeedbedError.Place) throws {
    let keys = target.key.names.asNames
    let set = fields.filter { !$0.isBase && !keys.contains($0.column.name) }.map(\.column.name)
    let bases = fields.filter(\.isBase).map(\.column.name)
    let (setNames, baseNames) = (set.asNames, bases.asNames)
    if set.isEmpty, keys.isDisjoint(with: baseNames) {
      throw SeedbedError.csv(
        "The header sets no column of '\(target.name)' besides its key. An update needs the "
          + "columns to set.", line)
    }
    let identity = target.identity.names
    for base in bases
    where !setNames.contains(base) && !keys.contains(base) && !identity.contains(name: base) {
      throw SeedbedError.csv(
        "The header has 'was:\(base)', but no '\(base)' to set. Add it, or remove the old value.",
        line)
    }
    try checkIdentity(bases, prefix: "was:", line)
    if seesEdits, let name = set.first(where: { !baseNames.contains($0) }) {
      throw SeedbedError.withoutBase(
        "The header sets '\(name)' without 'was:\(name)'", target.name, line)
    }
  }

  private func checkDelete(_ fields: [RowFile.Field], _ line: SeedbedError.Place) throws {
    let keys = target.key.names.asNames
    let hasBases = fields.contains { !keys.contains($0.column.name) }
    if seesEdits, !hasBases, try !isKeyWholeRow() {
      throw SeedbedError.withoutBase(
        "The file has the keys of the rows to retire, but not the rows as they were", target.name,
        line)
    }
    try checkIdentity(fields.map(\.column.name), prefix: "", line)
  }

  /// Throws if the file lacks old values of `identity`. Without them it is unknown whether a row is
  /// still the seed's.
  private func checkIdentity(
    _ names: [String], prefix: String, _ line: SeedbedError.Place
  ) throws {
    let names = names.asNames
    guard !isInverted,
      let missing = target.identity.first(where: { !names.contains($0.name) })
    else { return }
    throw SeedbedError.csv(
      "The header does not have '\(prefix)\(missing.name)', and '\(missing.name)' is in the "
        + "'identity' of the table '\(target.name)'. Add it with the value that the row had, or "
        + "move the option to the migration.json of the migrations that need it.", line)
  }

  /// The decoders of the file's own fields.
  package func decoders(
    for fields: [RowFile.Field], _ naturals: [NaturalReference]
  ) throws -> [FieldDecoder] {
    try fields.enumerated().filter { $0.element.isStreamed }.map { index, field in
      let natural = naturals.first { $0.fields.contains(index) }
      // A delete file may show a value that SQLite computed. It is not used.
      if natural == nil, field.column.generated != .no { return .verbatim }
      let table = natural.map { options.table($0.parent.name) } ?? target.options
      do {
        return try connection.dialect.decoder(
          of: field.column, in: natural?.parent ?? target.schema,
          blob: table.blob(field.column.name))
      } catch let error as SeedbedError {
        throw error.located(at: SeedbedError.Place(place, line: 1))
      }
    }
  }

  /// The meaning of an empty field, for the file's own fields.
  package func empties(
    for fields: [RowFile.Field], _ naturals: [NaturalReference]
  ) -> [EmptyField] {
    fields.enumerated().filter { $0.element.isStreamed }.map { index, field in
      if let natural = naturals.first(where: { $0.fields.contains(index) }) {
        // A field without the name of a row is not a reference, whatever the parent's names are.
        return natural.receivingColumns.contains(where: isKey) ? .refused : .null
      }
      return isKey(field.column) ? .refused : target.takesEmptyText(field.column) ? .text : .null
    }
  }

  private func isKey(_ column: ColumnSchema) -> Bool {
    target.key.names.contains(name: column.name)
  }
}
