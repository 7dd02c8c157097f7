extension Migrator {
  /// A case in which the seed wanted to change something that the user had changed or taken.
  public struct Conflict: Sendable, Equatable {
    /// The subject of the disagreement.
    public enum Kind: String, Sendable, CaseIterable {
      /// The user changed a value that the seed changes too.
      case edited
      /// The user deleted a row that the seed changes.
      case deletedByUser
      /// The seed's row refers to a row that is missing: the user deleted it, or it was skipped.
      case parentDeleted
      /// The seed's row refers to a row that is the user's.
      case parentTaken
      /// The seed retires a row that the user changed, or may have changed: a default from the
      /// clock or from random() leaves that open.
      case editedRetired
      /// Other rows refer to a row or value that the seed retires or changes.
      case referenced
      /// A user's row has the key of a seed's row.
      case keyTaken
      /// Another row has a UNIQUE value of a seed's row.
      case uniqueTaken
    }

    /// The outcome.
    public enum Resolution: String, Sendable, CaseIterable {
      /// The row stayed as the user has it, or stayed deleted.
      case keptUser
      /// The seed's values replaced the user's.
      case tookSeed
      /// The row took some of the seed's values and kept some of the user's.
      case merged
      /// The seed's row was left out.
      case skipped
      /// The user's row got another key, and the seed's row took its old one.
      case moved
    }

    /// The side whose values a person chooses.
    public enum Side: String, Sendable, CaseIterable {
      /// The user's values.
      case mine
      /// The seed's values.
      case seed
    }

    /// Its number in the ledger; 0 in a plan, since its ledger was rolled back.
    public package(set) var id: Int64
    /// The migration in which it occurred.
    public package(set) var version: Version
    /// By the schema's spelling.
    public package(set) var table: String
    /// The key of the row.
    public package(set) var key: Row
    /// The subject of the disagreement.
    public package(set) var kind: Kind
    /// The policy that decided, by its name in catalog.json; nil if no policy applies.
    public package(set) var policy: String?
    /// The outcome.
    public package(set) var resolution: Resolution
    /// The new key of the user's row.
    public package(set) var movedTo: Row?
    /// The values that the seed expected, for the columns concerned.
    package var base: Row?
    /// The user's values.
    package var mine: Row?
    /// The seed's values.
    package var seed: Row?
    /// When it occurred.
    public package(set) var at: Timestamp
    /// The side that a person chose later; nil if the conflict is not settled.
    public package(set) var settled: Side?
    /// When the side was chosen.
    public package(set) var settledAt: Timestamp?
    /// The key as the row files write it, if it holds ids that this database chose itself. Only
    /// `conflicts()` has it.
    public package(set) var names: Row?

    /// The catalog whose row has the key, or refers to the row: "base" or the name of a pack, if it
    /// is beside the one that was applied. nil for the user's. Only `up` and `conflicts()` have it.
    public package(set) var heldBy: String?

    /// One column of a conflict, and its value on each side; nil if that side has none.
    public struct Column: Sendable, Equatable {
      /// By the schema's spelling.
      public let name: String
      /// The value that the seed expected.
      public package(set) var base: Value?
      /// The user's value.
      public package(set) var mine: Value?
      /// The seed's value.
      public package(set) var seed: Value?
    }

    /// The document that `migrate conflicts --json` prints: text, as with `Report.json`.
    public static func json(_ conflicts: [Self]) -> String { JSON.conflicts(conflicts).text }

    /// The columns of all sides together.
    public var columns: [Column] {
      var names: [String] = []
      for name in [seed, mine, base].flatMap({ $0?.columns ?? [] }) where !names.contains(name) {
        names.append(name)
      }
      return names.map { Column(name: $0, base: base?[$0], mine: mine?[$0], seed: seed?[$0]) }
    }
  }
}
