#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
package import Seedbed
internal import SeedbedOptions
internal import SeedbedOverTheAir

/// Runs `migrate` with this process's arguments, and ends the process.
///
/// If an app's databases need the app's own functions, collations or tokenizers, the app builds its
/// own `migrate` with all the verbs:
///
///     import MigrateCommand
///
///     MigrateCommand.main { handle in try registerFunctions(on: handle) }
///
/// - Parameter configure: called with each new connection, the `sqlite3 *`, before it is used.
public func main(
  configure: (@Sendable (_ handle: OpaquePointer) throws -> Void)? = nil
) -> Never {
  main(configure: configure, server: nil, commit: "")
}

/// The same, for our own programs.
///
/// - Parameters:
///   - server: nil for the one that only supports SQLite.
///   - commit: what it was built from.
package func main(
  configure: (@Sendable (_ handle: OpaquePointer) throws -> Void)? = nil, server: ServerFactory?,
  commit: String
) -> Never {
  Interrupts.ignoreClosedPipes()
  openStandardDescriptors()
  var invocation = Invocation.ofThisProcess()
  invocation.setup = ConnectionSetup(configure)
  invocation.server = server
  invocation.commit = commit
  exit(invocation.run())
}

/// The engine for servers, which this target does not know.
package struct ServerFactory: Sendable {
  /// A database, or a schema in it.
  package struct Address: Sendable {
    /// As libpq understands it.
    package let uri: String
    /// nil for what the search path says.
    package let schema: String?
    /// The name for reports and errors.
    package let name: String
  }

  /// The schemas of a database, whether each has one of some tables, and their bytes, about.
  package typealias Schemas = [(name: String, hasTables: Bool, bytes: Int64)]
  /// Makes one of many databases, which share connections.
  package typealias Tenants = @Sendable (_ address: Address, _ bytes: Int64) -> any DatabaseKind

  private let database: @Sendable (_ address: Address, _ ledger: String) -> any DatabaseKind
  let schemas: @Sendable (_ uri: String, _ tables: [String], _ ledger: String) throws -> Schemas
  let tenants: @Sendable (_ ledger: String) -> Tenants

  package init(
    database: @escaping @Sendable (_ address: Address, _ ledger: String) -> any DatabaseKind,
    schemas:
      @escaping @Sendable (_ uri: String, _ tables: [String], _ ledger: String) throws
      -> Schemas,
    tenants: @escaping @Sendable (_ ledger: String) -> Tenants
  ) {
    (self.database, self.schemas, self.tenants) = (database, schemas, tenants)
  }

  func callAsFunction(_ url: String, _ ledger: String) -> any DatabaseKind {
    let url = ServerURL(url)
    return database(Address(uri: url.uri, schema: url.schema, name: url.name), ledger)
  }
}

/// A caller may have closed 0, 1 or 2. The next file that is opened, perhaps a database, must not
/// get such a number.
private func openStandardDescriptors() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
    _ = open("/dev/null", O_RDWR)
  }
}

/// One run of the command as a value, with everything that it reads from outside.
struct Invocation: Sendable {
  /// The arguments without the name of the program.
  var arguments: [String]
  var environment: [String: String]
  /// An absolute path, from which relative paths start.
  var workingFolder: String
  /// The sink for results.
  var output: Sink
  /// The sink for errors, messages and progress.
  var messages: Sink
  /// Reads stdin, up to a number of bytes.
  var input: @Sendable (_ limit: Int) -> [UInt8] = { _ in [] }
  var setup: ConnectionSetup?
  /// Makes the kind of database for a URL; nil if this program only supports SQLite.
  var server: ServerFactory?
  /// The commit that `--version` names; empty if it is not known.
  var commit = ""
  /// The name of the program in help and hints.
  var program = "migrate"
  /// Cancels a run when a signal arrives, and says so. The default ignores signals.
  var watchSignals:
    @Sendable (Migrator.Cancellation, Interrupts.Words, @escaping @Sendable (String) -> Void) ->
      Void =
      { _, _, _ in }

  init(
    arguments: [String], environment: [String: String] = [:], workingFolder: String,
    output: Sink, messages: Sink
  ) {
    self.arguments = arguments
    self.environment = environment
    self.workingFolder = workingFolder
    self.output = output
    self.messages = messages
  }

  static func ofThisProcess() -> Invocation {
    var invocation = Invocation(
      arguments: Array(ProgramArguments.all.dropFirst()), environment: processEnvironment(),
      workingFolder: currentFolder(), output: .descriptor(STDOUT_FILENO),
      messages: .descriptor(STDERR_FILENO))
    // It is installed under both names, because on some machines another program has the first.
    let name = Files.split(ProgramArguments.all.first ?? "").name
    if name == "seedbed" { invocation.program = name }
    invocation.input = { Files.bytes(of: STDIN_FILENO, upTo: $0) }
    invocation.watchSignals = { Interrupts.watch($0, $1, say: $2) }
    return invocation
  }

  private static func currentFolder() -> String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }

  private static func processEnvironment() -> [String: String] {
    // Only the variables that the command uses: reading all of them would slow each start.
    let names = VerbOption.common.flatMap(\.kind.variables) + ["NO_COLOR", "CLICOLOR", "TERM"]
    var environment: [String: String] = [:]
    for name in names { environment[name] = getenv(name).map { String(cString: $0) } }
    return environment
  }
}

extension Invocation {
  /// Does what the arguments say, and returns the exit code.
  func run() -> Int32 {
    do {
      if server != nil { try Sibling.refuseOtherVersion() }
      return try answer().rawValue
    } catch let error as SeedbedError {
      return report(error).rawValue
    } catch {
      return report(SeedbedError(.io, "\(error)")).rawValue
    }
  }

  private func answer() throws -> ExitCode {
    // A later error may repeat an argument.
    if arguments.contains(where: SigningKey.isPart) { throw UsageError.privateKey() }
    let options = arguments.prefix { $0 != "--" }
    if options.contains(VerbOption.versionOption.spelling) {
      try print("\(program) \(Tool.version)\(commit.isEmpty ? "" : " (\(commit))")\n")
      return .done
    }
    let wantsHelp = options.contains { $0 == VerbOption.helpOption.spelling || $0 == "-h" }
    if wantsHelp { return try help(on: arguments.filter { $0 != "-h" }) }
    guard let (name, position) = try Arguments.verb(in: arguments) else {
      if wantsJSON { throw UsageError.noVerb() }
      // The overview was not requested, so it does not go to stdout.
      _ = messages.write(HelpPage(program: program).overview())
      return .usage
    }
    let verb = try Verb.named(name)
    var words = arguments
    words.remove(at: position)
    let parsed = try Arguments(words, for: verb, environment: environment)
    let settings = try Settings(parsed, workingFolder: workingFolder)
    let context = CommandContext(invocation: self, arguments: parsed, settings: settings)
    for note in settings.notes where verb.usesDatabase { context.message(note) }
    do {
      if !verb.usesDatabase, !settings.downloaded.isEmpty { throw UsageError.noDownloads(verb) }
      // With `--each`, the environment's database does not count.
      let each = try parsed.text(.each)
      let isServer = each.map(DatabaseURL.isServer) ?? (settings.server != nil)
      if isServer, verb.usesDatabase || verb.triesServers {
        guard verb.knowsServers || verb.triesServers else { throw UsageError.onlyForFiles(verb) }
        let needsSibling = server == nil && (verb.knowsServers || Sibling.isThere)
        if needsSibling { try Sibling.run(arguments, instead: self) }
      }
      // A line on stdin may be a URL, and stdin can be read only once.
      let mayBeServers =
        each == "-" && verb.knowsServers && Settings.isForServers(settings.migrations)
      if server == nil, mayBeServers, Sibling.isThere {
        try Sibling.run(arguments, instead: self)
      }
      return try verb.run(context)
    } catch let error as SeedbedError {
      return report(context.explained(error), in: context)
    }
  }

  /// `--help` takes precedence over all errors in the command line.
  private func help(on words: [String]) throws -> ExitCode {
    let page = HelpPage(program: program)
    let verb = try? Arguments.verb(in: words)?.name  // A wrong option asks for the overview.
    try print(page.page(on: verb))
    return .done
  }

  private var wantsJSON: Bool {
    arguments.prefix { $0 != "--" }.contains(VerbOption.json.spelling)
  }

  /// - Parameter context: nil if the command line was not understood.
  private func report(_ error: SeedbedError, in context: CommandContext? = nil) -> ExitCode {
    let name = try? Arguments.verb(in: arguments)?.name
    let error = error.completed(
      program, for: Verb.all.first { $0.name == name }, isServer: context?.settings.server != nil)
    if wantsJSON {
      // The exit code reports it even if stdout cannot be written to.
      try? print(JSON.error(error).text + "\n")
      return ExitCode(error.code)
    }
    let palette = Palette(for: messages, environment)
    // Programs know paths in the catalog. A person needs the path of the file.
    let shown = error.with { $0.place = $0.place.map { context?.shown($0) ?? $0 } }
    complain(palette(shown.description, .bad))
    for line in consequences(of: error) { complain(line) }
    return ExitCode(error.code)
  }

  /// The migrations that stay applied, and where to read more.
  private func consequences(of error: SeedbedError) -> [String] {
    var lines: [String] = []
    let name = try? Arguments.verb(in: arguments)?.name
    if let last = error.applied.last {
      let versions = list(error.applied.map(String.init), "and")
      lines.append(
        name == Verb.down.name
          ? "Taken back before that: \(versions). See '\(program) status'."
          : "Applied before that, and kept: \(versions). Database is at \(last).")
    }
    guard error.code == .usage else { return lines }
    // If the verb itself is wrong, the overview helps.
    let verb = Verb.all.first { $0.name == name && $0.takesCommonOptions }
    return lines + ["See '\(program) help\(verb.map { " " + $0.name } ?? "")'."]
  }

  // MARK: Writing

  func print(_ text: String) throws {
    // A reader that has closed the pipe, as in `migrate status | head -1`, is not an error.
    guard let failure = output.write(text), failure != EPIPE else { return }
    let reason = String(cString: strerror(failure))
    throw SeedbedError(.io, "Cannot write to standard output: \(reason).")
  }

  func complain(_ line: String, after prefix: String = "") {
    // If stderr fails, the message cannot be shown anywhere.
    _ = messages.write(prefix + messages.fitted(line) + "\n")
  }
}
