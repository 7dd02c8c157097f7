/// How row files write the key of a table. An id that each database chose itself has a name there:
/// `country_id:country.code` for `country_id`.
struct KeyForm {
  /// A field of the row files that is a part of the key.
  struct Part {
    let header: String
    /// The column whose values it has: of the table, or of the one whose rows it names.
    let column: ColumnSchema
    let table: TableSchema
    /// Its slot in the key, or that of the first column that it fills.
    let slot: Int
    /// If it names a row of another table.
    let reference: NaturalReference?
  }

  let parts: [Part]
  let keyNames: [String]

  var headers: [String] { parts.map(\.header) }

  /// Whether each name is the whole key of the row that it names.
  var hasParentsKeys: Bool {
    parts.allSatisfy { part in
      guard let reference = part.reference else { return true }
      let names = parts.filter { $0.reference === reference }.map(\.column.name)
      return names.asNames == reference.optionKey.names.asNames
    }
  }

  /// nil if row files write the key as the database has it.
  ///
  /// - Parameter header: the names of the fields in row files.
  init?(
    _ header: [String], of target: TableTarget, _ options: MigrationOptions,
    on connection: any DatabaseSession
  ) throws {
    let keyNames = target.key.names
    self.keyNames = keyNames
    let key = keyNames.asNames
    let reading = HeaderParser(target.schema, on: connection)
    let ofKey = try header.filter { try !key.isDisjoint(with: reading.columns($0).names.asNames) }
    if ofKey.allSatisfy({ target.schema.column($0) != nil }) { return nil }
    let file = MigrationFile(
      name: target.name, kind: .insert(table: target.name), size: 0, isCompressed: false)
    let check = HeaderCheck(
      file: file, place: target.name, target: target, seesEdits: false, isInverted: false,
      options: options, connection: connection)
    let (fields, naturals) = try check.read(ofKey.map { .init(name: $0, column: 1) })
    var parts: [Part] = []
    for index in ofKey.indices {
      let natural = naturals.first { $0.fields.contains(index) }
      let column = fields[index].column
      let fills = natural?.receivingColumns.names ?? [column.name]
      guard let slot = fills.compactMap({ keyNames.firstIndex(where: $0.isSameName) }).min() else {
        continue
      }
      // A row of which only a part of the key is received cannot be looked up.
      if natural != nil, !key.isSuperset(of: fills.asNames) { return nil }
      parts.append(
        Part(
          header: fields[index].header, column: column, table: natural?.parent ?? target.schema,
          slot: slot, reference: natural))
    }
    self.parts = parts.ordered(by: \.slot)
  }

  /// The slots in the key of the columns that receive the id.
  func slots(of reference: NaturalReference) -> [Int] {
    reference.receivingColumns.names.compactMap { keyNames.firstIndex(where: $0.isSameName) }
  }

  /// The names of the row with this key; nil if one that it refers to does not exist.
  ///
  /// - Parameter session: of the database that has the key and the form.
  func names(of key: [Value], on session: any DatabaseSession) throws -> [Value]? {
    var names: [Value] = []
    for part in parts {
      guard let reference = part.reference else {
        names.append(key[part.slot])
        continue
      }
      let ids = slots(of: reference).map { key[$0] }
      let found = try session.value(
        "SELECT \(part.column.name.quoted) FROM \(reference.parent.sql) "
          + "WHERE \(reference.keyColumns.names.equalsParameters().allTrue)", ids)
      guard let found, found != .null else { return nil }
      names.append(found)
    }
    return names
  }
}
