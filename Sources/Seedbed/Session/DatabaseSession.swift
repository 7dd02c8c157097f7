/// What an engine gives: one connection to one database, used by one thread at a time.
///
/// SQL is written once for all engines; what they spell differently, `dialect` says. A `?` stands
/// for a value.
package protocol DatabaseSession: AnyObject {
  var dialect: any Dialect { get }
  /// The database's name for reports and errors.
  var shownPath: String { get }
  var cancellation: Migrator.Cancellation? { get }
  /// Whether the connection is the app's own, and stays as it was.
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
  /// Rows that the last statement wrote itself: triggers and foreign keys are not counted.
  var changes: Int64 { get }

  /// Runs the statements of an SQL file, each under `rules`; `onRow` gets the columns of the rows
  /// with which they answer.
  func run(
    _ script: Script, _ rules: ScriptRules,
    onRow: ([(name: String, value: Value)], Script.Piece) throws -> Void
  ) throws

  /// The first value of a query of the app's, which may only read.
  func look(_ query: String) throws -> Value?
  /// Runs `body` free of the rules of a SQL file that is running.
  func asSeedbed<Result>(_ body: () throws -> Result) rethrows -> Result

  // MARK: the rows of files

  /// The rows of a file as the table `dialect.fileRows`, which one statement can read once, until
  /// the value returned is released. `types` are those of its columns `c0`, `c1` …; `onChunk` gets
  /// how many bytes of the file and rows went by, and may throw to stop.
  func read(
    _ reader: RowReader, types: [String],
    onChunk: @escaping (_ fileBytes: Int64, _ rows: Int) throws -> Void
  ) throws -> any FileRows
  /// Whether `load` is faster than a statement that reads the rows.
  var loadsDirectly: Bool { get }
  /// Writes the rows of a file into an empty table whose columns they are. Should a row be refused,
  /// what `onRows` got says which.
  func load(
    _ reader: RowReader, into table: String, columns: [String],
    onRows: (any FileRows) -> Void,
    onChunk: @escaping (_ fileBytes: Int64, _ rows: Int) throws -> Void
  ) throws
  /// Runs `body` with what the dialect's comparisons need.
  func comparing<Result>(_ body: () throws -> Result) throws -> Result
  /// Runs `body` with CHECK constraints off, if the engine can.
  func withoutChecks<Result>(_ body: () throws -> Result) throws -> Result

  // MARK: the transaction

  var isInTransaction: Bool { get }
  /// Takes the write lock: of several connections, one at a time is past this.
  func beginImmediate() throws
  /// Rolls back whatever is open, and throws nothing: the cause was thrown before.
  func rollBack()
  /// All questions see the same state, and nothing is written.
  func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result
  /// While `body` runs, cancelling also interrupts the statement in flight.
  func interruptible<Result>(_ body: () throws -> Result) throws -> Result
  /// Foreign keys are checked when the transaction ends, as far as the engine can.
  func deferForeignKeys() throws
  /// Whether the engine would refuse to commit for the sake of foreign keys.
  func hasForeignKeyViolations() throws -> Bool
  /// From here on the connection works to its end, as it must to note that it was cancelled.
  func forgetCancellation()
  /// From here on each statement asks whether to stop.
  func observe(_ cancellation: Migrator.Cancellation?)
  /// A number that is another once somebody else has written; nil if the engine has none.
  func stateNumber() throws -> Int64?
  /// Makes the end of a cancelled run short: what it writes now may be lost.
  func stopSyncing() throws
  /// Whether the engine enforces foreign keys; inside a transaction that cannot change.
  func enforcesForeignKeys() throws -> Bool
  func setForeignKeys(enforced: Bool) throws
  /// Called again and again while the connection waits for a lock.
  func whileWaiting(_ body: @escaping () -> Void)

  /// Whoever wants to write to these tables waits until the transaction ends.
  func holdOffWriters(of tables: [String]) throws

  // MARK: what is written

  /// No SQL file may write to these tables of ours.
  func protect(_ tables: Set<String>)
  func forgetWritten()
  /// The tables that SQL files, triggers and foreign keys wrote to since then; `seeded` are those
  /// that the merge wrote to itself.
  func writtenTables(besides seeded: Set<String>) throws -> Set<String>
  func storage() throws -> Storage
  /// What the engine's own check finds broken, in a sentence each.
  func damage() throws -> [String]

  // MARK: the schema

  /// What a name means: its own spelling and kind; nil if nothing is called so.
  func object(named name: String) throws -> (name: String, kind: TableKind)?
  /// Reads one table's schema; `name` is spelled as `object(named:)` says.
  func schema(of name: String) throws -> TableSchema
  /// What a table computes of a row, by UNIQUE indexes and generated columns.
  func expressions(of table: TableSchema) throws -> TableExpressions
  /// Reads the schema of each table once while `body` runs, in which none may be made, changed or
  /// dropped.
  func withFixedSchema<Result>(_ body: () throws -> Result) rethrows -> Result
  /// The ordinary tables, the engine's own apart.
  func tableNames() throws -> [String]
  /// The tables whose names begin so, in lower case.
  func tables(beginningWith prefix: String) throws -> Set<String>
  /// The sound foreign keys of a table, and those that the engine cannot enforce.
  func parentKeys(
    of schema: TableSchema
  ) throws -> (sound: [ParentKey], broken: [BrokenForeignKey])
  /// The ordinary tables that declare a foreign key to `parent`.
  func childNames(of parent: String) throws -> [String]
  /// The broken foreign keys of other tables that refer to these.
  func brokenChildren(of tables: [String]) throws -> [BrokenForeignKey]
  /// A number for each table, which it keeps when it is renamed, by names in lower case.
  func tableNumbers() throws -> [String: Int64]
  /// The ordinary tables and their columns, each with the number that it keeps when it is renamed.
  func layouts() throws -> [TableLayout]
  func triggers(of table: String) throws -> [TriggerSchema]
  /// The last id that the engine knows of: the highest one there is, or was given.
  func highestID(of table: TableSchema, _ id: ColumnSchema) throws -> Int64?
  /// The engine chooses only higher ids from now on.
  func raiseSequence(of table: String, to last: Int64) throws
  /// The same, after rows were given other ids, if a savepoint can take it back.
  func noteMovedIDs(of table: TableSchema) throws
  /// At the end: the engine chooses only higher ids than those of rows that were written.
  func noteIDs(of tables: [TableSchema]) throws
  /// The highest number by which rows refer to others.
  func highestReference(_ column: ColumnSchema, of table: TableSchema) throws -> Int64?
  /// Drops indexes that are cheaper to build once than to keep up, if nobody has to wait for that;
  /// what is returned builds them again.
  func setAside(_ indexes: [String]) throws -> () throws -> Void
  /// A row that refers to nothing, if one is easily found: its table, and that of the parent.
  func danglingRow() -> (child: String, parent: String)?
  /// An expression for what the DEFAULT of a column makes; nil if it is other each time.
  func constantDefault(of column: ColumnSchema) throws -> String?
}

/// A prepared statement.
package protocol Cursor: AnyObject {
  /// Binds again; the first parameter is `values[0]`.
  func bind(_ values: [Value])
  /// Steps once: true if a row is there to be read, false at the end.
  func step() throws -> Bool
  /// Binds, runs to the end, and is ready to run again.
  func run(_ values: [Value]) throws
  func integer(_ column: Int) -> Int64
  func text(_ column: Int) -> String?
  subscript(column: Int) -> Value { get }
  /// The values of the current row from `first` on.
  func values(from first: Int) -> [Value]
}

/// What a database takes of the disk.
package struct Storage {
  package var bytes: Int64
  /// For temporary tables.
  package var temporaryBytes: Int64
  /// Whether a change is written to a log before it is written to its place.
  package var hasLog: Bool

  package init(bytes: Int64 = 0, temporaryBytes: Int64 = 0, hasLog: Bool = false) {
    (self.bytes, self.temporaryBytes, self.hasLog) = (bytes, temporaryBytes, hasLog)
  }
}

/// What the statements of an SQL file may do.
package enum ScriptRules {
  /// Change everything but what is Seedbed's. With enforced foreign keys, no table may be dropped
  /// to which others refer: that would delete from it first, and cascade.
  case change(enforcesForeignKeys: Bool)
  case readOnly
}

/// The rows of a file that are being read.
package protocol FileRows: AnyObject {
  /// What the file turned out to hold, once it was read to its end.
  var totals: RowReader.Totals { get }
  var rowCount: Int { get }
  /// The line of the record that the engine was working on; nil if it does not say.
  var currentLine: Int? { get }
  /// What was wrong with the file.
  var failure: (any Error)? { get }
}

/// What an engine answered instead of doing its work. It becomes a `SeedbedError` where the
/// migration and the place are known.
package protocol EngineFailure: Error {
  var message: String { get }
  var isBusy: Bool { get }
  var isInterrupt: Bool { get }
  var isConstraint: Bool { get }
  var isUniqueness: Bool { get }
  /// The engine ended the transaction for the sake of another: begun again, it may go through.
  var isRetryable: Bool { get }
  /// A value is of a type that the column refuses.
  var isMismatch: Bool { get }
  var isForeignKey: Bool { get }
  /// Whether it was NULL in that column which the table refused.
  func refusesNull(in column: String, of table: String) -> Bool
  /// Whether the next writer has to repair the database before anybody can look at it.
  var needsRecovery: Bool { get }
  /// The same failure of a COMMIT that is known to have had no effect.
  var rolledBack: any EngineFailure { get }
  /// With the engine's name and code.
  var sentence: String { get }
  var seedbedError: SeedbedError { get }
}

extension EngineFailure {
  package var rolledBack: any EngineFailure { self }
}

extension DatabaseSession {
  package func execute(_ sql: String) throws { try execute(sql, []) }
  package func value(_ sql: String) throws -> Value? { try value(sql, []) }
  package func rows(_ sql: String) throws -> [[Value]] { try rows(sql, []) }

  /// The texts in the first column of the answer.
  package func texts(_ sql: String, _ values: [Value] = []) throws -> [String] {
    try rows(sql, values).compactMap { $0[0].text }
  }

  func read(_ reader: RowReader, types: [String]) throws -> any FileRows {
    try read(reader, types: types) { _, _ in }
  }

  /// The names of tables that were made since `before`: one that was rebuilt has its name from
  /// then, one that was renamed its number.
  func createdTables(since before: [String: Int64]) throws -> Set<String> {
    let known = Set(before.values)
    return Set(
      try tableNumbers().filter { before[$0.key] == nil && !known.contains($0.value) }.keys)
  }
}
