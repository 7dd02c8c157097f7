/// The place of a catalog's files.
package indirect enum CatalogSource: Sendable {
  /// A folder by its absolute path. It is opened for each access, so a catalog holds no open file.
  case folder(String, Host)
  /// Bytes in memory, or a download that is read in place.
  case held(any ReadableFolder)

  package init(directory: String, _ host: Host) { self = .folder(Paths.absolute(directory), host) }

  package var path: String {
    switch self {
    case .folder(let path, _): path
    case .held(let folder): folder.path
    }
  }

  package func root() throws -> any ReadableFolder {
    switch self {
    case .held(let folder): return folder
    case .folder(let path, let host):
      do {
        return try Folder(path, host: host)
      } catch {
        let remedy = "Name the folder of the migrations."
        if !Paths.exists(path) {
          throw SeedbedError.inCatalog("There is no catalog folder at '\(path)'. \(remedy)", nil)
        }
        if !Paths.isFolder(path) {
          throw SeedbedError.inCatalog("'\(path)' is not a folder. \(remedy)", nil)
        }
        throw error
      }
    }
  }
}

extension ReadableFolder {
  /// The open lock; nil if there is none.
  func openLock() throws -> (any ReadableFile)? {
    do {
      return try open(Lock.fileName)
    } catch {
      switch try kind(of: Lock.fileName) {
      case nil: return nil
      case .file: throw error
      case .folder, .other: throw SeedbedError.lockNotRegular
      }
    }
  }
}
