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
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(temporary)/seedbed-stream-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw SeedbedError(.io, "mkdtemp: \(String(cString: strerror(errno)))")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.name = name
    try Folder(folder).create(name, mode: 0o600).write(bytes)
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
