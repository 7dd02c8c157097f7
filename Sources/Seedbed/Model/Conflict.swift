/// A place where the seed wanted to change something that the user had changed or taken.
public struct Conflict: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    case edited, deletedByUser, parentDeleted, parentTaken, editedRetired, referenced
    case keyTaken, uniqueTaken
  }

  public enum Resolution: String, Sendable, CaseIterable {
    case keptUser, tookSeed, merged, skipped, moved
  }

  /// Its number in the ledger; 0 in a plan, whose ledger was rolled back.
  public var id: Int64
  public var version: Version
  public var table: String
  /// The key of the row as a JSON object: `{"number":113}`.
  public var key: String
  public var kind: Kind
  /// The policy that decided, by its name in catalog.json; nil where none is asked.
  public var policy: String?
  public var resolution: Resolution
  /// The new key of the user's row, as a JSON object.
  public var movedTo: String?
  /// What the seed believed to be there, as a JSON object of the columns concerned.
  public var base: String?
  /// What the user has, as a JSON object.
  public var mine: String?
  /// What the seed wants, as a JSON object.
  public var seed: String?
  /// UTC, ISO 8601, to the millisecond.
  public var at: String
  /// When `down` undid it.
  public var undoneAt: String?
}
