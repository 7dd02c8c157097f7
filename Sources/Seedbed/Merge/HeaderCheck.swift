/// Holds the header of a row file against its table.
struct HeaderCheck {
  let file: MigrationFile
  let place: String
  let target: TableTarget
  let seesEdits: Bool
  /// Read backwards a file may be older than the option `identity`.
  let isInverted: Bool

  func fields(of header: [RowReader.HeaderField]) throws -> [RowFile.Field] {
    let fields = try header.map { try field($0) }
    let line = SeedbedError.Place(place, line: 1)
    for key in target.key
    where !fields.contains(where: { $0.column.name == key.name && !$0.isBase }) {
      throw SeedbedError.keyMissingInHeader(key.name, table: target.name, line)
    }
    switch file.kind {
    case .update: try checkUpdate(fields, line)
    case .delete: try checkDelete(fields, line)
    default: break
    }
    return fields
  }

  private func field(_ field: RowReader.HeaderField) throws -> RowFile.Field {
    let at = SeedbedError.Place(place, line: 1, column: field.column)
    // A column that really has this name wins.
    if let column = target.schema.column(field.name) {
      if column.generated != .no, !isDelete {
        throw SeedbedError.generatedColumn(column.name, table: target.name, at)
      }
      return RowFile.Field(column: column, isBase: false)
    }
    if isUpdate, field.name.hasPrefix("was:") {
      let name = String(field.name.dropFirst(4))
      guard let column = target.schema.column(name) else { throw unknown(name, at) }
      return RowFile.Field(column: column, isBase: true)
    }
    if field.name.contains(":"), !field.name.hasPrefix("was:") {
      throw SeedbedError.headerNotSupported(field.name, at)
    }
    throw unknown(field.name, at)
  }

  private var isUpdate: Bool { if case .update = file.kind { true } else { false } }
  private var isDelete: Bool { if case .delete = file.kind { true } else { false } }

  private func unknown(_ name: String, _ place: SeedbedError.Place) -> SeedbedError {
    SeedbedError.noSuchColumn(
      name, table: target.name, among: target.schema.columns.map(\.name), place)
  }

  private func checkUpdate(_ fields: [RowFile.Field], _ line: SeedbedError.Place) throws {
    let keys = Set(target.key.map(\.name))
    let set = fields.filter { !$0.isBase && !keys.contains($0.column.name) }.map(\.column.name)
    let bases = fields.filter(\.isBase).map(\.column.name)
    if set.isEmpty, keys.isDisjoint(with: bases) {
      throw SeedbedError.nothingToSet(table: target.name, line)
    }
    let identity = target.identity.map(\.name)
    for base in bases
    where !set.contains(base) && !keys.contains(base) && !identity.contains(base) {
      throw SeedbedError.baseWithoutValue(base, line)
    }
    try checkIdentity(bases, prefix: "was:", line)
    if seesEdits, let name = set.first(where: { !bases.contains($0) }) {
      throw SeedbedError.baseMissing(name, table: target.name, line)
    }
  }

  private func checkDelete(_ fields: [RowFile.Field], _ line: SeedbedError.Place) throws {
    let keys = Set(target.key.map(\.name))
    let others = target.schema.columns.filter { !keys.contains($0.name) && $0.generated == .no }
    let hasBases = fields.contains { !keys.contains($0.column.name) }
    if seesEdits, !others.isEmpty, !hasBases {
      throw SeedbedError.deleteWithoutRow(table: target.name, line)
    }
    try checkIdentity(fields.map(\.column.name), prefix: "", line)
  }

  /// Without its old values nobody can tell whether a row is still the seed's.
  private func checkIdentity(
    _ names: [String], prefix: String, _ line: SeedbedError.Place
  ) throws {
    guard !isInverted,
      let missing = target.identity.first(where: { !names.contains($0.name) })
    else { return }
    throw SeedbedError.identityMissing(
      missing.name, table: target.name, field: prefix + missing.name, line)
  }

  func decoders(for fields: [RowFile.Field]) throws -> [FieldDecoder] {
    let blobs = Dictionary(
      target.options.blobs.map { ($0.key.asciiLowercased(), $0.value) }, uniquingKeysWith: { $1 })
    return try fields.map { field in
      // A delete file may show what SQLite computed; nothing is made of it.
      if field.column.generated != .no { return .verbatim }
      do {
        return try FieldDecoder(
          column: field.column, isStrict: target.schema.isStrict,
          blob: blobs[field.column.name.asciiLowercased()])
      } catch let error as SeedbedError {
        throw error.located(at: SeedbedError.Place(place, line: 1))
      }
    }
  }
}
