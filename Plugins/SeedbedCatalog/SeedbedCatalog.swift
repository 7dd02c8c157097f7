import Foundation
import PackagePlugin

/// Adds the catalog of a target, its folder `Migrations`, to the target's resources in the form for
/// devices, and fails the build if `seedbed.lock` is stale:
///
///     .target(name: "App", plugins: [.plugin(name: "SeedbedCatalog", package: "seedbed")])
///
/// The app finds it as `Bundle.module.url(forResource: "Migrations", withExtension: nil)`.
@main struct SeedbedCatalog: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    bundling(
      target.directoryURL.appending(path: "Migrations"), of: target.name,
      by: try Program { try context.tool(named: "migrate") }, in: context.pluginWorkDirectoryURL)
  }

  private func bundling(
    _ catalog: URL, of target: String, by program: Program, in folder: URL
  ) -> [Command] {
    if isLink(catalog) {
      Diagnostics.error(
        "'\(catalog.path)' is a link: SwiftPM does not notice new files behind it, so a stale lock "
          + "could pass. Move the folder there, and link to it from where it was.",
        file: catalog.path, line: 1)
      return []
    }
    let bundle = folder.appending(path: "Migrations")
    return [
      .buildCommand(
        displayName: "Bundling the catalog of \(target)", executable: program.url,
        arguments: ["bundle", bundle.path, "--as-errors", "--migrations", catalog.path],
        inputFiles: [program.url] + files(in: catalog), outputFiles: [bundle])
    ]
  }

  private func isLink(_ url: URL) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
  }

  /// Empty if there is no catalog: `migrate` reports that.
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

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  /// For a target of an Xcode project, under *Build Phases*, *Run Build Tool Plug-ins*. The catalog
  /// is the folder `Migrations` in the project's folder, or in the one with the target's name.
  ///
  /// The app finds it as `Bundle.main.url(forResource: "Migrations", withExtension: nil)`.
  extension SeedbedCatalog: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let project = context.xcodeProject.directoryURL
      let ofTarget = project.appending(path: target.displayName).appending(path: "Migrations")
      let catalog = isFolder(ofTarget) ? ofTarget : project.appending(path: "Migrations")
      return bundling(
        catalog, of: target.displayName, by: try Program { try context.tool(named: "migrate") },
        in: context.pluginWorkDirectoryURL)
    }
  }
#endif
