import Seedbed
import Testing

@testable import SeedbedPostgres

@Suite struct `An error's code says what it is` {
  struct Case: CustomTestStringConvertible {
    let state: String
    let code: SeedbedError.Code
    let isRetryable: Bool

    init(_ state: String, _ code: SeedbedError.Code, isRetryable: Bool = false) {
      (self.state, self.code, self.isRetryable) = (state, code, isRetryable)
    }

    var testDescription: String { state }
  }

  static let cases = [
    Case("55P03", .busy), Case("40001", .busy, isRetryable: true),
    Case("40P01", .busy, isRetryable: true), Case("42501", .io), Case("25006", .io),
    Case("53100", .diskFull), Case("53300", .io), Case("57P01", .io), Case("57014", .io),
    Case("58030", .io), Case("08006", .io), Case("XX001", .corrupt), Case("23503", .foreignKey),
    Case("23001", .foreignKey),
    Case("23505", .constraint), Case("23514", .constraint), Case("42601", .sql),
    Case("22003", .sql), Case("P0001", .sql), Case("", .sql),
  ]

  @Test(arguments: cases) func `to who calls`(_ c: Case) {
    let failure = PostgresFailure(sqlState: c.state, message: "no")
    #expect(failure.seedbedError.code == c.code)
    #expect(failure.isRetryable == c.isRetryable)
    #expect(failure.isBusy == (c.state == "55P03"))
    #expect(failure.isConstraint == (c.state.hasPrefix("23") || c.state == "P0001"))
    #expect(failure.isMismatch == c.state.hasPrefix("22"))
  }

  @Test(arguments: [
    ("23502", "words", "text", true), ("23502", "words", "note", false),
    ("23502", "texts", "text", false), ("23514", "words", "text", false),
  ]) func `which column refused NULL`(state: String, table: String, column: String, isIt: Bool) {
    let failure = PostgresFailure(sqlState: state, message: "no").with {
      ($0.table, $0.column) = (table, column)
    }
    #expect(failure.refusesNull(in: "text", of: "words") == isIt)
    #expect(failure.refusesNull(in: "text", of: "content.words") == isIt)
  }

  @Test func `whether somebody asked to stop`() {
    let failure = PostgresFailure(sqlState: "57014", message: "no").with { $0.isCancelled = true }
    #expect(failure.isInterrupt && failure.seedbedError.code == .cancelled)
  }

  @Test(arguments: [("COMMIT", true), ("commit;", true), ("END", true), ("COMMENT ON", false)])
  func `whether the outcome is known`(sql: String, isCommit: Bool) {
    let failure = PostgresFailure(sqlState: "", message: "gone").with {
      $0.sql = sql
      $0.isConnectionLost = true
    }
    #expect(failure.isOutcomeUnknown == isCommit)
    #expect(failure.seedbedError.code == (isCommit ? .outcomeUnknown : .io))
  }

  /// In the language that the server speaks.
  @Test(arguments: [
    ("COPY words, line 3, column id: \"x\"", 3), ("COPY words 2, line 12", 12),
    ("SQL statement \"…5\"\nCOPY t, line 7: \"a\"", 7), ("COPY t, Zeile 8, Spalte n: »9«", 8),
    ("COPY t", nil), ("", nil),
  ]) func `which row COPY refused`(context: String, row: Int?) {
    let failure = PostgresFailure(sqlState: "22P02", message: "no").with { $0.context = context }
    #expect(PostgresSession.copiedRow(failure) == row)
  }
}
