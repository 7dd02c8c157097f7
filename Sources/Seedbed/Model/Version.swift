extension Migrator {
  /// The number of a migration: the digits at the start of its folder's name. 0 means none.
  public typealias Version = Int64
}

/// Every layer counts in it.
package typealias Version = Migrator.Version
