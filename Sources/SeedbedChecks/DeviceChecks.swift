public import Seedbed

/// What Seedbed relies on, tried on the device itself: for an app's tests and its debug menu.
///
///     for line in DeviceChecks(catalog: catalog, in: folder).lines() { print(line) }
///
/// It works in a folder of its own, and never opens the app's database.
public struct DeviceChecks: Sendable {
  let catalog: Catalog
  let folder: String
  let sourceID: String?
  let configure: @Sendable (inout Migrator) -> Void

  /// - Parameters:
  ///   - catalog: the app's own. A first start with it is measured.
  ///   - folder: a folder that may be missing, beside the app's database: there it has the same
  ///     protection.
  ///   - sourceID: `String(cString: sqlite3_sourceid())`, called in the module whose SQLite the app
  ///     uses. It shows whether Seedbed uses the same copy.
  ///   - configure: sets the app's own options and hooks for the first start that is measured.
  public init(
    catalog: Catalog, in folder: String, sourceID: String? = nil,
    configure: @escaping @Sendable (inout Migrator) -> Void = { _ in }
  ) {
    (self.catalog, self.folder, self.sourceID) = (catalog, folder, sourceID)
    self.configure = configure
  }

  /// The result of one check.
  public struct Line: Sendable, CustomStringConvertible {
    /// How a check ended.
    public enum Outcome: String, Sendable {
      /// It is as it has to be.
      case ok
      /// It is not.
      case no
      /// This system does not have it, or nothing was done yet that could be looked at.
      case absent = "--"
    }

    /// The name of the check.
    public let name: String
    /// How it ended.
    public let outcome: Outcome
    /// What the check saw.
    public let seen: String

    /// The outcome, the name and what was seen, on one line.
    public var description: String { "\(outcome.rawValue)  \(name): \(seen)" }
  }

  /// Makes all checks that need neither a kill nor a lock. It blocks, for about as long as the
  /// app's first start.
  public func lines() -> [Line] {
    do { try DeviceFile.makeFolder(folder) } catch { return [Self.line("folder") { throw error }] }
    return [
      Self.line("SQLite", sqlite), Self.line("copies of SQLite", copies),
      Self.line("write, kill, open again", afterKill),
      Self.line("locks of two connections, rollback journal") { try locks(journal: "DELETE") },
      Self.line("locks of two connections, WAL") { try locks(journal: "WAL") },
      Self.line("a handle that the app lends", lent), Self.line("full flush", fullFlush),
      Self.line("backup and back", backup), Self.line("protection classes", protection),
      Self.line("kept out of device backups", exclusion), Self.line("copies of files", clone),
      Self.line("first start of this app", firstStart),
    ]
  }

  /// Ends the process inside a transaction of `up`, as a kill does. Afterwards `lines()` says what
  /// the next start found.
  public func killMidway() throws -> Never {
    try DeviceFile.makeFolder(folder)
    var migrator = try small("killed.sqlite")
    try migrator.up(to: 1)
    migrator.host.reaching = { if $0 == .beforeCommit { DeviceFile.exitAtOnce() } }
    try migrator.up()
    throw DeviceError("The run ended before it was killed.")
  }

  /// Waits until the device is locked, sees `up` refused, and sees it succeed after the device is
  /// unlocked. It blocks: call it in a task of its own, with background time.
  public func lockAndUnlock(within limit: Duration = .seconds(120)) -> Line {
    Self.line("locked and unlocked") {
      try DeviceFile.makeFolder(folder)
      let migrator = try fresh("locked.sqlite")
      defer { remove("locked.sqlite") }
      try migrator.up(to: 1)
      try DeviceFile.protectCompletely(path("locked.sqlite"))
      guard try DeviceFile.protection(of: path("locked.sqlite")) != nil else {
        return (.absent, "this system locks no files")
      }
      let end = ContinuousClock.now + limit
      var wasLocked = false
      while ContinuousClock.now < end {
        do {
          try migrator.up(to: wasLocked ? 2 : 1)
          if wasLocked { return (.ok, "refused as 'protected', and applied after the unlock") }
        } catch let error as SeedbedError where error.code == .protected {
          wasLocked = true
        }
        DeviceFile.sleep()
      }
      guard wasLocked else { return (.absent, "nothing was refused: lock the device") }
      // While iOS suspends the app, the time goes on.
      try migrator.up(to: 2)
      return (.ok, "refused as 'protected', and applied at the end")
    }
  }

  static func line(_ name: String, _ body: () throws -> (Line.Outcome, String)) -> Line {
    do {
      let (outcome, seen) = try body()
      return Line(name: name, outcome: outcome, seen: seen)
    } catch {
      return Line(name: name, outcome: .no, seen: "\(error)")
    }
  }
}

/// What a check found that must not be.
struct DeviceError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
