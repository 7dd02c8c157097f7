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
    // Standard input is where SwiftPM talks to its plugins.
    command.standardInput = FileHandle.nullDevice
    try command.run()
    command.waitUntilExit()
    exit(command.terminationStatus)
  }
}
