internal import CSeedbedSQLite
internal import Seedbed
internal import SeedbedOptions
internal import SeedbedOverTheAir

/// One call of a verb, whichever interface it came through.
struct Call {
  let verb: Verb
  let catalog: String
  let database: Database
  let options: CallOptions
  private let run: Migrator.Options
  var hooks = Migrator.Hooks()
  /// Whether a statement of the connection makes the call.
  var isCalledByStatement = false
  var progress: ((Migrator.Progress) -> Void)?
  let cancellation = Migrator.Cancellation()

  init(verb: Verb, catalog: String, database: Database, options: CallOptions) throws {
    (self.verb, self.catalog, self.database, self.options) = (verb, catalog, database, options)
    run = try Migrator.Options(options)
    if let sql = try options.text(.connectionSQL) {
      hooks.onConnection = {
        try ConnectionFailure.check(sqlite3_exec($0, sql, nil, nil, nil), of: "connection-sql")
      }
    }
  }

  /// What the call works on.
  enum Database {
    case file(String)
    case connection(OpaquePointer)
  }

  /// The verbs that every interface has.
  enum Verb: String, CaseIterable {
    case up, plan, status, outlook, down, conflicts, resolve, pin, unpin, origin, absent, reseed
    case fill

    var writes: Bool {
      switch self {
      case .up, .plan, .down, .resolve, .pin, .unpin, .reseed, .fill: true
      case .status, .outlook, .conflicts, .origin, .absent: false
      }
    }
  }

  /// The document that `migrate VERB --json` prints, and the exit code.
  func answer() throws(SeedbedError) -> (document: JSON, code: Int32) {
    do {
      try checkPaths()
      try checkTransaction()
      return try document()
    } catch {
      throw SeedbedError.from(error).completed(after: verb)
    }
  }

  /// A longer one is no path, and no person reads the message that repeats it.
  private func checkPaths() throws {
    var paths = [("catalog", catalog)]
    if case .file(let path) = database { paths.append(("database", path)) }
    for (what, path) in paths where path.utf8.count >= CallOptions.pathLimit {
      throw SeedbedError(
        .usage,
        "The path of the \(what) has \(path.utf8.count) bytes, and a system takes at most "
          + "\(CallOptions.pathLimit - 1).")
    }
  }

  private func checkTransaction() throws {
    guard case .connection(let handle) = database, verb.writes, verb != .fill,
      sqlite3_get_autocommit(handle) == 0
    else { return }
    throw SeedbedError(
      .usage, "The connection is inside a transaction, and a call begins its own. End it first.")
  }

  private func document() throws -> (JSON, code: Int32) {
    switch verb {
    case .up: (.report(try migrating(up)), 0)
    case .plan: (.report(try migrating(plan)), 0)
    case .status: (try migrating(status), 0)
    case .outlook: (.outlook(try migrating { try $0.outlook() }), 0)
    case .conflicts: (.conflicts(try migrating { try $0.conflicts() }), 0)
    case .down: (.report(try migrating(down)), 0)
    case .resolve: try resolve()
    case .pin: (.pinned(try pinned { try $0.pin($1, in: $2) }), 0)
    case .unpin: (.pinned(try pinned { try $0.unpin($1, in: $2) }), 0)
    case .fill: (.report(try fill()), 0)
    case .origin:
      (.origin(try migrating { try $0.origin(of: key(), in: table()) }), 0)
    case .absent:
      (
        .absent(
          try migrating {
            try $0.absent(from: options.text(.absentTable), cancellation: cancellation)
          }), 0
      )
    case .reseed: (.reseed(try migrating(reseed)), 0)
    }
  }

  private func up(_ migrator: Migrator) throws -> Migrator.Report {
    try migrator.up(
      to: options.number(.to), createsDatabase: !options.has(.mustExist),
      cancellation: cancellation, progress: progress)
  }

  private func plan(_ migrator: Migrator) throws -> Migrator.Report {
    try migrator.plan(
      to: options.number(.to), createsDatabase: !options.has(.mustExist),
      cancellation: cancellation, progress: progress)
  }

  private func status(_ migrator: Migrator) throws -> JSON {
    try options.has(.counts) ? .deviceCounts(migrator.counts()) : .status(migrator.status())
  }

  private func down(_ migrator: Migrator) throws -> Migrator.Report {
    try migrator.down(
      to: options.required(.downTo, options.number),
      discardsUserRows: options.has(.discardUserRows), cancellation: cancellation,
      progress: progress)
  }

  private func fill() throws -> Migrator.Report {
    let owner = try options.required(.owner, options.key)
    guard owner.values.count == 1, owner.columns.isEmpty else {
      throw SeedbedError(.usage, "An owner's key is one value. Give it alone, such as 7.")
    }
    switch database {
    case .file(let path): return try migrator(path).fill(owner: owner.values[0])
    case .connection(let handle): return try lent().fill(owner: owner.values[0], on: handle)
    }
  }

  /// What is pinned after a change.
  private func pinned(
    _ change: (Migrator, Migrator.Row, String) throws -> Void
  ) throws -> [Migrator.UserOwnedKey] {
    try migrating { migrator in
      try change(migrator, key(), table())
      return try migrator.userOwnedKeys().filter(\.isPinned)
    }
  }

  /// A row, or all that are absent. That a call puts all rows of a table back needs more than a
  /// key that is left out.
  private func reseed(_ migrator: Migrator) throws -> [Migrator.ReseedReport] {
    guard try options.has(.missing) else {
      let key = try options.required(
        .reseedKey, options.key, "the key of a row, or 'missing' for all that are absent")
      return [try migrator.reseed([key], in: table(), cancellation: cancellation)]
    }
    if try options.key(.reseedKey) != nil {
      throw SeedbedError(
        .usage, "'missing' brings back all rows that are absent. Give either it or 'key'.")
    }
    return try migrator.reseed(missingFrom: options.text(.absentTable), cancellation: cancellation)
  }

  private func table() throws -> String { try options.required(.table, options.text) }

  private func key() throws -> Migrator.Row { try options.required(.key, options.key) }

  private func resolve() throws -> (JSON, code: Int32) {
    let settled = try migrating { migrator in
      let logged = try migrator.conflicts()
      let numbers: [Int64] = try options.required(.id, options.numbers, "the numbers of conflicts")
      let chosen = try numbers.map { number in
        guard let conflict = logged.first(where: { $0.id == number }) else {
          throw SeedbedError(
            .usage,
            "There is no conflict \(number). 'seedbed_conflict_columns' lists them. Nothing was "
              + "changed.")
        }
        return conflict
      }
      return try migrator.resolve(
        chosen, with: options.required(.side, options.choice, "'mine' or 'seed'"),
        cancellation: cancellation)
    }
    return (.settled(settled), settled.refused.isEmpty ? 0 : 3)
  }

  private func migrating<Result>(_ body: (Migrator) throws -> Result) throws -> Result {
    switch database {
    case .file(let path): return try body(migrator(path))
    case .connection(let handle): return try lent().with(handle, body)
    }
  }

  private func lent() throws -> HandleMigrator {
    var migrator = try HandleMigrator(catalog: read(), options: run, hooks: hooks)
    migrator.isCalledByStatement = isCalledByStatement
    return migrator
  }

  private func migrator(_ path: String) throws -> Migrator {
    try Migrator(
      catalog: read(), at: path, options: run, hooks: hooks, beginningWith: options.text(.first))
  }

  private func read() throws -> Catalog {
    let others = try options.texts(.beside) ?? []
    return try readAlone().beside(others.map(opened))
  }

  private func opened(_ folder: String) throws -> Catalog {
    try options.has(.locked) ? Catalog(locked: folder) : Catalog(directory: folder)
  }

  private func readAlone() throws -> Catalog {
    if let keys = try options.texts(.signedBy), let paths = try options.texts(.downloaded) {
      return try Catalog.newest(
        bundled: catalog, downloaded: paths, signedBy: keys, allowsSQL: options.has(.allowSQL),
        known: options.known())
    }
    return try opened(catalog)
  }
}

/// A failure of the caller's own setup of a connection. It does not have SQLite's message, which
/// may quote a part of the key.
struct ConnectionFailure: Error, CustomStringConvertible {
  let description: String

  static func check(_ code: Int32, of setup: String) throws {
    if code == SQLITE_OK { return }
    throw ConnectionFailure(
      description: "\(setup) ended with \(code) (\(String(cString: sqlite3_errstr(code))))")
  }
}

extension SeedbedError {
  /// The message with the call or the option of its remedy after the last sentence.
  fileprivate func completed(after verb: Call.Verb) -> SeedbedError {
    // What the library's sentences call by its name in Swift.
    var message = message.replacing("onConnection", with: "on_connection")
    message = message.replacing("up(on:)", with: "seedbed.h")
    let words = remedies.compactMap { $0.typed(after: verb) }
    if !words.isEmpty {
      message = message.hasSuffix(".") ? String(message.dropLast()) : message
      message += ": " + words.joined(separator: " or ") + "."
    }
    return with { ($0.message, $0.remedies) = (message, []) }
  }
}

extension SeedbedError.Remedy {
  /// What to write in a call; nil for what only an author or the command does.
  fileprivate func typed(after verb: Call.Verb) -> String? {
    switch self {
    case .apply: "seedbed_up"
    case .lookAtStatus: "seedbed_status"
    case .down(let version):
      #"seedbed_down with {"to": \#(version)}, in SQL seedbed_down(catalog, \#(version))"#
    case .unpin(let table, let key): "seedbed_unpin of \(key) in \(table)"
    case .moveBackups: #"{"backups": FOLDER}"#
    case .leaveBackupOut: [.up, .plan, .down].contains(verb) ? #"{"no-backup": true}"# : nil
    case .waitLonger: #"{"lock-timeout": SECONDS}"#
    case .allowOutOfOrder: #"{"allow-out-of-order": true}"#
    case .nameBase: #"{"beside": FOLDER}"#
    case .discardUserRows: #"{"discard-user-rows": true}"#
    case .writeLock: "migrate lock"
    case .restoreBackup: "migrate restore"
    case .restoreEarlierBackup: "migrate restore FILE"
    case .listBackups: "migrate backups lists them"
    case .reseed(let table, let key?): "seedbed_reseed of \(key) in \(table)"
    case .reseed(let table, nil): "migrate reseed \(table)"
    case .markBaseline(let version): "migrate baseline \(version.map(String.init) ?? "N")"
    case .checkBaseline: "migrate baseline N --check"
    case .nameDatabase, .nameServer, .makeSnapshot, .buildFirstDatabase, .startMigration,
      .makeMigration,
      .amendMigration:
      nil
    }
  }
}
