/// The content of the catalog's folder, with every name checked. Only folders are read, no files.
struct CatalogFolder {
  /// The migrations in version order, without digests and options.
  private(set) var migrations: [Migration] = []
  /// The snapshots in version order.
  private(set) var snapshots: [Migration] = []
  /// Whether there is a catalog.json.
  private(set) var hasOptions = false

  private let root: any ReadableFolder
  private let hasFiles: Bool
  private let engines: [EngineName]?
  private let refuse: (SeedbedError) throws -> Void

  /// - Parameters:
  ///   - hasFiles: if false, looks only into this folder, and the migrations have no files.
  ///   - engines: the engines whose SQL is allowed; nil if a lock decides.
  ///   - passedOver: a folder to skip because it is about to be written again; nil for none.
  ///   - mayBeEmpty: true for a caller that is about to write the first migration.
  ///   - refuse: called with the error for each name that is not allowed. It throws the error,
  ///     unless the rest is to be read without the name.
  /// - Throws: `catalog` for the first name that is not allowed.
  @inline(never) init(
    _ root: any ReadableFolder, hasFiles: Bool = true, for engines: [EngineName]? = nil,
    passingOver passedOver: String? = nil, mayBeEmpty: Bool = false,
    refuse: @escaping (SeedbedError) throws -> Void = { throw $0 }
  ) throws {
    (self.root, self.hasFiles, self.engines, self.refuse) = (root, hasFiles, engines, refuse)
    for entry in try root.entries() where entry.name != passedOver {
      do {
        try add(entry)
      } catch let error as SeedbedError {
        try refuse(error)
      }
    }
    (migrations, snapshots) = (try inOrder(migrations), try inOrder(snapshots))
    if migrations.isEmpty, snapshots.isEmpty, !mayBeEmpty {
      throw SeedbedError.inCatalog(
        "The catalog '\(root.path)' holds no migration: no folder with a name like "
          + "'0001_elements'. Name the right folder, or make the first one.", nil, .startMigration)
    }
  }

  /// The folders in version order. Each version may have only one.
  private func inOrder(_ folders: [Migration]) throws -> [Migration] {
    let folders = folders.ordered(by: \.version)
    for (first, second) in zip(folders, folders.dropFirst())
    where first.version == second.version {
      try refuse(
        SeedbedError.inCatalog(
          "'\(first.folder)' and '\(second.folder)' have the same number, \(first.version). Rename "
            + "the folder of the one that was not released, or make it again with another number.",
          second.folder, .amendMigration))
    }
    return folders
  }

  private mutating func add(_ entry: Folder.Entry) throws {
    let name = entry.name
    switch name {
    case Lock.fileName where entry.kind != .file: throw SeedbedError.lockNotRegular
    case Lock.fileName: return
    case Lock.optionsName where entry.kind != .file: throw SeedbedError.fileNotRegular(name)
    case Lock.optionsName: return hasOptions = true
    default: break
    }
    let folderName = FolderName(name)
    if case .other = folderName { return }
    if let wrong = Self.wrong(folderName, entry.kind) { throw SeedbedError.inCatalog(wrong, name) }
    guard let (version, words) = folderName.parts else { return }
    let isSnapshot = name.utf8.hasSuffix(FolderName.snapshotSuffix)
    if isSnapshot, let engines, !engines.contains(.sqlite) {
      throw SeedbedError.inCatalog(
        "This is a snapshot, which is for SQLite, but the catalog is for PostgreSQL alone: a "
          + "server applies the migrations. Remove the folder.", name)
    }
    let files =
      hasFiles ? try Self.files(of: root.folder(name), named: name, for: engines, refuse) : []
    if hasFiles, files.isEmpty {
      throw SeedbedError.inCatalog(
        "The folder holds no file of a migration. Fill it, or remove it.", name)
    }
    let twins = files.filter(\.isTwin)
    // A snapshot is for SQLite alone.
    let isForBoth = !isSnapshot && engines?.contains(.postgresql) != false
    let migration = Migration(
      version: version, name: words, folder: name, files: files.filter { !$0.isTwin },
      isWithdrawn: false, isSnapshot: isSnapshot, other: isForBoth ? OtherEngine(sql: twins) : nil)
    if isSnapshot { snapshots.append(migration) } else { migrations.append(migration) }
  }

  /// The error of a folder with such a name; nil if it is valid.
  private static func wrong(_ name: FolderName, _ kind: Folder.Entry.Kind) -> String? {
    switch (kind, name) {
    case (.file, _):
      "The name begins with a number, as migrations do, but it is not a folder. Put the files of a "
        + "migration into a folder, or give it a name that does not begin with a number."
    case (.other, _):
      "This is a symbolic link or something else that is not a folder. Put the migration's folder "
        + "itself here."
    case (_, .malformed(let nearest)):
      "The name of a migration's folder is <number>_<words>, the words of letters, digits, '_' and "
        + "'-'. Did you mean '\(nearest)'?"
    case (_, .tooLarge): "The number is larger than \(Version.max), the largest version."
    case (_, .zero): "Versions begin at 1; 0 means no migration. Give it another number."
    case (.folder, _): nil
    }
  }

  /// The files for either engine, in the order of their names.
  static func files(
    of folder: any ReadableFolder, named name: String, for engines: [EngineName]? = nil,
    _ refuse: (SeedbedError) throws -> Void = { throw $0 }
  ) throws -> [MigrationFile] {
    let files = try folder.entries().compactMap { entry -> MigrationFile? in
      do {
        return try file(entry, in: folder, named: name, for: engines)
      } catch let error as SeedbedError {
        try refuse(error)
        return nil
      }
    }
    try checkTables(files, folder: name)
    return files
  }

  /// A file by its name; nil for a name that is ignored.
  private static func file(
    _ entry: Folder.Entry, in folder: any ReadableFolder, named name: String,
    for engines: [EngineName]?
  ) throws -> MigrationFile? {
    if FileName(entry.name) == .ignored { return nil }
    let path = name + "/" + entry.name
    switch entry.kind {
    case .file: break
    case .other: throw SeedbedError.fileNotRegular(path)
    case .folder:
      throw SeedbedError.inCatalog(
        "This is a folder. A migration's folder holds files only.", path)
    }
    // Swift replaced the bytes of a name that is not UTF-8, so the file cannot be opened by it.
    if entry.name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0xFFFD }) {
      throw SeedbedError.inCatalog(
        "The file's name holds a control character or is not UTF-8. Name it after its table.",
        path.filter { !$0.isNewline })
    }
    guard let size = folder.size(of: entry.name) else {
      throw SeedbedError.fileGone(folder.path + "/" + entry.name)
    }
    let file = try MigrationFile(named: entry.name, in: name, size: size)
    if let engines, !engines.contains(.sqlite) { try refuseSQLite(file, path) }
    guard file?.isTwin == true else { return file }
    if let engines, !engines.contains(.postgresql) {
      throw SeedbedError.inCatalog(
        "This is SQL for PostgreSQL, but the catalog is for SQLite alone. Add "
          + "\(SeedbedError.enginesOption) to catalog.json, or remove the file.", path)
    }
    if !name.utf8.hasSuffix(FolderName.snapshotSuffix) { return file }
    // Locks from the time when snapshots had such files still work, without them.
    if engines == nil { return nil }
    throw SeedbedError.inCatalog(
      "This is SQL for PostgreSQL, but a snapshot is for SQLite alone: a server applies the "
        + "migrations. Remove the file, and write the lock again.", path, .writeLock)
  }

  /// Refuses SQL for SQLite in a catalog that is for PostgreSQL alone.
  private static func refuseSQLite(_ file: MigrationFile?, _ path: String) throws {
    guard let file, file.isSQL, !file.isTwin else { return }
    throw SeedbedError.inCatalog(
      "This is SQL for SQLite, but the catalog is for PostgreSQL alone. If it is for PostgreSQL, "
        + "call it '\(FileName.twin(of: file.name))'; otherwise remove it, or add \"sqlite\" to "
        + "\"engines\" in catalog.json.", path)
  }

  /// Allows one file for a table and a tag: `t.csv` and `t.csv.gz` are two, and so are `T.csv` and
  /// `t.csv`. No system may take two names for one.
  private static func checkTables(_ files: [MigrationFile], folder: String) throws {
    var (names, seen): (Set<String>, [Name: String]) = ([], [:])
    for file in files {
      // Swift compares Strings as macOS compares the names of files.
      if !names.insert(file.name).inserted {
        throw SeedbedError.inCatalog(
          "Two files have this name, with different bytes: letters such as é are written in two "
            + "ways. macOS takes them for one file. If they are for two tables, give one a tag: "
            + "<table>.<tag>~.csv.gz.", folder + "/" + file.name)
      }
      guard let (table, operation) = file.kind.rows else { continue }
      let tag = RowFileName(file.name)?.tag ?? ""
      // Names of tables and tags may contain any character but a line feed.
      let name = [operation, table, tag].joined(separator: "\n")
      if let first = seen.updateValue(file.name, forKey: Name(name)) {
        throw SeedbedError.inCatalog(
          "'\(first)' and '\(file.name)' both hold rows for the table '\(table)'. Keep one of "
            + "them, or give one a tag: <table>.<tag>~.csv.gz.", folder + "/" + file.name)
      }
    }
  }
}
