extension Migrator {
  /// The policy if the user changed a value or row that the seed wants to change.
  public enum EditPolicy: String, Sendable, CaseIterable {
    /// Columns that the user changed stay; all others take the seed's values. An edited row that
    /// the release retires stays.
    case keepEdits
    /// Conflicting columns take the seed's values; the user's other edits stay. A row to retire
    /// goes, edited or not.
    case preferSeed
    /// The row stays exactly as the user has it.
    case keepRow
    /// Every column of the file takes the seed's value. A row to retire goes, edited or not.
    case overwriteRow
    /// The whole migration rolls back.
    case fail

    /// Whether one column may have it; the others are about whole rows.
    var isForColumns: Bool {
      switch self {
      case .keepEdits, .preferSeed: true
      case .keepRow, .overwriteRow, .fail: false
      }
    }

    /// Whether it gives up the user's edits, for `Step2Decide`. `fail` keeps them there, and is
    /// noted where the conflict is logged (`MergeContext.log`).
    var givesWay: Bool {
      switch self {
      case .preferSeed, .overwriteRow: true
      case .keepEdits, .keepRow, .fail: false
      }
    }

    /// How much of what the user changed it keeps, for downloads, which may keep no less.
    var strength: Int {
      switch self {
      case .keepEdits, .keepRow, .fail: 2
      case .preferSeed: 1
      case .overwriteRow: 0
      }
    }
  }

  /// The policy if a user's row has a key or UNIQUE value of a seed's row.
  public enum CollisionPolicy: String, Sendable, CaseIterable {
    /// The user's row stays and the seed row is skipped, so that a device never gets stuck.
    case keepUser
    /// The user's row moves to a fresh id, and every reference follows.
    case moveUser
    /// A user's row under the seed's key takes the seed's values; no row is removed.
    case replaceUser
    /// The whole migration rolls back.
    case fail

    /// Whether the user's row moves, or takes the seed's values; otherwise it stays.
    var effect: (moves: Bool, replaces: Bool) {
      switch self {
      case .keepUser, .fail: (false, false)
      case .moveUser: (true, false)
      case .replaceUser: (false, true)
      }
    }

    /// How much of the user's row it keeps, for downloads, which may keep no less.
    var strength: Int {
      switch self {
      case .keepUser, .fail: 2
      case .moveUser: 1
      case .replaceUser: 0
      }
    }
  }

  /// The policies that an app sets for all tables; they override the catalog's.
  package struct Policies: Sendable, Equatable {
    var onEdited: EditPolicy?
    var onTaken: CollisionPolicy?

    package init(onEdited: EditPolicy? = nil, onTaken: CollisionPolicy? = nil) {
      self.onEdited = onEdited
      self.onTaken = onTaken
    }
  }
}

extension Migrator.Options {
  /// Both policies in the form that the merge takes.
  var policies: Migrator.Policies {
    get { Migrator.Policies(onEdited: onEdited, onTaken: onTaken) }
    set { (onEdited, onTaken) = (newValue.onEdited, newValue.onTaken) }
  }
}
