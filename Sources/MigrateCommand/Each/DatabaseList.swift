internal import Seedbed

/// The databases that a pattern, a folder, a URL or stdin names.
struct DatabaseList {
  private let context: CommandContext
  private let pattern: String
  /// The lines on stdin; nil if a pattern names them.
  private let lines: [String]?

  init(_ context: CommandContext, _ pattern: String) throws {
    (self.context, self.pattern) = (context, pattern)
    lines = pattern == "-" ? try Self.lines(context) : nil
  }

  /// The URLs of servers, if the databases are there.
  func urls() throws -> [String] {
    let given = lines ?? [pattern]
    let urls = given.filter(DatabaseURL.isServer)
    if !urls.isEmpty, urls.count < given.count {
      throw SeedbedError(
        .usage,
        "The list on stdin has URLs of servers and paths of files. Give them to two calls.")
    }
    return urls
  }

  /// The databases, and the number of backups among what was named.
  ///
  /// - Throws: `io` if the pattern matches no database. An empty stdin is not an error, since the
  ///   program that wrote it found none.
  func paths() throws -> (databases: [String], backups: Int) {
    let (all, backups) = try databases()
    return (try Self.excluding(context, from: all, isExcluded), backups)
  }

  /// Says how many `--except` leaves out.
  static func excluding<Database>(
    _ context: CommandContext, from all: [Database], _ isExcluded: (Database, String) -> Bool
  ) throws -> [Database] {
    guard let excluded = try context.arguments.text(.except) else { return all }
    let rest = all.filter { !isExcluded($0, excluded) }
    // With a typing error in the pattern, a database would not be excluded.
    let count = all.count - rest.count
    context.message(
      count == 0
        ? "'--except' leaves out none: no database matches '\(excluded.printable)'."
        : "'--except' leaves out \(Measures.count(count, "database")).")
    return rest
  }

  /// Compares the name, or the path if the pattern contains a folder.
  private func isExcluded(_ path: String, _ pattern: String) -> Bool {
    pattern.contains("/")
      ? Files.isMatch(path, absolute(pattern)) : Files.isMatch(Files.split(path).name, pattern)
  }

  /// What the pattern names, without the backups among it.
  private func databases() throws -> (paths: [String], backups: Int) {
    let all = try found()
    let databases = all.filter { !Migrator.Backup.isOne($0) }
    let count = all.count - databases.count
    if count > 0 {
      context.message("'--each' passes over \(Measures.count(count, "backup")).")
    }
    // With a list of backups alone, somebody meant something else.
    if databases.isEmpty, count > 0 { throw nothing(at: pattern) }
    return (databases, count)
  }

  private func found() throws -> [String] {
    if let lines { return lines.map(context.settings.absolute) }
    let path = context.settings.absolute(pattern)
    let folder = path.hasSuffix("/") ? path : path + "/"
    let found =
      Files.kind(path) == .folder
      ? Files.names(in: path).map { folder + $0 }.filter(isMeant)
      : Files.matching(absolute(pattern)).filter { !isJournal($0) && Files.kind($0) == .file }
    // A file called `*.sqlite` is one of those that match, as in a shell. One called `[1].sqlite`
    // matches nothing.
    if [.file, .other].contains(Files.kind(path)),
      found.isEmpty || !Files.isMatch(path, absolute(pattern))
    {
      return [path]
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

  /// A URL of another engine is refused without its text, which may have a password.
  private static func lines(_ context: CommandContext) throws -> [String] {
    let lines = String(decoding: try Files.input(of: context, limit: 64 << 20), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map(String.init)
    for (place, line) in lines.enumerated() where line.contains("://") {
      guard !DatabaseURL.isServer(line) else { continue }
      throw SeedbedError(
        .usage,
        "Line \(place + 1) on stdin is a URL, but not of a PostgreSQL server. Write "
          + "postgresql://…, or the path of a file.")
    }
    return lines
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

  private func absolute(_ pattern: String) -> String {
    if pattern.hasPrefix("/") { return pattern }
    // The working folder's own name must not act as a pattern.
    let folder = context.invocation.workingFolder.map { character in
      "*?[\\".contains(character) ? "\\\(character)" : String(character)
    }.joined()
    return "\(folder)/\(pattern.hasPrefix("./") ? String(pattern.dropFirst(2)) : pattern)"
  }
}
