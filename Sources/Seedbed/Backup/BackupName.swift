/// The name of one backup: `app.v2.20261120T081244.120Z.sqlite`.
///
/// The result of `quick_check` is part of the name, since a name cannot be lost:
/// `app.v2.20261120T081244.120Z.unverified.sqlite`.
struct BackupName: Equatable {
  enum Condition: String, CaseIterable {
    case verified = ""
    /// The check could not run because the app's own functions were missing.
    case unverified = ".unverified"
    /// A broken database that a restore replaced.
    case damaged = ".damaged"
  }

  /// The database's name without its extension.
  var base: String
  var version: Version
  /// `20261120T081244.120Z`
  var takenAt: String
  var condition: Condition

  private static let ending = ".sqlite"

  var text: String { "\(base).v\(version).\(takenAt)\(condition.rawValue)\(Self.ending)" }
}

extension BackupName {
  /// The name of a file that is a backup of any database, and that database as far as the path
  /// tells; nil for any other file. The file need not exist.
  static func found(at path: String) -> (name: BackupName, database: String)? {
    let (folder, file) = Paths.split(path)
    guard let database = BackupStore.database(ofFolder: folder),
      let name = BackupName(file, base: BackupStore.base(of: Paths.split(database).name))
    else { return nil }
    return (name, database)
  }

  /// nil unless Seedbed gives exactly this name to a backup of this database.
  init?(_ name: String, base: String) {
    let start = base + ".v"
    // Compared by their bytes: two names that look the same may be two files.
    guard name.utf8.starts(with: start.utf8), name.hasSuffix(Self.ending) else { return nil }
    let rest = Substring(name.utf8.dropFirst(start.utf8.count).dropLast(Self.ending.utf8.count))
    var parts = rest.split(separator: ".", omittingEmptySubsequences: false)
    var condition = Condition.verified
    if parts.count == 4 {
      guard let found = Condition(rawValue: "." + parts.removeLast()) else { return nil }
      condition = found
    }
    guard parts.count == 3, let version = Version(parts[0]), version >= 0 else { return nil }
    let takenAt = "\(parts[1]).\(parts[2])"
    let form = takenAt.map { $0.isASCII && $0.isNumber ? "0" : $0 }
    guard String(form) == "00000000T000000.000Z" else { return nil }
    self.init(base: base, version: version, takenAt: takenAt, condition: condition)
    // A number may have other spellings, such as `v02` or `v+2`.
    guard text.utf8.elementsEqual(name.utf8) else { return nil }
  }
}

extension Migrator.Backup {
  /// Whether a file is a backup of any database, by its name and that of its folder.
  package static func isOne(_ path: String) -> Bool { BackupName.found(at: path) != nil }
}
