import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes numbered folders in a part of the catalog's folder, tests them there, and publishes each
/// by a rename. After an error nothing is left.
struct ReleaseWriter {
  let directory: String
  private let manager = FileManager.default

  /// A dot folder, which no reader of the catalog opens.
  var partial: String { directory + "/.migrate.partial" }

  private var aside: String { partial + "/replaced" }

  /// The content of a folder, by file name.
  struct FolderContent {
    var name: String
    var files: [NewFile]
  }

  /// - Parameters:
  ///   - replaced: a folder to remove when the new ones exist; nil for none.
  ///   - options: the catalog's options.
  ///   - writesOptions: whether they have changed.
  ///   - check: gets a catalog of the new folders, with these options.
  func publish(
    _ folders: [FolderContent], replacing replaced: String? = nil,
    options: [UInt8]?, writesOptions: Bool = false, check: (Catalog) throws -> Void
  ) throws -> LockSummary {
    try staged(folders, options: options) { next in
      try check(next)
      return try publish(
        folders.map(\.name), replacing: replaced, options: writesOptions ? options : nil)
    }
  }

  /// While `body` runs, the new folders exist as a catalog of their own.
  func staged<Result>(
    _ folders: [FolderContent], options: [UInt8]?, _ body: (Catalog) throws -> Result
  ) throws -> Result {
    // After a kill during a replacement, the only copy of the migration may be here.
    if manager.fileExists(atPath: aside) { throw SeedbedError.leftAside(aside) }
    defer { if !manager.fileExists(atPath: aside) { try? manager.removeItem(atPath: partial) } }
    if manager.fileExists(atPath: partial) {
      try attempt("remove '\(partial)'") { try manager.removeItem(atPath: partial) }
    }
    try makeFolder(partial)
    if let options { try write(NewFile("catalog.json", options), in: partial) }
    for folder in folders {
      let path = partial + "/" + folder.name
      try makeFolder(path)
      for file in folder.files { try write(file, in: path) }
    }
    return try body(try Catalog(authoring: partial))
  }

  /// Applies SQL files as the next migration, under the rules for such files.
  func trying(_ files: [NewFile], on scratch: ScratchDatabase) throws {
    let next = try FolderNumber.next(after: try scratch.catalog.migrationsFromBase(), words: "up")
    let folders = [FolderContent(name: next, files: files)]
    // Without its options, a catalog is for SQLite.
    let source = scratch.source
    let options = try source.servesSQLite() ? nil : source.bytes(of: Lock.optionsName)
    _ = try staged(folders, options: options) { catalog in
      do {
        _ = try scratch.apply(catalog)
      } catch {
        throw SourcePlaces(folders: folders, directory: partial).told(error)
      }
    }
  }

  private func publish(
    _ names: [String], replacing replaced: String?, options: [UInt8]?
  ) throws -> LockSummary {
    var published: [String] = []
    let name = "catalog.json"
    let oldOptions = manager.contents(atPath: directory + "/" + name)
    do {
      if let options { try AtomicFile.write(options, to: name, in: directory) }
      if let replaced {
        try move(directory + "/" + replaced, to: aside)
      }
      for name in names {
        try move(partial + "/" + name, to: directory + "/" + name)
        published.append(name)
      }
      let lock = try CatalogLock.rewrite(directory)
      if replaced != nil { try? manager.removeItem(atPath: aside) }
      return lock
    } catch {
      // The first error is the one to report.
      for name in published { try? manager.removeItem(atPath: directory + "/" + name) }
      if let replaced, manager.fileExists(atPath: aside) {
        try? manager.moveItem(atPath: aside, toPath: directory + "/" + replaced)
      }
      if options != nil {
        if let oldOptions {
          try? AtomicFile.write(Array(oldOptions), to: name, in: directory)
        } else {
          try? manager.removeItem(atPath: directory + "/" + name)
        }
      }
      throw error
    }
  }

  private func move(_ source: String, to target: String) throws {
    try attempt("make '\(target)'") { try manager.moveItem(atPath: source, toPath: target) }
  }

  private func makeFolder(_ path: String) throws {
    try attempt("make '\(path)'") {
      try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
  }

  private func write(_ file: NewFile, in folder: String) throws {
    switch file.content {
    case .bytes(let bytes):
      let path = folder + "/" + file.name
      try attempt("write '\(path)'") {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
      }
    case .compressed(let bytes):
      try GzipWriter.write(file.name, in: folder) { try $0.append(bytes) }
    case .rows(let header, let records):
      try GzipWriter.write(file.name, in: folder) { gzip in
        var text = try RowFileText(header: header) { try gzip.append($0) }
        try records { try text.add($0) }
        try text.finish()
      }
    }
  }

  private func attempt(_ what: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      throw SeedbedError.file(what, error)
    }
  }
}

extension SeedbedError {
  fileprivate static func leftAside(_ path: String) -> SeedbedError {
    SeedbedError(
      .io,
      "An earlier run was stopped while it replaced a migration, and '\(path)' holds the old "
        + "version. Move it back to its name, or remove it if the new one exists.")
  }
}
