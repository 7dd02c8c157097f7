package import Seedbed

extension FirstDatabase {
  /// The layout of the file.
  package struct Layout: Sendable, Equatable {
    package enum JournalMode: String, Sendable, CaseIterable { case delete, wal }

    /// The size in bytes: a power of two from 512 to 65,536.
    package var pageSize: Int
    package var journalMode: JournalMode

    package init(pageSize: Int = 4096, journalMode: JournalMode = .delete) {
      (self.pageSize, self.journalMode) = (pageSize, journalMode)
    }
  }

  /// The result of `build`.
  package struct Summary: Sendable, Equatable {
    /// The absolute path.
    package let path: String
    package let database: FirstDatabase
    /// The number of migrations in its ledger.
    package let migrations: Int
    package let layout: Layout
    /// Whether the lock names it now; false for a file elsewhere, or without a lock.
    package let isLocked: Bool
  }

  /// Applies all releases to a new database, and writes it as a compact file.
  ///
  /// Its ledger lists them as `baseline`, without a run, and with fixed times. The same catalog and
  /// the same SQLite give the same bytes. A file in the catalog's own place gets a line in the
  /// lock, if there is a lock.
  ///
  /// - Parameters:
  ///   - path: the file, which is replaced in one step; nil for the catalog's own place.
  ///   - version: the last migration to apply; nil for the catalog's last.
  ///   - settings: how the scratch database is opened.
  /// - Throws: `SeedbedError`. Nothing was written then.
  package static func build(
    directory: String, to path: String? = nil, version: Migrator.Version? = nil,
    layout: Layout = Layout(), _ settings: ScratchSettings = ScratchSettings(),
    cancellation: Migrator.Cancellation? = nil
  ) throws -> Summary {
    do {
      let pageSize = layout.pageSize
      guard (512...65_536).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
        throw SeedbedError.pageSize(pageSize)
      }
      let own = Paths.absolute(directory) + "/" + name
      let isOwn = path.map { Paths.absolute($0) == Paths.absolute(own) } ?? true
      let turn = try isOwn ? CatalogTurn(directory) : nil
      defer { turn?.end() }
      let catalog = try Catalog(directory: directory)
      if let pack = catalog.pack { throw SeedbedError.begins(pack) }
      if try !catalog.servesSQLite() {
        throw SeedbedError.servesNoDevice("The database that devices begin with is for SQLite")
      }
      if let version { try catalog.require(version) }
      let place = try BuildPlace(isOwn ? own : path ?? own, makesFolder: isOwn)
      try catalog.refuseSchemaOfApp(to: version)
      let scratch = try ScratchDatabase(
        empty: .authored(catalog), settings, cancellation: cancellation,
        startingWith: catalog.beginning(to: version ?? .max))
      try scratch.connection.execute("PRAGMA page_size=\(pageSize)")
      let report = try scratch.up(.authored(catalog), to: version)
      if let taken = try scratch.takenKey() {
        throw SeedbedError.builtTaken(taken.table, taken.key)
      }
      let head = try scratch.stampLedger(to: report.to)
      let count = try scratch.ledger.count(on: scratch.connection)
      let database = try place.write(scratch.connection, head, layout.journalMode)
      let isLocked = try isOwn && CatalogLock.renew(first: database, directory: directory)
      return Summary(
        path: place.path, database: database, migrations: count, layout: layout,
        isLocked: isLocked)
    } catch {
      throw SeedbedError.from(error)
    }
  }
}

extension Catalog {
  /// Refuses a catalog whose tables the app creates in its own schema, since only the app can do
  /// that.
  fileprivate func refuseSchemaOfApp(to version: Version?) throws {
    let all = try snapshots() + migrations()
    let its = all.first { $0.version <= version ?? .max && $0.file(.schema) != nil }
    guard let its else { return }
    throw SeedbedError(
      .catalog,
      "The app makes tables of this catalog itself, so only the app can make its first database. "
        + "Let new devices fill theirs by 'up', from a snapshot.",
      at: SeedbedError.Place(its.folder + "/schema.sql")
    ).remedied(by: .makeSnapshot)
  }
}

extension SeedbedError {
  fileprivate static func pageSize(_ size: Int) -> SeedbedError {
    SeedbedError(
      .usage,
      "SQLite has no pages of \(size) bytes. Name a power of two from 512 to 65536, such as 4096.")
  }

  fileprivate static func builtTaken(_ table: String, _ key: String) -> SeedbedError {
    SeedbedError(
      .conflict,
      "A row that SQL of the catalog adds to '\(table)' has the key of the seed row \(key), so the "
        + "seed row was left out. Change the key of one of them.")
  }
}
