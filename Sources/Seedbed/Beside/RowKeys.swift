/// A row's key as somebody gives it.
///
///     3,pro                                            the values as this database has them
///     CZ,pro                                           or as the row files have them
///     {"country_id":3,"plan":"pro"}                    with the names of the columns
///     {"country_id:country.code":"CZ","plan":"pro"}    or of the row files' fields
enum GivenKey {
  /// As a person writes it.
  case text(String)
  /// By names, or `Row(positional:)`.
  case row(Migrator.Row)

  /// The names and values, if it has names.
  var object: Migrator.Row? {
    switch self {
    case .row(let row): row.isPositional ? nil : row
    // A text that is no object may be a value that looks like one.
    case .text(let text):
      text.utf8.first == UInt8(ascii: "{") ? try? Migrator.Row(logged: text, "key") : nil
    }
  }

  var text: String {
    switch self {
    case .text(let text): text
    case .row(let row): SeededTable.text(row.values)
    }
  }
}

/// The key of a row. A key with ids that each database chose itself is another one in the catalog.
struct RowKey {
  /// In the database; nil if it lacks a row of the same table that the key refers to.
  var own: [Value]?
  /// In the scratch database; nil if the catalog has no such row.
  var catalogs: [Value]?
}

/// Finds the row that somebody means.
///
/// 1. The key is read as this database has it, and as the row files do. An object of columns or of
///    fields has only one of the two readings.
/// 2. A reading counts if the database or the catalog has such a row.
/// 3. If both count and mean two rows, neither is guessed.
extension SeededTable {
  /// nil if neither the database nor the catalog has such a row.
  func rowKey(_ given: GivenKey) throws -> RowKey? {
    try refuseHalfReferences()
    let (ids, names) = try readings(given)
    let byIDs = try ids.flatMap { try found(ids: $0) }
    let byNames = try names.flatMap { try found(names: $0) }
    if let byIDs, let byNames, !isSame(byIDs, byNames), let names {
      throw try ambiguous(given, byIDs.own ?? [], names)
    }
    if let found = byIDs ?? byNames { return found }
    if case .text(let text) = given {
      if let key = try scanned(text) { return RowKey(own: key, catalogs: key) }
      if let object = given.object,
        try keyForm().flatMap({ object.values(named: $0.headers) }) == nil
      {
        _ = try keyValues(object)
      }
    }
    if ids == nil, names == nil { throw try noSuchRow(given) }
    return nil
  }

  /// The key of a row of the catalog.
  func seedKey(_ given: GivenKey) throws -> (own: [Value]?, catalogs: [Value]) {
    guard let key = try rowKey(given), let catalogs = key.catalogs else {
      throw try noSuchRow(given)
    }
    return (key.own, catalogs)
  }

  /// The names of the row with this key of the database, as in the row files; nil if they are the
  /// same, or if the catalog lacks a row that the key refers to.
  func names(of key: [Value]) throws -> Migrator.Row? {
    guard let form = try keyForm(), let theirs = try catalogs(key, keyNames, scratchTarget) else {
      return nil
    }
    return try form.names(of: theirs, on: scratch.session).map { Migrator.Row(form.headers, $0) }
  }

  /// A key of the catalog as a person writes it in any database.
  func written(catalogs key: [Value]) throws -> String { try named(catalogs: key).written }

  /// A key of the catalog by the names of the row files' fields.
  func named(catalogs key: [Value]) throws -> Migrator.Row {
    guard let form = try keyForm(), let names = try form.names(of: key, on: scratch.session) else {
      return Migrator.Row(keyNames, key)
    }
    return Migrator.Row(form.headers, names)
  }

  // MARK: reading

  private typealias Readings = (ids: [Value]?, names: [Value]?)

  /// The key as this database has it, if it may be meant so.
  func ids(_ given: GivenKey) throws -> [Value]? { try readings(given).ids }

  private func readings(_ given: GivenKey) throws -> Readings {
    switch given {
    case .row(let row):
      if row.isPositional {
        let count = row.values.count
        let found = try readings(
          ids: count == keyNames.count ? row.values : nil,
          names: count == keyForm()?.parts.count ? row.values : nil)
        if let found { return found }
        return (try keyValues(row), nil)
      }
      if let form = try keyForm(), let names = row.values(named: form.headers) {
        return try readings(ids: nil, names: names) ?? (nil, nil)
      }
      return try readings(ids: keyValues(row), names: nil) ?? (nil, nil)
    case .text(let text):
      // A text that is no object of this key may be a value that looks like one.
      if let row = given.object,
        try row.values(named: keyNames) != nil
          || keyForm().map({ row.values(named: $0.headers) != nil }) == true
      {
        return try readings(.row(row))
      }
      return try readings(
        ids: text.keyValues(keyNames.count),
        names: keyForm().flatMap { text.keyValues($0.parts.count) }) ?? (nil, nil)
    }
  }

  /// Without those whose values the columns cannot have; nil if neither has the right number.
  private func readings(ids: [Value]?, names: [Value]?) throws -> Readings? {
    if ids == nil, names == nil { return nil }
    func takes(_ value: Value, _ column: ColumnSchema, _ table: TableSchema) throws -> Bool {
      guard case .text(let text) = value else { return true }
      let options = try scratch.servingOptions(of: table.name).table(table.name)
      return target.dialect.takes(text, column, in: table, blob: options.blob(column.name))
    }
    func takesAll(_ values: [Value]?, _ parts: [(ColumnSchema, TableSchema)]) throws -> [Value]? {
      guard let values else { return nil }
      for (value, part) in zip(values, parts) where try !takes(value, part.0, part.1) {
        return nil
      }
      return values
    }
    let parts = try names == nil ? [] : keyForm()?.parts ?? []
    let named = try takesAll(names, parts.map { ($0.column, $0.table) })
    let own = try takesAll(ids, target.key.map { ($0, target.schema) })
    return (own, named)
  }

  // MARK: finding

  private func found(ids: [Value]) throws -> RowKey? {
    let own = try stored(ids, in: target, on: connection)
    var theirs: [Value]?
    if let key = try catalogs(own ?? ids, keyNames, scratchTarget) {
      theirs = try stored(key, in: scratchTarget, on: scratch.session)
    }
    guard let theirs else { return own.map { RowKey(own: $0, catalogs: nil) } }
    let key = try live(theirs, keyNames, scratchTarget)
    return RowKey(own: key ?? own ?? ids, catalogs: theirs)
  }

  private func found(names: [Value]) throws -> RowKey? {
    guard let key = try keyForm()?.key(of: names, on: scratch.session) else { return nil }
    let theirs = try stored(key, in: scratchTarget, on: scratch.session)
    let own = try live(theirs ?? key, keyNames, scratchTarget)
    if theirs == nil {
      // It may be a user's row.
      guard let own, try stored(own, in: target, on: connection) != nil else { return nil }
    }
    return RowKey(own: own, catalogs: theirs)
  }

  /// The key as a row of the table has it: 3 is 3.0, and NOCASE ignores case.
  private func stored(
    _ key: [Value], in table: TableTarget, on session: any DatabaseSession
  ) throws -> [Value]? {
    try session.rows(
      "SELECT \(keyNames.quotedList) FROM \(table.sql) WHERE \(isRow)", key
    ).first
  }

  /// A row of the catalog whose key is written as an error writes it, such as one of bytes.
  private func scanned(_ text: String) throws -> [Value]? {
    if try holdsChosenIDs() { return nil }
    let rows = try scratch.session.cursor(
      "SELECT \(keyNames.quotedList) FROM \(scratchTarget.sql)")
    while try rows.step() {
      let values = rows.values(from: 0)
      if Self.text(values).utf8.elementsEqual(text.utf8) { return values }
    }
    return nil
  }

  private func isSame(_ first: RowKey, _ second: RowKey) -> Bool {
    guard let first = first.own, let second = second.own else { return false }
    return collated(first).utf8.elementsEqual(collated(second).utf8)
  }

  // MARK: what the key holds

  /// The references in the key to rows whose ids each database chose itself.
  private func chosenParents() throws -> [ParentKey] {
    try scratchTarget.parents.filter {
      try !keyNames.asNames.isDisjoint(with: $0.childColumns.asNames)
        && targetWithChosenIDs($0) != nil
    }
  }

  func holdsChosenIDs() throws -> Bool { try !chosenParents().isEmpty }

  /// A reference of which the key has only some columns means no row.
  func refuseHalfReferences() throws {
    for parent in try chosenParents()
    where !keyNames.asNames.isSuperset(of: parent.childColumns.asNames) {
      throw SeedbedError(
        .usage,
        "The key of '\(target.name)' has a part of a reference to '\(parent.parent)', whose ids "
          + "each database chose itself, so the catalog does not know the row by it. Nothing was "
          + "changed.")
    }
  }

  /// Why the catalog does not know a row with this key of the database; nil if its references are
  /// not why.
  func unknownParent(of key: [Value]) throws -> (sentence: String, isMissing: Bool)? {
    let parents = try chosenParents()
    for (parent, _, referred) in Self.references(of: key, keyNames, by: parents) {
      let shown = zip(parent.childColumns, referred).map {
        "\($0) \(Self.text([$1]).shortened(to: 40))"
      }.joined(separator: ", ")
      let found = try connection.value(
        "SELECT 1 FROM \(connection.schema(of: parent.parent).sql) "
          + "WHERE \(parent.parentColumns.equalsParameters().allTrue)", referred)
      if found == nil {
        return ("The database has no row of '\(parent.parent)' to which \(shown) refers.", true)
      }
      if try catalogs(referred, parent.childColumns, scratchTarget) == nil {
        return (
          "The row of '\(parent.parent)' to which \(shown) refers is not the catalog's: a user "
            + "made it, or changed its key.", false
        )
      }
    }
    return nil
  }
}

extension Migrator.Row {
  /// Its values in the order of these names; nil if it has others.
  fileprivate func values(named names: [String]) -> [Value]? {
    let found = names.compactMap { name in
      columns.firstIndex { $0.isSameName(as: name) }.map { values[$0] }
    }
    return found.count == names.count && columns.count == names.count ? found : nil
  }
}

extension String {
  /// The values of a key that is written as `SeededTable.text` does; nil if it has another number
  /// of them.
  fileprivate func keyValues(_ count: Int) -> [Value]? {
    let quote = Character("\"")
    if count == 1, !contains(quote) { return [.text(self)] }
    var words: [String] = [""]
    var (isQuoted, wasQuoted) = (false, false)
    for letter in self {
      if letter == quote {
        // Two of them inside are one of the value.
        if !isQuoted, wasQuoted { words[words.count - 1].append(letter) }
        if !isQuoted, !wasQuoted, words.last != "" { return nil }
        (isQuoted, wasQuoted) = (!isQuoted, isQuoted)
      } else if letter == ",", !isQuoted {
        words.append("")
        wasQuoted = false
      } else {
        if wasQuoted { return nil }
        words[words.count - 1].append(letter)
      }
    }
    return words.count == count && !isQuoted ? words.map { .text($0) } : nil
  }
}
