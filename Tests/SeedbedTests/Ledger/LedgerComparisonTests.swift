import TestSupport
import Testing

@testable import Seedbed

struct LedgerComparisonTests {
  private func migration(
    _ version: Version, _ checksum: String? = "same", isWithdrawn: Bool = false, rows: Int? = nil
  ) -> Migration {
    Migration(
      version: version, name: "m\(version)", folder: "000\(version)_m\(version)", files: [],
      isWithdrawn: isWithdrawn, checksum: checksum, rows: rows)
  }

  private func row(
    _ version: Version, _ checksum: String = "same", _ state: AppliedMigration.State = .applied,
    name: String? = nil
  ) -> AppliedMigration {
    var counts = Migrator.Counts()
    counts.inserted = 5
    counts.kept = 2
    return AppliedMigration(
      version: version, name: name ?? "m\(version)", state: state, checksum: checksum,
      chain: "chain\(version)", appliedAt: "2026-09-01T08:12:44.000Z", durationMs: 12,
      counts: counts)
  }

  /// The versions to apply.
  private func pending(
    _ comparison: LedgerComparison, to last: Version? = nil, allowsOutOfOrder: Bool = false
  ) throws -> [Version] {
    try comparison.migrationsToApply(to: last, allowsOutOfOrder: allowsOutOfOrder).map(\.version)
  }

  // MARK: states

  @Test func `on a new database all are pending`() throws {
    let comparison = LedgerComparison(available: [migration(1), migration(3)], applied: [])
    #expect(comparison.steps.map(\.state) == [.pending, .pending])
    #expect(comparison.state == .pending)
    #expect((comparison.current, comparison.target) == (0, 3))
    #expect(try pending(comparison) == [1, 3])
  }

  @Test func `what is in the ledger is applied`() throws {
    let comparison = LedgerComparison(
      available: [migration(1), migration(2)], applied: [row(1), row(2)])
    #expect(comparison.steps.map(\.state) == [.applied, .applied])
    #expect(comparison.state == .upToDate)
    #expect(try pending(comparison) == [])
  }

  @Test func `only what is above the last applied is pending`() throws {
    let comparison = LedgerComparison(
      available: [migration(1), migration(2), migration(3)], applied: [row(1)])
    #expect(comparison.steps.map(\.state) == [.applied, .pending, .pending])
    #expect(try pending(comparison) == [2, 3])
  }

  @Test func `the order of what comes in does not matter`() throws {
    let comparison = LedgerComparison(
      available: [migration(3), migration(1), migration(2)], applied: [row(2), row(1)])
    #expect(comparison.steps.map(\.version) == [1, 2, 3])
    #expect(try pending(comparison) == [3])
  }

  @Test func `a rename is no drift, and the catalog's name is shown`() {
    let comparison = LedgerComparison(available: [migration(1)], applied: [row(1, name: "old")])
    #expect(comparison.steps.map(\.state) == [.applied])
    #expect(comparison.steps.map(\.name) == ["m1"])
  }

  @Test func `another checksum is drift`() {
    let comparison = LedgerComparison(
      available: [migration(1, "sha256:1111111111"), migration(2), migration(3)],
      applied: [row(1, "sha256:2222222222"), row(2)])
    #expect(comparison.steps.map(\.state) == [.drifted, .applied, .pending])
    #expect(comparison.state == .drifted)
    #expect(
      failureText { _ = try comparison.migrationsToApply() }
        == "0001_m1: Migration 1 (m1) was changed after it was applied: its checksum is "
        + "sha256:111111…, the ledger has sha256:222222…. Put its files back as they were, and "
        + "ship the change as a new migration.")
  }

  @Test func `drift of several is told at once`() {
    let versions = Array<Version>(1...8)
    let comparison = LedgerComparison(
      available: versions.map { migration($0, "b") }, applied: versions.map { row($0, "a") })
    #expect(
      failureText { _ = try comparison.migrationsToApply() }
        == "0001_m1: Migration 1 (m1) was changed after it was applied: its checksum is b, the "
        + "ledger has a. The same holds for 2 (m2), 3 (m3), 4 (m4), 5 (m5), 6 (m6) and 2 more. Put "
        + "its files back as they were, and ship the change as a new migration.")
  }

  @Test func `drift by line endings alone says how to stop it`() {
    let comparison = LedgerComparison(available: [migration(1, "b")], applied: [row(1, "a")])
    let rules = [
      LineEndingRule(fileType: "sql", ending: .lf), LineEndingRule(fileType: "csv", ending: .crlf),
    ]
    #expect(
      failureText { _ = try comparison.migrationsToApply { _, _ in rules } }
        == "0001_m1: Migration 1 (m1) was changed after it was applied: its files differ from what "
        + "was applied only by line endings, LF or CRLF, which git converts on some systems. Put "
        + "'*.sql text eol=lf' and '*.csv text eol=crlf' into .gitattributes, and check the files "
        + "out again.")
  }

  @Test func `without a checksum nothing is compared`() {
    let comparison = LedgerComparison(available: [migration(1, nil)], applied: [row(1)])
    #expect(comparison.steps.map(\.state) == [.applied])
  }

  @Test func `in the ledger but not in the catalog is missing`() {
    let comparison = LedgerComparison(
      available: [migration(1), migration(3)], applied: [row(1), row(2)])
    #expect(comparison.steps.map(\.state) == [.applied, .missing, .pending])
    #expect(comparison.steps[1].name == "m2")
    #expect(comparison.state == .missing)
    #expect(
      failureText { _ = try comparison.migrationsToApply() }
        == "Migration 2 (m2) is in the ledger, but not in the catalog. Put its folder back.")
  }

  @Test func `above the catalog's last is newer`() {
    let comparison = LedgerComparison(
      available: [migration(1), migration(4)], applied: [row(1), row(4), row(7)])
    #expect(comparison.steps.map(\.state) == [.applied, .applied, .newer])
    #expect(comparison.state == .newer)
    #expect(
      failureText { _ = try comparison.migrationsToApply() }
        == "The database is at 7, newer than this catalog, which ends at 4. Use the program that "
        + "migrated it, or a newer one.")
  }

  @Test func `pending below the last applied is out of order`() throws {
    let comparison = LedgerComparison(
      available: [migration(1), migration(2), migration(3), migration(4)],
      applied: [row(1), row(3)])
    #expect(comparison.steps.map(\.state) == [.applied, .outOfOrder, .applied, .pending])
    #expect(comparison.state == .outOfOrder)
    #expect(
      failureText { _ = try comparison.migrationsToApply() }
        == "Migration 2 (m2) is pending, but the database is already at 3. Give it a number above "
        + "3, or allow it.")
    #expect(try pending(comparison, allowsOutOfOrder: true) == [2, 4])
  }

  @Test func `a baseline counts as applied`() throws {
    let comparison = LedgerComparison(
      available: [migration(1), migration(2)], applied: [row(1, "same", .baseline)])
    #expect(comparison.steps.map(\.state) == [.baseline, .pending])
    #expect(try pending(comparison) == [2])
  }

  @Test func `a baseline drifts like any other`() {
    let comparison = LedgerComparison(
      available: [migration(1, "b")], applied: [row(1, "a", .baseline)])
    #expect(comparison.steps.map(\.state) == [.drifted])
  }

  @Test func `withdrawn and pending is recorded and skipped`() throws {
    let comparison = LedgerComparison(
      available: [migration(1), migration(2, isWithdrawn: true), migration(3)], applied: [row(1)])
    #expect(comparison.steps.map(\.state) == [.applied, .withdrawn, .pending])
    let migrations = try comparison.migrationsToApply()
    #expect(migrations.map(\.version) == [2, 3])
    #expect(migrations.map(\.isWithdrawn) == [true, false])
  }

  @Test func `withdrawn but not recorded is something to do`() {
    let comparison = LedgerComparison(
      available: [migration(1), migration(2, isWithdrawn: true)], applied: [row(1)])
    #expect(comparison.state == .pending)
  }

  @Test func `withdrawn and recorded is done`() throws {
    let comparison = LedgerComparison(
      available: [migration(1), migration(2, isWithdrawn: true)],
      applied: [row(1), row(2, "same", .withdrawn)])
    #expect(comparison.steps.map(\.state) == [.applied, .withdrawn])
    #expect(comparison.state == .upToDate)
    #expect(try pending(comparison) == [])
  }

  @Test func `withdrawn where it is applied stays applied`() throws {
    let comparison = LedgerComparison(
      available: [migration(1, isWithdrawn: true)], applied: [row(1)])
    #expect(comparison.steps.map(\.state) == [.applied])
    #expect(try pending(comparison) == [])
  }

  @Test func `withdrawn below the last applied is not out of order`() throws {
    let comparison = LedgerComparison(
      available: [migration(1), migration(2, isWithdrawn: true), migration(3)],
      applied: [row(1), row(3)])
    #expect(comparison.steps.map(\.state) == [.applied, .withdrawn, .applied])
    #expect(try pending(comparison) == [2])
  }

  @Test func `an empty catalog on an empty ledger has nothing to do`() throws {
    let comparison = LedgerComparison(available: [], applied: [])
    #expect(comparison.state == .upToDate)
    #expect((comparison.current, comparison.target) == (0, 0))
    #expect(try pending(comparison) == [])
  }

  // MARK: how far

  @Test func `to stops at a version`() throws {
    let comparison = LedgerComparison(
      available: [migration(1), migration(2), migration(3)], applied: [row(1)])
    #expect(try pending(comparison, to: 2) == [2])
    #expect(try pending(comparison, to: 3) == [2, 3])
    #expect(try pending(comparison, to: 1) == [])
  }

  @Test func `to a version that the catalog does not have is a usage error`() {
    let comparison = LedgerComparison(available: [migration(2), migration(4)], applied: [])
    #expect(
      failureText { _ = try comparison.migrationsToApply(to: 3) }
        == "There is no migration 3 in this catalog, which goes from 2 to 4.")
    for wanted: Version in [0, -1, 5, .max] {
      #expect(throws: SeedbedError.self) { try comparison.migrationsToApply(to: wanted) }
    }
  }

  @Test func `to a version below what is applied needs down`() {
    let comparison = LedgerComparison(
      available: [migration(1), migration(2), migration(3)], applied: [row(1), row(2)])
    #expect(
      failureText { _ = try comparison.migrationsToApply(to: 1) }
        == "The database is already at 2, and 'up' only goes forward. Undo the later ones.")
  }

  // MARK: which comes first

  @Test(arguments: [
    (
      "newer", [1, 2] as [Version], ["a", "a"], [1, 9] as [Version], nil, SeedbedError.Code.newer
    ),
    ("another catalog before newer", [1, 2], ["a", "b"], [1, 2, 9], nil, .drift),
    ("newer before an unknown version", [1], ["a"], [1, 9], 9, .newer),
    ("an unknown version before drift", [1], ["b"], [1], 5, .usage),
    ("drift before missing", [1, 3], ["b", "a"], [1, 2], nil, .drift),
    ("missing before out of order", [1, 2, 5], ["a", "a", "a"], [1, 3], nil, .missing),
    ("backwards before out of order", [1, 2, 3], ["a", "a", "a"], [1, 3], 2, .usage),
  ])
  func `the worst is told first`(
    _ name: String, _ available: [Version], _ checksums: [String], _ applied: [Version],
    _ last: Version?, _ code: SeedbedError.Code
  ) {
    let comparison = LedgerComparison(
      available: zip(available, checksums).map { migration($0, $1) },
      applied: applied.map { row($0, "a") })
    let error = #expect(throws: SeedbedError.self) { try comparison.migrationsToApply(to: last) }
    #expect(error?.code == code)
  }

  @Test func `the overall state is that of the worst step`() {
    let order = Migrator.Status.State.allCases
    #expect(
      order == [.upToDate, .pending, .outOfOrder, .missing, .newer, .drifted, .needsRecovery])
    #expect(order.map(\.severity) == Array(order.indices))
    let comparison = LedgerComparison(
      available: [migration(1, "b"), migration(2), migration(4)],
      applied: [row(1), row(3), row(4), row(9)])
    #expect(comparison.steps.map(\.state) == [.drifted, .outOfOrder, .missing, .applied, .newer])
    #expect(comparison.state == .drifted)
  }

  // MARK: the lines of status

  @Test func `status shows the ledger's facts where applied, the lock's where pending`() {
    let comparison = LedgerComparison(
      available: [migration(1), migration(2, "lock", rows: 9), migration(3, nil)],
      applied: [row(1)])
    let lines = comparison.statuses
    #expect(lines.map(\.rows) == [7, 9, nil])
    #expect(lines.map(\.checksum) == ["same", "lock", nil])
    #expect(lines.map(\.appliedAt) == ["2026-09-01T08:12:44.000Z", nil, nil])
    #expect(lines.map(\.duration) == [.milliseconds(12), nil, nil])
  }

  @Test func `a baseline and a withdrawn migration wrote no rows`() {
    let comparison = LedgerComparison(
      available: [migration(1), migration(2)],
      applied: [row(1, "same", .baseline), row(2, "same", .withdrawn)])
    #expect(comparison.statuses.map(\.rows) == [nil, nil])
  }
}
