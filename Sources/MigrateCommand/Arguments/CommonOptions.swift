internal import Seedbed

/// The options that every verb takes; their defaults are the library's constants.
enum CommonOptions {
  private static let defaults = Migrator.Options()

  static let database = CommandOption.path(
    "database", "PATH", "the database", default: Settings.defaultDatabase,
    environment: ["MIGRATE_DATABASE"])
  static let migrations = CommandOption.path(
    "migrations", "DIR", "the catalog: the folder of all migrations",
    default: Settings.defaultMigrations, environment: ["MIGRATE_DIR"])
  static let onEdited = CommandOption.choice(
    "on-edited", "POLICY", of: Migrator.EditPolicy.allCases,
    "what to do if the user edited a value or row that the seed changes",
    default: "the catalog's, or keepEdits")
  static let onTaken = CommandOption.choice(
    "on-taken", "POLICY", of: Migrator.CollisionPolicy.allCases,
    "what to do if a user's row is in a seed row's place", default: "the catalog's, or keepUser")
  static let backups = CommandOption.path(
    "backups", "DIR", "the folder of the backups", default: "PATH.backups, next to the database",
    environment: ["MIGRATE_BACKUPS"])
  static let keep = CommandOption<Int>.number(
    "keep", "N",
    "keep backups of the last N versions: the first and the last N of each; 0 keeps all",
    default: String(defaults.backupsToKeep))
  static let ledger = CommandOption.word(
    "ledger", "NAME", "the prefix of the ledger's tables", default: defaults.ledger)
  static let lockTimeout = CommandOption.seconds(
    "lock-timeout", "how long to wait for another process",
    default: Measures.seconds(defaults.lockTimeout.inSeconds))
  static let progress = CommandOption.choice(
    "progress", "HOW", of: ProgressMode.allCases,
    "auto: a bar if stderr is a terminal; plain: lines; json: lines for a program",
    default: ProgressMode.auto.rawValue)
  static let signedBy = CommandOption<String>(
    spec: OptionSpec(
      name: "signed-by", placeholder: "KEY",
      help: "a public key that may have signed what --downloaded names, and what is applied of it; "
        + "may be repeated",
      isRepeatable: true),
    expected: "a public key, such as 'ed25519:…'", read: { $0.isEmpty ? nil : $0 })
  static let downloaded = CommandOption.path(
    "downloaded", "FILE",
    "go on with the newest bundle that 'bundle' wrote and a key of --signed-by signed; may be "
      + "repeated", isRepeatable: true)
  static let allowSQL = OptionSpec(
    name: "allow-sql", placeholder: nil,
    help: "with --downloaded: run the SQL in bundles, and let their options weaken the catalog's")
  static let json = OptionSpec(
    name: "json", placeholder: nil, help: "print one JSON document to stdout, also for errors")
  static let quiet = OptionSpec(
    name: "quiet", placeholder: nil, help: "print only errors, and the document of --json")

  static let all: [OptionSpec] = [
    databaseSpec, migrations.spec, onEdited.spec, onTaken.spec, backups.spec, keep.spec,
    ledger.spec, lockTimeout.spec, signedBy.spec, downloaded.spec, allowSQL, progress.spec, json,
    quiet,
  ]

  /// `DATABASE_URL` is a URL, not a path, so it is read separately (see `DatabaseURL`).
  private static var databaseSpec: OptionSpec {
    var spec = database.spec
    spec.environment.append(DatabaseURL.variable)
    return spec
  }
}

/// The options at the end of every page.
enum HelpOptions {
  static let help = OptionSpec(name: "help", placeholder: nil, help: "print the help of the verb")
  static let version = OptionSpec(name: "version", placeholder: nil, help: "print the version")
  static let all = [help, version]
}
