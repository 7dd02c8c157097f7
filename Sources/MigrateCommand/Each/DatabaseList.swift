#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
internal import Seedbed

/// The databases that a pattern, a folder or stdin names.
struct DatabaseList {
  private let session: Session

  init(_ session: Session) { self.session = session }

  /// - Throws: `io` if the pattern names none. An empty stdin names none, too, and is no error: the
  ///   program that wrote it found none.
  func paths(_ pattern: String) throws -> [String] {
    if pattern == "-" { return lines().map(session.settings.absolute) }
    let path = session.settings.absolute(pattern)
    let found: [String]
    switch Files.kind(path) {
    case .folder:
      found = Files.names(in: path).map { "\(path)/\($0)" }.filter(isMeant)
    case .other: found = [path]
    case .nothing: found = matches(pattern).filter { !isJournal($0) && Files.kind($0) == .other }
    }
    guard found.isEmpty else { return found }
    throw SeedbedError(
      .io,
      "There is no database at '\(pattern)'. Name them by a pattern in quotes, by their folder, or "
        + "by '-' and their paths on stdin, one a line.")
  }

  private func lines() -> [String] {
    String(decoding: session.invocation.input(), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map(String.init)
  }

  /// What belongs to a database beside it.
  private func isJournal(_ path: String) -> Bool {
    ["-wal", "-shm", "-journal"].contains { path.hasSuffix($0) }
  }

  /// A damaged database must not go unseen, so its name or its backups are enough.
  private func isMeant(_ path: String) -> Bool {
    let isNamed = [".sqlite", ".sqlite3", ".db"].contains { path.hasSuffix($0) }
    return Files.kind(path) == .other
      && (isNamed || Files.isDatabase(path) || Files.kind(path + ".backups") == .folder)
  }

  /// In the order of the names.
  private func matches(_ pattern: String) -> [String] {
    // The working folder is no pattern, whatever it is called.
    let folder = session.invocation.workingFolder.map { character in
      "*?[\\".contains(character) ? "\\\(character)" : String(character)
    }.joined()
    var found = glob_t()
    defer { globfree(&found) }
    let path = pattern.hasPrefix("/") ? pattern : "\(folder)/\(pattern)"
    guard glob(path, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
  }
}

extension Files {
  /// Whether a file begins as each SQLite database does.
  static func isDatabase(_ path: String) -> Bool {
    kind(path) == .other && !isNoDatabase(path) && size(path) > 0
  }

  private static func size(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// All that a descriptor has to say.
  static func readAll(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { bytes += buffer.prefix(count) }
      if count == 0 || count < 0 && errno != EINTR { return bytes }
    }
  }
}
