import Foundation
import TestSupport
import Testing

/// The real program, in a temporary folder of its own.
final class OpenSSL {
  /// LibreSSL, which macOS has under this name, and older versions lack `-rawin`.
  static let isHere =
    (try? Child.run(["openssl", "version"]))?.output.hasPrefix("OpenSSL 3") == true

  let path = NSTemporaryDirectory() + "/seedbed-openssl-" + UUID().uuidString

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Runs it with words between single spaces, and returns what it printed.
  @discardableResult func callAsFunction(_ words: String) throws -> String {
    let result = try Child.run(["openssl"] + words.components(separatedBy: " "), in: path)
    try #require(result.code == 0, "openssl \(words): \(result.output)")
    return result.output
  }

  func write(_ bytes: [UInt8], to file: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + file))
  }

  func bytes(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + file)))
  }
}
