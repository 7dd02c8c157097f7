/// A database engine, as `"engines"` in catalog.json names it.
package enum EngineName: String, Sendable, CaseIterable {
  case sqlite, postgresql

  /// The name of its SQL file: `up.postgresql.sql` for `up.sql`.
  package func file(_ name: String) -> String { self == .sqlite ? name : FileName.twin(of: name) }
}
