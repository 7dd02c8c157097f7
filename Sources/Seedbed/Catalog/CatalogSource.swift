/// Where the files of a catalog are.
package enum CatalogSource: Sendable {
  /// A folder by its absolute path, opened for each look: a catalog holds no open file.
  case folder(String, Host)
  case memory(MemoryFolder)

  package init(directory: String, _ host: Host) { self = .folder(Paths.absolute(directory), host) }

  package var path: String {
    switch self {
    case .folder(let path, _): path
    case .memory(let folder): folder.path
    }
  }

  package func root() throws -> any ReadableFolder {
    switch self {
    case .folder(let path, let host): try Self.open(path, host)
    case .memory(let folder): folder
    }
  }

  private static func open(_ path: String, _ host: Host) throws -> Folder {
    do {
      return try Folder(path, host: host)
    } catch let error {
      if !Paths.exists(path) { throw SeedbedError.catalogMissing(path) }
      if !Paths.isFolder(path) { throw SeedbedError.catalogNotFolder(path) }
      throw error
    }
  }
}

extension ReadableFolder {
  /// The file opened; nil if there is nothing of that name.
  func openRegular(
    _ name: String, else refusal: @autoclosure () -> SeedbedError
  ) throws -> (any ReadableFile)? {
    do {
      return try open(name)
    } catch let error {
      switch try kind(of: name) {
      case nil: return nil
      case .file: throw error
      case .folder, .other: throw refusal()
      }
    }
  }
}
