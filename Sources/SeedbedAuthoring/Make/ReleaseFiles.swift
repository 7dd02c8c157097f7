import Seedbed

/// Writes the row files that turn a table into its source CSV.
struct ReleaseFiles {
  let difference: TableDifference
  let scratch: ScratchDatabase
  private var source: SourceTable { difference.source }
  private var target: TableTarget { source.target }
  private var connection: Connection { scratch.connection }

  func inserts() throws -> NewFile {
    let rows = difference.inserts
    var file = try newFile("", header: source.fields.map(\.header)) { add in
      let row = try connection.prepare(source.selection)
      for number in rows {
        row.bind([.integer(number)])
        guard try row.step() else { continue }
        var fields: [String] = []
        for (index, field) in source.fields.enumerated() {
          fields.append(
            try field.field(row[index], of: target.name, key: try keyText(number)))
        }
        try add(fields)
      }
    }
    file.origin = { try source.place(of: rows[$0]) }
    return file
  }

  /// All rows share one header. If a row does not change a column, its value is in the file twice,
  /// which no device treats as a change.
  func updates() throws -> NewFile {
    let changes = difference.updates
    let columns = try updateColumns()
    let bases = columns.indices.filter { columns[$0].newIndex == nil }
    let places = Dictionary(uniqueKeysWithValues: bases.enumerated().map { ($1, $0) })
    let basis = bases.isEmpty ? [columns[0].field] : bases.map { columns[$0].field }
    var file = try newFile(".update", header: columns.map(\.header)) { add in
      let old = try connection.prepare(RowSelection(basis, of: target).sql)
      let new = try connection.prepare(source.selection)
      for change in changes {
        old.bind(change.key)
        new.bind([.integer(change.row)])
        guard try old.step(), try new.step() else { continue }
        var fields: [String] = []
        for (index, column) in columns.enumerated() {
          let value = column.newIndex.map { new[$0] } ?? old[places[index] ?? 0]
          fields.append(
            try column.field.field(value, of: target.name, key: try keyText(change.row)))
        }
        try add(fields)
      }
    }
    file.origin = { try source.place(of: changes[$0].row) }
    return file
  }

  /// A delete file has the row as it was: the source's columns, the columns that other files
  /// filled, and other columns that the catalog's SQL filled.
  func deletes() throws -> NewFile {
    let fields = try deletedFields()
    var file = try newFile(".delete", header: fields.map(\.header)) { add in
      let row = try connection.prepare(RowSelection(fields, of: target).sql)
      for key in difference.deletes {
        row.bind(key)
        guard try row.step() else { continue }
        var record: [String] = []
        for (index, field) in fields.enumerated() {
          let words = { SourceTable.keyText(target.key.map(\.name), key) }
          record.append(try field.field(row[index], of: target.name, key: words()))
        }
        try add(record)
      }
    }
    // No line of the source has the row any more.
    file.origin = { _ in source.files.first.map { SeedbedError.Place($0.place) } }
    return file
  }

  // MARK: headers

  private struct Column {
    var header: String
    var field: SourceField
    /// The source's field with the value; nil for the value in the table.
    var newIndex: Int?
  }

  private func updateColumns() throws -> [Column] {
    var columns: [Column] = []
    let keys = source.keyIndexes
    let changed = withWholeReferences(difference.changedFields)
    for index in keys + source.fields.indices.filter({ !keys.contains($0) && changed.contains($0) })
    {
      let field = source.fields[index]
      columns.append(Column(header: field.header, field: field, newIndex: index))
      if changed.contains(index) {
        columns.append(Column(header: "was:" + field.header, field: field))
      }
    }
    // Without it, devices could not know whether the row is still the seed's.
    let known = columns.map(\.header).asNames
    let identity = target.identity.map(\.name).filter {
      !known.contains("was:" + $0)
    }
    let fields = try plainFields(identity)
    columns += fields.map { Column(header: "was:" + $0.header, field: $0) }
    try refuseAmbiguous(columns.map(\.header))
    return columns
  }

  /// Devices merge a reference of several columns as one value, and have to see whether the user
  /// changed any of them.
  private func withWholeReferences(_ changed: Set<Int>) -> Set<Int> {
    target.parents.filter { $0.childColumns.count > 1 }.reduce(into: changed) { all, key in
      let names = key.childColumns.asNames
      let own = source.fields.indices.filter {
        !source.fields[$0].isKey && !names.isDisjoint(with: source.fields[$0].fills.asNames)
      }
      if !changed.isDisjoint(with: own) { all.formUnion(own) }
    }
  }

  /// A column that has the name `was:x` takes precedence over the old value of `x`.
  private func refuseAmbiguous(_ headers: [String]) throws {
    for name in headers where name.hasPrefix("was:") {
      guard let taken = target.schema.column(name)?.name,
        headers.contains(name: String(name.dropFirst(4)))
      else { continue }
      throw SeedbedError(
        .catalog,
        "'\(target.name)' has a column '\(taken)', so a file cannot hold what "
          + "'\(name.dropFirst(4))' was before. Rename that column.")
    }
  }

  private func deletedFields() throws -> [SourceField] {
    let known = source.fields.flatMap(\.fills).asNames
    let seeded = try scratch.fields(
      try scratch.seededNames(of: target), orNone: target)
    let kept = (seeded.flatMap(\.fills) + target.identity.map(\.name)).asNames
    let ignored = target.options.ignore.asNames
    let id = target.schema.rowidAlias
    let others = target.schema.columns.filter {
      !known.contains($0.name) && $0.generated == .no && $0 !== id && $0 !== target.owner
        && !ignored.contains($0.name)
    }
    var names = others.map(\.name).filter { kept.contains($0) }
    let open = others.filter { !kept.contains($0.name) }
    names += try changedFromDefault(open)
    return source.fields + (try plainFields(names))
  }

  /// Columns in which some of these rows differ from a constant default.
  private func changedFromDefault(_ columns: [ColumnSchema]) throws -> [String] {
    let tests = try columns.compactMap { column in
      try UserColumns.isAtDefault(column, of: target.schema, in: "m", on: connection).map {
        (column.name, "NOT (\($0))")
      }
    }
    if tests.isEmpty { return [] }
    let matches = target.key.names.equalsParameters(of: "m").allTrue
    let row = try connection.prepare(
      "SELECT \(tests.map(\.1).joined(separator: ", ")) FROM \(target.sql) AS m WHERE \(matches)")
    var found: Set<Name> = []
    for key in difference.deletes {
      row.bind(key)
      guard try row.step() else { continue }
      for index in tests.indices where row.integer(index) == 1 { found.insert(tests[index].0) }
    }
    return columns.map(\.name).filter { found.contains($0) }
  }

  /// Columns by their own names.
  private func plainFields(_ names: [String]) throws -> [SourceField] {
    if names.isEmpty { return [] }
    let key = target.key.map(\.name)
    let fields = try scratch.fields(key + names.filter { !key.contains(name: $0) }, of: target)
    return fields.filter { field in names.contains { $0 == field.column.name } }
  }

  // MARK: the file

  private func keyText(_ row: Int64) throws -> String { try source.keyText(of: row) }

  private func newFile(
    _ operation: String, header: [String],
    _ records: @escaping (_ add: ([String]) throws -> Void) throws -> Void
  ) throws -> NewFile {
    guard let name = RowFileText.fileName(of: target.name, operation) else {
      throw SeedbedError.unnameable(target.name)
    }
    return NewFile(name, header: header, records)
  }
}

extension ScratchDatabase {
  /// The fields with these names in files; none if there are no names.
  func fields(_ names: [String], orNone target: TableTarget) throws -> [SourceField] {
    names.isEmpty ? [] : try fields(names, of: target)
  }
}

extension SeedbedError {
  fileprivate static func unnameable(_ table: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The table's name '\(table.shortened(to: 40))' cannot be part of a file name: files are "
        + "called <table>.csv.gz. Rename the table.")
  }
}
