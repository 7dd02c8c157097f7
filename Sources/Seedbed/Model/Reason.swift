/// Why a row or a value is not as a release has it. All that is particular to a reason is here: a
/// new one needs a case, what decides on it, and a kind of conflict if it is logged.
package enum Reason: String, Sendable, CaseIterable {
  // In this order in the ledger's CHECK of conflicts.
  case edited, deletedByUser, parentDeleted, parentTaken, editedRetired, referenced, keyTaken
  case uniqueTaken
  /// A row to retire is not there, or one to put back that the release had kept. The user deleted
  /// it.
  case absent
  /// A rule of the table refuses the mixture of both sides: the row stays as it is.
  case refused
  /// A person keeps the row for good. No release ends that.
  case pinned

  package init(_ kind: Migrator.Conflict.Kind) {
    self =
      switch kind {
      case .edited: .edited
      case .deletedByUser: .deletedByUser
      case .parentDeleted: .parentDeleted
      case .parentTaken: .parentTaken
      case .editedRetired: .editedRetired
      case .referenced: .referenced
      case .keyTaken: .keyTaken
      case .uniqueTaken: .uniqueTaken
      }
  }

  /// The word in SQL.
  package var word: String { rawValue }

  /// The kind of conflict as which it is logged; nil if it is not.
  package var kind: Migrator.Conflict.Kind? {
    switch self {
    case .refused: .edited
    case .absent, .pinned: nil
    case .edited, .deletedByUser, .parentDeleted, .parentTaken, .editedRetired, .referenced,
      .keyTaken, .uniqueTaken:
      Migrator.Conflict.Kind(rawValue: rawValue)
    }
  }

  /// Whether releases leave the row's key alone from then on.
  var leavesKey: Bool { remnant != nil }

  /// The reason in the ledger for a key that is left to the user.
  var asLeft: Reason? { self == .absent ? .deletedByUser : leavesKey ? self : nil }

  /// The reasons in the ledger's CHECK of keys that are left to the user, in its order.
  static let ofLeftKeys: [Reason] =
    [.keyTaken, .uniqueTaken, .editedRetired, .referenced, .deletedByUser]
    + allCases.filter { $0.leavesKey && !first.contains($0) } + [.pinned]

  private static let first: [Reason] = [
    .keyTaken, .uniqueTaken, .editedRetired, .referenced, .deletedByUser, .absent, .pinned,
  ]

  /// The reasons of conflicts.
  static var ofConflicts: [Reason] { allCases.filter { $0.kind?.rawValue == $0.word } }

  /// What a person settles afterwards.
  enum Subject: Sendable {
    /// The whole row.
    case row
    /// Some columns of a row that is there.
    case columns
    /// Columns if the log has old values, and otherwise a row.
    case either
    /// Columns, or a key or row whose rows would have to follow.
    case value
  }

  var settles: Subject {
    switch self {
    case .edited, .refused: .columns
    case .parentDeleted, .parentTaken: .either
    case .uniqueTaken, .referenced: .value
    case .deletedByUser, .editedRetired, .keyTaken, .absent, .pinned: .row
    }
  }

  /// The row that a release leaves under a key.
  private enum Remnant { case users, seeds, nothing, pinned }

  private var remnant: Remnant? {
    switch self {
    case .keyTaken, .uniqueTaken: .users
    case .editedRetired, .referenced: .seeds
    case .deletedByUser, .absent: .nothing
    case .pinned: .pinned
    case .edited, .parentDeleted, .parentTaken, .refused: nil
    }
  }

  /// Whether a user's row is in the place of the seed's.
  package var isTaken: Bool { remnant == .users }

  /// Whether the key is the user's, with or without a row, so that no row of the seed refers to it.
  var isUsers: Bool { isTaken || remnant == .nothing }

  /// Whether a release was to retire the row, and kept it: the row was the seed's.
  var isKept: Bool { remnant == .seeds }

  /// `2 edited by the user`, after the number of rows.
  package func sentence(_ count: Int) -> String {
    let s = count == 1 ? "" : "s"
    return switch self {
    case .edited, .refused: "edited by the user"
    case .deletedByUser, .absent: "deleted by the user"
    case .parentDeleted: "whose parent is missing"
    case .parentTaken: "whose parent is the user's"
    case .editedRetired: "retired but edited by the user"
    case .referenced: "still referred to"
    case .keyTaken: "key\(s) taken by the user"
    case .uniqueTaken: "unique value\(s) taken by \(count == 1 ? "another row" : "other rows")"
    case .pinned: "pinned"
    }
  }
}

extension [Reason] {
  /// `'keyTaken', 'uniqueTaken'` for SQL.
  var literals: String { map { "'\($0.word)'" }.joined(separator: ", ") }

  /// The words for SQL that people read, some in a line.
  func lines(of count: Int, _ separator: String, _ word: (String) -> String) -> [String] {
    stride(from: 0, to: self.count, by: count).map { first in
      self[first..<Swift.min(first + count, self.count)].map { word($0.word) }
        .joined(separator: separator)
    }
  }
}

extension RawRepresentable<String> {
  /// By its word in the ledger.
  init(logged word: String) throws(SeedbedError) {
    guard let value = Self(rawValue: word) else {
      throw SeedbedError(
        .corrupt,
        "The ledger has the word '\(word)', which this version of Seedbed does not know. Restore a "
          + "backup, or use the version that wrote it.")
    }
    self = value
  }
}
