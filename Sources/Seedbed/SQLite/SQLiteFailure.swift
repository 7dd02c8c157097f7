import CSeedbedSQLite

/// An SQLite error. It becomes a `SeedbedError` where the migration and the place are known.
package struct SQLiteFailure: Error, Sendable {
  /// The extended result code.
  var code: Int32
  package var message: String
  /// The statement, if it helps a reader.
  var sql: String?
  /// The operating system's error number behind it; 0 for none.
  var systemNumber: Int32 = 0
  /// The byte in the statement at which SQLite stopped; nil if it does not say.
  package var offset: Int?
  /// The reason that our own authorizer gave for refusing the statement.
  var refusal: String?
  /// The database's path, if a connection to it failed.
  var path: String?
  /// Whether the handle is the app's own.
  var isOfLentHandle = false

  var primaryCode: Int32 { code & 0xff }
  package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
  package var isInterrupt: Bool { primaryCode == SQLITE_INTERRUPT }
  /// The statement names an object that does not exist, or it cannot be parsed.
  var isOfStatement: Bool { primaryCode == SQLITE_ERROR }
  package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
  package var isUniqueness: Bool {
    [6, 8, 10].contains { code == SQLITE_CONSTRAINT | ($0 << 8) }
  }
  /// The file is damaged, or is not a database.
  var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
  /// In SQLite, a writer is alone.
  package var isRetryable: Bool { false }
  /// A value has a type that the column refuses.
  package var isMismatch: Bool { primaryCode == SQLITE_MISMATCH }
  package var isForeignKey: Bool { code == SQLITE_CONSTRAINT | (3 << 8) }
  /// Only the message names the column: `NOT NULL constraint failed: elements.name`.
  package func refusesNull(in column: String, of table: String) -> Bool {
    code == SQLITE_CONSTRAINT | (5 << 8) && message.hasSuffix(": \(table).\(column)")
  }
  /// A hot journal that a read-only connection may not roll back: SQLITE_READONLY_ROLLBACK,
  /// and SQLITE_READONLY_RECOVERY for a WAL.
  package var needsRecovery: Bool {
    code == SQLITE_READONLY | (3 << 8) || code == SQLITE_READONLY | (1 << 8)
  }

  /// `SQLite error 19: NOT NULL constraint failed: elements.name - while executing 'INSERT …'`
  package var sentence: String { "SQLite error \(primaryCode): \(message)\(during)" }

  private var during: String { sql.map { " - while executing '\($0.shortened(to: 200))'" } ?? "" }

  package var seedbedError: SeedbedError { seedbedError(locksFiles: Protection.locksFiles) }

  func seedbedError(locksFiles: Bool) -> SeedbedError {
    if let refusal { return SeedbedError(.sql, refusal + ".") }
    if isOfLockedFile(locksFiles) { return .protected("the database's file") }
    let file = path.map { "'\($0)'" }
    switch primaryCode {
    case SQLITE_BUSY, SQLITE_LOCKED: return .databaseBusy()
    case _ where isOfFullDisk:
      return SeedbedError(
        .diskFull, "The disk is full (\(sentence)). Free some space and try again.")
    case SQLITE_CORRUPT:
      return SeedbedError(
        .corrupt, "The database is damaged (\(sentence)). Restore a backup."
      ).remedied(by: .restoreBackup)
    // SQLite reports both with the same code.
    case SQLITE_NOTADB:
      return SeedbedError(
        .corrupt,
        "\(file ?? "The file") is encrypted, or not a SQLite database "
          + "(\(sentence)). If it is encrypted, open it with its key and lend that handle: up(on:)."
      )
    case SQLITE_INTERRUPT: return .cancelled()
    case SQLITE_CONSTRAINT:
      return SeedbedError(isForeignKey ? .foreignKey : .constraint, sentence + ".")
    case SQLITE_READONLY where needsRecovery:
      return SeedbedError(
        .io,
        "\(file ?? "The database") needs recovery: a process died inside a transaction. The next "
          + "run rolls it back."
      ).remedied(by: .apply)
    case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM:
      return SeedbedError(
        .io,
        path.flatMap(Paths.whyNotWritable)
          ?? sentence
          + ". Check that this user may read and write the database's file and its folder.")
    case SQLITE_IOERR where isOfMovedFile: return fileMoved
    case SQLITE_IOERR, SQLITE_NOMEM, SQLITE_NOLFS:
      return SeedbedError(.io, sentence + ".")
    default:
      return missingPart ?? SeedbedError(.sql, sentence + ".")
    }
  }

  /// SQLITE_IOERR_VNODE of Apple's SQLite: this handle answers nothing else any more.
  private var isOfMovedFile: Bool { code == SQLITE_IOERR | (27 << 8) }

  private var fileMoved: SeedbedError {
    let found = "The database's file was renamed, replaced or removed while it was open"
    return isOfLentHandle
      ? SeedbedError(.io, "\(found). Close the handle, and open the database again.")
      // Each call opens the file again.
      : SeedbedError(.busy, "\(found). Try again.").remedied(by: .lookAtStatus)
  }

  /// In WAL mode SQLite reports a disk that has no room for the index of the log as one that fails,
  /// and not always with the system's reason.
  private var isOfFullDisk: Bool {
    if primaryCode == SQLITE_FULL { return true }
    guard primaryCode == SQLITE_IOERR else { return false }
    if SystemCall.meansFullDisk(systemNumber) { return true }
    guard let path, !path.isEmpty else { return false }
    let folder = Paths.split(path).folder
    let free = try? Paths.freeBytes(folder.isEmpty ? "." : folder, host: .real)
    return (free ?? .max) < Self.sizeOfLogIndex
  }

  /// The least that SQLite writes beside a database in WAL mode.
  private static let sizeOfLogIndex: Int64 = 32 << 10

  /// EPERM while reading an open file has no other cause. Apple's SQLite also reports SQLITE_AUTH,
  /// which our own authorizer never returns for our statements.
  private func isOfLockedFile(_ locksFiles: Bool) -> Bool {
    let isRefused = systemNumber == 1
    return switch primaryCode {
    case SQLITE_IOERR: isRefused
    case SQLITE_CANTOPEN, SQLITE_PERM: locksFiles && isRefused
    case SQLITE_AUTH: locksFiles
    default: false
    }
  }

  /// The error for an app's own function, collation, module or tokenizer that our connection lacks.
  private var missingPart: SeedbedError? {
    let signs = [
      "no such function: ", "no such collation sequence: ", "no such module: ",
      "no such tokenizer: ", "unknown function: ",
    ]
    guard signs.contains(where: { message.hasPrefix($0) }) else { return nil }
    return SeedbedError(
      .needsConnection,
      "The database needs something that its app provides: \(message)\(during). Register "
        + "it in onConnection, or apply the migrations on the app's own handle, with up(on:).")
  }
}

extension SeedbedError {
  static func databaseBusy() -> SeedbedError {
    SeedbedError(
      .busy,
      "The database is locked by another process or connection. Nothing was changed: "
        + "try again, or wait longer."
    ).remedied(by: .waitLonger)
  }

  /// - Parameter what: what is there instead of a file.
  static func noFile(_ path: String, _ what: String) -> SeedbedError {
    SeedbedError(.io, "'\(path)' is \(what), not a file. Name the database's file.")
      .remedied(by: .nameDatabase)
  }

  /// Runs the body of a public function, and converts any error to the one that Seedbed throws.
  package static func catching<Result>(
    _ body: () throws -> Result
  ) throws(SeedbedError) -> Result {
    do {
      return try body()
    } catch {
      throw from(error)
    }
  }

  /// Converts any error to the one that Seedbed throws.
  package static func from(_ error: any Error) -> SeedbedError {
    switch error {
    case let error as SeedbedError: error
    case let failure as any EngineFailure: failure.seedbedError
    default: SeedbedError(.io, "\(error)")
    }
  }
}
