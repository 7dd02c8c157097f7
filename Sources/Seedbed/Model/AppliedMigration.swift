/// One migration as the ledger records it.
package struct AppliedMigration: Sendable, Equatable {
  package enum State: String, Sendable, CaseIterable { case applied, baseline, withdrawn }

  var version: Version
  /// The words after the number, as they were then.
  var name: String
  var state: State
  /// `sha256:…` over what changed data.
  var checksum: String
  /// The chain up to this one.
  var chain: String
  /// UTC, ISO 8601, to the millisecond.
  package var appliedAt: String
  var durationMs: Int
  var counts: Migrator.Counts
}
