package import Seedbed

// The options that more than the command takes.

extension VerbOption {
  private static let defaults = Migrator.Options()

  // MARK: Of every verb

  package static let onEdited = VerbOption(
    "on-edited", .choice("POLICY", of: Migrator.EditPolicy.self),
    "what to do if the user edited a value or row that the seed changes",
    default: "the catalog's, or keepEdits", in: .all)
  package static let onTaken = VerbOption(
    "on-taken", .choice("POLICY", of: Migrator.CollisionPolicy.self),
    "what to do if a user's row is in a seed row's place",
    default: "the catalog's, or keepUser", in: .all)
  package static let backups = VerbOption(
    "backups", .path("DIR", variables: ["MIGRATE_BACKUPS"]), "the folder of the backups",
    default: "PATH.backups, next to the database", in: .all)
  package static let keep = VerbOption(
    "keep", .number("N"),
    "keep backups of the last N versions: the first and the last N of each; 0 keeps all",
    default: String(defaults.backupsToKeep), in: .all)
  package static let ledger = VerbOption(
    "ledger", .text("NAME", is: "a name"), "the prefix of the ledger's tables",
    default: defaults.ledger, in: .all)
  package static let beside = VerbOption(
    "beside", .path("DIR").given(.several),
    "another catalog of the database: the base of a pack, or a pack of a base", in: .all)
  package static let lockTimeout = VerbOption(
    "lock-timeout", .seconds, "how long to wait for another process",
    default: String(defaults.lockTimeout.components.seconds), in: .all)
  package static let signedBy = VerbOption(
    "signed-by", .text("KEY", is: "a public key, such as 'ed25519:…'").given(.several),
    "a public key that may have signed the downloads, and what is applied of them", in: .all)
  package static let downloaded = VerbOption(
    "downloaded", .path("FILE").given(.severalOrNone),
    "a bundle of releases; go on with the newest one that a key of 'signed-by' signed", in: .all)
  package static let allowSQL = VerbOption(
    "allow-sql", .flag, "run the SQL in downloads, and let their options weaken the catalog's",
    in: .all)
  package static let known = VerbOption(
    "known", .versions,
    "the version below which a download of a key is no news, from 'signedHeads' of 'status'",
    in: .calls)
  package static let locked = VerbOption(
    "locked", .flag, "trust the catalog's seedbed.lock, as an app does at its start", in: .calls)
  package static let connectionSQL = VerbOption(
    "connection-sql", .text("SQL", is: "SQL"),
    "run on each connection that Seedbed itself opens, such as PRAGMA key", in: .calls)
  package static let attached = VerbOption(
    "database", .text("NAME", is: "a name"), "an attached database", default: "main", in: .sql)

  // MARK: Of some verbs

  package static let to = VerbOption(
    "to", .number("N"), of: [.up, .plan], "stop at version N", default: "the last one", in: .all)
  package static let downTo = VerbOption(
    "to", .number("N"), of: [.down], "the version to go back to; 0 takes everything back",
    in: .all
  ).required
  package static let discardUserRows = VerbOption(
    "discard-user-rows", .flag, of: [.down],
    "let down.sql drop or empty tables and columns that hold users' data", in: .all)
  package static let noBackup = VerbOption(
    "no-backup", .flag, of: [.up, .down, .reseed], "do not back up the database first", in: .all)
  package static let planNoBackup = VerbOption(
    "no-backup", .flag, of: [.plan], "plan for 'up --no-backup'", in: .all)
  package static let allowOutOfOrder = VerbOption(
    "allow-out-of-order", .flag, of: [.up, .plan],
    "also apply migrations below the last applied version", in: .all)
  package static let mustExist = VerbOption(
    "must-exist", .flag, of: [.up, .plan], "fail if there is no database", in: .all)
  package static let allowNewer = VerbOption(
    "allow-newer", .flag, of: [.up], "leave a database alone that a newer release migrated",
    in: .calls)
  package static let first = VerbOption(
    "first", .path("FILE"), of: [.up], "a ready-made database to begin with", in: .calls)
  package static let counts = VerbOption(
    "counts", .flag, of: [.status],
    "only what may be sent to the author: versions, outcomes and numbers of conflicts", in: .all)
  package static let adopt = VerbOption(
    "adopt", .number("N", from: 1), of: [.up, .plan],
    "make a database without a ledger, but with rows, one of version N first",
    default: "the catalog's, or not at all", in: .all)
  package static let reporting = VerbOption(
    "reporting", .choice("DETAIL", of: Migrator.Options.Reporting.self), of: [.up, .plan, .down],
    "how much the report has", default: defaults.reporting.rawValue, in: .calls)
  package static let id = VerbOption(
    "id", .number("N", from: 1).given(.several), of: [.resolve],
    "the number of a conflict", in: .calls
  ).required
  package static let side = VerbOption(
    "side", .choice("SIDE", of: Migrator.Conflict.Side.self), of: [.resolve],
    "whose values the rows get", in: .calls
  ).required
  package static let table = VerbOption(
    "table", .text("TABLE", is: "a name"), of: [.pin, .unpin, .origin], "the name of a table",
    in: .calls
  ).required
  package static let key = VerbOption(
    "key", .key, of: [.pin, .unpin, .origin], "the key of a row", in: .calls
  ).required

  package static let absentTable = VerbOption(
    "table", .text("TABLE", is: "a name"), of: [.absent, .reseed], "the name of a table",
    default: "all that the catalog fills", in: .calls
  ).argument
  package static let reseedKey = VerbOption(
    "key", .key, of: [.reseed], "the key of a row that comes back", in: .calls
  ).argument
  package static let missing = VerbOption(
    "missing", .flag, of: [.reseed], "bring back all absent rows, and change no other", in: .all)

  package static let owner = VerbOption(
    "owner", .key, of: [.fill], "the key of an owner", in: .calls
  ).required

  /// In the order of help and pages.
  package static let shared = [
    onEdited, onTaken, backups, keep, ledger, beside, lockTimeout, signedBy, downloaded, allowSQL,
    known,
    locked, connectionSQL, attached,
    to, downTo, discardUserRows, noBackup, planNoBackup, allowOutOfOrder, mustExist, allowNewer,
    first, counts, adopt, reporting, id, side, table, key, absentTable, reseedKey,
    missing, owner,
  ]
}

/// The values of options, whichever interface they came through.
package protocol OptionValues {
  func has(_ option: VerbOption) throws -> Bool
  func text(_ option: VerbOption) throws -> String?
  func number<Number: FixedWidthInteger>(_ option: VerbOption) throws -> Number?
  func seconds(_ option: VerbOption) throws -> Double?
  func choice<Choice: RawRepresentable<String>>(_ option: VerbOption) throws -> Choice?
}

extension Migrator.Options {
  package init(_ values: some OptionValues) throws {
    self.init()
    onEdited = try values.choice(.onEdited)
    onTaken = try values.choice(.onTaken)
    backupFolder = try values.text(.backups)
    if let keep: Int = try values.number(.keep) { backupsToKeep = keep }
    if let name = try values.text(.ledger) { ledger = name }
    if let time = try values.seconds(.lockTimeout) { lockTimeout = .clamped(seconds: time) }
    takesBackup = try !values.has(.noBackup)
    allowsOutOfOrder = try values.has(.allowOutOfOrder)
    allowsNewer = try values.has(.allowNewer)
    adopt = try values.number(.adopt)
    if let detail: Reporting = try values.choice(.reporting) { reporting = detail }
  }
}
