internal import Seedbed
internal import SeedbedAuthoring

extension Session {
  /// Tries the catalog on PostgreSQL, too, or says in one line why not; nil if the catalog is not
  /// for it.
  var serverTrial: ServerTrial.Closure? {
    guard Settings.isForServers(settings.migrations) else { return nil }
    return { catalog in
      if let reason = try untried(catalog) {
        message("PostgreSQL was not tried: \(reason.printable)")
      }
    }
  }

  /// Where a catalog for PostgreSQL is tried; an interrupt meanwhile leaves nothing behind there.
  ///
  /// Not `rethrows`: a function that does, and hands such an enum to `body` from within another
  /// closure, crashes when `body` throws (seen with Swift 6.3, in debug and release).
  func withServer<Result>(_ body: (ServerAtHand) throws -> Result) throws -> Result {
    guard let url = settings.server else {
      return try body(.missing("neither --database nor \(DatabaseURL.variable) names a server."))
    }
    guard let server = invocation.server else {
      return try body(.missing(Sibling.missing(beside: program).message))
    }
    return try changing { cancellation, _ in
      try body(.there(server(url, settings.options.ledger), settings.options, cancellation))
    }
  }

  private func untried(_ catalog: Catalog) throws -> String? {
    try withServer { server in
      switch server {
      case .missing(let reason): return reason
      case .there(let engine, let options, let cancellation):
        return try ServerTrial.run(catalog, on: engine, options, cancellation: cancellation)
      }
    }
  }
}
