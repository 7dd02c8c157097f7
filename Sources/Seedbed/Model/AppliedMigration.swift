/// One migration as the ledger records it.
package struct AppliedMigration: Sendable, Equatable {
  enum State: String, Sendable, CaseIterable { case applied, baseline, withdrawn }

  var version: Version
  /// The words after the number, at the time it was applied.
  var name: String
  var state: State
  /// `sha256:…` of everything in the migration that changes data.
  var checksum: String
  /// The chain of checksums up to this migration.
  var chain: String
  /// UTC, ISO 8601, to the millisecond.
  package var appliedAt: String
  var durationMs: Int
  var counts: Migrator.Counts
}
