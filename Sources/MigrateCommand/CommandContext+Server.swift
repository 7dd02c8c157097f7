internal import Seedbed
internal import SeedbedAuthoring

extension CommandContext {
  /// Tries the catalog on PostgreSQL too, or says in one line why not; nil if the catalog is not
  /// for it.
  var serverTrial: ServerTrial.Closure? {
    serverTrial(or: nil, isForServers: Settings.isForServers(settings.migrations))
  }

  /// - Parameters:
  ///   - url: of the server to use if the options name none.
  ///   - isForServers: whether the catalog is.
  func serverTrial(or url: String?, isForServers: Bool) -> ServerTrial.Closure? {
    guard isForServers else { return nil }
    return { catalog in
      if let reason = try untried(catalog, on: settings.server ?? url) {
        message("PostgreSQL was not tried: \(reason.printable)")
      }
    }
  }

  /// An interrupt leaves nothing behind on the server.
  private func untried(_ catalog: Catalog, on url: String?) throws -> String? {
    guard let url else {
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
