import TestSupport
import Testing

@testable import Seedbed

@Suite("The conflicts of a row that are settled together")
struct ConflictedRowTests {
  @Test("those that were settled after the chosen one, by their numbers, if a clock was set back")
  func clockSetBack() {
    let logged = [
      conflict(3, settledAt: "2026-11-20T08:00:00.000Z"),
      conflict(2, settledAt: "2026-11-21T08:00:00.000Z"),
      conflict(1, settledAt: "2026-11-19T08:00:00.000Z"),
    ]
    #expect(ConflictedRow(logged, chosen: [logged[1]]).closed == [3, 2])
  }

  @Test("those that were settled in the same call")
  func together() {
    let time: Migrator.Timestamp = "2026-11-21T08:00:00.000Z"
    let logged = [conflict(3), conflict(2, settledAt: time), conflict(1, settledAt: time)]
    #expect(ConflictedRow(logged, chosen: [logged[1]]).closed == [3, 2, 1])
    #expect(ConflictedRow(logged, chosen: [logged[0]]).closed == [3])
  }

  @Test("the key has been the same since the oldest release of them")
  func since() {
    // Release 4 was taken back and came again after release 5.
    let logged = [conflict(3, version: 5), conflict(2, version: 4), conflict(1, version: 5)]
    #expect(ConflictedRow(logged, chosen: [logged[0]]).since == 4)
  }

  private func conflict(
    _ id: Int64, version: Version = 3, settledAt: Migrator.Timestamp? = nil
  ) -> Migrator.Conflict {
    var conflict = Migrator.Conflict(
      id: id, version: version, table: "elements", key: #"{"number":113}"#, kind: .edited,
      policy: "keepEdits", resolution: .merged, movedTo: nil, base: #"{"name":"Ununtrium"}"#,
      mine: #"{"name":"Bobium"}"#, seed: #"{"name":"Nihonium"}"#, at: "2026-11-20T08:12:44.131Z")
    (conflict.settled, conflict.settledAt) = (settledAt.map { _ in .mine }, settledAt)
    return conflict
  }
}
