import CSeedbedSQLite

/// One SQLite connection, used by one thread at a time. `deinit` closes it, but not a lent handle.
package final class Connection {
  package enum Mode: Equatable {
    case readOnly, readWrite, create
    /// Reads a file that no process writes, and creates nothing next to it.
    case immutable
    /// A new database in memory.
    case memory
    /// A new database in a temporary file that SQLite removes. The path is for errors only.
    case temporary
    /// A file of ours that no other process knows yet. SQLite must not follow a link at its name.
    case unpublished
  }

  let handle: OpaquePointer
  let path: String
  /// The setup of each further connection that is opened because of this one.
  package let setup: ConnectionSetup?
  package private(set) var cancellation: Migrator.Cancellation?
  /// Whether the handle is the app's own, and must be given back as it was.
  package let isLent: Bool
  /// On a scratch database, tables whose rows the app makes. References to them are not enforced.
  package var leftToApp: Set<Name> = []
  private let busy: BusyHandler
  /// Decides what statements may do, and records what they wrote.
  let authorizer: Authorizer
  /// The part of the schema that was read, while nothing changes it.
  var knownSchema: KnownSchema?
  /// The values that DEFAULT clauses make, by the SQL of the clause.
  var knownDefaults: [ExactText: String?] = [:]

  package init(
    _ path: String, _ mode: Mode, setup: ConnectionSetup?, lockTimeoutSeconds: Double = 5,
    cancellation: Migrator.Cancellation? = nil, vfs: String? = nil,
    authorizer: Authorizer = Authorizer()
  ) throws {
    (self.path, self.authorizer, self.cancellation) = (path, authorizer, cancellation)
    self.setup = setup
    isLent = false
    try LibraryVersion.refuseOld()
    // SQLite would wait forever for a writer of a pipe.
    if mode != .memory, mode != .temporary, let what = Paths.whatIsNoFile(path) {
      throw SeedbedError.noFile(path, what)
    }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(Self.name(path, mode), &opened, Self.flags(mode), vfs ?? setup?.vfs)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      let number = opened.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(opened)
      throw SQLiteFailure(
        code: code, message: "\(message): '\(path)'", sql: nil, systemNumber: number,
        path: mode == .temporary || mode == .memory ? nil : path)
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    busy = BusyHandler(timeoutSeconds: lockTimeoutSeconds, cancellation: cancellation)
    busy.install(on: handle)
    try setUp()
  }

  /// Wraps a handle of the app's. Nothing is installed on it and no setting is changed.
  ///
  /// - Parameter setup: for connections that are opened in addition.
  init(
    lent handle: OpaquePointer, setup: ConnectionSetup?, lockTimeoutSeconds: Double
  ) throws {
    path = sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? ""
    (self.handle, isLent) = (handle, true)
    self.setup = setup
    authorizer = Authorizer()
    busy = BusyHandler(timeoutSeconds: lockTimeoutSeconds, cancellation: nil)
    try LibraryVersion.refuseOld()
  }

  /// The path for reports. A database in memory has none.
  package var shownPath: String { path.isEmpty ? ":memory:" : path }

  deinit { if !isLent { sqlite3_close_v2(handle) } }

  private static func name(_ path: String, _ mode: Mode) -> String {
    switch mode {
    case .memory: ":memory:"
    // > If the filename is an empty string, then a private, temporary on-disk database will be
    // > created. (sqlite3_open)
    case .temporary: ""
    case .immutable: "file:\(uriPath(path))?immutable=1"
    default: path
    }
  }

  private static func flags(_ mode: Mode) -> Int32 {
    // > SQLITE_OPEN_NOMUTEX: the application is responsible for serializing access.
    // Its locks work as in another process, even if the app lets its connections share a cache.
    let own = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    switch mode {
    case .readOnly: return own | SQLITE_OPEN_READONLY
    case .readWrite: return own | SQLITE_OPEN_READWRITE
    case .create, .memory, .temporary: return own | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .immutable: return own | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOFOLLOW
    case .unpublished: return own | SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW
    }
  }

  private static func uriPath(_ path: String) -> String {
    let signs: [Unicode.Scalar: String] = ["?": "%3F", "#": "%23", "%": "%25"]
    return path.unicodeScalars.map { signs[$0] ?? String($0) }.joined()
  }

  // MARK: running SQL

  @inline(never) package func prepare(_ sql: String) throws -> Statement {
    try cancellation?.check()
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else {
      throw failure(sql)
    }
    return Statement(prepared, of: self)
  }

  /// Runs one statement to its end.
  @inline(never) package func execute(_ sql: String, _ values: [Value] = []) throws {
    try prepare(sql).run(values)
  }

  /// Takes the write lock. A deferred transaction that starts to write later gets SQLITE_BUSY at
  /// once, however long it could wait.
  package func beginImmediate() throws {
    for count in 0... {
      do {
        return try execute("BEGIN IMMEDIATE")
      } catch let failure as SQLiteFailure
        where isLent && failure.isBusy && busy.waits(after: count)
      {
        // The handle's own wait comes before this one.
      }
    }
  }

  /// Runs several statements that take no values: the ledger's DDL.
  package func executeAll(_ sql: String) throws {
    try cancellation?.check()
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  /// The first value of the first row; nil if there is no row.
  @inline(never) package func value(_ sql: String, _ values: [Value] = []) throws -> Value? {
    let statement = try prepare(sql)
    statement.bind(values)
    return try statement.step() ? statement[0] : nil
  }

  /// All rows, for small answers.
  @inline(never) package func rows(_ sql: String, _ values: [Value] = []) throws -> [[Value]] {
    let statement = try prepare(sql)
    statement.bind(values)
    var rows: [[Value]] = []
    while try statement.step() { rows.append(statement.values()) }
    return rows
  }

  /// Sets a closure to call again and again while the connection waits for a lock.
  package func whileWaiting(_ body: @escaping () -> Void) { busy.onWait = body }

  /// Stops checking for cancellation: a cancelled run has to record that it was cancelled.
  package func forgetCancellation() {
    cancellation = nil
    busy.forgetCancellation()
  }

  /// Begins another call on a lent handle.
  func begin(with cancellation: Migrator.Cancellation?) {
    self.cancellation = cancellation
    busy.begin(with: cancellation)
  }

  /// Makes each statement check for cancellation from here on. Waiting for a lock goes on to its
  /// deadline.
  package func observe(_ cancellation: Migrator.Cancellation?) { self.cancellation = cancellation }

  // MARK: state

  /// The rows that the last statement itself wrote. Rows written by triggers and foreign keys are
  /// not counted.
  package var changes: Int64 { sqlite3_changes64(handle) }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Whether broken foreign keys would prevent the commit.
  package func hasForeignKeyViolations() throws -> Bool {
    var current: Int32 = 0
    var highest: Int32 = 0
    // > SQLITE_DBSTATUS_DEFERRED_FKS: zero if and only if all foreign key constraints have been
    // > resolved.
    let code = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    guard code == SQLITE_OK else { throw failure(nil) }
    return current != 0
  }

  /// The failure of the connection's last call.
  @inline(never) func failure(_ sql: String?) -> SQLiteFailure {
    // After a cancellation while it waited for a lock, the busy handler gave up, and SQLite reports
    // "busy". If the interrupt hits a statement that SQLite itself prepares inside another, such as
    // the declaration of a virtual table or the query of a pragma table, that other statement ends
    // with SQLITE_ERROR.
    let stops = [SQLITE_INTERRUPT, SQLITE_BUSY, SQLITE_ERROR]
    let isStopped = stops.contains(sqlite3_errcode(handle) & 0xFF)
    if cancellation?.isCancelled == true, isStopped {
      return SQLiteFailure(code: SQLITE_INTERRUPT, message: "interrupted", sql: sql)
    }
    let offset = Int(sqlite3_error_offset(handle))
    let code = sqlite3_extended_errcode(handle)
    return SQLiteFailure(
      code: code, message: String(cString: sqlite3_errmsg(handle)),
      sql: sql, systemNumber: sqlite3_system_errno(handle), offset: offset < 0 ? nil : offset,
      refusal: code == SQLITE_AUTH ? authorizer.refusal : nil, path: shownPath,
      isOfLentHandle: isLent)
  }

  /// Rolls back any open transaction. An error here hides nothing: the cause was thrown before, and
  /// closing the connection rolls back too.
  package func rollBack() {
    if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }

  /// While `body` runs, cancelling also interrupts the statement in flight.
  package func interruptible<Result>(_ body: () throws -> Result) throws -> Result {
    guard let cancellation else { return try body() }
    let target = Interruptible(handle: handle)
    return try cancellation.interrupting(with: { target.interrupt() }, body)
  }

  /// > It is safe to call this routine from a thread different from the thread that is
  /// > currently running the database operation. (sqlite3_interrupt)
  private struct Interruptible: @unchecked Sendable {
    // Sound: `interrupting` makes no call after `body` has ended, so the handle is open.
    let handle: OpaquePointer
    func interrupt() { sqlite3_interrupt(handle) }
  }
}

/// Waits while another connection holds a lock, up to a deadline on the monotonic clock.
private final class BusyHandler {
  private let wholeTimeoutSeconds: Double
  private var timeoutSeconds: Double
  private var cancellation: Migrator.Cancellation?
  private var deadline = 0.0
  var onWait: (() -> Void)?

  init(timeoutSeconds: Double, cancellation: Migrator.Cancellation?) {
    (wholeTimeoutSeconds, self.timeoutSeconds) = (timeoutSeconds, timeoutSeconds)
    self.cancellation = cancellation
  }

  func begin(with cancellation: Migrator.Cancellation?) {
    (self.cancellation, timeoutSeconds) = (cancellation, wholeTimeoutSeconds)
  }

  /// The connection owns the handler and outlives every call of it.
  func install(on handle: OpaquePointer) {
    sqlite3_busy_handler(
      handle,
      { context, count in
        let handler = Unmanaged<BusyHandler>.fromOpaque(context!).takeUnretainedValue()
        return handler.waits(after: Int(count)) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// A cancelled run still has to record that it was cancelled. It waits a moment for readers, but
  /// no longer.
  func forgetCancellation() {
    guard cancellation?.isCancelled == true else { return }
    cancellation = nil
    timeoutSeconds = min(timeoutSeconds, 0.05)
  }

  func waits(after count: Int) -> Bool {
    if cancellation?.isCancelled == true { return false }
    let now = Clock.monotonic()
    if count == 0 { deadline = now + timeoutSeconds }
    guard now < deadline else { return false }
    onWait?()
    Clock.sleep(milliseconds: [1, 2, 5, 10, 15, 20, 25][min(count, 6)])
    return true
  }
}
