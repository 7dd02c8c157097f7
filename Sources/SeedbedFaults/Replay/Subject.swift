package import Seedbed

/// A run that is to be crashed: a catalog, a database in a folder of its own, and what is done.
package struct Subject: Sendable {
  package enum Verb: Sendable {
    case up
    case down(to: Version)
    /// A backup, by its name.
    case restore(String)
  }

  package var catalog: Catalog
  package var verb: Verb
  package var options: Migrator.Options
  /// The journal mode that each connection is set to, where it is not a property of the file.
  package var journal = "delete"

  package init(catalog: Catalog, verb: Verb = .up, options: Migrator.Options = .init()) {
    self.catalog = catalog
    self.verb = verb
    self.options = options
  }

  package static let database = "app.sqlite"

  package func migrator(in folder: String, host: Seedbed.Host = .real) -> Migrator {
    var migrator = Migrator(
      catalog: catalog, database: .file(folder + "/" + Self.database), options: options)
    migrator.host = host
    return migrator
  }

  /// Does it, to its end.
  ///
  /// - Returns: how many steps were told as done.
  @discardableResult
  package func perform(in folder: String, host: Seedbed.Host = .real) throws -> Int {
    let migrator = migrator(in: folder, host: host)
    switch verb {
    case .up: return try migrator.up().migrations.count
    case .down(let version): return try migrator.down(to: version).migrations.count
    case .restore(let name):
      _ = try migrator.restore(name)
      return 1
    }
  }

  /// What the database holds before it, after each step, and at which version it is then.
  ///
  /// - Parameter folder: holds the database as it is before; it is changed.
  package func stages(in folder: String) throws -> [Stage] {
    let path = folder + "/" + Self.database
    let migrator = migrator(in: folder)
    var stages: [Stage] = []
    func note() throws {
      let dump = try DatabaseDump(path, ledger: options.ledger)
      stages.append(Stage(version: try migrator.status().current, dump: dump))
    }
    try note()
    switch verb {
    case .up:
      let applies: [MigrationState] =
        options.allowOutOfOrder ? [.pending, .outOfOrder] : [.pending]
      for migration in try migrator.status().migrations where applies.contains(migration.state) {
        _ = try migrator.up(to: migration.version)
        try note()
      }
    case .down(let last):
      while let current = stages.last?.version, current > last {
        let below = try migrator.status().migrations.map(\.version).last { $0 < current } ?? last
        _ = try migrator.down(to: max(below, last))
        try note()
      }
    case .restore:
      try perform(in: folder)
      try note()
    }
    return stages
  }
}

/// What the database holds between two commits.
package struct Stage: Sendable {
  package var version: Version
  package var dump: DatabaseDump
}
