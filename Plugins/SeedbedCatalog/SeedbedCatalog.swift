import Foundation
import PackagePlugin

/// Puts the catalog into a target's resources as devices need it, and fails the build where
/// `seedbed.lock` is stale:
///
///     .target(name: "App", plugins: [.plugin(name: "SeedbedCatalog", package: "seedbed")])
///
/// The target finds it as `Bundle.module.url(forResource: "Migrations", withExtension: nil)`.
@main struct SeedbedCatalog: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    // As a URL, a target tells its folder only to packages that ask for Swift 6.1.
    let folder = URL(fileURLWithPath: String(describing: target.directory))
    let catalog = try catalog(for: target.name, in: [folder, context.package.directoryURL])
    let bundle = context.pluginWorkDirectoryURL.appending(path: "Migrations")
    return [
      .buildCommand(
        displayName: "Bundling the catalog of \(target.name)",
        executable: try context.tool(named: "migrate").url,
        arguments: ["bundle", bundle.path, "--migrations", catalog.path],
        inputFiles: files(in: catalog), outputFiles: [bundle])
    ]
  }

  /// The first `Migrations` there is, as a folder or as a link to one.
  private func catalog(for target: String, in folders: [URL]) throws -> URL {
    for folder in folders {
      // What is watched for changes must be the files themselves, not the link.
      let catalog = folder.appending(path: "Migrations").resolvingSymlinksInPath()
      if isFolder(catalog) { return catalog }
    }
    throw Missing(target: target, folders: folders)
  }

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

private struct Missing: Error, CustomStringConvertible {
  let target: String
  let folders: [URL]

  var description: String {
    let places = folders.map { "'\($0.path)'" }.joined(separator: " nor in ")
    return "The target '\(target)' has no catalog: 'Migrations' is neither in \(places). "
      + "Move it there, or link to it."
  }
}
