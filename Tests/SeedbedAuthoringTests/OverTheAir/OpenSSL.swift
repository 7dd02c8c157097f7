import Foundation
import TestSupport
import Testing

/// The real program, in a temporary folder of its own.
struct OpenSSL {
  /// LibreSSL, which macOS has under this name, and older versions lack `-rawin`.
  static let isHere =
    (try? Child.run(["openssl", "version"]))?.output.hasPrefix("OpenSSL 3") == true

  let place: Place

  init() throws { place = try Place() }

  /// Runs it with words between single spaces, and returns what it printed.
  @discardableResult func callAsFunction(_ words: String) throws -> String {
    let result = try Child.run(["openssl"] + words.components(separatedBy: " "), in: place.path)
    try #require(result.code == 0, "openssl \(words): \(result.output)")
    return result.output
  }
}
