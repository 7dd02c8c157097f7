import Seedbed
import TestSupport

extension History {
  /// Takes the last release back and applies it again; half of the time the user acts in between.
  mutating func takeBack(_ release: Release, _ app: Policy) throws {
    let after = try bench.device.rows(of: shape)
    let dangles = try !bench.device.rows("PRAGMA foreign_key_check").isEmpty
    let acts = dice.chance(50)
    if acts {
      log.append(.text("after it"))
      try userActs()
    }
    log.append(.text("down"))
    let taken = try model(try bench.device.rows(of: shape)).before(release)
    let expected: Model
    do {
      let report = try bench.migrator().down(to: Int64(release.version - 1))
      expected = try taken.numbered(like: bench.device.rows(of: shape))
      for migration in report.migrations { try compare(migration, expected) }
    } catch let error as SeedbedError {
      throw disagreement("down failed: \(error)")
    }
    try compareRows(expected.tables)
    try compareLeft(expected.left)
    left = expected.left
    try apply([release], again: app)
    // Under keepRow a row that the user edited may have been the seed's in a column, and goes back
    // in that; under moveUser what was as shipped may have kept a user's row in place. Rows of
    // disposable tables do not come back, and a column that the app rewrites is nobody's. What the
    // user had refer to nothing, as the seed has it, is nothing that the seed may bring again.
    let keepsRows = policies(of: release, app).contains {
      $0.onEdited == "keepRow" || $0.onTaken == "moveUser"
    }
    if !acts, !keepsRows, !dangles, expected.disposed.isEmpty {
      try compareRows(after, ignores: true)
    }
  }
}
