import Foundation
import PackagePlugin

/// Runs a verb of `migrate` in the package's folder:
///
///     swift package seedbed status
///
/// The one permission is for all verbs, since SwiftPM cannot tell those that write from the rest.
@main struct SeedbedCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let command = Process()
    command.executableURL = try context.tool(named: "migrate").url
    command.arguments = arguments
    command.currentDirectoryURL = context.package.directoryURL
    if let catalog = catalog(of: context.package) {
      command.environment = ProcessInfo.processInfo.environment
        .merging(["MIGRATE_DIR": catalog.path]) { given, _ in given }
    }
    // Standard input is where SwiftPM talks to its plugins.
    command.standardInput = FileHandle.nullDevice
    try command.run()
    command.waitUntilExit()
    exit(command.terminationStatus)
  }

  /// The only one in a target's folder, where the package's own folder has none.
  private func catalog(of package: Package) -> URL? {
    func isThere(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
    if isThere(package.directoryURL.appending(path: "Migrations")) { return nil }
    // As a URL, a target tells its folder only to packages that ask for Swift 6.1.
    let catalogs = package.targets
      .map { URL(fileURLWithPath: String(describing: $0.directory)).appending(path: "Migrations") }
      .filter(isThere)
    return catalogs.count == 1 ? catalogs[0] : nil
  }
}
