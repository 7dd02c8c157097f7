import Seedbed

extension DeviceChecks {
  func sqlite() throws -> (Line.Outcome, String) {
    let connection = try SQLiteHandle(":memory:")
    let options = try connection.texts("PRAGMA compile_options")
    let version = SQLiteHandle.version
    // > With -DSQLITE_THREADSAFE=0 … SQLite is unsafe to use in a multithreaded program.
    let isFit = version.number >= 3_038_000 && !options.contains("THREADSAFE=0")
    return (
      isFit ? .ok : .no,
      "\(version.text), \(version.sourceID), options: \(options.joined(separator: " "))"
    )
  }

  /// Two copies that lock one file damage it. Copies in other files than Seedbed's do no harm as
  /// long as the app does not use them.
  func copies() -> (Line.Outcome, String) {
    let own = SQLiteHandle.version.sourceID
    let found = SQLiteCopies.loaded()
    let seen = "Seedbed's is \(own); loaded: \(found.joined(separator: "; "))"
    if found.count(where: { $0.hasPrefix(own) }) > 1 { return (.no, "two alike. \(seen)") }
    if let sourceID {
      return sourceID == own ? (.ok, seen) : (.no, "the app uses \(sourceID). \(seen)")
    }
    let isAlone = found.count == 1 && found[0].hasPrefix(own)
    return isAlone ? (.ok, seen) : (.absent, "pass the 'sourceID' of the app's copy. \(seen)")
  }

  func locks(journal: String) throws -> (Line.Outcome, String) {
    remove("locks.sqlite")
    defer { remove("locks.sqlite") }
    let first = try SQLiteHandle(path("locks.sqlite"))
    let mode = try first.texts("PRAGMA journal_mode = \(journal)")
    guard mode == [journal.lowercased()] else { return (.no, "the mode stays \(mode)") }
    try first.execute("CREATE TABLE t (a INTEGER)")
    let second = try SQLiteHandle(path("locks.sqlite"))
    try first.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
    let during = second.status(of: "BEGIN IMMEDIATE")
    try first.execute("COMMIT")
    let seen = try second.integer("SELECT count(*) FROM t")
    let isRight = during == SQLiteHandle.busy && seen == 1
    return (
      isRight ? .ok : .no,
      "the second writer got \(during) (busy is \(SQLiteHandle.busy)), then read \(seen) row"
    )
  }

  func lent() throws -> (Line.Outcome, String) {
    remove("lent.sqlite")
    defer { remove("lent.sqlite") }
    let handle = try SQLiteHandle(path("lent.sqlite"))
    let report = try HandleMigrator(catalog: Self.releases()).up(on: handle.pointer)
    return (report.to == 2 ? .ok : .no, "up to \(report.to) on a handle with a mutex of its own")
  }

  func fullFlush() throws -> (Line.Outcome, String) {
    DeviceFile.write(1 << 16, to: path("flush"))
    defer { remove("flush") }
    guard let result = try DeviceFile.fullFlush(path("flush")) else {
      return (.absent, "F_FULLFSYNC is not on this system")
    }
    return result == 0
      ? (.ok, "F_FULLFSYNC") : (.no, "error \(result): 'fsync' is used in its place")
  }

  func clone() throws -> (Line.Outcome, String) {
    DeviceFile.write(1 << 20, to: path("original"))
    defer { ["original", "clone"].forEach(remove) }
    return try DeviceFile.clone(path("original"), to: path("clone"))
      ? (.ok, "a clone takes neither time nor space here")
      : (.absent, "this file system does not clone: a copy takes its size")
  }
}
