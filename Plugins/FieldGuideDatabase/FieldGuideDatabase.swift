import Foundation
import PackagePlugin

/// Builds the ready-made database with which the field guide's users begin, at release 2.
///
/// An app whose catalog lies in the folder of its target needs no plugin of its own for this: with
/// `"build": true` in `catalog.json`, `SeedbedCatalog` bundles the file that `migrate build` wrote.
@main struct FieldGuideDatabase: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    let catalog = context.package.directoryURL.appending(path: "Migrations")
    let database = context.pluginWorkDirectoryURL.appending(path: "first.sqlite")
    return [
      .buildCommand(
        displayName: "Building the field guide's first database",
        executable: try context.tool(named: "migrate").url,
        arguments: [
          "build", database.path, "--to", "2", "--journal-mode", "wal", "--quiet",
          "--migrations", catalog.path,
        ],
        inputFiles: [catalog.appending(path: "seedbed.lock")], outputFiles: [database])
    ]
  }
}
