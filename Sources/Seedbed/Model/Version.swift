extension Migrator {
  /// The number of a migration: the digits at the start of its folder's name. 0 means none.
  public typealias Version = Int64
}

/// The type in which every layer counts.
package typealias Version = Migrator.Version
