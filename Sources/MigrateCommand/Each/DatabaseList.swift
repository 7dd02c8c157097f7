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

  private func matches(_ pattern: String) -> [String] {
    if pattern.hasPrefix("/") { return Files.matching(pattern) }
    // The working folder is no pattern, whatever it is called.
    let folder = session.invocation.workingFolder.map { character in
      "*?[\\".contains(character) ? "\\\(character)" : String(character)
    }.joined()
    return Files.matching("\(folder)/\(pattern)")
  }
}
