/// The folder of all migrations, in order.
///
///     let catalog = try Catalog(locked: "/path/to/Migrations")
///
/// A value that holds no open file. It keeps what it has read, so a catalog shows its folder as it
/// was when it was first read.
public struct Catalog: Sendable {
  /// Its absolute path; `:memory:` if it has none.
  package var path: String { source.path }
  package let source: CatalogSource
  /// The first lines of the lock; nil without a lock.
  package let head: LockHead?
  let contents: CatalogContents
  /// Whose SQL and digests its migrations have.
  package let engine: EngineName
  let trust: CatalogTrust
  /// Of a joined catalog, what it is made of; else none.
  let parts: [Catalog]
  /// For a run over many databases.
  var cache: ContentCache?

  /// Reads and checks the folder, for tools and tests.
  ///
  /// If there is a `seedbed.lock`, its digests are trusted, and it must list exactly the existing
  /// files. Without one, digests are computed from the files when they are needed.
  ///
  /// - Parameters:
  ///   - directory: the catalog's folder.
  ///   - allowsSQL: false refuses a catalog with any SQL file, here.
  ///   - chain: what the lock's second line must say, `sha256:` and 64 digits; nil for anything.
  /// - Throws: `SeedbedError` with the code `catalog` for anything that may not be in the folder.
  public init(directory: String, allowsSQL: Bool = true, expecting chain: String? = nil) throws {
    let trust = CatalogTrust(allowsSQL: allowsSQL, chain: chain)
    try self.init(directory: directory, host: .real, trust)
  }

  /// Trusts `seedbed.lock` and reads only its first lines, for apps at their start.
  ///
  /// For a catalog that was downloaded, of which only the rows are trusted, and only those of a
  /// release whose chain the app knows from elsewhere:
  ///
  ///     let catalog = try Catalog(locked: downloaded, allowsSQL: false, expecting: chain)
  ///
  /// The chain covers the versions and all their rows. It does not cover `catalog.json` and
  /// `migration.json`: set the policies that must apply in the migrator's options.
  ///
  /// - Parameters:
  ///   - directory: the catalog's folder.
  ///   - allowsSQL: false refuses a catalog with any SQL file, before anything is touched.
  ///   - chain: what the lock's second line must say, `sha256:` and 64 digits; nil for anything.
  /// - Throws: `SeedbedError` with the code `catalog` if there is no lock, if it is damaged, or if
  ///   it ends in another chain.
  public init(
    locked directory: String, allowsSQL: Bool = true, expecting chain: String? = nil
  ) throws {
    let trust = CatalogTrust(allowsSQL: allowsSQL, chain: chain)
    try self.init(locked: directory, host: .real, trust)
  }

  /// Files in memory, by their paths in the catalog: from an archive, a download or a test.
  ///
  ///     let catalog = try Catalog(files: [
  ///       "0001_words/up.sql": Array("CREATE TABLE words (id INTEGER PRIMARY KEY, word);".utf8),
  ///       "0001_words/words.csv.gz": words,
  ///     ])
  ///
  /// Everything is as with a folder of these files; errors name them by their paths. With a
  /// `seedbed.lock` among them, its digests are trusted, and it must list exactly these files.
  ///
  /// - Parameters:
  ///   - files: what a folder would hold; relative paths with `/` between the names.
  ///   - allowsSQL: false refuses a catalog with any SQL file, here.
  ///   - chain: what the lock's second line must say, `sha256:` and 64 digits; nil for anything,
  ///     even for no lock.
  /// - Throws: `SeedbedError` with the code `catalog` for anything that may not be in the folder,
  ///   and for an invalid path.
  public init(
    files: [String: [UInt8]], allowsSQL: Bool = true, expecting chain: String? = nil
  ) throws {
    let trust = CatalogTrust(allowsSQL: allowsSQL, chain: chain)
    try self.init(.memory(try MemoryFolder(files)), ignoresLock: false, trust)
  }

  /// Several catalogs as one, each continuing after the last version of the one before: what the
  /// app ships, and what it downloaded later.
  ///
  ///     let catalog = try Catalog([bundled, downloaded])
  ///
  /// A later catalog may repeat versions of an earlier one, but only unchanged. Its `catalog.json`
  /// counts for its own migrations.
  ///
  /// - Throws: `catalog` if two catalogs have different migrations with one number, or a later
  ///   catalog adds a number below an earlier one's last.
  public init(_ parts: [Catalog]) throws {
    guard let first = parts.first else { throw SeedbedError.joinsNothing() }
    let isForSQLite = parts.allSatisfy { $0.engine == .sqlite }
    let parts = isForSQLite ? parts : try parts.map { try $0.forPostgreSQL() }
    source = first.source
    trust = CatalogTrust()
    contents = CatalogContents(nil)
    self.parts = parts.flatMap { $0.parts.isEmpty ? [$0] : $0.parts }
    engine = isForSQLite ? .sqlite : .postgresql
    head = try Self.joinedHead(self.parts)
  }

  /// What `expecting:` is compared with; nil without a lock.
  public var chain: String? { head?.chain }
}

extension Catalog {
  package init(
    directory: String, host: Host, _ trust: CatalogTrust = CatalogTrust()
  ) throws {
    try self.init(CatalogSource(directory: directory, host), ignoresLock: false, trust)
  }

  /// The folder by its name only: for who works on the database alone. Reading a migration of it
  /// fails as without a lock.
  package init(unread directory: String) {
    source = CatalogSource(directory: directory, .real)
    head = nil
    contents = CatalogContents(nil)
    engine = .sqlite
    trust = CatalogTrust()
    parts = []
  }

  package init(
    _ source: CatalogSource, ignoresLock: Bool, _ trust: CatalogTrust = CatalogTrust()
  ) throws {
    let root = try source.root()
    if !ignoresLock, let lock = try Self.lock(in: root) {
      try LockComparison(lock: lock, root: root).checkFolders()
      try self.init(source, head: lock.head, CatalogContents.Loaded(lock), trust)
    } else {
      try self.init(source, head: nil, try CatalogContents.Loaded(reading: root), trust)
    }
  }

  package init(
    locked directory: String, host: Host, _ trust: CatalogTrust = CatalogTrust()
  ) throws {
    let source = CatalogSource(directory: directory, host)
    let refusal = SeedbedError.lockNotRegular
    guard let file = try source.root().openRegular(Lock.fileName, else: refusal) else {
      throw SeedbedError.lockMissing(source.path)
    }
    let head = try LockHead.parse(try file.start(LockHead.limit))
    try self.init(source, head: head, nil, trust)
  }

  /// - Parameter loaded: what was read of the folder; nil to read it later.
  package init(
    _ source: CatalogSource, head: LockHead? = nil, _ loaded: CatalogContents.Loaded?,
    _ trust: CatalogTrust = CatalogTrust()
  ) throws {
    try trust.check(head, source.path)
    if let loaded { try trust.check(loaded) }
    self.source = source
    self.trust = trust
    self.head = head
    contents = CatalogContents(loaded)
    engine = .sqlite
    parts = []
  }

  /// The same catalog for PostgreSQL: its migrations have the rows, the options and the SQL for it,
  /// under the usual kinds, and its own checksums and chain.
  ///
  /// A catalog with a lock that was not read yet finds a missing file when it is read.
  ///
  /// - Throws: `catalog` if catalog.json does not name that engine, or if SQL that changes data
  ///   has no twin for it.
  package func forPostgreSQL() throws -> Catalog {
    if engine == .postgresql { return self }
    if !parts.isEmpty { return try Catalog(parts.map { try $0.forPostgreSQL() }) }
    if let head, head.otherChain == nil { throw SeedbedError.otherEngine(path) }
    let loaded = contents.state.withLock(\.loaded)
    return Catalog(
      self, .postgresql, head?.ofOtherEngine, try loaded?.ofOtherEngine(of: path))
  }

  private init(
    _ other: Catalog, _ engine: EngineName, _ head: LockHead?, _ loaded: CatalogContents.Loaded?
  ) {
    (source, trust, parts, cache) = (other.source, other.trust, other.parts, other.cache)
    (self.engine, self.head) = (engine, head)
    contents = CatalogContents(loaded)
  }

  /// The whole lock; nil if there is none.
  static func lock(in root: any ReadableFolder) throws -> Lock? {
    let refusal = SeedbedError.lockNotRegular
    guard let file = try root.openRegular(Lock.fileName, else: refusal) else { return nil }
    return try LockReader.read(try file.content(limit: Lock.sizeLimit))
  }
}
