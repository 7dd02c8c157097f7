extension Migrator {
  /// Optional content of a database, with releases of its own. `up` of a pack adds it, `up` of the
  /// base brings it up to date, and `down` to 0 removes it.
  public struct Pack: Sendable, Equatable {
    /// Whether `up` of the base brings a pack.
    public enum State: String, Sendable { case added, removed }

    /// `"name"` in its catalog.json.
    public package(set) var name: String
    /// The version last applied, 0 for none.
    public package(set) var version: Version
    /// The last version of its catalog; nil if that is not beside the base's.
    public package(set) var target: Version?
    /// The release of the base that it needs.
    public package(set) var needs: Version
    /// Whether the database has it.
    public package(set) var state: State

    var json: JSON {
      .object([
        ("name", .string(name)), ("version", .number(version)),
        ("target", target.map { .number($0) } ?? .null), ("needs", .number(needs)),
        ("state", .string(state.rawValue)),
      ])
    }
  }
}
