/// What the catalog's folder holds, every name checked; nothing is read but the folders.
struct CatalogFolder {
  /// In version order, without digests and options.
  var migrations: [Migration] = []
  /// In version order too.
  var snapshots: [Migration] = []
  /// The size of catalog.json; nil where there is none.
  var optionsSize: Int64?

  /// - Parameters:
  ///   - words: the name of a migration that is passed over; nil for none.
  ///   - mayBeEmpty: for who is about to write the first migration.
  /// - Throws: `catalog` for the first name that may not be there.
  init(
    reading root: any ReadableFolder, passingOver words: String? = nil, mayBeEmpty: Bool = false
  ) throws {
    for entry in try root.entries() {
      if let words, case .migration(_, words) = FolderName(entry.name) { continue }
      switch entry.name {
      case Lock.optionsName:
        guard entry.kind == .file else { throw SeedbedError.fileNotRegular(entry.name) }
        optionsSize = try root.sizeOfFile(entry.name)
      case Lock.fileName:
        guard entry.kind == .file else { throw SeedbedError.lockNotRegular() }
      default:
        guard let migration = try Self.migration(entry, in: root) else { continue }
        if migration.isSnapshot {
          snapshots.append(migration)
        } else {
          migrations.append(migration)
        }
      }
    }
    try Self.sort(&migrations)
    try Self.sort(&snapshots)
    if migrations.isEmpty, snapshots.isEmpty, !mayBeEmpty {
      throw SeedbedError.catalogEmpty(root.path)
    }
  }

  /// One folder of each version.
  private static func sort(_ folders: inout [Migration]) throws {
    folders.sort { $0.version < $1.version }
    for (first, second) in zip(folders, folders.dropFirst())
    where first.version == second.version {
      throw SeedbedError.folderTwice(first.version, first.folder, second.folder)
    }
  }

  /// The migration that the entry is; nil where it is none of the engine's.
  private static func migration(_ entry: Folder.Entry, in root: any ReadableFolder) throws
    -> Migration?
  {
    let name = entry.name
    let folderName = FolderName(name)
    if folderName == .other { return nil }
    switch entry.kind {
    case .folder: break
    case .file: throw SeedbedError.folderIsFile(name)
    case .other: throw SeedbedError.folderIsLink(name)
    }
    switch folderName {
    case .other: return nil
    case .malformed(let nearest): throw SeedbedError.folderMalformed(name, nearest: nearest)
    case .tooLarge: throw SeedbedError.folderNumberTooLarge(name)
    case .zero: throw SeedbedError.folderNumberZero(name)
    case .migration(let version, let words), .snapshot(let version, let words):
      let files = try files(of: try root.folder(name), named: name)
      if files.isEmpty { throw SeedbedError.folderEmpty(name) }
      return Migration(
        version: version, name: words, folder: name, files: files, isWithdrawn: false,
        isSnapshot: folderName == .snapshot(version, words: words))
    }
  }

  private static func files(of folder: any ReadableFolder, named name: String) throws
    -> [MigrationFile]
  {
    var files: [MigrationFile] = []
    for entry in try folder.entries() {
      let path = name + "/" + entry.name
      let fileName = FileName(entry.name)
      if fileName == .ignored { continue }
      switch entry.kind {
      case .file: break
      case .folder: throw SeedbedError.fileIsFolder(path)
      case .other: throw SeedbedError.fileNotRegular(path)
      }
      // A name that is not UTF-8 was repaired on the way here, and could not be opened.
      if entry.name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0xFFFD }) {
        throw SeedbedError.fileNameEncoding(path.filter { !$0.isNewline })
      }
      switch fileName {
      case .ignored: break
      case .unknown(let nearest): throw SeedbedError.fileUnknown(path, nearest: nearest)
      case .legal(let kind, let isCompressed):
        files.append(
          MigrationFile(
            name: entry.name, kind: kind, size: try folder.sizeOfFile(entry.name),
            isCompressed: isCompressed))
      }
    }
    try checkTables(files, folder: name)
    return files
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

extension ReadableFolder {
  fileprivate func sizeOfFile(_ name: String) throws -> Int64 {
    guard let size = size(of: name) else { throw SeedbedError.fileGone(path + "/" + name) }
    return size
  }
}
