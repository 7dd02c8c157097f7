/// The one error that Seedbed throws.
///
/// `code` says what kind it is, `message` is one or more sentences for a person, the remedy last.
/// What a program needs is in the fields, never to be read from the message.
public struct SeedbedError: Error, Sendable, Equatable {
  public enum Code: String, Sendable, CaseIterable {
    case usage, catalog, csv, gzip, sql, constraint, foreignKey, verify, conflict
    case drift, missing, newer, outOfOrder, busy, backup, diskFull, corrupt, protected
    case cancelled, io, needsConnection, outcomeUnknown, foreignDatabase, tooOld
  }

  /// A place in a file of the catalog: `0003_iupac_2016/elements.csv.gz:7:3`.
  public struct Place: Sendable, Equatable {
    public var file: String
    /// The record's first line; for an unterminated quote, the line of the opening quote.
    public var line: Int?
    /// In bytes from the start of that line, the first is 1.
    public var column: Int?

    public init(_ file: String, line: Int? = nil, column: Int? = nil) {
      self.file = file
      self.line = line
      self.column = column
    }
  }

  package enum Cause: Sendable { case missingBase, noKey, duplicate }

  public let code: Code
  /// What was found, what was expected and what to do, without the place.
  public let message: String
  public var place: Place?
  /// The migration in flight.
  public var version: Version?
  /// The versions that this run had committed before.
  public var applied: [Version]
  /// What `code` does not tell apart and who writes a catalog must: for `migrate lint`.
  package var cause: Cause?
  /// True where the database is as it was before the call, the ledger's own tables apart.
  public var isDatabaseUnchanged: Bool

  public init(
    _ code: Code, _ message: String, at place: Place? = nil, version: Version? = nil,
    applied: [Version] = [], isDatabaseUnchanged: Bool = true
  ) {
    self.code = code
    self.message = message
    self.place = place
    self.version = version
    self.applied = applied
    self.isDatabaseUnchanged = isDatabaseUnchanged
  }

  /// The same error with its cause.
  func because(of cause: Cause) -> SeedbedError {
    var error = self
    error.cause = cause
    return error
  }

  /// The same error at a place, where it has none yet.
  func located(at place: @autoclosure () -> Place) -> SeedbedError {
    guard self.place == nil else { return self }
    var error = self
    error.place = place()
    return error
  }
}

extension SeedbedError: CustomStringConvertible {
  /// The place, if there is one, and the message: one line for a terminal or a log.
  public var description: String {
    guard let place else { return message }
    return "\(place): \(message)"
  }
}

extension SeedbedError.Place: CustomStringConvertible {
  public var description: String {
    [file, line.map(String.init), column.map(String.init)].compactMap { $0 }
      .joined(separator: ":")
  }
}
