internal import Seedbed
internal import SeedbedAuthoring

extension CommandContext {
  /// Tries the catalog on PostgreSQL too, or says in one line why not; nil if the catalog is not
  /// for it.
  var serverTrial: ServerTrial.Closure? {
    guard Settings.isForServers(settings.migrations) else { return nil }
    return { catalog in
      if let reason = try untried(catalog) {
        message("PostgreSQL was not tried: \(reason.printable)")
      }
    }
  }

  /// An interrupt leaves nothing behind on the server.
  private func untried(_ catalog: Catalog) throws -> String? {
    guard let url = settings.server else {
      return "neither --database nor \(DatabaseURL.variable) names a server."
    }
    guard let server = invocation.server else {
      return Sibling.missing(beside: program).message
    }
    return try changing { cancellation, _ in
      try ServerTrial.run(
        catalog, on: server(url, settings.options.ledger), settings.options,
        cancellation: cancellation)
    }
  }
}
