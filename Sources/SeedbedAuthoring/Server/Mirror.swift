package import Seedbed

/// Plays the SQL of a catalog for servers alone on an empty database of a server, and writes what
/// it makes of the tables as SQL for SQLite. So the author's tools can compare such a catalog with
/// CSV as any other.
///
/// Rows that SQL itself writes on the server are not in the mirrored catalog.
package final class Mirror: Sendable {
  private typealias Kind = MigrationFile.Kind

  /// The SQL of a migration's files for SQLite.
  private struct Mirrored {
    var files: [Kind: String] = [:]
    var dropsTables = false
  }

  private let server: any DatabaseKind
  private let options: Migrator.Options
  private let known = Guarded<[String: [Mirrored]]>([:])

  package init(on server: any DatabaseKind, _ options: Migrator.Options) {
    (self.server, self.options) = (server, options)
  }

  /// The catalog with SQL for SQLite.
  ///
  /// - Parameters:
  ///   - before: the catalog that this one continues.
  ///   - look: called with each statement before it runs on the server.
  /// - Throws: the server's error, at its place in the catalog.
  package func mirrored(
    _ catalog: Catalog, after before: Catalog? = nil, _ cancellation: Migrator.Cancellation?,
    _ look: ScratchSettings.Look? = nil
  ) throws -> Catalog {
    let all = try sql(of: catalog, after: before, cancellation, look)
    var options: [String: MigrationOptions] = [:]
    let migrations = try zip(catalog.migrations(), all).map { migration, mirrored in
      let original = migration.ofOtherEngine ?? migration
      var migration = migration
      migration.files.removeAll(where: \.isSQL)
      migration.files += original.files.compactMap { file in
        mirrored.files[file.kind].map { file.holding(Array($0.utf8)) }
      }
      migration.other = nil
      options[migration.folder] = try catalog.options(of: migration)
      if mirrored.dropsTables { options[migration.folder]?.foreignKeys = .off }
      return migration
    }
    var found = Catalog(catalog, migrations, options)
    found.isMirrored = true
    return found
  }

  private func sql(
    of catalog: Catalog, after before: Catalog?, _ cancellation: Migrator.Cancellation?,
    _ look: ScratchSettings.Look?
  ) throws -> [Mirrored] {
    let migrations = try catalog.migrations()
    let texts = try migrations.map { try Self.texts(of: $0, in: catalog) }
    if migrations.isEmpty || before != nil && texts.allSatisfy(\.isEmpty) {
      return migrations.map { _ in Mirrored() }
    }
    let state = try before.map { before in
      try before.migrations().map { migration in
        try before.checksum(of: migration.ofOtherEngine ?? migration)
          + Self.texts(of: migration, in: before)
      }
    }
    let name = ((state ?? []) + [""] + texts).joined(separator: "\n")
    if look == nil, let known = known.withLock({ $0[name] }) { return known }
    let played = try play(
      before.map { try Catalog([$0, catalog]) } ?? catalog, cancellation, look)
    let found = migrations.map { played[$0.folder] ?? Mirrored() }
    known.withLock { $0[name] = found }
    return found
  }

  /// The names and digests of the SQL that decides how the tables look.
  private static func texts(of migration: Migration, in catalog: Catalog) throws -> String {
    let kinds: [Kind] = [.schema, .up, .after]
    let files = (migration.ofOtherEngine ?? migration).files.filter { kinds.contains($0.kind) }
    return try files.map { file in
      let bytes = try catalog.bytes(of: file.name, in: migration.folder)
      return "\(file.name) \(Checksum.digest(of: bytes))\n"
    }.joined()
  }

  // MARK: playing

  private func play(
    _ catalog: Catalog, _ cancellation: Migrator.Cancellation?, _ look: ScratchSettings.Look?
  ) throws -> [String: Mirrored] {
    let twin = try catalog.forPostgreSQL()
    let database = try server.empty(options, cancellation)
    let scratch = try Scratch(empty: .authored(twin), on: database, ledger: options.ledger)
    let play = Play(scratch)
    _ = try scratch.up(scratch.resolved) { kind, statement in
      try look?(scratch.session, kind, statement)
      try scratch.session.asSeedbed { try play.enter(statement.place, kind) }
    }
    try play.leave()
    return play.mirrored
  }

  /// Compares the tables before each SQL file with those after it. Rows change no table.
  private final class Play {
    private(set) var mirrored: [String: Mirrored] = [:]
    private let scratch: Scratch
    private var tables = MirroredTables()
    private var running: (file: String, kind: Kind)?

    init(_ scratch: Scratch) { self.scratch = scratch }

    func enter(_ place: SeedbedError.Place, _ kind: Kind) throws {
      if running?.file == place.file { return }
      try leave()
      running = (place.file, kind)
    }

    func leave() throws {
      guard let (file, kind) = running else { return }
      running = nil
      if kind == .verify { return }
      let now = try MirroredTables(scratch.session, scratch.ledger)
      let change = MirroredChange(from: tables, to: now)
      tables = now
      if change.statements.isEmpty { return }
      let folder = String(file.prefix { $0 != "/" })
      mirrored[folder, default: Mirrored()].files[kind] = change.text
      if change.dropsTables { mirrored[folder]?.dropsTables = true }
    }
  }
}
