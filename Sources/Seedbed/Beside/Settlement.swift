extension Migrator {
  /// The result of `resolve`.
  public struct Settlement: Sendable {
    /// A conflict that was not settled.
    public struct Refusal: Sendable {
      /// Its number.
      public let conflict: Int64
      /// Why it was not settled, and what to do.
      public let error: SeedbedError
    }

    /// The numbers of the settled conflicts.
    public package(set) var conflicts: [Int64] = []
    /// The settled conflicts whose rows the user changed since. `mine` left these rows as they are
    /// now.
    public package(set) var changedSince: [Int64] = []
    /// The conflicts that were not settled. Nothing was changed for them.
    public package(set) var refused: [Refusal] = []
    /// The tables whose rows were written.
    public package(set) var touchedTables: [String] = []
  }

  /// Where a row comes from.
  public struct Origin: Sendable, Equatable {
    /// The owner of a row, or of its values.
    public enum Kind: String, Sendable, CaseIterable {
      /// The row is as in the seed.
      case seed
      /// The row is the user's.
      case user
      /// The row is the seed's, and the user changed it.
      case editedSeed
      /// The row is the seed's, and the user deleted it.
      case deletedSeed
    }

    /// The owner.
    public let kind: Kind
    /// The row in the catalog, in the columns that the catalog fills; nil if it has none.
    public let original: Row?
    /// Whether it is left to the user for good.
    public let isPinned: Bool
  }
}
