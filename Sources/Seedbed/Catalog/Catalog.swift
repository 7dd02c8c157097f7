/// A folder of migrations in order.
///
///     let catalog = try Catalog(locked: "/path/to/Migrations")
///
/// A catalog is a value that holds no open file. It keeps what it has read, so it shows its folder
/// as it was when it was first read.
public struct Catalog: Sendable {
  /// Its absolute path; `:memory:` if it has none.
  package var path: String { source.path }
  package let source: CatalogSource
  /// The first lines of the lock; nil without a lock.
  package private(set) var head: LockHead?
  private(set) var contents: CatalogContents
  /// The engine whose SQL and digests its migrations have.
  private(set) var engine = EngineName.sqlite
  let trust: CatalogTrust
  /// The parts of a joined catalog; empty for any other.
  let parts: [Catalog]
  /// The cache for a run over many databases.
  private(set) var cache: ContentCache?
  /// For a download: the highest version whose folder it lacks, 0 if it is complete. nil: not a
  /// download.
  private(set) var since: Version?
  /// The downloads among which each database chooses; nil for a catalog that is not of `newest`.
  package private(set) var downloads: Downloads?
  /// The other catalogs of the database: of a pack, its base and other packs; of a base, packs.
  package var others: [Catalog] = []
  /// Of a base that a pack is played on: the version of the database; nil for what the pack needs.
  package var playedTo: Version?
  /// Whether it has SQL that was made for SQLite, in place of that for PostgreSQL.
  package var isMirrored = false

  /// Reads and checks a folder, for tools and tests.
  ///
  /// If there is a `seedbed.lock`, its digests are trusted, and it must list exactly the existing
  /// files. Without one, digests are computed from the files when they are needed.
  ///
  /// - Parameters:
  ///   - directory: the catalog's folder.
  ///   - allowsSQL: if false, refuses a catalog with any SQL file right away.
  ///   - chain: the second line that the lock must have, `sha256:` and 64 digits; nil accepts any.
  /// - Throws: `catalog` for anything that may not be in the folder.
  public init(
    directory: String, allowsSQL: Bool = true, expecting chain: String? = nil
  ) throws(SeedbedError) {
    try self.init(
      directory: directory, host: .real, CatalogTrust(allowsSQL: allowsSQL, chain: chain))
  }

  /// Trusts `seedbed.lock` and reads only its first lines, for apps at their start.
  ///
  /// For a catalog that was downloaded. Only its rows are trusted, and only in a release whose
  /// chain the app knows from another source:
  ///
  ///     let catalog = try Catalog(locked: downloaded, allowsSQL: false, expecting: chain)
  ///
  /// The chain covers the versions and all their rows. It does not cover `catalog.json` and
  /// `migration.json`: set the policies that must apply in the migrator's options.
  ///
  /// - Parameters:
  ///   - directory: the catalog's folder.
  ///   - allowsSQL: if false, refuses a catalog with any SQL file before any database is touched.
  ///   - chain: the second line that the lock must have, `sha256:` and 64 digits; nil accepts any.
  /// - Throws: `SeedbedError` with the code `catalog` if there is no lock, if it is damaged, or if
  ///   it has another chain.
  public init(
    locked directory: String, allowsSQL: Bool = true, expecting chain: String? = nil
  ) throws(SeedbedError) {
    try self.init(
      locked: directory, host: .real, CatalogTrust(allowsSQL: allowsSQL, chain: chain))
  }

  /// Files in memory, by their paths in the catalog: from an archive, a download or a test.
  ///
  ///     let catalog = try Catalog(files: [
  ///       "0001_words/up.sql": Array("CREATE TABLE words (id INTEGER PRIMARY KEY, word);".utf8),
  ///       "0001_words/words.csv.gz": words,
  ///     ])
  ///
  /// The files are treated like a folder, and errors name them by their paths. If a `seedbed.lock`
  /// is among them, its digests are trusted, and it must list exactly these files.
  ///
  /// - Parameters:
  ///   - files: the content of the folder, by relative paths with `/` between the names.
  ///   - allowsSQL: if false, refuses a catalog with any SQL file right away.
  ///   - chain: the second line that the lock must have, `sha256:` and 64 digits; nil accepts any,
  ///     and also a catalog without a lock.
  /// - Throws: `SeedbedError` with the code `catalog` for anything that may not be in the folder,
  ///   and for an invalid path.
  public init(
    files: [String: [UInt8]], allowsSQL: Bool = true, expecting chain: String? = nil
  ) throws(SeedbedError) {
    self = try SeedbedError.catching {
      try Catalog(
        .held(try MemoryFolder(files)), CatalogTrust(allowsSQL: allowsSQL, chain: chain))
    }
  }

  /// Joins several catalogs, each of which continues after the last version of the one before: the
  /// one that the app ships, and those that it downloaded later.
  ///
  ///     let catalog = try Catalog([bundled, downloaded])
  ///
  /// A later catalog may repeat versions of an earlier one, but only unchanged. Its `catalog.json`
  /// applies to its own migrations.
  ///
  /// - Throws: `catalog` if two catalogs have different migrations with one number, or a later
  ///   catalog adds a number below an earlier one's last.
  public init(_ parts: [Catalog]) throws(SeedbedError) {
    self = try SeedbedError.catching { try Catalog(joining: parts) }
  }

  private init(joining parts: [Catalog]) throws {
    guard let first = parts.first else {
      throw SeedbedError(.usage, "There is no catalog to join. Give at least one.")
    }
    let isForSQLite = parts.allSatisfy { $0.engine == .sqlite }
    let all = isForSQLite ? parts : try parts.map { try $0.forPostgreSQL() }
    self.init(first.source, parts: all.flatMap { $0.parts.isEmpty ? [$0] : $0.parts })
    engine = isForSQLite ? .sqlite : .postgresql
    head = try Self.joinedHead(self.parts)
  }

  /// The same catalog, in databases that also have others: a base with its packs, or a pack with
  /// its base.
  ///
  ///     let base = try Catalog(locked: course).beside([Catalog(locked: german)])
  ///
  /// `up` of a base also brings the packs that the database has. A pack needs its base for all that
  /// plays the catalog, such as `reseed`.
  ///
  /// - Throws: `usage` if a base is beside a base, or if two packs have one name.
  public func beside(_ others: [Catalog]) throws(SeedbedError) -> Catalog {
    var names: Set<String> = []
    for catalog in [self] + others where !names.insert(catalog.packName ?? "").inserted {
      throw SeedbedError.twice(catalog, among: [self] + others)
    }
    var catalog = self
    catalog.others = others
    return catalog
  }

  /// The chain that `expecting:` is compared with; nil without a lock.
  public var chain: String? { head?.chain }

  /// The downloads that were not taken, and why; empty for a catalog that is not from `newest`.
  ///
  /// The ledger of a database may be a reason to pass over others, and so may a file that turns out
  /// to be damaged when it is read: see `Migrator.Report.passedOver`.
  public var passedOver: [Migrator.PassedOver] { downloads?.passedOver ?? [] }
}

extension Catalog {
  init(
    directory: String, host: Host, _ trust: CatalogTrust = CatalogTrust()
  ) throws(SeedbedError) {
    self = try SeedbedError.catching {
      try Catalog(CatalogSource(directory: directory, host), trust)
    }
  }

  /// Names the folder without reading it, for callers that use only the database. Reading one of
  /// its migrations fails as without a lock.
  package init(unread directory: String) {
    self.init(CatalogSource(directory: directory, .real))
  }

  private init(_ source: CatalogSource, _ trust: CatalogTrust) throws {
    let root = try source.root()
    let lock = try Self.lock(in: root)
    if let lock { try LockComparison(lock: lock, root: root).check() }
    let loaded = try lock.map { CatalogContents.Loaded($0) } ?? .init(reading: root)
    try trust.check(lock?.head, source.path)
    try trust.check(loaded)
    self.init(source, lock?.head, loaded, trust)
  }

  package init(
    locked directory: String, host: Host, _ trust: CatalogTrust = CatalogTrust()
  ) throws(SeedbedError) {
    self = try SeedbedError.catching {
      try Catalog(trusting: CatalogSource(directory: directory, host), trust)
    }
  }

  /// Reads only the first lines of the lock.
  private init(trusting source: CatalogSource, _ trust: CatalogTrust) throws {
    guard let file = try source.root().openLock() else {
      throw SeedbedError.lockMissing(source.path)
    }
    let head = try LockHead.parse(try file.start(LockHead.limit))
    try trust.check(head, source.path)
    self.init(source, head, nil, trust)
  }

  /// - Parameter loaded: the content of the folder; nil to read it later.
  package init(
    _ source: CatalogSource, _ head: LockHead? = nil, _ loaded: CatalogContents.Loaded? = nil,
    _ trust: CatalogTrust = CatalogTrust(), parts: [Catalog] = []
  ) {
    (self.source, self.trust, self.head, self.parts) = (source, trust, head, parts)
    contents = CatalogContents(loaded)
  }

  /// A download whose lock was checked against a signature.
  package init(download root: any ReadableFolder, _ lock: Lock, since: Version) {
    var loaded = CatalogContents.Loaded(lock)
    // A database begins with what the app ships.
    loaded.snapshots = []
    self.init(.held(root), lock.head, loaded)
    self.since = since
  }

  /// The catalog that the app ships, continued by a download whose lock has its chain.
  package func continued(by part: Catalog) -> Catalog {
    var catalog = Catalog(source, part.head, parts: [self, part])
    catalog.engine = engine
    return catalog
  }

  /// The same catalog for PostgreSQL. Its migrations have the rows, the options and PostgreSQL's
  /// SQL under the usual kinds, and their own checksums and chain.
  ///
  /// If the catalog has a lock that was not read yet, a missing file is reported when it is read.
  ///
  /// - Throws: `catalog` if catalog.json does not name that engine, or if SQL that changes data has
  ///   no file for it.
  package func forPostgreSQL() throws -> Catalog {
    if engine == .postgresql { return self }
    if !parts.isEmpty {
      var joined = try Catalog(parts.map { try $0.forPostgreSQL() }).with(
        downloads?.mapped { try $0.forPostgreSQL() })
      joined.others = try others.map { try $0.forPostgreSQL() }
      return joined
    }
    if let head, head.otherChain == nil { throw SeedbedError.otherEngine(path) }
    var catalog = self
    catalog.others = try others.map { try $0.forPostgreSQL() }
    (catalog.engine, catalog.head) = (.postgresql, head?.ofOtherEngine)
    let loaded = contents.state.withLock(\.loaded)
    catalog.contents = CatalogContents(try loaded?.ofOtherEngine(of: path))
    catalog.downloads = try downloads?.mapped { try $0.forPostgreSQL() }
    return catalog
  }

  /// The same catalog with other downloads to choose among.
  func with(_ downloads: Downloads?) -> Catalog {
    var catalog = self
    catalog.downloads = downloads
    return catalog
  }

  /// The same catalog with a cache, which its downloads share.
  func caching(in cache: ContentCache) -> Catalog {
    var catalog = with(downloads?.mapped { $0.caching(in: cache) })
    catalog.cache = cache
    return catalog
  }

  /// The same catalog with other migrations, such as those that a database has.
  func listing(_ migrations: [Migration]) throws -> Catalog {
    var (catalog, loaded) = (self, try loaded())
    loaded.migrations = migrations
    catalog.contents = CatalogContents(loaded)
    return catalog
  }

  /// The whole lock; nil if there is none.
  static func lock(in root: any ReadableFolder) throws -> Lock? {
    try root.openLock().map { try LockReader.read(try $0.content(limit: Lock.sizeLimit)) }
  }
}
