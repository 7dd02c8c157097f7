import Foundation
import PackagePlugin

/// Runs a verb of `migrate` in the package's folder:
///
///     swift package seedbed status
///
/// One permission covers all verbs, because SwiftPM cannot distinguish those that write from the
/// rest.
@main struct SeedbedCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let command = Process()
    command.executableURL = try Program { try context.tool(named: "migrate") }.url
    command.arguments = arguments
    command.currentDirectoryURL = context.package.directoryURL
    let environment = ProcessInfo.processInfo.environment
    let catalogs = catalogs(of: context.package)
    if let catalog = catalogs.first, catalogs.count == 1 {
      command.environment = environment.merging(["MIGRATE_DIR": catalog.path]) { given, _ in given }
    }
    let isNamed =
      environment["MIGRATE_DIR"] != nil
      || arguments.contains { $0 == "--migrations" || $0.hasPrefix("--migrations=") }
    if catalogs.count > 1, !isNamed {
      let root = context.package.directoryURL.path + "/"
      // SwiftPM lists targets in no fixed order.
      let choices = catalogs.map { "--migrations " + $0.path.replacing(root, with: "") }.sorted()
      Diagnostics.warning(
        "Several targets have a folder Migrations. Name one: \(choices.joined(separator: ", ")).")
    }
    // SwiftPM uses standard input to talk to its plugins.
    command.standardInput = FileHandle.nullDevice
    try command.run()
    command.waitUntilExit()
    exit(command.terminationStatus)
  }

  /// The catalogs in the targets' folders, if the package's own folder has none.
  private func catalogs(of package: Package) -> [URL] {
    func isThere(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
    if isThere(package.directoryURL.appending(path: "Migrations")) { return [] }
    return package.targets.map { $0.directoryURL.appending(path: "Migrations") }.filter(isThere)
  }
}
