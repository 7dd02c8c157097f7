import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Copies a catalog for devices: without the source CSVs, the files for `down` and SQL for
/// PostgreSQL, compressed, with a matching lock.
///
///     let summary = try CatalogBundle.write(directory: "Migrations", to: "Bundle/Migrations")
package enum CatalogBundle {
  /// The catalog is checked first. The copy is written completely or not at all.
  ///
  /// Versions, checksums and chain stay the same: compressing a file does not change its content.
  ///
  /// - Parameters:
  ///   - destination: the folder to create. An earlier bundle there is replaced; anything else is
  ///     refused.
  ///   - withDown: whether to keep the SQL files for `down`, for an app that calls it.
  /// - Throws: `SeedbedError`; `catalog` if the lock does not match the files.
  package static func write(
    directory: String, to destination: String, withDown: Bool = false
  ) throws -> LockSummary {
    let catalog = try Catalog(directory: directory)
    if try !catalog.servesSQLite() {
      throw SeedbedError.servesNoDevice("A bundle is a copy for devices with SQLite")
    }
    guard catalog.hasLock else { throw SeedbedError.notLocked(catalog.path) }
    let findings = try catalog.findings() + FirstDatabase.findings(in: catalog)
    if let finding = findings.first { throw finding }
    let shipsFirst = try catalog.generalOptions().shipsFirstDatabase
    if shipsFirst, try FirstDatabase.read(in: catalog.path) == nil {
      throw SeedbedError.firstDatabaseNotBuilt
    }
    let manager = FileManager.default
    let isThere = manager.fileExists(atPath: destination)
    if isThere, try !isBundle(destination, of: catalog) {
      throw SeedbedError.inTheWay(destination)
    }
    let partial = destination + ".partial"
    var summary: LockSummary
    do {
      try? manager.removeItem(atPath: partial)
      try manager.createDirectory(atPath: partial, withIntermediateDirectories: true)
      try copy(catalog, to: partial, withDown: withDown)
      if shipsFirst { try copyFirst(catalog, to: partial) }
      summary = try CatalogLock.write(Catalog(withoutLock: partial), base: try catalog.base())
      if isThere { try manager.removeItem(atPath: destination) }
      try manager.moveItem(atPath: partial, toPath: destination)
    } catch let error as SeedbedError {
      try? manager.removeItem(atPath: partial)
      throw error
    } catch {
      try? manager.removeItem(atPath: partial)
      throw SeedbedError.file("write the bundle '\(destination)'", error)
    }
    summary.path = Paths.absolute(destination) + "/" + Lock.fileName
    return summary
  }

  /// Whether a folder may be replaced: it is empty, or has only the files of a bundle. A catalog
  /// also has a lock, but next to it are the source CSVs of its tables, of which there is no other
  /// copy.
  private static func isBundle(_ path: String, of catalog: Catalog) throws -> Bool {
    let real = { (path: String) in URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
    if real(path) == real(catalog.path) { return false }
    let manager = FileManager.default
    let all = (try? manager.contentsOfDirectory(atPath: path)) ?? ["not a folder"]
    let names = all.filter { !$0.hasPrefix(".") }
    if names.isEmpty { return true }
    guard names.contains(Lock.fileName) else { return false }
    return names.allSatisfy { name in
      if name == Lock.fileName || name == Lock.optionsName { return true }
      let files = (try? manager.contentsOfDirectory(atPath: path + "/" + name)) ?? []
      if files.map({ name + "/" + $0 }) == [FirstDatabase.name] { return true }
      return FolderName(name).isOfCatalog && !files.contains { $0.hasSuffix(".csv") }
    }
  }

  private static func copy(_ catalog: Catalog, to folder: String, withDown: Bool) throws {
    if try catalog.hasOptions() {
      try write(try catalog.optionsOfDevices(), to: folder, Lock.optionsName)
    }
    for migration in try catalog.migrations() + catalog.snapshots() {
      let place = folder + "/" + migration.folder
      try FileManager.default.createDirectory(
        atPath: place, withIntermediateDirectories: true)
      let files = migration.files.filter { withDown || !$0.takesSQLBack }
      // A folder without a file would be an error.
      if files.isEmpty { try write(Array("{}\n".utf8), to: place, "migration.json") }
      for file in files {
        let bytes = try catalog.bytes(of: file.name, in: migration.folder)
        if file.isRows, !file.isCompressed {
          try GzipWriter.write(file.name + ".gz", in: place) { try $0.append(bytes) }
        } else {
          try write(bytes, to: place, file.name)
        }
      }
    }
  }

  private static func copyFirst(_ catalog: Catalog, to folder: String) throws {
    let target = folder + "/" + FirstDatabase.name
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: Paths.split(target).folder, withIntermediateDirectories: true)
    try manager.copyItem(atPath: catalog.path + "/" + FirstDatabase.name, toPath: target)
  }

  private static func write(_ bytes: [UInt8], to folder: String, _ name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
  }
}

extension FolderName {
  fileprivate var isOfCatalog: Bool {
    switch self {
    case .migration, .snapshot: true
    default: false
    }
  }
}

extension MigrationFile {
  fileprivate var takesSQLBack: Bool { kind == .down || kind == .afterDown }
}

extension SeedbedError {
  static func notLocked(_ path: String) -> SeedbedError {
    SeedbedError(.catalog, "'\(path)' has no lock. Write it first: migrate lock.")
  }

  fileprivate static func inTheWay(_ path: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "'\(path)' exists and is not a bundle. Name a new folder, or remove this one first.")
  }
}
