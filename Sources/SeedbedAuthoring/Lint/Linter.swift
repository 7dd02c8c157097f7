package import Seedbed

/// Finds every problem in a catalog that shows without a user's database. It reads the catalog and
/// applies it to a scratch database.
///
///     let findings = try Linter(directory: "Migrations").findings()
package struct Linter: Sendable {
  /// The catalog's folder.
  package let directory: String
  /// How scratch databases are opened.
  package var settings = ScratchSettings()

  /// Tries the catalog on another engine; nil if it is for SQLite alone.
  package var onServer: ServerTrial.Closure?
  /// Called if the SQL and the rows of a catalog for PostgreSQL alone are not checked.
  package var onUnchecked: (@Sendable (_ reason: SeedbedError) -> Void)?

  /// Called with the tables whose rows the app makes, if rows refer to them.
  package var onLeftToApp: (@Sendable (_ tables: [String]) -> Void)?

  /// - Parameter directory: the catalog's folder.
  package init(directory: String) { self.directory = directory }

  /// The findings in the order of versions, files and lines.
  ///
  /// A part that cannot be applied is reported and left out, so that the rest is also checked.
  ///
  /// - Throws: `SeedbedError` if the folder itself cannot be read, or contains no migration.
  package func findings() throws -> [LintFinding] {
    let findings = LintFindings()
    var refused: [SeedbedError] = []
    let catalog = try Catalog(inspecting: directory) { refused.append($0) }
    let migrations = try catalog.migrations()
    let snapshots = try catalog.snapshots()
    for error in refused {
      let folder = error.place?.file.prefix { $0 != "/" }
      let all = migrations + snapshots
      try findings.add(error, in: all.first { $0.folder == folder.map(String.init) })
    }
    var files = FileLint(catalog: catalog, findings: findings)
    try files.check(migrations, snapshots)
    // Options that cannot be read were reported before.
    if (try? catalog.servesSQLite()) == false {
      return try ServerLint(linter: self, catalog: catalog, findings: findings, files: files)
        .findings(migrations)
    }
    let beginning: Migration?
    do {
      beginning = try catalog.beginning()
    } catch {
      try findings.add(error)
      return findings.sorted
    }
    // Without its options, a pack seems to be a base. They were reported.
    if (try? catalog.generalOptions()) == nil, !settings.others.isEmpty { return findings.sorted }
    let scratch = try ScratchDatabase(empty: .authored(catalog), settings)
    let rows = RowLint(scratch: scratch, findings: findings, broken: files.broken)
    let schema = try rows.apply(migrations, behind: beginning)
    let served = (beginning.map { [$0] } ?? []) + migrations
    try schema.check(served)
    try onLeftToApp?(scratch.tablesOfApp())
    try PackLint(scratch.source, settings, findings).check()
    var allows = Allows()
    try allows.read(served, of: catalog, findings)
    try tryServer(catalog, migrations, findings)
    return allows.silence(findings)
  }

  private func tryServer(
    _ catalog: Catalog, _ migrations: [Migration], _ findings: LintFindings
  ) throws {
    do {
      try onServer?(catalog, [])
    } catch let error as SeedbedError where error.code != .cancelled {
      try findings.addNew(error, migrations)
    }
  }
}

extension LintFindings {
  /// Adds a server's error, unless the same place has one.
  func addNew(_ error: SeedbedError, _ migrations: [Migration]) throws {
    let place = error.place
    if let place, all.contains(where: { $0.isRefusal && $0.place == place }) { return }
    let folder = place?.file.prefix { $0 != "/" }
    try add(error, in: migrations.first { $0.folder == folder.map(String.init) })
  }
}
