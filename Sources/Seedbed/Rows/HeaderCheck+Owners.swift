/// Files of tables of which each owner has a copy.
extension HeaderCheck {
  /// A name means a row of the same owner.
  func owner(
    of natural: HeaderParser.Natural, _ fields: inout [RowFile.Field], _ place: SeedbedError.Place
  ) throws -> (field: Int, column: ColumnSchema)? {
    guard let per = options.table(natural.parent.name).per else { return nil }
    if target.options.per == nil {
      throw SeedbedError.namesRowOfOwner(target.name, natural.parent.name, place)
    }
    guard let column = (per.column?.value).flatMap(natural.parent.column) else { return nil }
    // Rows that were copied from a database have their owners.
    if let own = fields.firstIndex(where: { $0.isValue(of: target.owner) }) { return (own, column) }
    fields.append(
      RowFile.Field(column, of: natural.parent, connection.dialect, source: .ownerOfName))
    return (fields.count - 1, column)
  }

  /// Throws if a file of the catalog has an owner, or rows of which not each owner can have one.
  func refuseOwners(_ fields: [RowFile.Field], _ naturals: [NaturalReference]) throws {
    guard target.options.per != nil else { return }
    let line = SeedbedError.Place(place, line: 1)
    if let owner = fields.first(where: { $0.source == .file && $0.column === target.owner }) {
      throw SeedbedError.ownerInFile(owner.header, target.name, line)
    }
    let ofOwner = naturals.filter { $0.owner != nil }.flatMap { $0.receivingColumns.names }
    let telling = (ofOwner + [target.owner?.name].compactMap(\.self)).asNames
    if telling.isDisjoint(with: target.key.names.asNames) {
      throw SeedbedError.keyWithoutOwner(target.name, target.key.names, line)
    }
    let filled = fields.filter { !$0.isName && !$0.isMixed }.map(\.column.name).asNames
    var sets = [target.schema.primaryKey.names]
    sets += target.schema.indexes.filter(\.isUnique).map { $0.columns.compactMap(\.self) }
    for columns in sets where !columns.isEmpty {
      let names = columns.asNames
      if !telling.isDisjoint(with: names) || !names.isSubset(of: filled) { continue }
      throw SeedbedError.uniqueWithoutOwner(target.name, columns, line)
    }
    try refuseIDsOfCopies(fields, line)
  }

  /// Each copy has another id, so a file cannot know it.
  private func refuseIDsOfCopies(_ fields: [RowFile.Field], _ line: SeedbedError.Place) throws {
    for parent in target.parents where options.table(parent.parent).per != nil {
      let given = fields.first { field in
        field.source == .file && parent.childColumns.count == 1
          && field.column.name.isSameName(as: parent.childColumns[0])
      }
      guard let given else { continue }
      throw SeedbedError.idOfCopy(given.header, target.name, parent.parent, line)
    }
  }
}
