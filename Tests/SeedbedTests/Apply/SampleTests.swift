import Foundation
import SeedbedAuthoring
import Testing
import TestSupport

@testable import Seedbed

/// The field guide's own catalog, as the repository ships it.
@Suite struct SampleTests {
  private let catalog = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Migrations").standardizedFileURL

  @Test func `its lock is up to date`() throws {
    #expect(try Catalog(directory: catalog.path).hasLock)
    #expect(try Catalog(directory: catalog.path).findings() == [])
  }

  @Test func `its migrations make what the source CSV says`() throws {
    let place = try Place()
    for (file, source) in [
      ("up.sql", "0001_elements/up.sql"), ("elements.csv", "data/elements.csv"),
    ] {
      let bytes = Array(try Data(contentsOf: catalog.appending(path: source)))
      try place.write("Wanted/0001_elements/" + file, bytes)
    }

    let shipped = try elements(Catalog(directory: catalog.path), place.path + "/shipped.sqlite")
    let wanted = try elements(
      Catalog(directory: place.path + "/Wanted"), place.path + "/wanted.sqlite")
    #expect(shipped.count == 118)
    #expect(shipped == wanted)
  }

  private func elements(_ catalog: Catalog, _ path: String) throws -> [[Value]] {
    _ = try Migrator(catalog: catalog, at: path).up()
    return try Connection(path, .readOnly, setup: nil).rows(
      "SELECT * FROM elements ORDER BY number")
  }
}
