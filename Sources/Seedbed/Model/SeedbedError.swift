/// The one error that Seedbed throws, as `throws(SeedbedError)` says: a `catch` needs no cast.
///
/// `code` says what kind it is; `message` is one or more sentences for a person, with the remedy
/// last. Programs read the fields, never the message.
public struct SeedbedError: Error, Sendable, Equatable {
  /// The kind of an error, on which a program bases its decisions.
  public enum Code: String, Sendable, CaseIterable {
    /// The call's arguments are invalid or name something that does not exist.
    case usage
    /// A name, an option or the lock in the catalog is wrong.
    case catalog
    /// A row file does not fit its table.
    case csv
    /// A compressed file is damaged or truncated.
    case gzip
    /// An SQL file of a migration failed, or does something forbidden.
    case sql
    /// A row breaks a constraint of its table.
    case constraint
    /// A row refers to one that does not exist.
    case foreignKey
    /// `verify.sql` found a counter-example.
    case verify
    /// A policy says `fail`, or users' rows would be lost.
    case conflict
    /// A migration changed after it was applied.
    case drift
    /// An applied migration is not in the catalog.
    case missing
    /// The database is above the catalog's last version.
    case newer
    /// A pending migration lies below the last one applied.
    case outOfOrder
    /// Another connection holds the write lock: try again.
    case busy
    /// The backup could not be made, or cannot be restored.
    case backup
    /// The disk is too full: the user has to free some space.
    case diskFull
    /// The database is damaged.
    case corrupt
    /// The device is locked, so the app cannot read the file: try again later.
    case protected
    /// The caller or the task asked to stop.
    case cancelled
    /// The system refused to open, read or write a file.
    case io
    /// The call needs the app's own handle, or a different one.
    case needsConnection
    /// COMMIT failed, and it is unknown whether it took effect.
    case outcomeUnknown
    /// The database belongs to Core Data.
    case foreignDatabase
    /// The database is too old for the catalog, or below the version that was expected.
    case tooOld
  }

  /// A place in a file of the catalog: `0003_iupac_2016/elements.csv.gz:7:3`.
  public struct Place: Sendable, Equatable {
    /// The file's path in the catalog.
    public package(set) var file: String
    /// The record's first line, or the line of an unterminated opening quote.
    public package(set) var line: Int?
    /// The byte in that line, counted from 1.
    public package(set) var column: Int?

    package init(_ file: String, line: Int? = nil, column: Int? = nil) {
      (self.file, self.line, self.column) = (file, line, column)
    }
  }

  package indirect enum Cause: Sendable, Equatable {
    case missingBase, noKey, duplicate
    case noTable(String), noColumn(String, table: String), rowRefused(table: String)
    case limit(Limit)
    /// The release cannot be compared with the source CSV, as the names in it may mean other rows
    /// by then.
    case otherNames
    /// A later version wrote the lock, the signature or options that are as the lock has them, and
    /// this version cannot read them.
    case laterSeedbed
    /// A download has no files of the releases up to this one.
    case leftOut(Migrator.Version)
  }

  /// A limit of a single migration, by which `make` divides a release.
  package struct Limit: Sendable, Equatable {
    package var file: String
    /// The rows of the file that meet the limit, by their numbers from 1; nil for all.
    package var rows: Set<Int>?
    /// The table and columns whose new names appear in other references.
    package var names: (table: String, columns: [String])?
    /// Whether `make` can divide the release.
    package var isCut = true

    package static func == (one: Limit, other: Limit) -> Bool {
      one.file == other.file && one.rows == other.rows && one.names?.table == other.names?.table
        && one.names?.columns == other.names?.columns
    }
  }

  /// The kind of error.
  public let code: Code
  /// What was found, what was expected and what to do, without the place.
  public var message: String { facts.message }
  /// The remedies in the last sentence of `message`, for an app that says them in another language.
  public var remedies: [Remedy] { facts.remedies }
  /// The place in the catalog, if the error is about a file.
  public var place: Place? { facts.place }
  /// The migration in progress.
  public var version: Migrator.Version? { facts.version }
  /// The versions that this run had committed before.
  public var applied: [Migrator.Version] { facts.applied }
  /// A finer distinction than `code`, for `migrate lint` and for callers that know more about the
  /// database.
  package var cause: Cause? { facts.cause }
  /// True if the database is as it was before the call, apart from the ledger's own tables.
  public var isDatabaseUnchanged: Bool { facts.isDatabaseUnchanged }

  /// Everything but the code. It is in a box because each place that throws an error copies it.
  package struct Facts: Sendable, Equatable {
    package var message: String
    package var place: Place?
    package var version: Migrator.Version?
    package var remedies: [Remedy] = []
    package var applied: [Migrator.Version] = []
    var cause: Cause?
    package var isDatabaseUnchanged = true
  }

  private indirect enum Box: Sendable, Equatable { case facts(Facts) }

  private var box: Box
  private var facts: Facts {
    switch box {
    case .facts(let facts): facts
    }
  }

  package init(
    _ code: Code, _ message: String, at place: Place? = nil, version: Migrator.Version? = nil
  ) {
    self.code = code
    box = .facts(Facts(message: message, place: place, version: version))
  }

  /// The document that the command prints with `--json`: text, as with `Migrator.Report.json`.
  public var json: String { JSON.error(self).text }

  package var limit: Limit? {
    if case .limit(let limit) = cause { limit } else { nil }
  }

  /// The same error with the changes that `change` makes.
  package func with(_ change: (inout Facts) -> Void) -> SeedbedError {
    var (facts, error) = (facts, self)
    change(&facts)
    error.box = .facts(facts)
    return error
  }

  package func because(of cause: Cause) -> SeedbedError { with { $0.cause = cause } }

  /// The same error in a migration, unless it already names one.
  package func `in`(_ version: Version) -> SeedbedError {
    with { $0.version = $0.version ?? version }
  }

  /// The same error with the remedies of its last sentence.
  @inline(never)
  package func remedied(by remedies: Remedy...) -> SeedbedError { with { $0.remedies = remedies } }

  /// The same error with the remedies of another, whose message it ends with.
  @inline(never) package func remedied(as cause: SeedbedError) -> SeedbedError {
    with { $0.remedies = cause.remedies }
  }

  /// The same error at a place, unless it already has one.
  package func located(at place: @autoclosure () -> Place) -> SeedbedError {
    with { $0.place = $0.place ?? place() }
  }
}

extension SeedbedError: CustomStringConvertible {
  /// The place, if there is one, and the message: one line for a terminal or a log.
  public var description: String {
    (place.map { "\($0): " } ?? "") + message
  }
}

extension SeedbedError.Place: CustomStringConvertible {
  /// `file:line:column`, as far as they are known.
  public var description: String {
    [file, line.map(String.init), column.map(String.init)].compactMap { $0 }
      .joined(separator: ":")
  }
}

extension SeedbedError.Code {
  /// The result of a program or a C function that ends with this error.
  package var exitCode: Int32 {
    switch self {
    case .usage: 64
    case .catalog, .csv, .gzip, .sql, .constraint, .foreignKey, .verify, .conflict, .corrupt,
      .io, .needsConnection, .outcomeUnknown, .foreignDatabase:
      2
    case .drift, .missing, .outOfOrder, .tooOld: 3
    case .busy, .protected: 4
    case .newer: 5
    case .backup, .diskFull: 6
    case .cancelled: 130
    }
  }
}
