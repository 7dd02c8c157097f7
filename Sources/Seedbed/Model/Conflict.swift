extension Migrator {
  /// A case in which the seed wanted to change something that the user had changed or taken.
  public struct Conflict: Sendable, Equatable {
    /// What the two disagree on.
    public enum Kind: String, Sendable, CaseIterable {
      /// The user changed a value that the seed changes too.
      case edited
      /// The user deleted a row that the seed changes.
      case deletedByUser
      /// The row that a row of the seed refers to is not there: the user deleted it, or it was
      /// skipped itself.
      case parentDeleted
      /// The row that a seed row refers to is one of the user's.
      case parentTaken
      /// The user changed a row that the seed retires, or may have changed it: a default from the
      /// clock or from random() leaves that open.
      case editedRetired
      /// Other rows refer to what the seed retires or changes.
      case referenced
      /// A row of the user has the key of a row of the seed.
      case keyTaken
      /// Another row has a UNIQUE value of a row of the seed.
      case uniqueTaken
    }

    /// Who won.
    public enum Resolution: String, Sendable, CaseIterable {
      /// The row stayed as the user has it, or stayed deleted.
      case keptUser
      /// The seed's values replaced the user's.
      case tookSeed
      /// The row took some of the seed's values and kept some of the user's.
      case merged
      /// The seed's row was left out.
      case skipped
      /// The user's row got another key, and the seed's row took its place.
      case moved
    }

    /// Whose values a person chooses.
    public enum Side: String, Sendable, CaseIterable {
      /// What the user has.
      case mine
      /// What the seed wants.
      case seed
    }

    /// Its number in the ledger; 0 in a plan, whose ledger was rolled back.
    public package(set) var id: Int64
    /// The migration in which it occurred.
    public package(set) var version: Version
    /// By the schema's spelling.
    public package(set) var table: String
    /// The key of the row.
    public package(set) var key: Row
    /// What the two disagree on.
    public package(set) var kind: Kind
    /// The policy that decided, by its name in catalog.json; nil if no policy applies.
    public package(set) var policy: String?
    /// Who won.
    public package(set) var resolution: Resolution
    /// The new key of the user's row.
    public package(set) var movedTo: Row?
    /// What the seed expected, for the columns concerned.
    package var base: Row?
    /// What the user has.
    package var mine: Row?
    /// What the seed wants.
    package var seed: Row?
    /// When it occurred.
    public package(set) var at: Timestamp
    /// The side that a person chose later; nil if nobody did.
    public package(set) var settled: Side?
    /// When it was chosen.
    public package(set) var settledAt: Timestamp?

    /// One column of a conflict, and its value on each side; nil if that side has none.
    public struct Column: Sendable, Equatable {
      /// By the schema's spelling.
      public let name: String
      /// What the seed expected.
      public package(set) var base: Value?
      /// What the user has.
      public package(set) var mine: Value?
      /// What the seed wants.
      public package(set) var seed: Value?
    }

    /// The document that `migrate conflicts --json` prints: text, as with `Report.json`.
    public static func json(_ conflicts: [Self]) -> String { JSON.conflicts(conflicts).text }

    /// The columns of all sides, side by side.
    public var columns: [Column] {
      var names: [String] = []
      for name in [seed, mine, base].flatMap({ $0?.columns ?? [] }) where !names.contains(name) {
        names.append(name)
      }
      return names.map { Column(name: $0, base: base?[$0], mine: mine?[$0], seed: seed?[$0]) }
    }
  }
}
