extension Migrator {
  /// A download that was not taken, and why. It is no error: the app goes on without it.
  public struct PassedOver: Sendable, Equatable {
    /// The path of the download.
    public let path: String
    /// Why it was not taken.
    public let reason: Reason

    package init(path: String, reason: Reason) { (self.path, self.reason) = (path, reason) }

    /// Why a download was not taken.
    public enum Reason: Sendable, Equatable {
      /// There is no such file.
      case missing
      /// It has no signature.
      case unsigned
      /// No key that the app trusts has signed it.
      case wrongKey
      /// It is signed, and belongs to another catalog.
      case otherCatalog
      /// It has other releases than those that are applied, or that the app ships.
      case forked
      /// The app ships all of it, or a later release was known already.
      case older
      /// It cannot be read now, such as on a locked device; the text says why. Keep it.
      case unreadable(String)
      /// It is not what was signed; the text says what was found.
      case damaged(String)
      /// A later version of Seedbed made it, and this one cannot read it; the text says what was
      /// found. Keep it until the app is updated: it is the same after another download.
      case newer(String)
      /// It leaves out the releases up to this version, which the database does not have.
      case needsFrom(Version)
      /// It has SQL, which the app does not allow in downloads.
      case holdsSQL
      /// Its options would let a release overwrite or delete more of what users made than those of
      /// the app's own catalog; the text says which. The app does not allow it in downloads.
      case weakerOptions(String)
    }
  }

  /// A release that a key has signed.
  public struct SignedHead: Sendable, Equatable {
    /// The public key, as the app names it: `ed25519:…`.
    public let key: String
    /// The last version of the release.
    public let version: Version
    /// `sha256:…` of its lock.
    public let lock: String
    /// When its author signed it, as the signature says; nil if the download is not at hand.
    public package(set) var signedAt: Timestamp?

    package init(key: String, version: Version, lock: String) {
      (self.key, self.version, self.lock) = (key, version, lock)
    }
  }
}

extension Migrator.PassedOver.Reason {
  /// The reason that an error is while a download is read.
  package init(_ error: SeedbedError) {
    switch error.code {
    case _ where error.cause == .laterSeedbed: self = .newer(error.description)
    case .io, .protected: self = .unreadable(error.description)
    default: self = .damaged(error.description)
    }
  }
}

extension Migrator.PassedOver: CustomStringConvertible {
  /// A sentence for a person.
  public var description: String { "'\(path)' was passed over: \(reason.sentence)" }
}

extension Migrator.PassedOver.Reason {
  /// A word for a program.
  var word: String {
    switch self {
    case .missing: "missing"
    case .unsigned: "unsigned"
    case .wrongKey: "wrongKey"
    case .otherCatalog: "otherCatalog"
    case .forked: "forked"
    case .older: "older"
    case .unreadable: "unreadable"
    case .damaged: "damaged"
    case .newer: "newer"
    case .needsFrom: "needsFrom"
    case .holdsSQL: "holdsSQL"
    case .weakerOptions: "weakerOptions"
    }
  }

  fileprivate var sentence: String {
    switch self {
    case .missing: "there is no such file. Download it, or leave it out."
    case .unsigned: "it has no signature. Make it with the bundle of a signed catalog."
    case .wrongKey: "no key that is trusted here has signed it. Sign it with one of them."
    case .otherCatalog:
      "it belongs to another catalog, or the catalog had no id when the app was built. Ship a "
        + "signed catalog with the app."
    case .forked:
      "its releases differ from those that are applied or shipped. Make it from the catalog of the "
        + "app."
    case .older: "it has nothing new, or a later release is known. Remove it."
    case .unreadable(let why): "it cannot be read now. \(why) Keep it, and try again later."
    case .damaged(let found): "it is damaged. \(found) Download it again."
    case .newer(let found):
      "a later version of Seedbed made it. \(found) Keep it, and update the app."
    case .needsFrom(let version):
      "it leaves out the releases up to \(version), which are not applied. Download the whole "
        + "bundle."
    case .weakerOptions(let found):
      "its options protect less of what users made than those of the app, which is not allowed in "
        + "downloads here. \(found) Ship that release with the app."
    case .holdsSQL:
      "it has SQL, which is not allowed in downloads here. Ship that release with the app."
    }
  }
}
