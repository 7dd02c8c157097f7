/// The backups of one database, in a folder for this database alone.
///
///     app.sqlite.backups/app.v2.20261120T081244.120Z.sqlite
struct BackupStore: Sendable {
  /// The absolute path.
  let databasePath: String
  /// The path of the backups' folder, which may not exist yet.
  var path: String {
    guard let earlier, Paths.exists(earlier), !Paths.exists(own) else { return own }
    return earlier
  }

  private let own: String
  /// The folder as it was once named, by the database's whole path.
  private let earlier: String?
  let host: Host
  /// The setup of each connection to the database and to a backup.
  var setup: ConnectionSetup?
  /// How long a backup waits for another connection's exclusive lock.
  var lockTimeoutSeconds: Double = 5
  /// The folder that the user chose; nil for the default next to the database.
  private let chosen: String?

  /// - Parameters:
  ///   - databasePath: absolute, since SQLite reads a path that begins with `file:` as a URI.
  ///   - folder: the folder for backups; nil for `<database>.backups/` next to the database.
  ///   - host: the seam for tests.
  init(databasePath: String, folder: String?, host: Host) {
    self.databasePath = databasePath
    self.host = host
    let (parent, name) = Paths.split(databasePath)
    chosen = folder.map { Paths.absolute($0) }
    guard let chosen else {
      own = (parent == "/" ? "" : parent) + "/" + name + Self.ending
      earlier = nil
      return
    }
    // Two databases with the same name get separate folders in the chosen one. An app's container
    // moves as a whole, so the digest is of the way from one to the other.
    func named(_ path: String) -> String { chosen + "/" + name + "-" + Digest.of(path).prefix(16) }
    own = named(Self.way(from: chosen, to: databasePath))
    earlier = named(databasePath)
  }

  private static let ending = ".backups"

  /// `../../Library/app.sqlite`
  static func way(from folder: String, to path: String) -> String {
    let (start, end) = (folder.split(separator: "/"), path.split(separator: "/"))
    let common = zip(start, end).prefix { $0.utf8.elementsEqual($1.utf8) }.count
    return (start.dropFirst(common).map { _ in Substring("..") } + end.dropFirst(common))
      .joined(separator: "/")
  }

  /// The database whose backups a folder is for, by the folder's name; nil for any other folder. In
  /// a folder that a user chose, it is the database's name alone.
  static func database(ofFolder path: String) -> String? {
    if path.hasSuffix(ending) { return String(path.dropLast(ending.count)) }
    let name = Paths.split(path).name
    guard let dash = name.lastIndex(of: "-") else { return nil }
    let digest = name[dash...].utf8.dropFirst()
    return digest.count == 16 && digest.allSatisfy(\.isHexadecimal) ? String(name[..<dash]) : nil
  }

  init(
    of databasePath: String, _ options: Migrator.Options, _ host: Host, _ setup: ConnectionSetup?
  ) {
    self.init(databasePath: databasePath, folder: options.backupFolder, host: host)
    self.setup = setup
    lockTimeoutSeconds = options.lockTimeout.inSeconds
  }

  /// The database's name without its extension.
  @inline(never) var base: String { Self.base(of: Paths.split(databasePath).name) }

  static func base(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  // MARK: the folder

  /// The folder, if there is one.
  func openFolder() throws -> Folder? {
    Paths.exists(path) ? try Folder(Paths.absolute(path), host: host) : nil
  }

  /// The folder, created if it is missing, readable by those who may read `model`.
  func makeFolder(like model: String) throws -> Folder {
    if let chosen, !Paths.exists(chosen) {
      let (above, name) = Paths.split(chosen)
      try Folder(above, host: host).makeFolder(name, like: model)
    }
    let (above, name) = Paths.split(own)
    let folder = try Folder(above, host: host)
    // The next move would lose the name by the whole path.
    if let earlier, path == earlier { try folder.rename(Paths.split(earlier).name, to: name) }
    try folder.makeFolder(name, like: model)
    // SQLITE_OPEN_NOFOLLOW refuses a link anywhere in the path, so the whole path is resolved.
    return try Folder(Paths.absolute(path), host: host)
  }

  // MARK: what is there

  /// All backups of this database, oldest first. Other files in the folder are ignored.
  func list() throws -> [Migrator.Backup] {
    guard let folder = try openFolder() else { return [] }
    let files = try folder.entries().compactMap { entry -> Migrator.Backup? in
      guard entry.kind == .file, let name = BackupName(entry.name, base: base) else { return nil }
      return backup(name, in: folder)
    }
    return files.ordered(by: \.path).ordered(by: \.takenAt.text)
  }

  func backup(_ name: BackupName, in folder: Folder) -> Migrator.Backup {
    Migrator.Backup(
      path: path + "/" + name.text, version: name.version,
      takenAt: Migrator.Timestamp(ofBackup: name.takenAt),
      bytes: folder.size(of: name.text) ?? 0, isVerified: name.condition == .verified,
      isDamaged: name.condition == .damaged)
  }

  /// The version in a backup's ledger, if it is not the one in its name: something changed the
  /// backup after it was made. It is nil, too, if the backup cannot be read, which a restore
  /// reports.
  func changedVersion(of backup: Migrator.Backup, _ ledger: Ledger) -> Version? {
    if backup.isDamaged { return nil }
    return try? Connection.reading(
      backup.path, setup: setup, lockTimeoutSeconds: lockTimeoutSeconds
    ) { try ledger.changedVersion(of: backup.version, on: $0) }
  }

  /// The newest backup of a version that can be restored.
  func newest(of version: Version) throws -> Migrator.Backup {
    let known = try list().filter { !$0.isDamaged }
    if let newest = known.last(where: { $0.version == version }) { return newest }
    let versions = Set(known.map(\.version)).sorted().map(String.init)
    throw SeedbedError(
      .backup,
      "There is no backup of version \(version) of '\(databasePath)' in '\(path)'. "
        + (versions.isEmpty
          ? "There is none at all." : "There are backups of: \(versions.listed)."))
  }

  /// The backup that a user names: a name in the store, or the path of any file. nil means the
  /// newest one that can be restored.
  ///
  /// - Throws: `backup`, with a list of the backups, if there is no such file.
  func backup(named name: String?) throws -> Migrator.Backup {
    let known = try list()
    guard let name else {
      guard let newest = known.last(where: { !$0.isDamaged }) else {
        throw SeedbedError(
          .backup,
          "There is no backup of '\(databasePath)' in '\(path)'. Name the file to restore.")
      }
      return newest
    }
    if let ours = known.last(where: { Paths.split($0.path).name == name }) { return ours }
    guard !name.isEmpty, Paths.exists(name), !Paths.isFolder(name) else {
      let names = known.suffix(10).reversed().map { Paths.split($0.path).name }
      let there =
        known.isEmpty
        ? "There are no backups of this database."
        : "The backups of this database: " + names.joined(separator: ", ")
          + (known.count > 10 ? " and \(known.count - 10) older ones." : ".")
      throw SeedbedError(.backup, "There is no backup '\(name.shortened(to: 200))'. \(there)")
    }
    let full = Paths.absolute(name)
    if let ours = known.last(where: { Paths.absolute($0.path) == full }) { return ours }
    // A file from elsewhere. Its ledger has its version, but the time of the backup is unknown.
    return Migrator.Backup(
      path: full, version: 0, takenAt: Migrator.Timestamp(text: ""),
      bytes: Paths.size(full) ?? 0, isVerified: false)
  }
}
