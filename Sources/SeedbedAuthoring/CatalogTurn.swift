import Seedbed

/// The right to write in a catalog's folder, which one process has at a time.
///
/// The folder itself is locked. So no file is left behind, and if a process is killed, its lock
/// goes with it.
struct CatalogTurn {
  /// nil if there is no such folder, which whoever reads it reports.
  private let folder: Folder?

  /// - Throws: `busy` if another process has it.
  init(_ directory: String) throws {
    guard Paths.exists(directory) else {
      folder = nil
      return
    }
    let folder = try Folder(Paths.absolute(directory))
    guard folder.lock() else { throw SeedbedError.catalogBusy(directory) }
    self.folder = folder
    removeLeftovers(in: folder)
  }

  func end() { folder?.unlock() }

  /// Only whoever has the turn writes these files, so they are of a process that was killed.
  private func removeLeftovers(in folder: Folder) {
    // What cannot be listed or removed is in nobody's way: every reader passes over it.
    let names = ((try? folder.list()) ?? []).map(\.name)
    for name in names where name.hasSuffix(".partial") {
      let isOurs = [Lock.fileName, Lock.optionsName].contains { name.hasPrefix(".\($0).") }
      if isOurs { try? folder.remove(name) }
    }
  }
}

extension SeedbedError {
  fileprivate static func catalogBusy(_ directory: String) -> SeedbedError {
    SeedbedError(
      .busy,
      "Another command is writing in '\(directory)'. Nothing was changed: try again when it has "
        + "ended.")
  }
}
