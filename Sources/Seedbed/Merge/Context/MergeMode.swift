/// Why rows are merged. The merge asks for the properties below, never for the case itself.
enum MergeMode {
  case release
  /// `down`, which reads the files in the opposite direction.
  case takingBack
  /// `reseed`: the user wants the rows back, and the backup has their present values.
  case reseeding
  /// The adoption of a database that an app filled: whatever the policies are, users keep what
  /// they have.
  case adopting
  /// The rows of a new owner, of whatever edition. The owner keeps what is there.
  case filling
  /// A release on a scratch database, where all rows are the catalog's own.
  case scratch

  /// Whether files of a release are merged as they are.
  var isOfRelease: Bool { self == .release || self == .scratch }

  /// Whether a difference from the files is a user's doing.
  var hasUser: Bool { self != .scratch }

  /// Whether rows that were copied into a table must be compared one by one.
  var comparesCopies: Bool { self != .filling }

  /// Whether a file of rows to insert retires them, and vice versa.
  var invertsFiles: Bool { self == .takingBack }

  /// Whether a new row may come without a parent that the user deleted.
  var comesWithoutParents: Bool { hasUser && !ownsRowsInTheWay }

  /// The version under which keys are left to the user. `down` leaves keys as a release does, but
  /// no release ends with them: they are under 0. So are those of a new owner, whose rows are of
  /// several releases.
  func versionOfLeftKeys(_ version: Version) -> Version {
    self == .takingBack || self == .filling ? 0 : version
  }

  /// Whether a row in the way of one to insert is the seed's own. Then it is not logged, and its
  /// key is not the user's.
  var ownsRowsInTheWay: Bool { self == .reseeding }

  /// The reasons of left keys under which a missing row is not inserted. In `reseed` rows come
  /// back, whoever deleted them. nil in `down`: a key is left as it is, with or without its
  /// row.
  var reasonsThatKeepAway: [Reason]? {
    switch self {
    case .release, .adopting, .filling, .scratch: [.keyTaken, .deletedByUser, .pinned]
    case .reseeding: [.pinned]
    case .takingBack: nil
    }
  }

  /// Whether a row that the release was to retire, but kept, is the seed's again.
  var takesKeptRowsBack: Bool { self == .takingBack }

  func policies(_ given: Migrator.Policies) -> Migrator.Policies {
    switch self {
    case .release, .scratch: given
    case .takingBack, .adopting, .filling:
      Migrator.Policies(onEdited: .keepEdits, onTaken: .keepUser)
    case .reseeding: Migrator.Policies(onTaken: .replaceUser)
    }
  }
}
