extension SeededTable {
  /// How row files write the key; nil if they write it as the database has it.
  func keyForm() throws -> KeyForm? {
    if let known = knownKeyForm { return known }
    let form = try KeyForm(
      scratch.seededNames(of: scratchTarget), of: scratchTarget,
      scratch.servingOptions(of: target.name), on: scratch.session)
    knownKeyForm = .some(form)
    return form
  }
}

extension KeyForm {
  /// The key of the row with these names; nil if one of them is the name of no row.
  func key(of names: [Value], on session: any DatabaseSession) throws -> [Value]? {
    var key = [Value?](repeating: nil, count: keyNames.count)
    for (index, part) in parts.enumerated() {
      guard let reference = part.reference else {
        key[part.slot] = names[index]
        continue
      }
      // Several fields may name one row.
      let fields = parts.indices.filter { parts[$0].reference === reference }
      if fields.first != index { continue }
      let found = try session.rows(
        "SELECT \(reference.keyColumns.names.quotedList) FROM \(reference.parent.sql) "
          + "WHERE \(fields.map { parts[$0].column.name }.equalsParameters().allTrue) LIMIT 2",
        fields.map { names[$0] })
      guard found.count == 1 else { return nil }
      for (slot, value) in zip(slots(of: reference), found[0]) { key[slot] = value }
    }
    let values = key.compactMap(\.self)
    return values.count == key.count ? values : nil
  }
}
