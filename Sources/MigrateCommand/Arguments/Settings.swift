internal import Seedbed
internal import SeedbedOptions

/// The values of the common options: from the flag, otherwise from the environment, otherwise the
/// default.
struct Settings: Sendable {
  static let defaultDatabase = "app.sqlite"
  static let defaultMigrations = "Migrations"

  /// The paths as the user spelled them, for messages.
  let givenDatabase: String
  let givenMigrations: String
  /// The absolute paths.
  let database: String
  let migrations: String
  /// The URL of a database on a server; nil for a file.
  let server: String?
  /// The bundles among which to choose, as absolute paths.
  let downloaded: [String]
  /// The public keys that may have signed them.
  let signedBy: [String]
  /// The folders of the database's other catalogs, as absolute paths.
  let beside: [String]
  let options: Migrator.Options
  let progress: ProgressMode
  let isQuiet: Bool
  private let workingFolder: String
  /// Notes for a person about how the settings were found.
  let notes: [String]

  init(_ arguments: Arguments, workingFolder: String) throws {
    let absolute = { Self.absolute($0, in: workingFolder) }
    self.workingFolder = workingFolder
    var notes: [String] = []
    givenMigrations = try arguments.text(.migrations) ?? Self.defaultMigrations
    migrations = absolute(givenMigrations)
    let given = try Self.database(arguments, &notes, migrations: migrations)
    server = DatabaseURL.isServer(given) ? given : nil
    givenDatabase = server.map(DatabaseURL.shown) ?? given
    database = server == nil ? absolute(given) : givenDatabase
    (downloaded, signedBy) = try Self.downloads(arguments, absolute)
    beside = arguments.texts(.beside).map(absolute)
    var options = try Migrator.Options(arguments)
    options.backupFolder = options.backupFolder.map(absolute)
    options.expectedVersion = try arguments.number(.expect)
    self.options = options
    progress = try arguments.choice(.progress) ?? .auto
    isQuiet = arguments.has(.quiet)
    self.notes = notes
  }

  private static func absolute(_ path: String, in folder: String) -> String {
    if path.hasPrefix("/") { return path }
    let plain = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    return folder.hasSuffix("/") ? folder + plain : "\(folder)/\(plain)"
  }

  /// The absolute form of a path that was given to a verb.
  func absolute(_ path: String) -> String { Self.absolute(path, in: workingFolder) }

  private static func database(
    _ arguments: Arguments, _ notes: inout [String], migrations: String
  ) throws -> String {
    var path = try arguments.text(.database)
    if path == nil, let url = arguments.environment[DatabaseURL.variable], !url.isEmpty {
      switch try DatabaseURL.read(url) {
      case .path(let found): path = found
      // The variable of another framework must never make us migrate a server.
      case .server(let url) where isForServers(migrations): path = url
      case .server:
        notes.append(
          "\(DatabaseURL.variable) is ignored: it names a server, but \"engines\" in catalog.json "
            + "does not list postgresql. The database is '\(defaultDatabase)'.")
      case .passedOver(let note): notes.append("\(note) The database is '\(defaultDatabase)'.")
      }
    }
    guard let path else { return defaultDatabase }
    if path.hasPrefix(":memory:") { throw UsageError.inMemory(path) }
    if path.hasPrefix("file:") { throw UsageError.uri(path) }
    return path
  }

  /// If catalog.json cannot be read, the error is reported when it is used.
  static func isForServers(_ migrations: String) -> Bool {
    let engines = try? Catalog(unread: migrations).generalOptions().engines
    return engines?.contains(.postgresql) ?? false
  }

  /// Whether the catalog's SQL is for servers alone.
  static func isOnlyForServers(_ migrations: String) -> Bool {
    (try? Catalog(unread: migrations).servesSQLite()) == false
  }

  private static func downloads(
    _ arguments: Arguments, _ absolute: (String) -> String
  ) throws -> (paths: [String], keys: [String]) {
    let paths = arguments.texts(.downloaded)
    let keys = arguments.texts(.signedBy)
    // A key alone is what an app gives before its first download, or after it removed the last.
    if keys.isEmpty, !paths.isEmpty {
      throw SeedbedError(
        .usage,
        "'--downloaded FILE' names a bundle, and '--signed-by KEY' a key that may have signed it. "
          + "Give both.")
    }
    if keys.isEmpty, arguments.has(.allowSQL) {
      throw SeedbedError(
        .usage, "'--allow-sql' is about downloads, and needs '--signed-by KEY'. Give both.")
    }
    return (paths.map(absolute), keys)
  }
}
