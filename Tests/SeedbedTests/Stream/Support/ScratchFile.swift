#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
@testable import Seedbed

/// A file of one test, in a folder of its own that goes away with the value.
final class ScratchFile: Sendable {
  let folder: String
  let name: String

  init(_ bytes: [UInt8] = [], named name: String = "t.csv") throws {
    var template = Array("\(Self.temporary)/\(Self.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw SeedbedError(.io, "mkdtemp: \(String(cString: strerror(errno)))")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.name = name
    try Folder(folder).create(name, mode: 0o600).write(bytes)
  }

  private static let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  private static let prefix = "seedbed-stream-\(getpid())-"

  /// The paths of those that are still there.
  static var foldersOfThisProcess: [String] {
    get throws {
      try Folder(temporary).entries().map { "\(temporary)/\($0.name)" }
        .filter { $0.hasPrefix("\(temporary)/\(prefix)") }
    }
  }

  convenience init(_ text: String, named name: String = "t.csv") throws {
    try self.init(Array(text.utf8), named: name)
  }

  var path: String { folder + "/" + name }

  func replace(with bytes: [UInt8]) throws {
    unlink(path)
    try Folder(folder).create(name, mode: 0o600).write(bytes)
  }

  func open(host: Host = .real) throws -> OpenFile { try Folder(folder, host: host).open(name) }

  deinit {
    for entry in (try? Folder(folder).entries()) ?? [] { unlink(folder + "/" + entry.name) }
    rmdir(folder)
  }
}
