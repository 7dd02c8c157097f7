internal import Seedbed
internal import SeedbedAuthoring

extension CommandContext {
  /// Tries the catalog on PostgreSQL too, or says in one line why not; nil if the catalog is not
  /// for it. A release for PostgreSQL alone must be tried.
  var serverTrial: ServerTrial.Closure? {
    serverTrial(or: nil)
  }

  /// - Parameter url: of the server to use if the options name none.
  func serverTrial(or url: String?) -> ServerTrial.Closure? {
    guard Settings.isForServers(settings.migrations) else { return nil }
    let mustTry = isOnlyForServers
    return { catalog, added in
      guard let reason = try untried(catalog, added, on: settings.server ?? url) else { return }
      if mustTry { throw SeedbedError(.io, "The release was not tried on the server: \(reason)") }
      message("PostgreSQL was not tried: \(reason.printable)")
    }
  }

  /// Whether the catalog's SQL is for servers alone.
  var isOnlyForServers: Bool { Settings.isOnlyForServers(settings.migrations) }

  /// The name of the catalog's file with SQL: `up.postgresql.sql` for `up.sql`, if it is for
  /// servers alone.
  func fileOfSQL(_ name: String) -> String {
    (isOnlyForServers ? EngineName.postgresql : .sqlite).file(name)
  }

  /// The cancellation of all that a verb does on scratch databases of a server: an interrupt leaves
  /// none of them behind.
  private func watchingSignals() throws -> Migrator.Cancellation {
    let cancellation = scratchWork.cancellation { cancellation in
      invocation.watchSignals(cancellation, .ofRun) { line in
        if !settings.isQuiet { invocation.complain(line) }
      }
    }
    try cancellation.check()
    return cancellation
  }

  private func untried(
    _ catalog: Catalog, _ added: [Migration], on url: String?
  ) throws -> String? {
    guard let url else {
      return "neither --database nor \(DatabaseURL.variable) names a server."
    }
    guard let server = invocation.server else {
      return Sibling.missing(beside: program).message
    }
    let cancellation = try watchingSignals()
    return try ServerTrial.run(
      catalog.beside(others()), added: added, on: server(url, settings.options.ledger),
      settings.options,
      cancellation: cancellation)
  }

  /// Plays a catalog for PostgreSQL alone on the server, and gives it SQL for SQLite.
  ///
  /// - Parameter url: of the server to use if the options name none.
  func mirroring(or url: String?) -> ScratchSettings.Mirroring {
    guard let url = settings.server ?? url else {
      return { catalog, _, _ in throw SeedbedError.needsServer(catalog.path) }
    }
    guard let server = invocation.server else {
      return { _, _, _ in throw Sibling.missing(beside: program) }
    }
    let mirror = Mirror(on: server(url, settings.options.ledger), settings.options)
    return { catalog, before, look in
      try mirror.mirrored(catalog, after: before, watchingSignals(), look)
    }
  }
}

extension SeedbedError {
  /// The error of a verb that needs to know the tables.
  static func needsServer(_ path: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The catalog '\(path)' is for PostgreSQL alone, so only a server knows its tables, and "
        + "neither --database nor \(DatabaseURL.variable) names one. Name one on which you may "
        + "create databases."
    ).remedied(by: .nameServer)
  }
}

/// One cancellation for several calls, since signals are watched once.
final class ScratchWork: Sendable {
  private let state = Guarded<Migrator.Cancellation?>(nil)

  func cancellation(_ watch: (Migrator.Cancellation) -> Void) -> Migrator.Cancellation {
    state.withLock { known in
      if let known { return known }
      let cancellation = Migrator.Cancellation()
      known = cancellation
      watch(cancellation)
      return cancellation
    }
  }
}
