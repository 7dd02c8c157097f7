/// Adds the names of the row files to conflicts whose key holds ids that the database chose itself.
///
/// No migration is played: the header of the table's last row file says which columns have names,
/// and the database has them. A name counts only if it is the parent's key. A user may have edited
/// another column, which then names another row.
final class ConflictNames {
  private let catalog: Catalog
  private let migrations: [Migration]
  private let ledger: Ledger
  private let connection: any DatabaseSession
  private var forms: [ExactText: KeyForm?] = [:]

  init(_ catalog: Catalog, _ ledger: Ledger, on connection: any DatabaseSession) {
    (self.catalog, self.ledger, self.connection) = (catalog, ledger, connection)
    // The log can be read without its catalog.
    migrations = ((try? catalog.migrations()) ?? []).filter { !$0.isWithdrawn }
  }

  func named(_ conflicts: [Migrator.Conflict]) -> [Migrator.Conflict] {
    conflicts.map { conflict in
      var conflict = conflict
      // A file or a column that is gone leaves the ids, which are enough to find the row.
      conflict.names = try? names(of: conflict)
      return conflict
    }
  }

  private func names(of conflict: Migrator.Conflict) throws -> Migrator.Row? {
    guard let form = try form(of: conflict.table) else { return nil }
    let key = form.keyNames.compactMap { conflict.key[$0] }
    guard key.count == conflict.key.columns.count, key.count == form.keyNames.count else {
      return nil
    }
    return try form.names(of: key, on: connection).map { Migrator.Row(form.headers, $0) }
  }

  private func form(of table: String) throws -> KeyForm? {
    if let known = forms[table] { return known }
    // What cannot be read once is not tried for each conflict.
    forms[table] = .some(nil)
    let last = migrations.last { $0.files.contains { $0.serves(table) } }
    guard let last, let file = last.files.last(where: { $0.serves(table) }) else { return nil }
    let options = try catalog.options(of: last)
    let target = try TableTarget.read(
      table, options: options.table(table),
      keyOptions: KeyOptions(options, ledger: ledger, on: connection),
      place: SeedbedError.Place(last.folder), ledger: ledger, on: connection)
    // A key without references has no names, and no file is opened.
    let references = target.parents.flatMap(\.childColumns).asNames
    if references.isDisjoint(with: target.key.names.asNames) { return nil }
    let header = try catalog.rows(of: file, in: last).header.map(\.name)
    guard let form = try KeyForm(header, of: target, options, on: connection),
      form.hasParentsKeys
    else { return nil }
    forms[table] = .some(form)
    return form
  }
}
