import Foundation
import Seedbed
import SeedbedOverTheAir

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Downloads {
  /// A folder of its own in Application Support, which only this structure uses.
  let folder: URL
  let host = URL(string: "https://data.example.com/guide/")!

  private var current: URL { folder.appending(path: "current.seedbed") }
  private var next: URL { folder.appending(path: "next.seedbed") }

  /// Brings the database up to date with the newest release on the device. It does not wait for the
  /// network. Call it in place of the `up` that you have, with the same options and hooks.
  @MainActor func up(
    _ database: URL, from migrations: URL, options: Migrator.Options = Migrator.Options(),
    hooks: Migrator.Hooks = Migrator.Hooks(), show: (Double) -> Void
  ) async throws -> Migrator.Report {
    let files = [next, current].filter { FileManager.default.fileExists(atPath: $0.path) }
    let catalog = try Catalog.newest(
      bundled: migrations, downloaded: files,
      signedBy: [
        "ed25519:vwelG/rt32teNaqNujo+k71pw/PQH/SWekmEL5i/f+Q=",
        "ed25519:vu/ra1tF20O5kTO5+oT6JrayTJIlvkiV7bhKwWOBw5M=",
      ])
    let migrator = try Migrator(
      catalog: catalog, at: database, options: options, hooks: hooks)
    let report = try await migrator.up { show($0.fraction) }
    for download in report.passedOver {
      switch download.reason {
      // The next version of the app may be able to read it.
      case .unreadable, .newer: continue
      // The host has what is needed, or was another, so `fetch` must not take its file for known.
      case .damaged, .needsFrom, .unsigned, .wrongKey:
        UserDefaults.standard.removeObject(forKey: "data")
      default: break
      }
      try? FileManager.default.removeItem(atPath: download.path)
    }
    // If it was taken, the last one has no more use.
    if !report.passedOver.contains(where: { $0.path == next.path }) {
      rename(next.path, current.path)
    }
    return report
  }

  /// Asks the host for a later release, for the next `up`. Call it after `up`, not during it.
  ///
  /// - Parameter report: of `up`; nil if it threw an error.
  /// - Returns: whether one was downloaded.
  func fetch(after report: Migrator.Report?) async throws -> Bool {
    let passedOver = report?.passedOver ?? []
    let needsWhole = passedOver.contains {
      if case .needsFrom = $0.reason { true } else { false }
    }
    var request = URLRequest(
      url: host.appending(path: needsWhole ? "whole.seedbed" : "latest.seedbed"))
    if !needsWhole, let tag = UserDefaults.standard.string(forKey: "data") {
      request.setValue(tag, forHTTPHeaderField: "If-None-Match")
    }
    let (file, response) = try await URLSession.shared.download(for: request)
    guard let response = response as? HTTPURLResponse, response.statusCode == 200 else {
      return false
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Content that can be downloaded again does not belong in a device's backup.
    var (folder, values) = (folder, URLResourceValues())
    values.isExcludedFromBackup = true
    try folder.setResourceValues(values)
    guard rename(file.path, next.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    if !needsWhole {
      let tag = response.value(forHTTPHeaderField: "ETag")
      UserDefaults.standard.set(tag, forKey: "data")
    }
    return true
  }
}
