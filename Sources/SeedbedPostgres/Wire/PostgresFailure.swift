import CSeedbedPostgres
package import Seedbed

/// A PostgreSQL error. It becomes a `SeedbedError` where the migration and the place are known.
package struct PostgresFailure: EngineFailure, Sendable {
  /// Five letters or digits, of which two are the class (PostgreSQL Error Codes); empty if the
  /// server did not answer.
  package var sqlState: String
  package var message: String
  package var detail: String?
  package var hint: String?
  /// The server's context, such as `COPY words, line 3, column name: …`.
  package var context: String?
  /// The table's name without its schema.
  var table: String?
  var column: String?
  /// The position in the statement, in characters from 1.
  package var position: Int?
  package var sql: String?
  package var isConnectionLost = false
  /// Whether the transaction is known to be rolled back.
  private var isRolledBack = false
  /// Whether a cancellation had been requested.
  var isCancelled = false

  init(sqlState: String, message: String) {
    (self.sqlState, self.message) = (sqlState, message)
  }

  func with(_ change: (inout PostgresFailure) -> Void) -> PostgresFailure {
    var failure = self
    change(&failure)
    return failure
  }

  private var sqlClass: Substring { sqlState.prefix(2) }

  /// A lock could not be taken in time.
  package var isBusy: Bool { sqlState == "55P03" }
  /// The server ended the transaction in favour of another one. It may succeed when it is run again
  /// from BEGIN.
  package var isRetryable: Bool { ["40001", "40P01"].contains(sqlState) }
  package var isInterrupt: Bool { sqlState == "57014" && isCancelled }
  /// A rule of the table refused it: a constraint, a trigger's exception, or the check of a view or
  /// policy.
  package var isConstraint: Bool { sqlClass == "23" || ["P0001", "44000"].contains(sqlState) }
  /// A unique index or an exclusion constraint refused it.
  package var isUniqueness: Bool { ["23505", "23P01"].contains(sqlState) }
  package var isMismatch: Bool { sqlClass == "22" }
  /// A relation or column does not exist.
  var isOfStatement: Bool { sqlClass == "42" }
  package var needsRecovery: Bool { false }
  /// Since PostgreSQL 18, RESTRICT has a code of its own.
  package var isForeignKey: Bool { ["23503", "23001"].contains(sqlState) }
  package func refusesNull(in column: String, of table: String) -> Bool {
    sqlState == "23502" && self.column == column && self.table == PostgresName(table).table
  }
  /// COMMIT was sent without an answer: the transaction may or may not be committed.
  package var isOutcomeUnknown: Bool {
    isConnectionLost && !isRolledBack && sql.map(Self.isCommit) == true
  }
  package var rolledBack: any EngineFailure { with { $0.isRolledBack = true } }

  static func isCommit(_ sql: String) -> Bool {
    ["commit", "end"].contains(sql.prefix { $0.isLetter }.lowercased())
  }

  /// `PostgreSQL error 23502: null value in … (Failing row contains …) - while executing …`
  package var sentence: String {
    var text = sqlState.isEmpty ? "PostgreSQL: " : "PostgreSQL error \(sqlState): "
    text += message
    if let detail { text += " (\(detail))" }
    if let sql { text += " - while executing '\(sql.shortened(to: 200))'" }
    return text
  }

  static let nulInText = PostgresFailure(
    sqlState: "22021", message: "a text holds a NUL byte, which PostgreSQL cannot keep")
}

extension PostgresFailure: CustomStringConvertible {
  package var description: String { sentence }

  package var seedbedError: SeedbedError {
    if isOutcomeUnknown { return .outcomeUnknown(sentence) }
    if isConnectionLost {
      return SeedbedError(
        .io,
        "The connection to the server was lost, and the server rolls back what was not "
          + "committed (\(sentence)). Try again.")
    }
    return switch sqlState {
    case "55P03", "40001", "40P01": .serverBusy(sentence)
    case "57014" where isCancelled: .cancelled()
    case "42501": .noPrivilege(sentence)
    case "25006": .readOnlyServer()
    case "53100":
      SeedbedError(
        .diskFull, "The server's disk is full (\(sentence)). Free some space and try again.")
    case _ where isForeignKey: SeedbedError(.foreignKey, sentence + ".")
    case "XX001", "XX002":
      SeedbedError(
        .corrupt, "The database is damaged (\(sentence)). Restore the server's backup.")
    default: byClass
    }
  }

  private var byClass: SeedbedError {
    switch sqlClass {
    case "23": SeedbedError(.constraint, sentence + ".")
    // Errors of the connection, of resources, of an operator, or of the system.
    case "08", "53", "57", "58": SeedbedError(.io, sentence + ".")
    default: SeedbedError(.sql, sentence + ".")
    }
  }
}

extension SeedbedError {
  static func serverBusy(_ sentence: String) -> SeedbedError {
    SeedbedError(
      .busy,
      "Another connection to the database is in the way (\(sentence)). Nothing was changed: try "
        + "again, or wait longer."
    ).remedied(by: .waitLonger)
  }

  static func outcomeUnknown(_ sentence: String) -> SeedbedError {
    SeedbedError(
      .outcomeUnknown,
      "The connection was lost during COMMIT (\(sentence)), and it is unknown whether it took "
        + "effect. Check again later."
    ).with { $0.isDatabaseUnchanged = false }.remedied(by: .lookAtStatus)
  }

  static func noPrivilege(_ sentence: String) -> SeedbedError {
    SeedbedError(
      .io,
      "This user lacks a privilege (\(sentence)). Grant it, or connect as the owner of the "
        + "tables.")
  }

  static func readOnlyServer() -> SeedbedError {
    SeedbedError(
      .io,
      "The server takes no writes: transactions are read-only there. Connect as a user who may "
        + "write.")
  }

  /// - Parameter name: the schema to use; nil for one of the search path.
  static func noSchema(_ name: String?) -> SeedbedError {
    if let name {
      return SeedbedError(
        .io,
        "There is no schema '\(name.shortened(to: 80))', or this role may not use it. Create it, "
          + "or grant the role USAGE and CREATE on it.")
    }
    return SeedbedError(
      .io,
      "The connection's search path names no schema that exists, so there is none for the tables. "
        + "Create the schema, or name another in the URL: "
        + "postgresql://…?options=-csearch_path%3Dpublic.")
  }

  static func standby() -> SeedbedError {
    SeedbedError(
      .io,
      "The server is a standby, which takes no writes. Connect to the primary, or name all hosts "
        + "and add target_session_attrs=read-write.")
  }

  static func scatteringPooler() -> SeedbedError {
    SeedbedError(
      .io,
      "The pooler before the server does not keep a transaction on one connection. Set its pool "
        + "mode to transaction or session, or connect to the server itself.")
  }

  static func noConnection(_ reason: String) -> SeedbedError {
    SeedbedError(
      .io, "Cannot connect to PostgreSQL: \(reason). Check the host, port, user and database.")
  }

  /// Why a connection could not be made, in libpq's words.
  static func cannotConnect(_ handle: OpaquePointer) -> SeedbedError {
    let reason = PQerrorMessage(handle).map { String(cString: $0).trimmed } ?? "no reason given"
    if PQconnectionNeedsPassword(handle) == 1 {
      return SeedbedError(
        .io,
        "The server asks for a password, and there is none (\(reason)). Put it into ~/.pgpass, or "
          + "set PGPASSWORD.")
    }
    if PQconnectionUsedPassword(handle) == 1 {
      return SeedbedError(
        .io,
        "The server asked for the password and refused the connection: \(reason). Check "
          + "user, password and database.")
    }
    return noConnection(reason)
  }

  static func refuseOld(server version: Int32) throws {
    guard version < PostgresSession.oldestServer else { return }
    throw SeedbedError(
      .io,
      "The server is PostgreSQL \(version / 10_000), and Seedbed needs "
        + "\(PostgresSession.oldestServer / 10_000) or later. Upgrade the server.")
  }
}
