// As much of Xcode's XcodeProjectPlugin as the plugins use. It comes with Xcode only.
public import Foundation
public import PackagePlugin

public protocol XcodeBuildToolPlugin: Plugin {
  func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
}

public struct XcodePluginContext {
  public let xcodeProject: XcodeProject
  public let pluginWorkDirectoryURL: URL
  public func tool(named name: String) throws -> PluginContext.Tool {
    throw PluginContextError.toolNotFound(name: name)
  }
}

public struct XcodeProject {
  public let displayName: String
  public let directoryURL: URL
}

public struct XcodeTarget {
  public let displayName: String
  public let inputFiles: FileList
}
