/// At which version a database is adopted, and what absent rows mean.
struct AdoptionOrder: Equatable {
  var version: Version
  var absent = Adoption.AbsentRows.byEdition
}

/// Whether a database is to be adopted: asked of the app's hook, else of its options, else of the
/// catalog. A database with a ledger is left alone, and one without rows starts from nothing.
struct AdoptionQuestion {
  let hooks: Migrator.Hooks
  let options: Migrator.Options
  let catalog: Catalog
  let ledger: Ledger

  /// Whether anyone has an answer.
  func isAsked() throws -> Bool { try hooks.adoption != nil || version() != nil }

  private func version() throws -> Version? {
    if let version = options.adopt { return version }
    // Those of a migration were compared with the lock. A download that does not say it takes
    // nothing away from the app's own catalog.
    return try catalog.migrations().last.map(catalog.options)?.adopt
      ?? catalog.parts.first?.writtenGeneralOptions().adopt
  }

  /// nil if there is nothing to adopt.
  func ask(on connection: any DatabaseSession) throws -> AdoptionOrder? {
    guard try isAsked(), try hasNoHistory(connection) else { return nil }
    if let answer = try hooks.adopted(on: connection) {
      guard case .version(let version, let absent) = answer else { return nil }
      return AdoptionOrder(version: try known(version), absent: absent)
    }
    // A new database needs no adoption, whatever the catalog still has of that version.
    guard let version = try version(), try isFilled(upTo: version, connection) else { return nil }
    return AdoptionOrder(version: try known(version))
  }

  /// Whether nothing was ever applied. After `down`, what is missing is what that took back.
  func hasNoHistory(_ connection: any DatabaseSession) throws -> Bool {
    try !ledger.exists(on: connection)
      || ledger.applied(on: connection).isEmpty
        && !ledger.wasTakenBack(on: connection)
  }

  private func known(_ version: Version) throws -> Version {
    let all = try catalog.migrationsFromBase()
    if all.contains(where: { $0.version == version }) { return version }
    if let base = try catalog.base(), version < base.version {
      throw SeedbedError.tooOld(
        current: version, base: base.version, advice: try catalog.generalOptions().tooOld)
    }
    throw SeedbedError(
      .usage,
      "The adoption names migration \(version), which the catalog does not have: its last is "
        + "\(all.last?.version ?? 0). Name one of the catalog's.")
  }

  /// Whether a table that the catalog fills up to a version has a row, or is there although the
  /// catalog's own SQL creates it. SQL may also name a table that the app creates, as for an index.
  private func isFilled(upTo version: Version, _ connection: any DatabaseSession) throws -> Bool {
    let migrations = try catalog.migrations().filter { $0.version <= version }
    let all = try catalog.snapshots().filter { $0.version <= version } + migrations
    return try all.flatMap(\.files).compactMap(\.table).asTexts.texts.contains { name in
      guard let found = try connection.object(named: name), found.kind == .table else {
        return false
      }
      return try connection.finds(
        "SELECT 1 FROM \(connection.schema(of: found.name).sql) LIMIT 1")
        || catalog.isNamed(
          name, in: [.up], of: migrations, connection.dialect.flavour,
          beside: [["CREATE", "TABLE"]])
          && !catalog.isNamed(name, in: [.schema], of: migrations, connection.dialect.flavour)
    }
  }
}
