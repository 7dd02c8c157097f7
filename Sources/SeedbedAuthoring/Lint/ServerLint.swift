import Seedbed

/// Checks a catalog for PostgreSQL alone: its SQL while a server runs it, and its rows on SQLite,
/// in tables like those of the server.
struct ServerLint {
  let linter: Linter
  let catalog: Catalog
  let findings: LintFindings
  let files: FileLint

  func findings(_ migrations: [Migration]) throws -> [LintFinding] {
    var allows = Allows()
    try allows.read(migrations, of: catalog, findings)
    let statements = Statements(migrations, findings)
    do {
      let playable = try linter.settings.playable(catalog) { session, kind, statement in
        try statements.look(session, kind, statement)
      }
      let scratch = try ScratchDatabase(empty: .authored(playable), linter.settings)
      let rows = RowLint(
        scratch: scratch, findings: findings, broken: files.broken,
        makersOnServer: statements.makers)
      let mirrored = try playable.migrations()
      try rows.apply(mirrored, behind: nil).check(mirrored)
      try linter.onLeftToApp?(scratch.tablesOfApp())
    } catch {
      let error = SeedbedError.from(error)
      if error.code == .cancelled { throw error }
      guard error.place == nil, [.usage, .io, .busy].contains(error.code) else {
        try findings.addNew(error, migrations)
        return allows.silence(findings, isWhole: false)
      }
      linter.onUnchecked?(error)
      return allows.silence(findings, isWhole: false)
    }
    return allows.silence(findings)
  }

  /// Checks the statements of one migration after the other.
  private final class Statements {
    private let migrations: [Migration]
    private let findings: LintFindings
    private var lint: StatementLint?

    init(_ migrations: [Migration], _ findings: LintFindings) {
      (self.migrations, self.findings) = (migrations, findings)
    }

    /// The place at which each table was created, by its name in lower case.
    var makers: [Name: SeedbedError.Place] { lint?.makers ?? [:] }

    func look(
      _ session: any DatabaseSession, _ kind: MigrationFile.Kind,
      _ statement: Script.UpcomingStatement
    ) throws {
      let folder = statement.place.file.prefix { $0 != "/" }
      if lint.map({ $0.migration.folder != folder }) ?? true {
        guard let migration = migrations.first(where: { $0.folder == folder }) else { return }
        lint = StatementLint(migration, on: session, findings, makers: makers)
      }
      try lint?.look(kind, statement)
    }
  }
}
