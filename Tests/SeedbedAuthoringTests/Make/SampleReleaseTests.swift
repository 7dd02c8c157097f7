import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// The field guide's catalog, as the repository ships it: what its releases are, `make` writes.
struct SampleReleaseTests {
  private static let shipped = URL(filePath: #filePath)
    .appending(path: "../../../../Migrations").standardizedFileURL.path

  @Test func `catalog and source CSV agree`() throws {
    #expect(try Release(directory: Self.shipped, name: "").check().isUpToDate)
  }

  @Test(arguments: ["0003_iupac_2016", "0004_weights_2021"])
  func `make writes a release of it to the byte`(folder: String) throws {
    let bench = try Workbench()
    try FileManager.default.copyItem(atPath: Self.shipped, toPath: bench.catalog)
    let release = try ReleaseReading(directory: bench.catalog, migration: folder)
    let later = try bench.names.filter { FolderName($0).version ?? 0 > release.version }
    for folder in later { try bench.remove(folder) }
    // What the source CSV was then; it is the shipped one where nothing came later.
    let source = Array(try bench.export("elements").utf8)
    if later.isEmpty { #expect(try bench.bytes("data/elements.csv") == source) }
    try bench.write("data/elements.csv", source)
    try CatalogLock.write(directory: bench.catalog)
    let before = try Self.files(of: folder, bench)

    try bench.remove(folder)
    try CatalogLock.write(directory: bench.catalog)
    let words = folder.drop { $0 != "_" }.dropFirst()
    let made = try bench.make(String(words)) { $0.description = release.description }
    #expect(made.folders == [folder])
    #expect(try Self.files(of: folder, bench) == before)
    #expect(before.count == 3)
  }

  /// Its files and the lock.
  private static func files(of folder: String, _ bench: Workbench) throws -> [String: [UInt8]] {
    let names = try bench.names.filter { $0.hasPrefix(folder + "/") } + ["seedbed.lock"]
    return Dictionary(uniqueKeysWithValues: try names.map { ($0, try bench.bytes($0)) })
  }
}

extension FolderName {
  /// nil for what is no migration.
  fileprivate var version: Version? {
    if case .migration(let version, _) = self { version } else { nil }
  }
}
