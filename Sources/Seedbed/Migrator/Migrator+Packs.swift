// The packs of a database, which `up` of the base brings, too.

extension Migrator {
  /// A migrator of a pack in the same database: `up` adds it, or brings it up to date, and `down`
  /// to 0 removes it. Rows that the user edited stay, and those that the user deleted stay away
  /// when the pack comes again.
  ///
  ///     let migrator = try Migrator(catalog: base.beside([german, french]), at: database)
  ///     try migrator.pack("de").up()
  ///
  /// It has the options and hooks of this one, but for an adoption, and for policies by which a row
  /// in the way does not stay.
  ///
  /// - Parameter name: `"name"` in the catalog.json of one of the catalogs in `Catalog.beside`.
  /// - Throws: `usage` if none has that name.
  public func pack(_ name: String) throws(SeedbedError) -> Migrator {
    let all = catalog.others
    guard catalog.pack == nil, let pack = all.first(where: { $0.packName == name }) else {
      let known = all.compactMap { $0.packName.map { "'\($0)'" } }
      throw SeedbedError(
        .usage,
        "No catalog beside this one is the pack '\(name.shortened(to: 40))'. "
          + (known.isEmpty
            ? "Give packs to Catalog.beside." : "There are: \(known.joined(separator: ", "))."))
    }
    var base = catalog
    base.others = []
    var migrator = self
    let others = all.filter { $0.packName != name }
    migrator.catalog = try pack.beside([base] + others)
    // What the app says of the base is not about the pack.
    (migrator.options.expectedVersion, migrator.options.adopt) = (nil, nil)
    migrator.hooks.adoption = nil
    if let policy = options.onTaken, policy.strength < 2 { migrator.options.onTaken = nil }
    return migrator
  }

  /// The packs of the database, by name, also those that were removed.
  public func packs() throws(SeedbedError) -> [Pack] {
    try SeedbedError.catching { database.exists ? try reading { try $1.packs(on: $0) } : [] }
  }

  /// The migrators of the packs that the database has and whose catalogs are known, by name.
  func added() throws -> [Migrator] {
    if catalog.pack != nil || catalog.others.isEmpty { return [] }
    let known = Set(catalog.others.compactMap(\.packName))
    return try packs().filter { $0.isAdded && known.contains($0.name) }.map { try pack($0.name) }
  }

  /// The migrators of all other catalogs that the database has: of a pack, its base, too.
  func others(on connection: any DatabaseSession) throws -> [Migrator] {
    let all = [catalog] + catalog.others
    return try catalog.others.indices.compactMap { index in
      var migrator = self
      migrator.catalog = try all[index + 1].beside(
        all.indices.filter { $0 != index + 1 }.map { position in
          var other = all[position]
          other.others = []
          return other
        })
      let ledger = try migrator.ledger
      return try ledger.exists(on: connection) && ledger.head(on: connection) != nil
        ? migrator : nil
    }
  }

  /// Calls `body` with a migrator of a catalog beside the one that was called: a pack, or the base.
  /// An error names it.
  func beside<Result>(_ body: (Migrator) throws -> Result) throws -> Result {
    do {
      return try body(self)
    } catch {
      throw SeedbedError.from(error).with {
        let owner = catalog.packName.map { "the pack '\($0)'" } ?? "the base"
        $0.message = "In \(owner): \($0.message)"
      }
    }
  }

  /// The report of `up` after the packs' own, each with the releases of its own. Notes name the
  /// packs that stay as they are: optional content does not keep an app from starting.
  func withPacks(
    _ report: Report, to version: Version? = nil, _ body: (Migrator) throws -> Report
  ) throws -> Report {
    // A start without packs and with nothing to do is one query.
    let isIdle = catalog.others.isEmpty && report.outcome == .upToDate
    if catalog.pack != nil || isIdle { return report }
    var report = report
    do {
      for added in try packs() where added.isAdded {
        try bring(added, to: version, &report, body)
      }
    } catch {
      // All of the base is committed, and there are no packs to bring.
      if catalog.others.isEmpty { return report }
      throw SeedbedError.from(error).with {
        // Versions are those of the catalog that was called.
        $0.applied = report.migrations.map(\.version)
        if report.outcome == .applied { $0.isDatabaseUnchanged = false }
      }
    }
    return report
  }

  private func bring(
    _ added: Pack, to version: Version?, _ report: inout Report, _ body: (Migrator) throws -> Report
  ) throws {
    let known = catalog.others.compactMap(\.pack).first { $0.name == added.name }
    var reason: String? =
      switch known {
      case nil: "its catalog was not given"
      case _ where version != nil: "the base alone is brought to a version"
      case let pack?:
        pack.needs > report.to ? "its catalog needs release \(pack.needs) of the base" : nil
      }
    do {
      if reason == nil {
        let own = try pack(added.name).beside(body)
        report.packs.append(Report.OfPack(name: added.name, report: own))
        report.touchedTables = (report.touchedTables + own.touchedTables).asTexts.texts
        if report.outcome == .upToDate { report.outcome = own.outcome }
      }
    } catch let error as SeedbedError where error.code == .newer {
      reason = "its catalog is that of an earlier release"
    }
    if let reason {
      report.notes.append("The pack '\(added.name)' stays at \(added.version), since \(reason).")
    }
  }

  /// The status of a base: if only packs are pending, so is it.
  func withPacks(_ status: Status) throws -> Status {
    var status = status
    for migrator in try added() {
      let own = try migrator.beside { try $0.status() }
      for index in status.packs.indices where status.packs[index].name == migrator.catalog.packName
      {
        status.packs[index].target = own.target
      }
      // `up` passes over a pack that a later release has brought.
      if own.state == .newer { continue }
      status.state = [status.state, own.state].max { $0.severity < $1.severity } ?? own.state
    }
    return status
  }

  /// The forecast of a base that has nothing to do: that of the first pack which has.
  func outlookOfPacks() throws -> Outlook {
    let version = try readingLedger { try $1.head(on: $0)?.version ?? 0 } ?? 0
    for migrator in try added() where migrator.catalog.pack?.needs ?? 0 <= version {
      let outlook = try migrator.beside { try $0.outlook() }
      if outlook != .upToDate, outlook != .newer { return outlook }
    }
    return .upToDate
  }
}
