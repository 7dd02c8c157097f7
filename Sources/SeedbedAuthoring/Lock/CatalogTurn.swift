import Seedbed
import SeedbedOverTheAir

/// The right to write in a catalog's folder. One process can have it at a time.
///
/// The folder itself is locked, so no file is left behind, and the lock of a killed process ends
/// with it.
struct CatalogTurn {
  /// nil if the folder does not exist. The next read reports that.
  private let folder: Folder?

  /// - Throws: `busy` if another process has the turn.
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

  /// Only the process that has the turn writes these files, so existing ones belong to a killed
  /// process.
  private func removeLeftovers(in folder: Folder) {
    // A leftover that cannot be listed or removed does no harm: every reader ignores it.
    let names = ((try? folder.list()) ?? []).map(\.name)
    for name in names where name.hasSuffix(".partial") {
      let ours = [Lock.fileName, Lock.optionsName, LockSignature.fileName]
      let isOurs = ours.contains { name.hasPrefix(".\($0).") }
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
