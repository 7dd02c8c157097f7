internal import Seedbed
internal import SeedbedFaults
internal import SeedbedOptions

// The command's own options: those of every verb, and those of verbs that work on databases.

extension VerbOption {
  /// All of the command, in the order of the help.
  static let all =
    shared.filter { $0.interfaces.contains(.command) } + ofDatabases + ofAuthors + ofHelp

  // MARK: Of every verb

  static let database = database(["MIGRATE_DATABASE"])
  /// `DATABASE_URL` is a URL, not a path, so it is read separately (see `DatabaseURL`).
  private static let databaseOrURL = database(["MIGRATE_DATABASE", DatabaseURL.variable])

  private static func database(_ variables: [String]) -> VerbOption {
    VerbOption(
      "database", .path("PATH", variables: variables), "the database",
      default: Settings.defaultDatabase)
  }

  static let migrations = VerbOption(
    "migrations", .path("DIR", variables: ["MIGRATE_DIR"]),
    "the catalog: the folder of all migrations", default: Settings.defaultMigrations)
  static let progress = VerbOption(
    "progress", .choice("HOW", of: ProgressMode.self),
    "auto: a bar if stderr is a terminal; plain: lines; json: lines for a program",
    default: ProgressMode.auto.rawValue)
  static let json = VerbOption(
    "json", .flag, "print one JSON document to stdout, also for errors")
  static let quiet = VerbOption(
    "quiet", .flag, "print only errors, and the document of --json")

  static let common =
    [databaseOrURL, migrations]
    + shared.filter { $0.verbs == nil && $0.interfaces.contains(.command) }
    + [progress, json, quiet]

  // At the end of every page.
  static let helpOption = VerbOption("help", .flag, "print the help of the verb")
  static let versionOption = VerbOption("version", .flag, "print the version")
  static let last = [helpOption, versionOption]

  // MARK: Of some verbs

  static let restoreTo = VerbOption(
    "to", .number("N"), of: [.restore], "the newest backup of version N", default: "of any version")
  static let expect = VerbOption(
    "expect", .number("N", from: 1), of: [.up, .status],
    "exit 3 if the database is below version N, such as without a download")
  static let exitCode = VerbOption(
    "exit-code", .flag, of: [.status],
    "report the state of the database in the exit code: 3 and not 1 if the last run failed")
  static let snapshots = VerbOption(
    "snapshots", .flag, of: [.verify],
    "compare the tables that snapshots make with those that all migrations make")
  static let engineCheck = VerbOption(
    "engine-check", .flag, of: [.verify],
    "only try whether the server, or SQLite, has all that a run needs")
  static let prune = VerbOption(
    "prune", .flag, of: [.conflicts],
    "forget all of them and the values in them; the rows stay as they are")
  static let open = VerbOption(
    "open", .flag, of: [.conflicts], "only those that are not settled yet")
  static let points = VerbOption(
    "points", .text("all|N", is: "'all' or a whole number from 1"), of: [.rehearse],
    "how many points of the run to try at most", default: String(Rehearsal.defaultPoints))
  static let seconds = VerbOption(
    "seconds", .seconds, of: [.rehearse],
    "start no new point after this time; with --points there is no limit by default",
    default: Measures.seconds(Rehearsal.defaultTimeLimit.inSeconds))
  static let seed = VerbOption(
    "seed", .number("S"), of: [.rehearse],
    "try the same points again, with the same losses at each",
    default: String(Rehearsal.defaultSeed))
  static let settleMine = VerbOption(
    "mine", .flag, of: [.resolve], "the rows keep the user's values, or get them back")
  static let settleSeed = VerbOption(
    "seed", .flag, of: [.resolve], "the rows take the seed's values")
  static let settleAll = VerbOption(
    "all", .flag, of: [.resolve], "all conflicts that are not settled yet")
  static let settleWhere = VerbOption(
    "where",
    .text("TABLE[.COLUMN]", is: "a table, or a table and a column with a dot between them"),
    of: [.resolve], "with --all: only those of a table, or about a column")
  static let reseedTables = VerbOption(
    "tables", .flag, of: [.reseed], "each operand is a table; all its seed rows come back")
  static let reseedAll = VerbOption(
    "all", .flag, of: [.reseed], "all seed rows of every table that the catalog fills")
  static let reportPlan = VerbOption(
    "plan", .flag, of: [.report], "also do what 'plan' does: it takes the write lock")
  static let baselineCheck = VerbOption(
    "check", .flag, of: [.baseline], "change nothing; exit 3 if anything differs")
  static let absent = VerbOption(
    "absent", .choice("WHAT", of: Adoption.AbsentRows.self), of: [.baseline],
    "what a missing row means: the user deleted it, or it never came",
    default: Adoption.AbsentRows.byEdition.rawValue)

  // MARK: Of many databases

  private static let changing: [VerbName] = [.up, .down, .restore]
  private static let looking: [VerbName] = [
    .plan, .status, .verify, .conflicts, .backups, .export,
  ]

  static let each = VerbOption(
    "each", .path("PATTERN", is: "a pattern, a folder, a URL, or -"),
    of: changing + looking + [.rehearse],
    "do it for each database: a quoted pattern, a folder, a URL with --schemas, or - for paths or "
      + "URLs on stdin")
  static let schemas = VerbOption(
    "schemas", .path("PATTERN", is: "a pattern"), of: [.up, .down] + looking,
    "with --each URL: do it for each schema whose name matches a quoted pattern")
  static let except = VerbOption(
    "except", .path("PATTERN", is: "a pattern"), of: changing + looking + [.rehearse],
    "with --each: leave out databases whose name or path matches a quoted pattern")
  static let jobs = VerbOption(
    "jobs", .number("N", from: 1), of: changing + looking,
    "with --each: work on N databases at a time", default: "the number of cores")
  static let canary = VerbOption(
    "canary", .number("K"), of: changing,
    "with --each: K databases of all sizes and versions first; stop if one fails", default: "0")
  static let keepGoing = VerbOption(
    "keep-going", .flag, of: changing, "with --each: go on after a failure")

  /// What only goes with `--each`.
  static let withEach = [schemas, except, jobs, canary, keepGoing]

  private static let ofDatabases = [
    restoreTo, expect, exitCode, snapshots, engineCheck, prune, open, points, seconds, seed,
    settleMine, settleSeed, settleAll, settleWhere, reseedTables, reseedAll, reportPlan,
    baselineCheck, absent, each, schemas, except, jobs, canary, keepGoing,
  ]
}
