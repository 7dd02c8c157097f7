import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Creates an empty numbered folder to fill by hand.
package enum NewMigration {
  /// Creates the next folder, with an `up.sql` and a `down.sql` that explain what belongs in them,
  /// or with PostgreSQL's if the catalog is for it alone. If there is no catalog yet, it is
  /// created.
  ///
  /// - Returns: the new folder's name.
  package static func create(
    directory: String, name: String, usesTimestamp: Bool = false
  ) throws -> String {
    let manager = FileManager.default
    let time = usesTimestamp ? Date() : nil
    if !manager.fileExists(atPath: directory) {
      // An invalid name is reported before anything is created.
      _ = try FolderNumber.next(after: [], words: name, timestamp: time)
      do {
        try manager.createDirectory(atPath: directory, withIntermediateDirectories: true)
      } catch {
        throw SeedbedError.file("make '\(directory)'", error)
      }
    }
    let turn = try CatalogTurn(directory)
    defer { turn.end() }
    let catalog = try Catalog(authoring: directory)
    let folder = try FolderNumber.next(
      after: catalog.migrationsFromBase(), words: name, timestamp: time)
    let engine = try catalog.authoredEngine()
    let (up, down) = (engine.file("up.sql"), engine.file("down.sql"))
    let path = directory + "/" + folder
    do {
      try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
      do {
        for (name, text) in [(up, text(ofUp: down)), (down, text(ofDown: up))] {
          try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
        }
      } catch {
        // The first error is the one to report.
        try? manager.removeItem(atPath: path)
        throw error
      }
    } catch {
      throw SeedbedError.file("make '\(path)'", error)
    }
    return folder
  }

  private static func text(ofUp down: String) -> String {
    """
    -- Runs first, before the rows of this migration: CREATE TABLE, ALTER TABLE.
    -- The whole migration is one transaction: no BEGIN, no COMMIT, no PRAGMA.
    -- If there is no SQL to run, remove this file and \(down).

    """
  }

  private static func text(ofDown up: String) -> String {
    """
    -- Undoes \(up), and runs last in 'migrate down'.

    """
  }
}
