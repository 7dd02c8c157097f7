/// What the catalog's folder holds, every name checked; nothing is read but the folders.
struct CatalogFolder {
  /// In version order, without digests and options.
  var migrations: [Migration] = []
  /// In version order too.
  var snapshots: [Migration] = []
  /// The size of catalog.json; nil if there is none.
  var optionsSize: Int64?
  /// false if the migrations' folders were not read.
  private(set) var hasFiles = true
  /// Whether the catalog is for PostgreSQL too.
  private var hasTwins = false

  /// Looks into this folder only: its migrations have no files.
  init(namesIn root: any ReadableFolder) throws {
    hasFiles = false
    try read(root)
  }

  /// - Parameters:
  ///   - passedOver: a folder that is about to be written again; nil for none.
  ///   - hasTwins: whether SQL for PostgreSQL may be there.
  ///   - mayBeEmpty: for who is about to write the first migration.
  ///   - refuse: called with the error for each name that may not be there; throws it unless the
  ///     rest is to be read without it.
  /// - Throws: `catalog` for the first name that may not be there.
  init(
    reading root: any ReadableFolder, hasTwins: Bool, passingOver passedOver: String? = nil,
    mayBeEmpty: Bool = false,
    refuse: (SeedbedError) throws -> Void = { throw $0 }
  ) throws {
    self.hasTwins = hasTwins
    try read(root, passingOver: passedOver, refuse)
    if migrations.isEmpty, snapshots.isEmpty, !mayBeEmpty {
      throw SeedbedError.catalogEmpty(root.path)
    }
  }

  private mutating func read(
    _ root: any ReadableFolder, passingOver passedOver: String? = nil,
    _ refuse: (SeedbedError) throws -> Void = { throw $0 }
  ) throws {
    for entry in try root.entries() {
      if entry.name == passedOver { continue }
      switch entry.name {
      case Lock.optionsName where entry.kind != .file:
        try refuse(SeedbedError.inCatalog(NameWords.fileNotRegular, entry.name))
      case Lock.optionsName: optionsSize = try root.sizeOfFile(entry.name)
      case Lock.fileName:
        if entry.kind != .file { try refuse(SeedbedError.lockNotRegular) }
      default:
        do {
          guard let migration = try migration(entry, in: root, refuse) else { continue }
          if migration.isSnapshot {
            snapshots.append(migration)
          } else {
            migrations.append(migration)
          }
        } catch let error as SeedbedError {
          try refuse(error)
        }
      }
    }
    try Self.sort(&migrations, refuse)
    try Self.sort(&snapshots, refuse)
  }

  /// One folder of each version.
  private static func sort(
    _ folders: inout [Migration], _ refuse: (SeedbedError) throws -> Void
  ) throws {
    folders.sort { $0.version < $1.version }
    for (first, second) in zip(folders, folders.dropFirst())
    where first.version == second.version {
      try refuse(SeedbedError.folderTwice(first.version, first.folder, second.folder))
    }
  }

  /// The migration that the entry is; nil if it is none of the engine's.
  private func migration(
    _ entry: Folder.Entry, in root: any ReadableFolder, _ refuse: (SeedbedError) throws -> Void
  ) throws -> Migration? {
    let name = entry.name
    let folderName = FolderName(name)
    if folderName == .other { return nil }
    switch entry.kind {
    case .folder: break
    case .file: throw SeedbedError.inCatalog(NameWords.folderIsFile, name)
    case .other: throw SeedbedError.inCatalog(NameWords.folderIsLink, name)
    }
    switch folderName {
    case .other: return nil
    case .malformed(let nearest): throw SeedbedError.folderMalformed(name, nearest: nearest)
    case .tooLarge: throw SeedbedError.inCatalog(NameWords.folderNumberTooLarge, name)
    case .zero: throw SeedbedError.inCatalog(NameWords.folderNumberZero, name)
    case .migration(let version, let words), .snapshot(let version, let words):
      let isSnapshot = folderName == .snapshot(version, words: words)
      let files =
        hasFiles ? try Self.files(of: root.folder(name), named: name, hasTwins, refuse) : []
      if hasFiles, files.isEmpty { throw SeedbedError.inCatalog(NameWords.folderEmpty, name) }
      let twins = files.filter(\.isTwin)
      // A snapshot need not be for both.
      let isForBoth = hasTwins && (!isSnapshot || !twins.isEmpty)
      return Migration(
        version: version, name: words, folder: name, files: files.filter { !$0.isTwin },
        isWithdrawn: false, isSnapshot: isSnapshot,
        other: isForBoth ? OtherEngine(sql: twins) : nil)
    }
  }

  /// Those for either engine.
  static func files(
    of folder: any ReadableFolder, named name: String, _ hasTwins: Bool,
    _ refuse: (SeedbedError) throws -> Void = { throw $0 }
  ) throws -> [MigrationFile] {
    var files: [MigrationFile] = []
    for entry in try folder.entries() {
      do {
        if let file = try file(entry, in: folder, name, hasTwins) { files.append(file) }
      } catch let error as SeedbedError {
        try refuse(error)
      }
    }
    try checkTables(files, folder: name)
    return files
  }

  /// nil for a name that is ignored.
  private static func file(
    _ entry: Folder.Entry, in folder: any ReadableFolder, _ name: String, _ hasTwins: Bool
  ) throws -> MigrationFile? {
    let path = name + "/" + entry.name
    let fileName = FileName(entry.name)
    if fileName == .ignored { return nil }
    switch entry.kind {
    case .file: break
    case .folder: throw SeedbedError.inCatalog(NameWords.fileIsFolder, path)
    case .other: throw SeedbedError.inCatalog(NameWords.fileNotRegular, path)
    }
    // A name that is not UTF-8 was repaired on the way here, and could not be opened.
    if entry.name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0xFFFD }) {
      throw SeedbedError.inCatalog(NameWords.fileNameEncoding, path.filter { !$0.isNewline })
    }
    switch fileName {
    case .ignored: return nil
    case .unknown(let nearest): throw SeedbedError.fileUnknown(path, nearest: nearest)
    case .twin(let kind):
      if !hasTwins { throw SeedbedError.twinRefused(path) }
      return MigrationFile(
        name: entry.name, kind: kind, size: try folder.sizeOfFile(entry.name), isCompressed: false)
    case .legal(let kind, let isCompressed):
      return MigrationFile(
        name: entry.name, kind: kind, size: try folder.sizeOfFile(entry.name),
        isCompressed: isCompressed)
    }
  }

  /// One for a table and a tag: `t.csv` and `t.csv.gz` are two, and so are `T.csv` and `t.csv`.
  private static func checkTables(_ files: [MigrationFile], folder: String) throws {
    var seen: [String: String] = [:]
    for file in files {
      guard let (table, operation) = file.kind.rows else { continue }
      let tag = RowFileName(file.name)?.tag ?? ""
      // A table's name holds any letters, and so does a tag, but no line feed.
      let name = [operation, table, tag].joined(separator: "\n").asciiLowercased()
      if let first = seen.updateValue(file.name, forKey: name) {
        throw SeedbedError.fileTwice(first, file.name, table: table, folder: folder)
      }
    }
  }
}

extension MigrationFile {
  fileprivate var isTwin: Bool { FileName(name) == .twin(kind) }
}

extension ReadableFolder {
  fileprivate func sizeOfFile(_ name: String) throws -> Int64 {
    guard let size = size(of: name) else {
      throw SeedbedError.inCatalog(NameWords.fileGone, path + "/" + name)
    }
    return size
  }
}
