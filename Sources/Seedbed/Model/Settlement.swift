extension Migrator {
  /// What `resolve` did.
  public struct Settlement: Sendable {
    /// A conflict that was not settled.
    public struct Refusal: Sendable {
      /// Its number.
      public let conflict: Int64
      /// Why not, and what to do.
      public let error: SeedbedError
    }

    /// The numbers of those that were settled.
    public package(set) var conflicts: [Int64] = []
    /// Those of them whose rows the user changed since, and that `mine` left as they are now.
    public package(set) var changedSince: [Int64] = []
    /// The others. Nothing of theirs was changed.
    public package(set) var refused: [Refusal] = []
    /// The tables whose rows were written.
    public package(set) var touchedTables: [String] = []
  }

  /// A key that is left to the user: releases leave its row alone, or stay without it.
  public struct UserOwnedKey: Sendable, Equatable {
    /// By the schema's spelling.
    public let table: String
    /// Its columns and values.
    public let key: Row
    /// `pinned`, or the kind of the conflict that left it to the user.
    public let reason: String
    /// The release that left it to the user; nil if a person pinned it.
    public let version: Version?

    /// Whether a person left it to the user.
    public var isPinned: Bool { version == nil }
  }

  /// Whose a row is.
  public struct Origin: Sendable, Equatable {
    /// Whose.
    public enum Kind: String, Sendable, CaseIterable {
      /// A row of the seed, as it has it.
      case seed
      /// A row of the user's.
      case user
      /// A row of the seed that the user changed.
      case editedSeed
      /// A row of the seed that the user deleted.
      case deletedSeed
    }

    /// Whose it is.
    public let kind: Kind
    /// The row as the catalog has it, in the columns that it fills; nil if it has none.
    public let original: Row?
    /// Whether it is left to the user for good.
    public let isPinned: Bool
  }
}
