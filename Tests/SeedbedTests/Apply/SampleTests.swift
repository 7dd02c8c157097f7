import Foundation
import SeedbedAuthoring
import Testing

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
    let folder = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appending(path: "Wanted/0001_elements")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: catalog.appending(path: "0001_elements/up.sql"), to: source.appending(path: "up.sql"))
    try FileManager.default.copyItem(
      at: catalog.appending(path: "data/elements.csv"), to: source.appending(path: "elements.csv"))

    let shipped = try elements(Catalog(directory: catalog.path), folder.path + "/shipped.sqlite")
    let wanted = try elements(
      Catalog(directory: folder.path + "/Wanted"), folder.path + "/wanted.sqlite")
    #expect(shipped.count == 118)
    #expect(shipped == wanted)
  }

  private func elements(_ catalog: Catalog, _ path: String) throws -> [[Value]] {
    _ = try Migrator(catalog: catalog, at: path).up()
    return try Connection(path, .readOnly, setup: nil).rows(
      "SELECT * FROM elements ORDER BY number")
  }
}
