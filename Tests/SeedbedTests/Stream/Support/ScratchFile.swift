import TestSupport

@testable import Seedbed

/// A file of one test, in a folder of its own.
final class ScratchFile: Sendable {
  private let place: Place
  let name: String

  init(_ bytes: [UInt8] = [], named name: String = "t.csv") throws {
    place = try Place()
    self.name = name
    try place.write(name, bytes)
  }

  convenience init(_ text: String, named name: String = "t.csv") throws {
    try self.init(Array(text.utf8), named: name)
  }

  var folder: String { place.path }
  var path: String { folder + "/" + name }

  func replace(with bytes: [UInt8]) throws {
    try place.remove(name)
    try place.write(name, bytes)
  }

  func open(host: Host = .real) throws -> OpenFile { try Folder(folder, host: host).open(name) }
}
