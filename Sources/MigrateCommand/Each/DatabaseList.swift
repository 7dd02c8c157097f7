internal import Seedbed

/// The databases that a pattern, a folder or stdin names.
struct DatabaseList {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  /// The databases, and the number of backups among what was named.
  ///
  /// - Throws: `io` if the pattern matches no database. An empty stdin is not an error, since the
  ///   program that wrote it found none.
  func paths(
    _ pattern: String, except excluded: String?
  ) throws -> (databases: [String], backups: Int) {
    let (all, backups) = try databases(pattern)
    guard let excluded else { return (all, backups) }
    let rest = all.filter { !isExcluded($0, by: excluded) }
    // With a typing error in the pattern, a database would not be excluded.
    let count = all.count - rest.count
    context.message(
      count == 0
        ? "'--except' leaves out none: no database matches '\(excluded.printable)'."
        : "'--except' leaves out \(Measures.count(count, "database")).")
    return (rest, backups)
  }

  /// Compares the name, or the path if the pattern contains a folder.
  private func isExcluded(_ path: String, by pattern: String) -> Bool {
    pattern.contains("/")
      ? Files.isMatch(path, absolute(pattern)) : Files.isMatch(Files.split(path).name, pattern)
  }

  /// What the pattern names, without the backups among it.
  private func databases(_ pattern: String) throws -> (paths: [String], backups: Int) {
    let all = try paths(pattern)
    let databases = all.filter { !Migrator.Backup.isOne($0) }
    let count = all.count - databases.count
    if count > 0 {
      context.message("'--each' passes over \(Measures.count(count, "backup")).")
    }
    // With a list of backups alone, somebody meant something else.
    if databases.isEmpty, count > 0 { throw nothing(at: pattern) }
    return (databases, count)
  }

  private func paths(_ pattern: String) throws -> [String] {
    if pattern == "-" { return try lines().map(context.settings.absolute) }
    let path = context.settings.absolute(pattern)
    let found: [String]
    switch Files.kind(path) {
    case .folder:
      let folder = path.hasSuffix("/") ? path : path + "/"
      found = Files.names(in: path).map { folder + $0 }.filter(isMeant)
    case .file, .other: found = [path]
    case .nothing: found = matches(pattern).filter { !isJournal($0) && Files.kind($0) == .file }
    }
    guard found.isEmpty else { return found }
    throw nothing(at: pattern)
  }

  private func nothing(at pattern: String) -> SeedbedError {
    SeedbedError(
      .io,
      "There is no database at '\(pattern)'. Name them by a pattern in quotes, by their folder, or "
        + "by '-' and their paths on stdin, one a line.")
  }

  private func lines() throws -> [String] {
    String(decoding: try Files.input(of: context, limit: 64 << 20), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map(String.init)
  }

  /// Whether a file belongs to a database next to it.
  private func isJournal(_ path: String) -> Bool {
    ["-wal", "-shm", "-journal"].contains { path.hasSuffix($0) }
  }

  /// A damaged database must not be missed, so its name or its backups are enough.
  private func isMeant(_ path: String) -> Bool {
    let isNamed = [".sqlite", ".sqlite3", ".db"].contains { path.hasSuffix($0) }
    return Files.kind(path) == .file
      && (isNamed || Files.isDatabase(path) || Files.kind(path + ".backups") == .folder)
  }

  private func matches(_ pattern: String) -> [String] { Files.matching(absolute(pattern)) }

  private func absolute(_ pattern: String) -> String {
    if pattern.hasPrefix("/") { return pattern }
    // The working folder's own name must not act as a pattern.
    let folder = context.invocation.workingFolder.map { character in
      "*?[\\".contains(character) ? "\\\(character)" : String(character)
    }.joined()
    return "\(folder)/\(pattern.hasPrefix("./") ? String(pattern.dropFirst(2)) : pattern)"
  }
}
