/// The limits of one migration, as in Documentation/CatalogFormat.md. Only the files decide, never
/// the database, so a device, `lint` and `make` refuse the same ones.
///
/// Two rows of a migration that cannot be together are found in two steps: the values that one
/// gives up go into a temporary table, and the other's file is compared with it.
struct MigrationLimits {
  let files: [RowFile]
  let context: MergeContext

  func check() throws {
    try refuseKeyChangesBesideOthers()
    try refuseKeysThatCannotFollow()
    try refuseWideFiles()
    for own in files.grouped(by: \.target.name) {
      try refuseReplacedKeys(own)
      try refusePassedOn(own)
    }
    for file in files {
      try refuseNames(file)
      if file.role != .delete { try refuseRetiredParents(file) }
    }
  }

  // MARK: what the headers tell

  private func refuseKeyChangesBesideOthers() throws {
    for file in files where !file.keyChanges.isEmpty {
      let table = file.target.name
      let changed = try columnsThatFollow(file.keyChanges.names, of: file)
      let other = files.first { other in
        other !== file && other.target.name.isSameText(as: table)
          || refers(other, to: changed, besides: file)
      }
      guard let other else { continue }
      let what =
        other === file
        ? "has columns that refer to them, too" : "\(other.place) has rows of it, or refers to them"
      throw SeedbedError.limit(
        "This file changes keys of '\(table)', and \(what). Ship the new keys as a separate "
          + "migration: references follow them.", file.firstLine, isCut: false)
    }
  }

  /// Rows that refer to a row get its new key first, and refer to nothing until the row has it. A
  /// key that is such a reference itself is written before new rows are.
  private func refuseKeysThatCannotFollow() throws {
    if !context.connection.locksTables { return }
    for file in files where file.role == .update {
      let (table, keys) = (file.target.name, file.keyChanges.names.asNames)
      let waits = file.target.schema.foreignKeys.contains { key in
        key.isImmediate && !keys.isDisjoint(with: key.childColumns.asNames)
          && files.contains { $0.role == .insert && $0.target.name.isSameText(as: key.parent) }
      }
      if waits { throw SeedbedError.keyCannotWait(table, file.firstLine) }
      let columns = file.keyChanges.names + (try referredValues(file))
      for (parent, changed) in try columnsThatFollow(columns, of: file) {
        for child in try context.children(of: parent.text)
        where !changed.isDisjoint(with: child.key.parentColumns.asNames) {
          let keys = try context.connection.schema(of: child.table).foreignKeys
          if keys.contains(where: { $0.isImmediate && child.key.hasColumns(of: $0) }) {
            throw SeedbedError.cannotFollow(table, child: child.table, file.firstLine)
          }
        }
      }
    }
  }

  /// The columns of UNIQUE values that the file changes and others refer to.
  private func referredValues(_ file: RowFile) throws -> [String] {
    try context.children(of: file.target.name).map(\.key.parentColumns).filter { columns in
      guard let isChanged = file.changes(columns) else { return false }
      let rows = file.target.dialect.fileRows
      return try context.connection.reading(file) {
        try context.connection.finds("SELECT 1 FROM \(rows) AS s WHERE \(isChanged) LIMIT 1")
      }
    }.flatMap { $0 }
  }

  /// Whether a file has columns that follow the new keys. A key itself may have to be in its file.
  private func refers(
    _ other: RowFile, to changed: [ExactText: Set<Name>], besides file: RowFile
  ) -> Bool {
    let key = other === file ? file.target.key.names.asNames : []
    return (changed[other.target.name] ?? []).subtracting(key).contains { name in
      (other.index(of: name.text) ?? other.baseIndex(of: name.text)) != nil
    }
  }

  /// By table, the columns that change with these of a file.
  private func columnsThatFollow(
    _ columns: [String], of file: RowFile
  ) throws -> [ExactText: Set<Name>] {
    var changed = [ExactText(file.target.name): columns.asNames]
    var open = [file.target.name]
    while let table = open.popLast() {
      for child in try context.children(of: table) {
        let columns = zip(child.key.childColumns, child.key.parentColumns)
          .filter { changed[table]?.contains($1) == true }.map { Name($0.0) }
        if changed[child.table, default: []].isSuperset(of: columns) { continue }
        changed[child.table, default: []].formUnion(columns)
        open.append(child.table)
      }
    }
    return changed
  }

  /// Leaves a few columns for the plan's own use.
  private var mostPlanColumns: Int { context.connection.dialect.mostColumns - 100 }

  private func refuseWideFiles() throws {
    for group in files.grouped(by: \.target.name) {
      guard let widest = group.max(by: { $0.fields.count < $1.fields.count }) else { continue }
      let plan = try TablePlan(
        widest.target, number: 0, group, staged: group.filter { $0.role == .insert },
        isNamed: false, left: [:], movesUsers: false, context: context)
      if plan.columnCount <= mostPlanColumns { continue }
      let table = widest.target.name
      throw SeedbedError.limit(
        widest.role == .update
          ? "This file changes \(widest.changes.count) columns of '\(table)', more than one "
            + "migration can. Ship some of them as a separate migration."
          : "This file has \(widest.fields.count) columns of '\(table)', more than one migration "
            + "can merge. Leave some out, and ship them as updates.",
        widest.firstLine, isCut: false)
    }
  }

  // MARK: what the rows tell

  private func refuseReplacedKeys(_ own: [RowFile]) throws {
    let deletes = own.filter { $0.role == .delete }
    guard let columns = deletes.first?.keyFields.map(\.name) else { return }
    let sides = { (files: [RowFile]) in
      files.filter { $0.keyFields.map(\.name).hasSameNames(as: columns) }
        .map { LimitRows.Side($0, $0.keyFields.map(\.index)) }
    }
    let (given, taken) = (sides(deletes), sides(own.filter { $0.role == .insert }))
    try LimitRows(columns, given, context.connection).refuse(taken) {
      "The key \($0) is inserted here and retired in \($1). Ship an update of the row instead."
    }
  }

  /// Refuses a UNIQUE value that others refer to if it passes from one row to another.
  private func refusePassedOn(_ own: [RowFile]) throws {
    let target = own[0].target
    let isOwner = { (name: String) in target.owner?.name.isSameName(as: name) == true }
    let key = target.key.names.filter { !isOwner($0) }.asNames
    var seen: Set<[Name]> = []
    for child in try context.children(of: target.name) {
      let columns = child.key.parentColumns.filter { !isOwner($0) }
      if columns.asNames == key || !seen.insert(columns.map { Name($0) }).inserted { continue }
      /// All rows of files with this role, and the rows of updates that change the columns.
      func sides(_ role: RowFile.Role, _ place: (RowFile) -> (String) -> Int?) -> [LimitRows.Side] {
        own.compactMap { file in
          let isWhole = file.role == role
          let changes = file.role == .update ? file.changes(columns) : nil
          let side = LimitRows.Side(file, columns.map(place(file)), changes)
          return (isWhole ? side.isWhole : changes != nil) ? side : nil
        }
      }
      let gives = sides(.delete, RowFile.streamedOld)
      let takes = sides(.insert, RowFile.streamed)
      try LimitRows(columns, gives, context.connection).refuse(takes, ofOtherRows: true) {
        "This row of '\(target.name)' takes \($0), to which other rows may refer, and \($1) gives "
          + "it up. Give it up in one migration, and use it in the next."
      }
    }
  }

  /// A name means a row as it is before the migration, or a row that the migration inserts. For old
  /// values and for rows to retire, `down` would have to find it.
  private func refuseNames(_ file: RowFile) throws {
    for natural in file.naturals {
      let columns = natural.naturalColumns.names
      let others = files.filter {
        $0.target.name.isSameText(as: natural.parent.name) && $0.role != .delete
      }
      for other in others {
        let column = columns.first { name in
          other.index(of: name).map { other.fields[$0].source == .resolved } ?? false
        }
        guard let column else { continue }
        let header = file.fields[natural.fields[0]].header
        throw SeedbedError.limit(
          "'\(header.shortened(to: 40))' names rows of '\(natural.parent.name)' by '\(column)', "
            + "which \(other.place) fills by a name. Ship the rows of '\(natural.parent.name)' as "
            + "a separate migration, and refer to them in the next one.", file.firstLine)
      }
      let given = others.filter { $0.role == .update }.flatMap { other -> [LimitRows.Side] in
        guard let isChanged = other.changes(columns) else { return [] }
        return [other.streamedOld, other.streamed].map { streamed in
          LimitRows.Side(other, columns.map(streamed), isChanged)
        }
      }
      let names = LimitRows.Side(file, natural.fields, file.changes(natural))
      try LimitRows(columns, given, context.connection).refuse(
        [names], names: (natural.parent.name, columns)
      ) {
        "This row of '\(file.target.name)' refers to \($0) of '\(natural.parent.name)', and \($1) "
          + "changes which row that is. Ship the new names as a separate migration, and refer to "
          + "them in the next one."
      }
    }
  }

  private func refuseRetiredParents(_ file: RowFile) throws {
    let named = file.valueNaturals.map { natural in
      (natural.parent.name, natural.naturalColumns.names, natural.fields.map(Optional.some))
    }
    // Whose rows they are is in no file.
    let keyed = file.parents.map { key in
      let pairs = zip(key.childColumns, key.parentColumns).filter { child, _ in
        file.target.owner?.name.isSameName(as: child) != true
      }
      return (key.parent, pairs.map(\.1), pairs.map { file.streamed($0.0) })
    }
    for (parent, columns, fields) in named + keyed where !fields.contains(nil) {
      let given = files.filter { $0.role == .delete && $0.target.name.isSameText(as: parent) }
        .map { other in LimitRows.Side(other, columns.map { other.streamed($0) }) }
        .filter(\.isWhole)
      let refers = LimitRows.Side(file, fields)
      try LimitRows(columns, given, context.connection).refuse([refers]) {
        "This row of '\(file.target.name)' refers to \($0) of '\(parent)', which \($1) retires. "
          + "Let it refer to another row, or retire that one in a later migration."
      }
    }
  }
}

extension TablePlan {
  /// The number of columns in its table.
  fileprivate var columnCount: Int {
    ordered.reduce(6 + key.count) { count, column in
      count + (column.isSet ? 1 : 0) + (column.hasWhy ? 1 : 0) + (column.hasBase ? 1 : 0)
        + (column.isHeld ? 2 : 0)
    }
  }
}

extension RowFile {
  var firstLine: SeedbedError.Place { SeedbedError.Place(place, line: 1) }

  /// References to the rows that a row is to refer to, not to those that it did refer to.
  fileprivate var valueNaturals: [NaturalReference] {
    naturals.filter { !fields[$0.receivers[0]].isBase }
  }

  /// The fields with the key, or with the names by which it is found.
  fileprivate var keyFields: [(name: String, index: Int)] {
    var fields: [(name: String, index: Int)] = []
    for index in keyIndexes where !self.fields[index].isOwner {
      let natural = naturals.first { $0.receivers.contains(index) }
      for field in natural?.fields ?? [index] where !fields.contains(where: { $0.index == field }) {
        let own = self.fields[field]
        fields.append((natural == nil ? own.column.name : own.header, field))
      }
    }
    return fields
  }

  fileprivate func streamed(_ column: String) -> Int? {
    index(of: column).flatMap { fields[$0].isStreamed ? $0 : nil }
  }

  fileprivate func streamedOld(_ column: String) -> Int? {
    oldIndex(of: column).flatMap { fields[$0].isStreamed ? $0 : nil }
  }

  /// In SQL, whether a row changes one of these columns; nil if the file sets none.
  fileprivate func changes(_ columns: [String]) -> String? {
    let keys = Set(keyIndexes)
    let set = columns.compactMap { column -> String? in
      guard let new = streamed(column), !keys.contains(new) || !keyChanges.isEmpty else {
        return nil
      }
      guard let old = baseIndex(of: column) else { return keys.contains(new) ? nil : "true" }
      // If the old row is given by name, its key is not known yet.
      return fields[old].isStreamed ? differ(new, old) : "true"
    }
    return set.isEmpty ? nil : "(\(set.anyTrue))"
  }

  /// In SQL, whether a row changes the name by which it refers to another; nil if that cannot be
  /// seen.
  fileprivate func changes(_ natural: NaturalReference) -> String? {
    let twins = natural.fields.map { field -> Int? in
      let header = fields[field].header
      let twin = header.hasPrefix("was:") ? String(header.dropFirst(4)) : "was:" + header
      return fields.firstIndex { $0.header.isSameName(as: twin) }
    }
    if twins.contains(nil) { return nil }
    return "(\(zip(natural.fields, twins.compactMap(\.self)).map(differ).anyTrue))"
  }

  /// By the column's collation: a NOCASE value in another case still means the same row.
  private func differ(_ field: Int, _ other: Int) -> String {
    let value = target.dialect.collated("s.c\(field)", fields[field].column.collation)
    return target.dialect.differ(value, "s.c\(other)")
  }
}
