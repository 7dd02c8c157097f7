import TestSupport
import Testing

@testable import MigrateCommand
@testable import Seedbed

struct ExitCodeTests {
  static let errors: [SeedbedError.Code: Int32] = [
    .usage: 64, .catalog: 2, .csv: 2, .gzip: 2, .sql: 2, .constraint: 2, .foreignKey: 2,
    .verify: 2, .conflict: 2, .corrupt: 2, .io: 2, .needsConnection: 2, .outcomeUnknown: 2,
    .foreignDatabase: 2, .drift: 3, .missing: 3, .outOfOrder: 3, .tooOld: 3, .busy: 4,
    .protected: 4, .newer: 5, .backup: 6, .diskFull: 6, .cancelled: 130,
  ]

  @Test(arguments: SeedbedError.Code.allCases)
  func `every error has the code of the manual`(_ code: SeedbedError.Code) {
    #expect(ExitCode(code).rawValue == Self.errors[code])
  }

  static let states: [Migrator.Status.State: Int32] = [
    .upToDate: 0, .pending: 1, .drifted: 3, .missing: 3, .outOfOrder: 3, .needsRecovery: 4,
    .newer: 5,
  ]

  @Test(arguments: Migrator.Status.State.allCases)
  func `every state has the code of the manual`(_ state: Migrator.Status.State) {
    var status = Examples.twoPending
    status.state = state
    #expect(ExitCode(status).rawValue == Self.states[state])
    status.lastRun = Migrator.Status.LastRun(
      outcome: .failed, startedAt: "2026-09-01T08:12:43.000Z", interruptedCount: 0, message: "No.")
    #expect(ExitCode(status).rawValue == (state == .pending ? 3 : Self.states[state]))
  }

  @Test func `damage outweighs disagreement`() {
    let drift = SeedbedError(.drift, "")
    let damage = SeedbedError(.corrupt, "")
    #expect(ExitCode([]) == .done)
    #expect(ExitCode([drift]) == .disagreement)
    #expect(ExitCode([drift, damage]) == .failed)
  }
}
