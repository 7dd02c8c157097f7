// The work of `beginningWith:` at the first start.

extension Migrator {
  /// How the database begins in this call.
  struct Beginning {
    /// The releases that the ready-made database has and lacks; nil if the database begins empty.
    var comparison: LedgerComparison?
    /// The size of the ready-made database.
    var bytes: Int64 = 0
    var notes: [String] = []
    /// The time for the copy.
    var duration = Duration.zero

    /// The copy, as one step of the run.
    var steps: [Report.Migration] {
      guard let comparison else { return [] }
      let name = comparison.steps.last { $0.version == comparison.current }?.name ?? ""
      return [
        Report.Migration(
          version: comparison.current, name: name, duration: duration, isWithdrawn: false)
      ]
    }

    func completed(_ report: Report, as outcome: Report.Outcome) -> Report {
      var report = report
      report.notes = notes + report.notes
      if comparison == nil { return report }
      (report.from, report.outcome) = (0, outcome)
      if outcome == .planned { report.neededBytes = (report.neededBytes ?? 0) + bytes }
      return report
    }

    /// The copy stays, even if a later step fails.
    func complete(_ cause: any Error) -> SeedbedError {
      let error = SeedbedError.from(cause)
      guard let version = comparison?.current else { return error }
      return error.with {
        if $0.applied.first != version { $0.applied.insert(version, at: 0) }
        $0.isDatabaseUnchanged = false
      }
    }
  }

  /// The ready-made database is not used.
  private func emptyBeginning(_ reason: String) -> Beginning {
    Beginning(notes: ["The database did not begin with '\(first ?? "")': \(reason)"])
  }

  // MARK: does it fit

  /// Errors that mean that the file does not fit. Any other may be temporary, or would also stop an
  /// ordinary `up`.
  private static let unfit: Set<SeedbedError.Code> = [
    .usage, .corrupt, .newer, .tooOld, .outOfOrder,
  ]

  /// Checks whether the database can begin with the ready-made one. Only its header and its ledger
  /// are read, since reading all of it would take longer than the copy.
  ///
  /// - Parameter body: gets a connection that reads it and leaves nothing next to it.
  func beginning(
    _ resolved: ResolvedCatalog, to last: Version?, _ body: (Connection) throws -> Void = { _ in }
  ) throws -> Beginning {
    guard let first else { return Beginning() }
    do {
      let (beginning, connection) = try examine(first, resolved, to: last)
      try body(connection)
      return beginning
    } catch {
      let error = SeedbedError.from(error)
      guard Self.unfit.contains(error.code) else { throw error }
      return emptyBeginning(error.message)
    }
  }

  private func examine(
    _ first: String, _ resolved: ResolvedCatalog, to last: Version?
  ) throws -> (Beginning, Connection) {
    guard let size = Paths.size(first) else { throw SeedbedError(.usage, "There is no such file.") }
    for companion in ["-wal", "-journal"] where Paths.exists(first + companion) {
      throw SeedbedError(.usage, "'\(Paths.split(first).name)\(companion)' is beside it.")
    }
    let connection = try Connection(first, .immutable, setup: hooks.setup)
    try connection.configureForReading()
    let bytes = try connection.pageSize() * connection.pageCount()
    guard bytes == size else {
      throw SeedbedError(.usage, "It has \(size) bytes, and its header says \(bytes).")
    }
    let comparison = try resolved.compared(for: ledger, on: connection)
    guard comparison.current > 0 else {
      throw SeedbedError(.usage, "Its ledger '\(options.ledger)' lists no migration.")
    }
    if let last, comparison.current > last {
      throw SeedbedError(.usage, "It is at \(comparison.current), above \(last).")
    }
    do {
      _ = try comparison.migrationsToApply(to: last, allowsOutOfOrder: options.allowsOutOfOrder) {
        try resolved.catalog.lineEndings(of: $0, applied: $1.checksum)
      }
    } catch let error as SeedbedError where error.code == .drift || error.code == .missing {
      throw SeedbedError(.usage, "It was made of other migrations than the catalog has.")
    }
    let note = "The database began with '\(first)', at \(comparison.current)."
    return (Beginning(comparison: comparison, bytes: bytes, notes: [note]), connection)
  }

  // MARK: the copy

  /// Copies the ready-made database into place: completely or not at all, and never over another.
  ///
  /// 1. Check whether it belongs to the catalog.
  /// 2. Copy it under a temporary name, and make that durable.
  /// 3. Give it the database's name, unless another process was faster.
  /// 4. Remove the copies that killed processes left, and then its temporary name.
  ///
  /// If it cannot be used, a note says so, and `up` goes its ordinary way.
  func begin(
    _ resolved: ResolvedCatalog, to last: Version?, _ cancellation: Cancellation?,
    _ meter: ProgressMeter
  ) throws -> Beginning {
    guard let first, !Paths.exists(path) else { return Beginning() }
    let start = Clock.monotonic()
    var beginning = try beginning(resolved, to: last)
    if beginning.comparison == nil { return beginning }
    // SQLite would take the log of an earlier database for that of the copy.
    if let log = ["-wal", "-journal"].map({ path + $0 }).first(where: Paths.exists) {
      // Another process may have begun it meanwhile, and its -wal is next to it.
      return Paths.exists(path)
        ? Beginning() : emptyBeginning("'\(log)' is left of an earlier database.")
    }
    let (place, name) = Paths.split(path)
    let folder = try Folder(place, host: host)
    let temporary = TemporaryBackup.freshName(base: name)
    try copy(first, to: temporary, in: folder) {
      try cancellation?.check()
      meter.tick()
    }
    do {
      // While the file has two names, the next run looks for copies even if nothing is pending.
      guard try folder.claim(name, for: temporary, then: { sweepCopies(sparing: temporary) }) else {
        try folder.remove(temporary)
        return emptyBeginning("The file system of '\(place)' has no hard links.")
      }
    } catch {
      // It is gone if the winning process removed it.
      try? folder.remove(temporary)
      if Paths.exists(path) { return Beginning() }
      throw error
    }
    beginning.duration = .clamped(seconds: Clock.monotonic() - start)
    do {
      try folder.sync()
    } catch {
      throw beginning.complete(error)
    }
    host.reached(.begun)
    return beginning
  }

  private func copy(
    _ source: String, to temporary: String, in folder: Folder, afterEachPiece: () throws -> Void
  ) throws {
    let (place, name) = Paths.split(source)
    let original = try Folder(place, host: host).open(name)
    // Closed before the file gets its name: afterwards it may be open as a database, and closing
    // any descriptor of it would drop SQLite's locks.
    let copy = try folder.copy(original, to: temporary, afterEachPiece: afterEachPiece)
    do {
      try copy.sync()
    } catch {
      // The first error is the one to report.
      try? folder.remove(temporary)
      throw error
    }
  }

  /// Removes copies left by killed processes. A process that is still copying has lost the race.
  func sweepCopies(sparing spared: String? = nil) {
    let (place, name) = Paths.split(path)
    guard first != nil, Paths.exists(path), let folder = try? Folder(place, host: host) else {
      return
    }
    // If it cannot be removed now, the next run tries again.
    try? TemporaryBackup.sweep(folder, base: name, sparing: spared)
  }
}
