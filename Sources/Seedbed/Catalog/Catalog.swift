/// The folder of all migrations, in order.
///
///     let catalog = try Catalog(locked: "/path/to/Migrations")
///
/// A value that holds no open file. What it read it keeps: a catalog shows its folder as it was
/// when it was first looked at.
public struct Catalog: Sendable {
  /// Its absolute path.
  public let path: String
  /// The first lines of the lock; nil without a lock.
  let head: LockHead?
  let host: Host
  let contents: CatalogContents
  let trust: CatalogTrust
  /// Of a joined catalog, what it is made of; else none.
  let parts: [Catalog]

  /// Reads and checks the folder: for tools and tests.
  ///
  /// Where there is a `seedbed.lock` its digests are trusted, and what it lists must be what is
  /// there. Without one, digests are computed from the files where they are needed.
  ///
  /// - Parameters:
  ///   - allowsSQL: false refuses a catalog with any SQL file, here.
  ///   - chain: what the lock's second line must say, `sha256:` and 64 digits; nil for anything.
  /// - Throws: `SeedbedError` with the code `catalog` for whatever may not be in the folder.
  public init(directory: String, allowsSQL: Bool = true, expecting chain: String? = nil) throws {
    let trust = CatalogTrust(allowsSQL: allowsSQL, chain: chain)
    try self.init(directory: directory, host: .real, trust)
  }

  /// Trusts `seedbed.lock`, of which it reads the first lines only: for apps at their start.
  ///
  /// For a catalog that comes over the air, where only its rows are to be trusted, and only those
  /// of a release that the app was told of by other means:
  ///
  ///     let catalog = try Catalog(locked: downloaded, allowsSQL: false, expecting: chain)
  ///
  /// The chain covers which versions there are and every row of theirs. It does not cover
  /// `catalog.json` and `migration.json`: give the migrator the policies that must hold.
  ///
  /// - Parameters:
  ///   - allowsSQL: false refuses a catalog with any SQL file, before anything is touched.
  ///   - chain: what the lock's second line must say, `sha256:` and 64 digits; nil for anything.
  /// - Throws: `SeedbedError` with the code `catalog` where there is no lock, where it is damaged,
  ///   or where it ends in another chain.
  public init(
    locked directory: String, allowsSQL: Bool = true, expecting chain: String? = nil
  ) throws {
    let trust = CatalogTrust(allowsSQL: allowsSQL, chain: chain)
    try self.init(locked: directory, host: .real, trust)
  }

  /// Several catalogs as one, where each goes on behind the last version of the one before: what
  /// the app brings along, and what it got later.
  ///
  ///     let catalog = try Catalog([bundled, downloaded])
  ///
  /// A later catalog may repeat versions of an earlier one, but only as they are there. Its
  /// `catalog.json` counts for its own migrations.
  ///
  /// - Throws: `catalog` where two catalogs have different migrations of one number, or one that
  ///   comes later has a number in front of an earlier one's last.
  public init(_ parts: [Catalog]) throws {
    guard let first = parts.first else { throw SeedbedError.joinsNothing() }
    path = first.path
    host = first.host
    trust = CatalogTrust()
    contents = CatalogContents(nil)
    self.parts = parts
    head = try Self.joinedHead(parts)
  }

  /// What `expecting:` is compared with; nil without a lock.
  public var chain: String? { head?.chain }
}

extension Catalog {
  package init(
    directory: String, host: Host, _ trust: CatalogTrust = CatalogTrust()
  ) throws {
    try self.init(reading: directory, host: host, ignoresLock: false, trust)
  }

  /// As if there were no lock: for who writes it.
  package init(withoutLock directory: String) throws {
    try self.init(reading: directory, host: .real, ignoresLock: true, CatalogTrust())
  }

  /// As it is before a migration that is about to be written: there may be none yet, and one that
  /// is to be made anew, by its words, is passed over.
  package init(authoring directory: String, passingOver words: String? = nil) throws {
    let root = try Self.root(directory, .real)
    let loaded = try CatalogContents.Loaded(reading: root, passingOver: words, mayBeEmpty: true)
    try self.init(root, head: nil, loaded, CatalogTrust())
  }

  /// As it is, lock or no lock, for who looks for all that is wrong with it: what may not be there
  /// is told, and the rest is read.
  package init(inspecting directory: String, refuse: (SeedbedError) throws -> Void) throws {
    let root = try Self.root(directory, .real)
    let loaded = try CatalogContents.Loaded(reading: root, refuse: refuse)
    try self.init(root, head: nil, loaded, CatalogTrust())
  }

  /// The same folder with other migrations than it holds.
  init(_ other: Catalog, _ migrations: [Migration], _ options: [Version: MigrationOptions]) {
    (path, host, trust, head, parts) = (other.path, other.host, other.trust, nil, [])
    var loaded = CatalogContents.Loaded(joined: migrations)
    loaded.options = options
    contents = CatalogContents(loaded)
  }

  /// The folder by its name only: for who works on the database alone. Reading a migration of it
  /// fails as without a lock.
  package init(unread directory: String) {
    path = Paths.absolute(directory)
    host = .real
    head = nil
    contents = CatalogContents(nil)
    trust = CatalogTrust()
    parts = []
  }

  private init(
    reading directory: String, host: Host, ignoresLock: Bool, _ trust: CatalogTrust
  ) throws {
    let root = try Self.root(directory, host)
    let walk = CatalogWalk(root)
    if !ignoresLock, let lock = try Self.lock(in: root) {
      try LockComparison(lock: lock, walk: walk).check()
      try self.init(root, head: lock.head, CatalogContents.Loaded(lock), trust)
    } else {
      try self.init(root, head: nil, try CatalogContents.Loaded(reading: root), trust)
    }
  }

  package init(
    locked directory: String, host: Host, _ trust: CatalogTrust = CatalogTrust()
  ) throws {
    let root = try Self.root(directory, host)
    guard let file = try root.openRegular(Lock.fileName, else: SeedbedError.lockNotRegular()) else {
      throw SeedbedError.lockMissing(root.path)
    }
    let head = try LockHead.parse(try file.start(LockHead.limit))
    try self.init(root, head: head, nil, trust)
  }

  private init(
    _ root: Folder, head: LockHead?, _ loaded: CatalogContents.Loaded?, _ trust: CatalogTrust
  ) throws {
    try trust.check(head, root.path)
    if let loaded { try trust.check(loaded.migrations) }
    self.trust = trust
    path = root.path
    host = root.host
    self.head = head
    contents = CatalogContents(loaded)
    parts = []
  }

  private static func root(_ directory: String, _ host: Host) throws -> Folder {
    do {
      return try Folder(Paths.absolute(directory), host: host)
    } catch let error {
      if !Paths.exists(directory) { throw SeedbedError.catalogMissing(directory) }
      if !Paths.isFolder(directory) { throw SeedbedError.catalogNotFolder(directory) }
      throw error
    }
  }

  /// The whole lock; nil where there is none.
  static func lock(in root: Folder) throws -> Lock? {
    let refusal = SeedbedError.lockNotRegular()
    guard let file = try root.openRegular(Lock.fileName, else: refusal) else { return nil }
    return try LockReader.read(try file.content(limit: Lock.sizeLimit))
  }
}

extension Folder {
  /// The file opened; nil where there is nothing of that name.
  fileprivate func openRegular(
    _ name: String, else refusal: @autoclosure () -> SeedbedError
  ) throws -> OpenFile? {
    do {
      return try open(name)
    } catch let error {
      switch try kind(of: name) {
      case nil: return nil
      case .file: throw error
      case .folder, .other: throw refusal()
      }
    }
  }
}

extension OpenFile {
  /// The first bytes, at most so many: one read.
  fileprivate func start(_ limit: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try bytes.withUnsafeMutableBytes { try read(into: $0) }
    bytes.removeLast(limit - count)
    return bytes
  }
}
