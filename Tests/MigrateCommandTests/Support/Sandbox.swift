import Foundation
import TestSupport
import Testing

/// A folder of its own for one test, gone when the test is.
final class Sandbox: Sendable {
  private let place: Place

  init() throws { place = try Place() }

  var path: String { place.path }

  /// Writes files by their paths in the sandbox, with the folders they need.
  @discardableResult
  func write(_ files: [String: String]) throws -> Sandbox {
    try place.write(files)
    return self
  }

  /// Writes files and makes them programs.
  ///
  /// Copied by a child: a file that this process wrote may still be open in a child of another
  /// test, and is "busy" then for whoever runs it.
  @discardableResult
  func write(programs: [String: String]) throws -> Sandbox {
    try write(programs)
    for file in programs.keys {
      let copied = try Child.run(
        ["/bin/sh", "-c", #"install -m 755 "$0" "$0.new" && mv "$0.new" "$0""#, file], in: path)
      try #require(copied.code == 0, "\(copied)")
    }
    return self
  }

  func text(_ file: String) throws -> String { try place.text(file) }

  func remove(_ file: String) throws { try place.remove(file) }

  func exists(_ file: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(file)") }

  /// Every file below the sandbox and its bytes: what a read-only verb must leave alone.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for file in try FileManager.default.subpathsOfDirectory(atPath: path) {
      contents[file] = FileManager.default.contents(atPath: "\(path)/\(file)") ?? Data()
    }
    return contents
  }
}
