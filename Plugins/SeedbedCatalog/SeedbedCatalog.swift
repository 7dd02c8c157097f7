import Foundation
import PackagePlugin

/// Puts the catalog of a target, the folder `Migrations` in it, into its resources as devices need
/// it, and fails the build where `seedbed.lock` is stale:
///
///     .target(name: "App", plugins: [.plugin(name: "SeedbedCatalog", package: "seedbed")])
///
/// The app finds it as `Bundle.module.url(forResource: "Migrations", withExtension: nil)`.
@main struct SeedbedCatalog: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    let catalog = target.directoryURL.appending(path: "Migrations")
    if isLink(catalog) { throw Linked(catalog: catalog) }
    let bundle = context.pluginWorkDirectoryURL.appending(path: "Migrations")
    return [
      .buildCommand(
        displayName: "Bundling the catalog of \(target.name)",
        executable: try context.tool(named: "migrate").url,
        arguments: ["bundle", bundle.path, "--migrations", catalog.path],
        inputFiles: files(in: catalog), outputFiles: [bundle])
    ]
  }

  private func isLink(_ url: URL) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
  }

  /// None where there is no catalog: `migrate` says so.
  private func files(in catalog: URL) -> [URL] {
    let names = FileManager.default.enumerator(atPath: catalog.path)
    return (names?.compactMap { $0 as? String } ?? []).sorted()
      .map { catalog.appending(path: $0) }.filter { !isFolder($0) }
  }

  private func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}

private struct Linked: Error, CustomStringConvertible {
  let catalog: URL

  var description: String {
    "'\(catalog.path)' is a link: SwiftPM does not notice new files behind it, so a stale lock "
      + "could pass. Move the folder there, and link to it from where it was."
  }
}
