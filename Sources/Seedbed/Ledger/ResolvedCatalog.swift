/// The catalog that one database gets: the app's own, continued by the best download that its
/// ledger can take.
///
/// All that runs on a database takes one. Only the choice in this file makes one, so nothing is
/// applied, played or compared with a download that the database cannot take.
package struct ResolvedCatalog: Sendable {
  /// It has no downloads to choose among any more.
  package fileprivate(set) var catalog: Catalog
  /// nil for a catalog without downloads, for which no ledger is read.
  let choice: Choice?

  /// A database's choice among downloads.
  struct Choice: Sendable {
    /// The one that continues the catalog; nil for the app's own alone.
    let download: Download?
    let passedOver: [Migrator.PassedOver]
    /// The version of the database when it chose.
    let current: Version
    /// Whether another download, which may be gone, brought the database beyond this catalog.
    let isBeyond: Bool
  }

  fileprivate init(_ catalog: Catalog, _ choice: Choice?) {
    assert(catalog.downloads == nil, "A resolved catalog has nothing to choose among.")
    (self.catalog, self.choice) = (catalog, choice)
  }

  /// The catalog of an author, for tools that play it without a database that could choose.
  package static func authored(_ catalog: Catalog) -> ResolvedCatalog {
    ResolvedCatalog(catalog, nil)
  }

  /// The same in databases that also have other catalogs.
  package func beside(_ others: [Catalog]) throws -> ResolvedCatalog {
    var resolved = self
    if !others.isEmpty { resolved.catalog = try catalog.beside(others) }
    return resolved
  }

  var passedOver: [Migrator.PassedOver] { choice?.passedOver ?? [] }

  /// The download that a migration is read from; nil for one of the app's own.
  func download(of migration: Migration) -> Download? {
    migration.part == catalog.parts.count - 1 ? choice?.download : nil
  }

  /// Which option of a download protects less of what users made than the app's, which allows it.
  func allowedWeakening(
    by options: MigrationOptions, of migration: Migration, under policies: Migrator.Policies
  ) throws -> String? {
    guard download(of: migration)?.isTrusted == true else { return nil }
    return try catalog.weakening(by: options, of: migration, under: policies)
  }

  /// Whether the catalog has the files of a migration. A download may begin later.
  func hasFiles(of migration: Migration) -> Bool {
    download(of: migration).map { migration.version > $0.since } ?? true
  }

  /// The same with exactly the migrations that a ledger lists. So a scratch database gets the rows
  /// of the database: also those of a release that was withdrawn since, and not those of one that
  /// is still pending below its version.
  func asApplied(_ comparison: LedgerComparison) throws -> ResolvedCatalog {
    // Migrations that a snapshot replaces are not played.
    let start = try catalog.beginning(to: comparison.current)?.version ?? 0
    let rows = comparison.steps.compactMap(\.applied).reduce(into: [Version: AppliedMigration]()) {
      $0[$1.version] = $1
    }
    let listed = try catalog.migrations()
    let played = listed.compactMap { migration -> Migration? in
      if migration.version <= start { return migration }
      guard let row = rows[migration.version] else { return nil }
      var migration = migration
      migration.isWithdrawn = row.state == .withdrawn
      return migration
    }
    if played == listed { return self }
    var resolved = self
    resolved.catalog = try catalog.listing(played)
    return resolved
  }
}

// MARK: the choice

/// The conditions of the choice, besides the ledger.
struct ChoiceConditions {
  var allowsOutOfOrder = false
  /// Those that the app sets, which are stronger than any option.
  var policies = Migrator.Policies()
  /// The files of applied migrations above this version are needed; nil if none are.
  var neededAbove: Version?
  /// Downloads that turned out to be damaged.
  var damaged: [Migrator.PassedOver] = []
}

extension Catalog {
  /// The newest catalog that a database can take. Without downloads, nothing is read.
  ///
  /// - Parameter connection: nil if there is no database.
  func resolved(
    for ledger: Ledger, on connection: (any DatabaseSession)?, _ conditions: ChoiceConditions
  ) throws -> ResolvedCatalog {
    var resolved = try resolvedAlone(for: ledger, on: connection, conditions)
    resolved.catalog.others = try others.map { other in
      guard pack != nil, other.pack == nil, let connection else { return other }
      let base = try Ledger(prefix: ledger.basePrefix, dialect: connection.dialect)
      guard try base.exists(on: connection) else { return other }
      var played = try other.resolvedAlone(for: base, on: connection, ChoiceConditions())
      played = try played.asApplied(played.compared(for: base, on: connection))
      played.catalog.playedTo = try base.head(on: connection)?.version
      return played.catalog
    }
    return resolved
  }

  private func resolvedAlone(
    for ledger: Ledger, on connection: (any DatabaseSession)?, _ conditions: ChoiceConditions
  ) throws -> ResolvedCatalog {
    guard let downloads else { return ResolvedCatalog(self, nil) }
    var (heads, applied): ([Migrator.SignedHead], [AppliedMigration]) = ([], [])
    if let connection, try ledger.exists(on: connection) {
      (heads, applied) = try (ledger.signedHeads(on: connection), ledger.applied(on: connection))
    }
    return try downloads.resolved(heads, applied, conditions)
  }
}

extension Downloads {
  /// - Parameters:
  ///   - heads: what the ledger knows to be signed.
  ///   - applied: what it lists.
  fileprivate func resolved(
    _ heads: [Migrator.SignedHead], _ applied: [AppliedMigration], _ conditions: ChoiceConditions
  ) throws -> ResolvedCatalog {
    var passedOver = passedOver + conditions.damaged
    let current = applied.last?.version ?? 0
    func resolved(_ catalog: Catalog, _ download: Download?) throws -> ResolvedCatalog {
      let comparison = try catalog.compared(applied: applied, isBeyond: false)
      // A download brought it there that was removed since, or that another has replaced.
      let isBeyond = heads.contains { $0.version >= current } && comparison.hasAll
      return ResolvedCatalog(
        catalog,
        .init(download: download, passedOver: passedOver, current: current, isBeyond: isBeyond))
    }
    for candidate in candidates {
      let path = candidate.download.path
      if conditions.damaged.contains(where: { $0.path == path }) { continue }
      let reason = try candidate.reasonToPassOver(
        heads, candidate.catalog.compared(applied: applied, isBeyond: false), conditions,
        bundled: bundled)
      guard let reason else { return try resolved(candidate.catalog, candidate.download) }
      passedOver.append(Migrator.PassedOver(path: path, reason: reason))
    }
    return try resolved(own, nil)
  }
}

extension Downloads.Candidate {
  /// Why a database cannot take this download; nil if it can.
  ///
  /// A database that went another way would skip what lies below its version, so that is a fork,
  /// too: a stolen key may have signed a high number.
  fileprivate func reasonToPassOver(
    _ heads: [Migrator.SignedHead], _ comparison: LedgerComparison, _ conditions: ChoiceConditions,
    bundled: Version
  ) throws -> Migrator.PassedOver.Reason? {
    for head in download.heads {
      guard let last = heads.first(where: { $0.key == head.key }) else { continue }
      if head.version < last.version { return .older }
      if head.version == last.version, head.lock != last.lock { return .forked }
    }
    let steps = comparison.steps.filter { $0.version > bundled }
    let forked: Set<Migrator.Status.Migration.State> =
      conditions.allowsOutOfOrder ? [.drifted, .missing] : [.drifted, .missing, .outOfOrder]
    if steps.contains(where: { forked.contains($0.state) }) { return .forked }
    let needed = conditions.neededAbove ?? .max
    let lacks = steps.contains {
      ($0.applied == nil || $0.version > needed) && $0.version <= download.since
    }
    if lacks { return .needsFrom(download.since) }
    return try refusal(
      of: steps.filter { $0.applied == nil }.compactMap(\.migration), conditions.policies)
  }

  /// Why the options of pending releases keep a database from taking them; nil if they do not.
  private func refusal(
    of pending: [Migration], _ policies: Migrator.Policies
  ) throws -> Migrator.PassedOver.Reason? {
    for migration in pending {
      let options: MigrationOptions
      do {
        options = try catalog.options(of: migration)
      } catch let error as SeedbedError where error.cause == .laterSeedbed {
        return Migrator.PassedOver.Reason(error)
      } catch {
        // Damage shows when the release is applied.
        continue
      }
      if download.isTrusted { continue }
      let found = try catalog.weakening(by: options, of: migration, under: policies)
      if let found { return .weakerOptions(found) }
    }
    return nil
  }
}

extension LedgerComparison {
  /// Whether the database has all of the catalog up to its own version. One that a stolen key took
  /// further lacks what the app ships since.
  fileprivate var hasAll: Bool {
    steps.allSatisfy {
      ($0.applied != nil || $0.state == .withdrawn) && $0.state != .drifted && $0.state != .missing
    }
  }
}

// MARK: the comparison

extension ResolvedCatalog {
  /// Reads the data for the comparison: the ledger's rows, and the parts of the catalog that they
  /// are compared with.
  @inline(never) func compared(
    for ledger: Ledger, on connection: (any DatabaseSession)?
  ) throws -> LedgerComparison {
    let applied = try connection.map { try ledger.exists(on: $0) ? ledger.applied(on: $0) : [] }
    return try catalog.compared(applied: applied ?? [], isBeyond: choice?.isBeyond == true)
  }
}

extension Catalog {
  fileprivate func compared(
    applied: [AppliedMigration], isBeyond: Bool
  ) throws -> LedgerComparison {
    let versions = Set(applied.map(\.version))
    let base = try base()
    return LedgerComparison(
      available: try migrations(readingChecksumsOf: versions), applied: applied,
      base: try base.map {
        LedgerComparison.Base(
          version: $0.version, checksum: $0.checksum ?? "", advice: try generalOptions().tooOld)
      }, isBeyond: isBeyond)
  }
}
