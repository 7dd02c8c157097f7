/// The options about keys and references, checked against the database's tables.
package final class KeyOptions {
  /// References that the schema does not declare.
  private(set) var references: [Reference] = []
  /// The tables whose rows may be deleted with a retired row, by the parent's name.
  private(set) var disposable: [ExactText: [String]] = [:]
  /// The tables with reserved ids, and the last id that is reserved for the seed.
  private(set) var reserves: [(table: TableSchema, last: Located<Int64>)] = []
  /// The columns that show whether a row is still the seed's, by table.
  private(set) var identity: [ExactText: [ColumnSchema]] = [:]
  /// The owners of the tables with a copy for each; nil if there are no such tables.
  private(set) var owners: Owners?

  init() {}

  /// - Parameter insists: whether the tables and columns named in catalog.json, and those named in
  ///   a migration's options, must exist. If false, they may come with a later migration, and the
  ///   option waits.
  package init(
    _ options: MigrationOptions, ledger: Ledger, on connection: any DatabaseSession,
    insists: (catalog: Bool, migration: Bool) = (false, false)
  ) throws {
    let resolver = KeyOptionsResolver(
      options: options, ledger: ledger, connection: connection, insists: insists)
    // In a fixed order, so that the same error is reported each time.
    let tables = options.tables.ordered(by: \.key)
    for (name, table) in tables {
      guard let place = table.firstPlace, let parent = try resolver.table(name.text, place)
      else { continue }
      for declared in table.references {
        if let child = try resolver.reference(declared, to: parent) { references.append(child) }
      }
      if let last = table.reserve, try resolver.canReserve(parent, last) {
        reserves.append((parent, last))
      }
      identity[parent.name] = try table.identity.compactMap {
        try resolver.identity($0, of: parent)
      }
    }
    // A table that was renamed has the option under its new name, too.
    for (name, table) in tables {
      guard let per = table.per, let found = try connection.object(named: name.text),
        found.kind == .table
      else { continue }
      let schema = try connection.schema(of: found.name)
      owners = try resolver.owners(per, of: schema, table) ?? owners
    }
    for (name, table) in tables {
      for child in table.disposable {
        if let pair = try resolver.disposable(child, of: name.text, self) {
          disposable[pair.parent, default: []].append(pair.child)
        }
      }
    }
  }

  /// The references of one table to its parents.
  func parents(of table: String) -> [ParentKey] {
    references.filter { $0.table.isSameText(as: table) }.map(\.key)
  }
}

extension TableOptions {
  /// The place of the first option for which the table itself must exist; nil if there is none.
  fileprivate var firstPlace: SeedbedError.Place? {
    references.first?.place ?? disposable.first?.place ?? reserve?.place ?? identity.first?.place
  }
}

/// Looks up the tables and columns in options; nil if one does not exist yet and may still come.
private struct KeyOptionsResolver {
  let options: MigrationOptions
  let ledger: Ledger
  let connection: any DatabaseSession
  let insists: (catalog: Bool, migration: Bool)

  private func refuse<Found>(
    _ message: String, _ place: SeedbedError.Place, because cause: SeedbedError.Cause? = nil
  ) throws -> Found? {
    let isCatalogs = place.file == Lock.optionsName
    if !(isCatalogs ? insists.catalog : insists.migration) { return nil }
    let error = SeedbedError.catalog(message, place)
    throw cause.map(error.because) ?? error
  }

  private func refuse<Found>(
    _ what: String, _ name: String, of owner: String, among names: [String],
    _ place: SeedbedError.Place, because cause: SeedbedError.Cause? = nil
  ) throws -> Found? {
    try refuse(
      "The options name the \(what) '\(name.shortened(to: 40))', which \(owner) does not "
        + "have.\(Nearest.question(about: name, among: names)) Write its name as in the schema, or "
        + "move the option to the migration.json of the migrations that need it.", place,
      because: cause)
  }

  func table(_ name: String, _ place: SeedbedError.Place) throws -> TableSchema? {
    guard let found = try connection.object(named: name) else {
      return try refuse(
        "table", name, of: "the database", among: connection.tableNames(), place,
        because: .noTable(name))
    }
    guard found.kind == .table, !ledger.owns(found.name) else {
      return try refuse(SeedbedError.tableRefused(found.name, found.kind, place).message, place)
    }
    return try connection.schema(of: found.name)
  }

  private func column(_ name: Located<String>, of table: TableSchema) throws -> ColumnSchema? {
    if let column = table.column(name.value) { return column }
    return try refuse(
      "column", name.value, of: "the table '\(table.name)'", among: table.columns.names,
      name.place)
  }

  /// The columns refer to the parent's PRIMARY KEY, or to its option `key` if it has none.
  func reference(_ declared: DeclaredReference, to parent: TableSchema) throws -> Reference? {
    let place = declared.place
    guard let child = try table(declared.child, place) else { return nil }
    let columns = try declared.columns.compactMap {
      try column(Located(value: $0, place: place), of: child)?.name
    }
    guard columns.count == declared.columns.count else { return nil }
    guard let key = key(of: parent) else {
      return try refuse(
        "The table '\(parent.name)' has no primary key that 'references' could mean. Name a UNIQUE "
          + "column set of it: \"key\": [\"…\"].", place)
    }
    guard columns.count == key.count else {
      return try refuse(
        "'references' names (\(columns.joined(separator: ", "))) of '\(child.name)', and the key "
          + "of '\(parent.name)' is (\(key.joined(separator: ", "))). Name one column for each of "
          + "the key, in its order; several references are a list of lists: "
          + "[[\"…\"], [\"…\"]].", place)
    }
    return Reference(
      table: child.name,
      key: ParentKey(parent: parent.name, childColumns: columns, parentColumns: key))
  }

  private func key(of parent: TableSchema) -> [String]? {
    if !parent.primaryKey.isEmpty { return parent.primaryKey.names }
    let names = options.table(parent.name).key ?? []
    let columns = names.compactMap { parent.column($0)?.name }
    guard !columns.isEmpty, columns.count == names.count, parent.isUnique(columns) else {
      return nil
    }
    return columns
  }

  func disposable(
    _ child: Located<String>, of name: String, _ known: KeyOptions
  ) throws -> (parent: String, child: String)? {
    guard let parent = try table(name, child.place),
      let table = try table(child.value, child.place)
    else { return nil }
    let keys = try connection.parentKeys(of: table, and: known)
    guard keys.map(\.parent).contains(text: parent.name) else {
      // On a scratch database, no rows refer to those that the app makes.
      if table.foreignKeys.map(\.parent).contains(name: parent.name) { return nil }
      return try refuse(
        "'disposable' names '\(table.name)', which does not refer to '\(parent.name)'. Name the "
          + "columns in \"references\", or remove it.", child.place)
    }
    return (parent.name, table.name)
  }

  func identity(_ name: Located<String>, of table: TableSchema) throws -> ColumnSchema? {
    guard let column = try column(name, of: table) else { return nil }
    let key = options.table(table.name).key ?? table.primaryKey.names
    // It says that users' rows never get the catalog's keys. A release finds rows by them anyway.
    if key.contains(name: column.name) { return nil }
    if column.generated == .no { return column }
    return try refuse(
      "'\(column.name)' cannot be in 'identity': it is generated, and in no file. Name columns "
        + "that the seed fills and that distinguish its row from another with the same key.",
      name.place)
  }

  func owners(
    _ per: OwnerOption, of table: TableSchema, _ options: TableOptions
  ) throws -> Owners? {
    if let column = per.column {
      guard try self.column(column, of: table) != nil else { return nil }
      let key = options.ownKey ?? table.primaryKey.names
      if options.ownKey == nil, !key.contains(name: column.value) {
        return try refuse(
          "'per' makes rows of '\(table.name)' those of an owner, and its primary key is the same "
            + "for no two of them. Name the columns that tell an owner's rows apart: "
            + "\"key\": [\"…\"].", column.place)
      }
    }
    let name = per.table.value
    if try connection.object(named: name) == nil {
      return try refuse(
        "'per' names the table '\(name.shortened(to: 40))', which the database does not have."
          + "\(Nearest.question(about: name, among: connection.tableNames())) Write its name "
          + "as in the schema, and a schema.sql that creates it as the app does.",
        per.table.place, because: .noTable(name))
    }
    guard let owners = try self.table(name, per.table.place),
      let key = try self.column(per.key, of: owners)
    else { return nil }
    guard owners.isUnique([key.name]), key.isNotNull || key.primaryKeyPosition > 0 else {
      return try refuse(
        "'per' names '\(key.name)' of '\(owners.name)', and owners are known by one column that is "
          + "UNIQUE and never NULL. Name such a column.", per.key.place)
    }
    let other = self.options.tables.values.compactMap(\.per).first {
      !$0.table.value.isSameName(as: per.table.value) || !$0.key.value.isSameName(as: per.key.value)
    }
    if let other {
      return try refuse(
        "The options name owners in '\(per.table.value)' and in '\(other.table.value)', and a "
          + "catalog has one kind of owner. Put the tables of the other into a catalog of their "
          + "own, with a ledger of its own.", per.table.place)
    }
    return Owners(table: owners, key: key)
  }

  func canReserve(_ table: TableSchema, _ last: Located<Int64>) throws -> Bool {
    if table.columns.contains(where: \.isAutoincrement) { return true }
    let (reason, declaration) = connection.dialect.lacksReserve(table)
    return try refuse(
      "The table '\(table.name)' cannot reserve ids: \(reason). Declare "
        + "\(declaration), or remove the option.", last.place) ?? false
  }
}
