extension Migrator {
  /// A key that is left to the user: releases leave its row alone, or do not add it again.
  public struct UserOwnedKey: Sendable, Equatable {
    /// By the schema's spelling.
    public let table: String
    /// Its columns and values.
    public let key: Row
    /// `pinned`, or the kind of the conflict that left it to the user.
    public let reason: String
    /// The release that left it to the user; nil if a person pinned it, or if `down` left it.
    public let version: Version?

    /// Whether a person pinned the row.
    public var isPinned: Bool { reason == Reason.pinned.word }
  }
}
