// What `beginningWith:` adds to the first start.

extension Migrator {
  /// How the database began in this call.
  struct Beginning {
    /// What was copied, as one step of the run; nil if nothing was.
    var step: Report.Migration?
    var bytes: Int64 = 0
    var notes: [String] = []

    var steps: [Report.Migration] { step.map { [$0] } ?? [] }

    init(notes: [String] = []) { self.notes = notes }

    init(_ readyMade: ReadyMade, _ standing: ReadyMade.Standing) {
      let plan = standing.plan
      let name = plan.steps.last { $0.version == plan.current }?.name ?? ""
      step = Report.Migration(version: plan.current, name: name, isWithdrawn: false)
      bytes = standing.bytes
      notes = ["The database began with '\(readyMade.path)', at \(plan.current)."]
    }

    func completed(_ report: Report, as outcome: Report.Outcome) -> Report {
      var report = report
      report.notes = notes + report.notes
      guard step != nil else { return report }
      (report.from, report.outcome) = (0, outcome)
      if outcome == .planned { report.neededBytes = (report.neededBytes ?? 0) + bytes }
      return report
    }

    /// The copy stays, whatever fails after it.
    func complete(_ cause: any Error) -> SeedbedError {
      var error = SeedbedError.from(cause)
      guard let step else { return error }
      if error.applied.first != step.version { error.applied.insert(step.version, at: 0) }
      error.isDatabaseUnchanged = false
      return error
    }
  }

  var readyMade: ReadyMade? {
    first.map { ReadyMade(catalog: catalog, options: options, path: $0) }
  }

  /// Copies the ready-made database into place: completely or not at all, and never over another.
  ///
  /// 1. Look whether it belongs to the catalog.
  /// 2. Copy it under a name that nobody knows, and make that durable.
  /// 3. Give it the database's name, unless another process was faster.
  ///
  /// What it cannot be used for is noted, and `up` goes its ordinary way.
  func begin(
    to last: Version?, _ cancellation: Cancellation?, _ meter: ProgressMeter
  ) throws -> Beginning {
    guard let readyMade, !Paths.exists(path) else { return Beginning() }
    let start = Clock.monotonic()
    var beginning: Beginning
    switch try readyMade.look(to: last, { Beginning(readyMade, $1) }) {
    case .success(let fit): beginning = fit
    case .failure(let unfit): return Beginning(notes: [readyMade.note(unfit)])
    }
    if let remains = remains() {
      // Another process may have begun it meanwhile, and its -wal is beside it.
      return Paths.exists(path) ? Beginning() : Beginning(notes: [readyMade.note(remains)])
    }
    let (place, name) = Paths.split(path)
    let folder = try Folder(place, host: host)
    let temporary = try copy(readyMade.path, into: folder, base: name, cancellation, meter)
    do {
      guard try folder.claim(name, for: temporary) else {
        try folder.remove(temporary)
        return Beginning(notes: [readyMade.note(SeedbedError.noLinks(place))])
      }
    } catch {
      // It is gone if the winner swept it.
      try? folder.remove(temporary)
      if Paths.exists(path) { return Beginning() }
      throw error
    }
    beginning.step?.duration = .milliseconds(Int((Clock.monotonic() - start) * 1000))
    do {
      try folder.sync()
    } catch {
      throw beginning.complete(error)
    }
    host.reached(.begun)
    return beginning
  }

  /// - Returns: the name of the copy.
  private func copy(
    _ source: String, into folder: Folder, base: String, _ cancellation: Cancellation?,
    _ meter: ProgressMeter
  ) throws -> String {
    let (place, name) = Paths.split(source)
    let original = try Folder(place, host: host).open(name)
    let temporary = TemporaryBackup.freshName(base: base)
    // Closed before the file gets its name: afterwards it may be open as a database, and closing
    // any descriptor of it would drop SQLite's locks.
    let copy = try folder.copy(original, to: temporary) {
      try cancellation?.check()
      meter.tick()
    }
    do {
      try copy.sync()
      return temporary
    } catch {
      // The first error is the one to report.
      try? folder.remove(temporary)
      throw error
    }
  }

  /// SQLite would take the log of an earlier database for that of the copy.
  private func remains() -> SeedbedError? {
    let log = ["-wal", "-journal"].map { path + $0 }.first { Paths.exists($0) }
    return log.map { SeedbedError(.io, "'\($0)' is left of an earlier database.") }
  }

  /// Removes what killed processes left beside the database; who is still copying has lost.
  func sweepCopies() {
    let (place, name) = Paths.split(path)
    guard first != nil, Paths.exists(path), let folder = try? Folder(place, host: host) else {
      return
    }
    // What cannot be removed now is tried again by the next run.
    try? TemporaryBackup.sweep(folder, base: name, sparing: nil)
  }
}

extension SeedbedError {
  fileprivate static func noLinks(_ folder: String) -> SeedbedError {
    SeedbedError(.io, "The file system of '\(folder)' has no hard links.")
  }
}
