internal import Seedbed

/// `DATABASE_URL`, which many tools share: `sqlite:app.db`, `sqlite:///var/app.db`,
/// `postgres://host/name`.
enum DatabaseURL {
  static let variable = "DATABASE_URL"

  enum Reading: Equatable {
    case path(String)
    /// A database on a server, as its engine understands it.
    case server(String)
    /// Another scheme. It is ignored, and the note says so.
    case passedOver(note: String)
  }

  /// The text after the scheme is a path by the grammar of URLs: `sqlite:///x` is absolute, and
  /// `sqlite:x` and `sqlite://x` are relative. Some tools read three slashes as relative. For them,
  /// an error about a file in the root folder is better than a database in an unexpected folder.
  static func read(_ url: String) throws -> Reading {
    guard let colon = url.firstIndex(of: ":"), let scheme = scheme(url[..<colon]) else {
      return .passedOver(
        note: "\(variable) is ignored: it has no scheme. Write it as 'sqlite:PATH'.")
    }
    if isServer(url) { return .server(url) }
    guard scheme == "sqlite" else {
      // Never the whole URL: it may contain a password.
      return .passedOver(
        note:
          "\(variable) is ignored: its scheme is '\(scheme)', and only 'sqlite' and 'postgresql' "
          + "are supported.")
    }
    var rest = url[url.index(after: colon)...]
    if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
    rest = rest.prefix { $0 != "?" && $0 != "#" }
    guard let path = decoded(rest), !path.isEmpty else {
      throw SeedbedError(
        .usage, "\(variable) names no file. Write it as 'sqlite:PATH', or give --database.")
    }
    return .path(path)
  }

  /// Whether it names a database on a PostgreSQL server.
  static func isServer(_ url: String) -> Bool {
    ["postgres", "postgresql"].contains(url.firstIndex(of: ":").flatMap { scheme(url[..<$0]) })
  }

  /// The URL without its password.
  static func shown(_ server: String) -> String { ServerURL(server).name }

  private static func scheme(_ text: Substring) -> String? {
    guard let first = text.utf8.first, isLetter(first) else { return nil }
    let isScheme = text.utf8.allSatisfy {
      isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
    }
    return isScheme ? text.lowercased() : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// Decodes `%20` and other escapes; nil if the result is not text.
  static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = String(rest.prefix(2)) ?? ""
      if byte == 0x25, digits.utf8.count == 2, let value = UInt8(digits, radix: 16), value != 0 {
        bytes.append(value)
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(utf8: bytes)
  }
}
