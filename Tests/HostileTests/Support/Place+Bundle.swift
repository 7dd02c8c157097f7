import Foundation
import SeedbedAuthoring
import TestSupport

/// A catalog of files that no author wrote, and the database of one of its users.
extension Place {
  var catalog: String { path + "/Migrations" }
  var database: String { path + "/app.sqlite" }

  func write(_ bundle: Bundle) throws {
    try write("Migrations/", [])
    for folder in bundle.folders { try write("Migrations/\(folder)/", []) }
    for (file, bytes) in bundle.files { try write("Migrations/" + file, bytes) }
    for (link, target) in bundle.links {
      try write("Migrations/\((link as NSString).deletingLastPathComponent)/", [])
      try self.link("Migrations/" + link, to: target)
    }
    if bundle.isLocked { _ = try CatalogLock.write(directory: catalog) }
    for change in bundle.changes {
      let file = "Migrations/" + change.path
      let before = FileManager.default.contents(atPath: path + "/" + file) ?? Data()
      if let bytes = change.edit(Array(before)) {
        try write(file, bytes)
      } else {
        try remove(file)
      }
    }
  }
}
