#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
internal import Seedbed
internal import SeedbedOptions
internal import SeedbedOverTheAir

/// A verb's surroundings: the settings, the library, and the places for its output.
struct CommandContext: Sendable {
  let invocation: Invocation
  let arguments: Arguments
  let settings: Settings
  let scratchWork = ScratchWork()

  var program: String { invocation.program }
  var isJSON: Bool { arguments.has(.json) }
  /// The colours of stdout.
  var palette: Palette { Palette(for: invocation.output, invocation.environment) }
  /// The colours of stderr.
  var errorPalette: Palette { Palette(for: invocation.messages, invocation.environment) }
  /// The width of a line of values. Values that do not fit are cut.
  var columns: Int { invocation.output.width ?? 80 }

  // MARK: Words

  /// Prints the lines of a result, or the document instead.
  func result(_ lines: @autoclosure () -> [String], _ document: @autoclosure () -> JSON) throws {
    if isJSON {
      try invocation.print(document().text + "\n")
    } else if !settings.isQuiet {
      let output = invocation.output
      try invocation.print(lines().reduce(into: "") { $0 += output.fitted($1) + "\n" })
    }
  }

  /// Prints one line for a person, separate from the results.
  func message(_ line: String) {
    if !settings.isQuiet { invocation.complain(line) }
  }

  /// A path as a person would write it in this folder.
  func shown(_ path: String) -> String {
    let folder = invocation.workingFolder
    // From "/", it would look like a path from elsewhere.
    guard folder != "/", path.hasPrefix(folder + "/") else { return path.printable }
    return String(path.dropFirst(folder.count + 1)).printable
  }

  /// The same, or only the file's name if the screen has no room for it and `rest`.
  func shown(_ path: String, beside rest: Int) -> String {
    let text = shown(path)
    guard let width = invocation.output.width, text.displayWidth + rest > width else { return text }
    return Files.split(path).name.printable
  }

  /// A place that a terminal can open: a path from the working folder, if it is in the catalog.
  func shown(_ place: SeedbedError.Place) -> SeedbedError.Place {
    let isGiven =
      arguments.operands.contains { $0 == place.file || $0.hasSuffix("=" + place.file) }
      || arguments.allValues.values.joined().contains(place.file)
    let path = settings.migrations + "/" + place.file
    if isGiven || Files.kind(path) == .nothing { return place }
    var place = place
    place.file = shown(path)
    return place
  }

  /// One line for each download that was not taken.
  func lines(_ passedOver: [Migrator.PassedOver]) -> [String] {
    passedOver.map { download in
      let shown = Migrator.PassedOver(path: shown(download.path), reason: download.reason)
      return palette(shown.description.printable, .waiting)
    }
  }

  /// One line for each reason of one download.
  func lines(_ passedOver: [Fleet.Summary.PassedOverCount]) -> [String] {
    let shown = passedOver.prefix(Each.limit)
    var lines = zip(shown, lines(shown.map(\.download))).map { count, line in
      "Downloads  \(Measures.count(count.databases, "database")): \(line)"
    }
    let rest = passedOver.count - shown.count
    if rest > 0 { lines.append("Downloads  … and \(rest) more: --json") }
    return lines
  }

  // MARK: Library

  func migrator() throws -> Migrator {
    try refuseWhatIsNoFile()
    let options = settings.options
    if let url = settings.server, let server = invocation.server {
      return Migrator(
        catalog: try catalog().forPostgreSQL(), on: server(url, options.ledger), options: options)
    }
    let catalog = try catalog()
    try catalog.refuseOnSQLite()
    return fileMigrator(catalog, options)
  }

  private func fileMigrator(_ catalog: Catalog, _ options: Migrator.Options) -> Migrator {
    var migrator = Migrator(catalog: catalog, at: settings.database, options: options)
    migrator.hooks.setup = invocation.setup
    return migrator
  }

  var scratchSettings: ScratchSettings {
    get throws { try scratchSettings(or: nil) }
  }

  /// - Parameter url: of the server to use if the options name none.
  func scratchSettings(or url: String?) throws -> ScratchSettings {
    var scratch = ScratchSettings(ledger: settings.options.ledger, setup: invocation.setup)
    scratch.others = try others()
    scratch.mirror = mirroring(or: url)
    return scratch
  }

  /// The catalog's folder must exist. The library checks its content, and that of downloads.
  func catalog() throws -> Catalog { try catalogAlone().beside(others()) }

  /// The database's other catalogs.
  func others() throws -> [Catalog] {
    try settings.beside.map { try Catalog(directory: $0) }
  }

  private func catalogAlone() throws -> Catalog {
    try requireMigrations()
    if settings.signedBy.isEmpty {
      return try namingTheFlag { try Catalog(directory: settings.migrations) }
    }
    return try namingTheFlag {
      try Catalog.newest(
        bundled: settings.migrations, downloaded: settings.downloaded,
        signedBy: settings.signedBy, allowsSQL: arguments.has(.allowSQL))
    }
  }

  /// For verbs that need no migration: a broken catalog must not prevent a restore.
  ///
  /// - Parameter names: whether to read the catalog for the names of rows, if it can be read.
  func migratorWithoutCatalog(names: Bool = false) throws -> Migrator {
    try requireDatabase()
    let unread = Catalog(unread: settings.migrations)
    let read = { try Catalog(directory: settings.migrations).beside(others()) }
    let catalog = names ? (try? read()) ?? unread : unread
    if let url = settings.server, let server = invocation.server {
      return Migrator(
        catalog: catalog, on: server(url, settings.options.ledger),
        options: settings.options)
    }
    return fileMigrator(catalog, settings.options)
  }

  func requireMigrations() throws {
    let kind = Files.kind(settings.migrations)
    switch kind {
    case .folder: return
    case .file, .other:
      let what = kind == .file ? "a file" : "no folder that this user may look into"
      throw SeedbedError(
        .catalog,
        "'\(settings.givenMigrations)' is \(what). Name the folder of all migrations with "
          + "--migrations DIR.")
    case .nothing: break
    }
    let nearest = Files.nearest(
      to: settings.migrations, givenAs: settings.givenMigrations, .folder)
    throw SeedbedError(
      .catalog,
      "There is no catalog folder at '\(settings.givenMigrations)'. \(folderRemedy)"
        + UsageError.didYouMean(nearest))
  }

  /// An empty catalog is usually the wrong folder, so the error says how to name another.
  func namingTheFlag<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SeedbedError where error.code == .catalog && error.place == nil {
      let hasMigration = Files.names(in: settings.migrations).contains {
        $0.first?.isNumber == true
      }
      if hasMigration { throw error }
      throw SeedbedError(
        .catalog,
        "The folder '\(settings.givenMigrations)' holds no migration, such as '0001_elements'. "
          + folderRemedy)
    }
  }

  private var folderRemedy: String {
    "Name the folder of all migrations with --migrations DIR, or make the first migration: "
      + "\(program) new NAME, or \(program) make NAME TABLE=FILE.csv --create."
  }

  /// A server itself reports a missing database.
  var databaseIsMissing: Bool {
    settings.server == nil && Files.kind(settings.database) == .nothing
  }

  private func refuseWhatIsNoFile() throws {
    if settings.server != nil { return }
    let isOfFolder = settings.database.hasSuffix("/")
    let found = isOfFolder ? "the path of a folder" : Paths.whatIsNoFile(settings.database)
    guard let found else { return }
    throw SeedbedError(
      .io,
      "'\(settings.givenDatabase)' is \(found), not a file. Name the database's file with "
        + "--database PATH.")
  }

  func requireDatabase() throws {
    try refuseWhatIsNoFile()
    guard databaseIsMissing else { return }
    let nearest = Files.nearest(to: settings.database, givenAs: settings.givenDatabase, .file)
    throw SeedbedError(
      .io,
      "There is no database at '\(settings.givenDatabase)'. Name it with --database PATH; only "
        + "'\(program) up' creates one." + UsageError.didYouMean(nearest))
  }

  // MARK: Runs

  /// Runs code that changes the database. Signals roll it back, and a terminal shows its progress.
  func changing<Result>(
    interrupted words: Interrupts.Words = .ofRun,
    _ body: (Migrator.Cancellation, ProgressDisplay) throws -> Result
  ) rethrows -> Result {
    let cancellation = Migrator.Cancellation()
    let display = ProgressDisplay(style: progressStyle, sink: invocation.messages)
    let erasure = display.style == .bar ? ProgressDisplay.erasure : ""
    invocation.watchSignals(cancellation, words) { line in
      if !settings.isQuiet { invocation.complain(line, after: erasure) }
    }
    defer { display.end() }
    return try body(cancellation, display)
  }

  private var progressStyle: ProgressDisplay.Style {
    if settings.isQuiet { return .nothing }
    switch settings.progress {
    case .none: return .nothing
    case .plain: return .lines
    case .json: return .json
    case .auto:
      let isDumb = invocation.environment["TERM"] == "dumb"
      return invocation.messages.isTerminal && !isDumb ? .bar : .nothing
    }
  }
}
