public import Seedbed

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Catalog {
  /// The newest catalog that can be trusted, from file URLs: see the one that takes paths.
  ///
  ///     let catalog = try Catalog.newest(
  ///       bundled: Bundle.module.url(forResource: "Migrations", withExtension: nil)!,
  ///       downloaded: [downloads.appending(path: "june.seedbed")], signedBy: ["ed25519:Qm9…"])
  ///
  /// - Throws: `usage` for a URL that is not that of a file, or for a key that is none; `catalog`
  ///   if the app's own catalog cannot be read.
  public static func newest(
    bundled directory: URL, downloaded files: [URL], signedBy keys: [String],
    allowsSQL: Bool = false, known: [String: Migrator.Version] = [:]
  ) throws(SeedbedError) -> Catalog {
    try newest(
      bundled: directory.filePath(),
      downloaded: files.map { file throws(SeedbedError) in try file.filePath() },
      signedBy: keys, allowsSQL: allowsSQL, known: known)
  }
}
