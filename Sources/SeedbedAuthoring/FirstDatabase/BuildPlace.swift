import Seedbed

/// The place where a first database is written. It is written next to that, until it is complete.
struct BuildPlace {
  /// The absolute path.
  let path: String
  private let folder: String
  private let name: String
  private let makesFolder: Bool

  private var partial: String { ".\(name).partial" }

  init(_ given: String, makesFolder: Bool) throws {
    path = Paths.absolute(given)
    (folder, name) = Paths.split(path)
    self.makesFolder = makesFolder
    if Paths.exists(folder) {
      try refuseOthers(given)
    } else if !makesFolder {
      throw SeedbedError(
        .io, "There is no folder '\(folder)' for the database '\(name)'. Create the folder first.")
    }
  }

  /// Refuses to replace a file, unless `build` made it or it is empty: an app's database must stay.
  private func refuseOthers(_ given: String) throws {
    let folder = try Folder(folder)
    let kind = try folder.kind(of: name)
    if kind == .folder || given.hasSuffix("/") {
      throw SeedbedError(
        .io, "'\(given)' is a folder. Name the file to write, such as 'first.sqlite' in it.")
    }
    if kind == nil || kind == .file && folder.size(of: name) == 0 { return }
    // A file that cannot be read is not ours, for whatever reason.
    let isOurs = try? kind == .file && !Paths.exists(path + "-wal") && FirstDatabase.isBuilt(path)
    if isOurs != true {
      throw SeedbedError(
        .usage,
        "'\(given)' exists, and 'build' did not make it. Name another file, or remove this one "
          + "first.")
    }
  }

  /// Writes the connection's database in compact form as the whole content of the file.
  func write(
    _ connection: Connection, _ head: (version: Version, chain: String),
    _ mode: FirstDatabase.Layout.JournalMode
  ) throws -> FirstDatabase {
    if makesFolder, !Paths.exists(folder) {
      let (above, inner) = Paths.split(folder)
      try Folder(above).makeFolder(inner)
    }
    let folder = try Folder(folder)
    removePartial(in: folder)
    do {
      // The descriptor stays open until the fsync, because Linux reports write errors only to
      // descriptors that were open at the time.
      let file = try folder.create(partial, mode: 0o644)
      try fill(folder.path + "/" + partial, from: connection, mode)
      try file.sync()
      let database = try FirstDatabase(of: folder.open(partial), head)
      try folder.replace(name, with: partial)
      try folder.sync()
      return database
    } catch {
      // The first error is the one to report.
      removePartial(in: folder)
      throw error
    }
  }

  private func fill(
    _ path: String, from connection: Connection, _ mode: FirstDatabase.Layout.JournalMode
  ) throws {
    try connection.writeCompact(to: path)
    let copy = try Connection(path, .unpublished, setup: connection.setup)
    try copy.setJournalMode(mode.rawValue)
    try copy.refuseDamage()
  }

  private func removePartial(in folder: Folder) {
    for name in [partial, partial + "-journal", partial + "-wal", partial + "-shm"]
    where folder.size(of: name) != nil {
      // If it stays, the next build overwrites it.
      try? folder.remove(name)
    }
  }
}

extension FirstDatabase {
  init(of file: OpenFile, _ head: (version: Version, chain: String)) throws {
    let found = try LockedFile.read(file, place: Self.name, isCompressed: false, isRows: false)
    self.init(
      size: found.size, version: head.version, chain: head.chain, digest: found.digest)
  }

  /// Whether `build` wrote the file: its ledger lists migrations, but no run.
  fileprivate static func isBuilt(_ path: String) throws -> Bool {
    let connection = try Connection(path, .immutable, setup: nil)
    guard let ledger = try Ledger(of: connection) else { return false }
    return try ledger.head(on: connection) != nil && ledger.lastRunNumber(on: connection) == 0
  }
}
