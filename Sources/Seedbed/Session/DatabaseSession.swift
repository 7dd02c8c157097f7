/// An engine's side of the library: one connection to one database, used by one thread at a time.
///
/// SQL is written once for all engines; `dialect` has the parts that they spell differently. A `?`
/// is the placeholder of a value.
package protocol DatabaseSession: AnyObject {
  var dialect: any Dialect { get }
  /// The database's name for reports and errors.
  var shownPath: String { get }
  var cancellation: Migrator.Cancellation? { get }
  /// Whether the connection is the app's own, and must be given back as it was.
  var isLent: Bool { get }

  // MARK: running SQL

  func cursor(_ sql: String) throws -> any Cursor
  /// Runs one statement to its end.
  func execute(_ sql: String, _ values: [Value]) throws
  /// Runs several statements that take no values.
  func executeAll(_ sql: String) throws
  /// The first value of the first row; nil if there is no row.
  func value(_ sql: String, _ values: [Value]) throws -> Value?
  /// All rows, for small answers.
  func rows(_ sql: String, _ values: [Value]) throws -> [[Value]]
  /// The rows that the last statement itself wrote. Rows written by triggers and foreign keys are
  /// not counted.
  var changes: Int64 { get }

  /// Runs the statements of an SQL file, each under `rules`. `onRow` gets the columns of each row
  /// that a statement returns.
  func run(
    _ script: Script, _ rules: ScriptRules,
    onRow: ([(name: String, value: Value)], Script.Piece) throws -> Void
  ) throws

  /// The first value of an app's query, which may only read.
  func look(_ query: String) throws -> Value?
  /// Runs `body` without the rules of the SQL file that is running.
  func asSeedbed<Result>(_ body: () throws -> Result) rethrows -> Result

  // MARK: the rows of files

  /// The rows of a file as the table `dialect.fileRows`. One statement can read it, once, until the
  /// returned value is released. `types` are the types of its columns `c0`, `c1` …; `onChunk` gets
  /// the number of bytes of the file and of rows that were read, and may throw to stop.
  func read(
    _ reader: RowReader, types: [String],
    onChunk: @escaping (_ fileBytes: Int64, _ rows: Int) throws -> Void
  ) throws -> any FileRows
  /// Whether `load` is faster than a statement that reads the rows.
  var loadsDirectly: Bool { get }
  /// Writes the rows of a file into an empty table with the same columns. If a row is refused, the
  /// value passed to `onRows` says which one.
  func load(
    _ reader: RowReader, into table: String, columns: [String],
    onRows: (any FileRows) -> Void,
    onChunk: @escaping (_ fileBytes: Int64, _ rows: Int) throws -> Void
  ) throws
  /// Runs `body` with the functions that the dialect's comparisons need.
  func comparing<Result>(_ body: () throws -> Result) throws -> Result
  /// Runs `body` with CHECK constraints off, if the engine can.
  func withoutChecks<Result>(_ body: () throws -> Result) throws -> Result

  // MARK: the transaction

  var isInTransaction: Bool { get }
  /// For assertions. A server's connection may be neither inside nor outside: it was lost.
  var isOutsideTransaction: Bool { get }
  /// Takes the write lock, which one connection at a time can hold.
  func beginImmediate() throws
  /// Rolls back any open transaction. It throws nothing, since the cause was thrown before.
  func rollBack()
  /// Runs `body` in a transaction that only reads, so that all queries see the same state.
  func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result
  /// While `body` runs, cancelling also interrupts the statement in flight.
  func interruptible<Result>(_ body: () throws -> Result) throws -> Result
  /// Delays the checks of foreign keys to the end of the transaction, as far as the engine can.
  func deferForeignKeys() throws
  /// Makes the delayed checks now, since SQL cannot change a table that has any left.
  func checkDeferredKeys() throws
  /// Whether broken foreign keys would prevent the commit.
  func hasForeignKeyViolations() throws -> Bool
  /// Stops checking for cancellation: a cancelled run has to record that it was cancelled.
  func forgetCancellation()
  /// Makes each statement check for cancellation from here on.
  func observe(_ cancellation: Migrator.Cancellation?)
  /// A number that changes whenever another connection writes; nil if the engine has none.
  func stateNumber() throws -> Int64?
  /// Shortens the end of a cancelled run: what it writes now may be lost.
  func stopSyncing() throws
  /// Whether the engine enforces foreign keys. That cannot change inside a transaction.
  func enforcesForeignKeys() throws -> Bool
  func setForeignKeys(enforced: Bool) throws
  /// Sets a closure to call again and again while the connection waits for a lock.
  func whileWaiting(_ body: @escaping () -> Void)

  /// Whether others may write to tables that are not locked, in spite of our transaction.
  var locksTables: Bool { get }
  /// On a scratch database: lets a column refer to rows of the app's that are not there.
  func leaveToApp(_ column: String, of table: String) throws
  /// Makes all other writers to these tables wait until the transaction ends.
  func holdOffWriters(of tables: [String]) throws

  // MARK: what is written

  /// Forbids SQL files to write to these tables of ours.
  func protect(_ tables: Set<Name>)
  func forgetWritten()
  /// The tables that SQL files, triggers and foreign keys have written to since then; `seeded` are
  /// those that the merge itself wrote to.
  func writtenTables(besides seeded: Set<ExactText>) throws -> Set<ExactText>
  /// The returned closure counts the rows that other tables have lost since, by table, because
  /// triggers of these tables deleted them.
  func watchTriggers(of seeded: Set<ExactText>) throws -> () throws -> [ExactText: Int64]
  func storage() throws -> Storage
  /// The damage that the engine's own check finds, one sentence each.
  func damage() throws -> [String]

  // MARK: the schema

  /// The object with a name: its spelling in the schema and its kind; nil if there is none.
  func object(named name: String) throws -> (name: String, kind: TableKind)?
  /// Reads the schema of one table; `name` is spelled as `object(named:)` returns it.
  func schema(of name: String) throws -> TableSchema
  /// The expressions of a table's UNIQUE indexes and generated columns.
  func expressions(of table: TableSchema) throws -> TableExpressions
  /// Reads the schema of each table only once while `body` runs. `body` must not create, change or
  /// drop a table.
  func withFixedSchema<Result>(_ body: () throws -> Result) rethrows -> Result
  /// Whether a catalog may fill a table that `object(named:)` found.
  func mayFill(_ table: String) throws -> Bool
  /// The ordinary tables, without the engine's own.
  func tableNames() throws -> [String]
  /// The tables whose names begin with `prefix`.
  func tables(beginningWith prefix: String) throws -> Set<Name>
  /// The valid foreign keys of a table, and those that the engine cannot enforce.
  func parentKeys(
    of schema: TableSchema
  ) throws -> (sound: [ParentKey], broken: [BrokenForeignKey])
  /// The ordinary tables that declare a foreign key to `parent`.
  func childNames(of parent: String) throws -> [String]
  /// The broken foreign keys of other tables to these tables.
  func brokenChildren(of tables: [String]) throws -> [BrokenForeignKey]
  /// A number for each table, which it keeps when it is renamed, by the table's name.
  func tableNumbers() throws -> [Name: Int64]
  /// The ordinary tables and their columns, each with a number that it keeps when it is renamed.
  func layouts() throws -> [TableLayout]
  func triggers(of table: String) throws -> [TriggerSchema]
  /// The highest id that the engine knows of: of a row, or of one that it gave out before.
  func highestID(of table: TableSchema, _ id: ColumnSchema) throws -> Int64?
  /// Makes the engine choose only higher ids from now on.
  func raiseSequence(of table: String, to last: Int64) throws
  /// The same, after rows got other ids, if a rollback to a savepoint can undo it.
  func noteMovedIDs(of table: TableSchema) throws
  /// At the end of a run: makes the engine choose only ids above those of the rows that were
  /// written.
  func noteIDs(of tables: [TableSchema]) throws
  /// The highest number in a column that refers to other rows.
  func highestReference(_ column: ColumnSchema, of table: TableSchema) throws -> Int64?
  /// Drops indexes that are cheaper to rebuild than to keep up to date, unless another connection
  /// would have to wait for that. The returned closure rebuilds them.
  func setAside(_ indexes: [String]) throws -> () throws -> Void
  /// A row whose parent is missing, if one is easily found: its table, and the parent's.
  func danglingRow() throws -> (child: String, parent: String)?
  /// An expression for the value that a column's DEFAULT makes; nil if that is different each time.
  func constantDefault(of column: ColumnSchema) throws -> String?
}

/// A prepared statement.
package protocol Cursor: AnyObject {
  /// Binds new values; the first parameter is `values[0]`.
  func bind(_ values: [Value])
  /// Steps once: true if there is a row to read, false at the end.
  func step() throws -> Bool
  /// Binds values, runs to the end, and is ready to run again.
  func run(_ values: [Value]) throws
  func integer(_ column: Int) -> Int64
  subscript(column: Int) -> Value { get }
  /// The values of the current row from `first` on.
  func values(from first: Int) -> [Value]
}

/// The disk space that a database takes.
package struct Storage {
  package var bytes: Int64
  /// The bytes of temporary tables.
  var temporaryBytes: Int64
  /// Whether a change is written to a log first and to its place later.
  var hasLog: Bool

  package init(bytes: Int64 = 0, temporaryBytes: Int64 = 0, hasLog: Bool = false) {
    (self.bytes, self.temporaryBytes, self.hasLog) = (bytes, temporaryBytes, hasLog)
  }
}

/// The permissions of the statements of an SQL file.
package enum ScriptRules {
  /// They may change everything except Seedbed's own tables. While foreign keys are enforced, they
  /// may not drop a table that others refer to: SQLite would delete its rows first, and cascade.
  case change(enforcesForeignKeys: Bool)
  case readOnly
}

/// The rows of a file that is being read.
package protocol FileRows: AnyObject {
  /// The counts and digest of the file, after it was read to its end.
  var totals: RowReader.Totals { get }
  var rowCount: Int { get }
  /// The line of the record that the engine was working on; nil if the engine does not say.
  var currentLine: Int? { get }
  /// The error in the file.
  var failure: (any Error)? { get }
}

/// An engine's error. It becomes a `SeedbedError` where the migration and the place are known.
package protocol EngineFailure: Error {
  var message: String { get }
  var isBusy: Bool { get }
  var isInterrupt: Bool { get }
  var isConstraint: Bool { get }
  var isUniqueness: Bool { get }
  /// The engine ended the transaction in favour of another one. If it is begun again, it may
  /// succeed.
  var isRetryable: Bool { get }
  /// A value has a type that the column refuses.
  var isMismatch: Bool { get }
  var isForeignKey: Bool { get }
  /// Whether the table refused a NULL in that column.
  func refusesNull(in column: String, of table: String) -> Bool
  /// Whether the next writer has to repair the database before it can be read.
  var needsRecovery: Bool { get }
  /// The same failure of a COMMIT that is known to have had no effect.
  var rolledBack: any EngineFailure { get }
  /// The error in a sentence, with the engine's name and code.
  var sentence: String { get }
  var seedbedError: SeedbedError { get }
}

extension EngineFailure {
  package var rolledBack: any EngineFailure { self }
}

extension DatabaseSession {
  package var isOutsideTransaction: Bool { !isInTransaction }
  package func mayFill(_ table: String) throws -> Bool { true }
  package func execute(_ sql: String) throws { try execute(sql, []) }
  package func value(_ sql: String) throws -> Value? { try value(sql, []) }
  package func rows(_ sql: String) throws -> [[Value]] { try rows(sql, []) }

  /// The texts in the first column of the result.
  package func texts(_ sql: String, _ values: [Value] = []) throws -> [String] {
    try rows(sql, values).compactMap { $0[0].text }
  }

  func read(_ reader: RowReader, types: [String]) throws -> any FileRows {
    try read(reader, types: types) { _, _ in }
  }

  /// The names of tables created since `before`. A table that was rebuilt keeps its name; one that
  /// was renamed keeps its number.
  func createdTables(since before: [Name: Int64]) throws -> Set<Name> {
    let known = Set(before.values)
    return Set(
      try tableNumbers().filter { before[$0.key] == nil && !known.contains($0.value) }.keys)
  }
}

extension SeedbedError {
  package static func dotInSchema(_ name: String, remedy: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The name of the schema '\(name.shortened(to: 80))' has a dot in it, so tables in it cannot "
        + "be named. \(remedy).")
  }
}
