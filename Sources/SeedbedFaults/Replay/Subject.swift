package import Seedbed

/// A run to be crashed: a catalog, a database in its own folder, and an operation.
package struct Subject: Sendable {
  package enum Verb: Sendable {
    case up
    case down(to: Version)
    /// Restores a backup, given by its name.
    case restore(String)
    /// Settles all conflicts for the seed.
    case settle
    /// Runs `up` on a handle of the app's.
    case upLent
    /// Applies all in one transaction of the app's, together with one of its own rows.
    case applyInside
    /// Awaits `up`, while the app reads all the time. Between two migrations it writes with one
    /// statement, which has no effect if it ran before.
    case upBeside(writing: String)
  }

  package var catalog: Catalog
  package var verb: Verb
  package var options: Migrator.Options
  package var setup: ConnectionSetup?
  /// The path of a ready-made database; nil to begin with an empty one.
  package var first: String?
  /// The journal mode to set on each connection, if the file does not store it.
  package var journal = "delete"
  /// The error that ends the run after the steps before it; nil if the run succeeds.
  package var refusal: SeedbedError.Code?
  /// The cancellation to pass to the run, if it is to be cancelled.
  var cancellation: Migrator.Cancellation?
  /// The work of an app during the run. All copies share it.
  package let beside = Beside()
  /// The number of pages that the connection may hold, so that it spills; nil for Seedbed's own
  /// setting.
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
    migrator.hooks.setup = observedSetup
    return migrator
  }

  private var observedSetup: ConnectionSetup {
    ConnectionSetup(vfs: setup?.vfs) { [setup] in
      try setup?.body?($0)
      DiskLayer.opened($0)
    }
  }

  private func lentMigrator(host: Seedbed.Host) -> HandleMigrator {
    var migrator = HandleMigrator(catalog: catalog, options: options)
    migrator.host = host
    migrator.hooks.setup = observedSetup
    return migrator
  }

  /// Performs the run to its end.
  ///
  /// - Returns: the number of steps reported as done.
  @discardableResult
  package func perform(in folder: String, host: Seedbed.Host = .real) throws -> Int {
    let migrator = migrator(in: folder, host: host)
    do {
      switch verb {
      case .up: return try migrator.up(cancellation: cancellation).steps
      case .down(let version):
        return try migrator.down(to: version, cancellation: cancellation).migrations.count
      case .restore(let name):
        _ = try migrator.restore(name, cancellation: cancellation)
        return 1
      case .settle:
        // Like an app's start. `conflicts` only reads, and does not roll back an unfinished
        // transaction.
        _ = try migrator.outlook()
        try migrator.resolve(migrator.conflicts(), with: .seed, cancellation: cancellation)
        return 1
      case .upLent:
        let lent = lentMigrator(host: host)
        return try app(migrator).lend {
          try lent.up(on: $0, cancellation: cancellation).steps
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

  /// The content and version of the database before the run and after each step.
  ///
  /// - Parameter folder: holds the database before the run. It is changed.
  package func stages(in folder: String) throws -> [Stage] {
    let migrator = migrator(in: folder)
    @Sendable func stage() throws -> Stage {
      let dump = try DatabaseDump(
        folder + "/" + Self.database, ledger: options.ledger, pack: catalog.pack?.ledger,
        setup: setup)
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
  /// Call after the settings, which would make the cache large again.
  func shrinkCache(of writer: Writer, _ host: inout Seedbed.Host) {
    guard let cachePages else { return }
    host.also(at: .runStarted) { writer.run("PRAGMA cache_size=\(cachePages)") }
  }
}

/// The content of the database between two commits.
package struct Stage: Sendable {
  package var version: Version
  package var dump: DatabaseDump
  /// Whether the app itself made the step before it.
  package var isTheApps = false
}

extension Migrator.Report {
  /// The number of transactions of the run: an adoption is one.
  fileprivate var steps: Int { migrations.count + (adopted == nil ? 0 : 1) }
}
