package import Seedbed

/// A run that is to be crashed: a catalog, a database in a folder of its own, and what is done.
package struct Subject: Sendable {
  package enum Verb: Sendable {
    case up
    case down(to: Version)
    /// A backup, by its name.
    case restore(String)
    /// All conflicts of the seed's side.
    case settle
    /// `up` on a handle of the app's.
    case upLent
    /// All in one transaction of the app's, together with a row of its own.
    case applyInside
    /// `up`, awaited, while the app reads all the time. Between two migrations it writes: one
    /// statement that finds nothing to do if it was done before.
    case upBeside(writing: String)
  }

  package var catalog: Catalog
  package var verb: Verb
  package var options: Migrator.Options
  package var onConnection: ConnectionSetup?
  /// The path of a ready-made database; nil to begin with an empty one.
  package var first: String?
  /// The journal mode that each connection is set to, if it is not a property of the file.
  package var journal = "delete"
  /// The error in which it ends, after the steps before it; nil if it succeeds.
  package var refusal: SeedbedError.Code?
  /// Asked by the run, if it is to be cancelled.
  var cancellation: Migrator.Cancellation?
  /// What an app beside the run did; all copies share it.
  package let beside = Beside()
  /// Pages that the connection may hold, so that it spills; nil: as many as we set.
  package var cachePages: Int?

  package init(catalog: Catalog, verb: Verb = .up, options: Migrator.Options = .init()) {
    self.catalog = catalog
    self.verb = verb
    self.options = options
  }

  package static let database = "app.sqlite"

  package func migrator(in folder: String, host: Seedbed.Host = .real) -> Migrator {
    var migrator = Migrator(
      catalog: catalog, at: folder + "/" + Self.database, options: options, beginningWith: first)
    migrator.host = host
    migrator.hooks.onConnection = onConnection
    return migrator
  }

  private func lentMigrator(host: Seedbed.Host) -> HandleMigrator {
    var migrator = HandleMigrator(catalog: catalog, options: options)
    migrator.host = host
    migrator.hooks.onConnection = onConnection
    return migrator
  }

  /// Does it, to its end.
  ///
  /// - Returns: how many steps were reported as done.
  @discardableResult
  package func perform(in folder: String, host: Seedbed.Host = .real) throws -> Int {
    let migrator = migrator(in: folder, host: host)
    do {
      switch verb {
      case .up: return try migrator.up(cancellation: cancellation).migrations.count
      case .down(let version):
        return try migrator.down(to: version, cancellation: cancellation).migrations.count
      case .restore(let name):
        _ = try migrator.restore(name, cancellation: cancellation)
        return 1
      case .settle:
        // As an app starts: `conflicts` only reads, and does not roll back what was unfinished.
        _ = try migrator.outlook()
        try migrator.resolve(migrator.conflicts(), with: .seed, cancellation: cancellation)
        return 1
      case .upLent:
        let lent = lentMigrator(host: host)
        return try app(migrator).lend {
          try lent.up(on: $0, cancellation: cancellation).migrations.count
        }
      case .applyInside:
        let lent = lentMigrator(host: host)
        try app(migrator).step { handle in
          for migration in try catalog.migrations() {
            try lent.applyIfPending(
              migration.version, on: handle, cancellation: cancellation)
          }
        }
        return 1
      case .upBeside(let sql): return try upBeside(in: folder, host: host, writing: sql)
      }
    } catch let error as SeedbedError where error.code == refusal {
      return error.applied.count
    }
  }

  private func app(_ migrator: Migrator) throws -> AppHandle {
    try AppHandle(migrator.path, lockTimeoutSeconds: options.lockTimeout.inSeconds)
  }

  /// What the database holds before it, after each step, and at which version it is then.
  ///
  /// - Parameter folder: holds the database as it is before; it is changed.
  package func stages(in folder: String) throws -> [Stage] {
    let migrator = migrator(in: folder)
    @Sendable func stage() throws -> Stage {
      let dump = try DatabaseDump(
        folder + "/" + Self.database, ledger: options.ledger, setup: onConnection)
      return Stage(version: try migrator.status().current, dump: dump)
    }
    var stages = [try stage()]
    switch verb {
    case .up, .upLent, .upBeside:
      let found = Guarded<[Result<Stage, any Error>]>([])
      @Sendable func note(isTheApps: Bool) {
        let stage = Result {
          var stage = try stage()
          stage.isTheApps = isTheApps
          return stage
        }
        found.withLock { $0.append(stage) }
      }
      var host = Seedbed.Host()
      for moment in [Moment.begun, .afterCommit] {
        host.also(at: moment) { note(isTheApps: false) }
      }
      try beside.hearing({ note(isTheApps: true) }) { _ = try perform(in: folder, host: host) }
      stages += try found.withLock { $0 }.map { try $0.get() }
    case .down(let last):
      while let current = stages.last?.version, current > last {
        let below = try migrator.status().migrations.map(\.version).last { $0 < current } ?? last
        _ = try migrator.down(to: max(below, last))
        stages.append(try stage())
      }
    case .restore, .settle, .applyInside:
      try perform(in: folder)
      stages.append(try stage())
    }
    return stages
  }
}

extension Subject {
  /// After the settings, which would make it large again.
  func shrinkCache(of writer: Writer, _ host: inout Seedbed.Host) {
    guard let cachePages else { return }
    host.also(at: .runStarted) { writer.run("PRAGMA cache_size=\(cachePages)") }
  }
}

/// What the database holds between two commits.
package struct Stage: Sendable {
  package var version: Version
  package var dump: DatabaseDump
  /// Whether the app itself did the step before it.
  package var isTheApps = false
}
