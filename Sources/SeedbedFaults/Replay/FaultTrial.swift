import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Performs a run with a fault, and returns what is wrong with the outcome.
package struct FaultTrial {
  let subject: Subject
  let start: DiskImage
  let judge: Judge
  /// The folder for the run. Its content is deleted.
  let folder: String

  package init(_ subject: Subject, from start: DiskImage, judge: Judge, folder: String) {
    // Waiting for a lock that is never released would only take time.
    var subject = subject
    subject.options.lockTimeout = .milliseconds(10)
    self.subject = subject
    self.start = start
    self.judge = judge
    self.folder = folder
  }

  /// nil if the run ended before the fault happened.
  package func outcome(of fault: PlannedFault) throws -> Outcome? {
    try start.write(to: folder)
    let disk = FaultyDisk(fault, journal: subject.journal)
    let (result, leaked) = try DiskLayer.observing(folder, with: disk) {
      let before = FailingMemory.usedBytes
      let result = disk.during { Result { try perform(fault, disk) } }
      return (result, FailingMemory.usedBytes - before)
    }
    try disk.mend()
    guard disk.fired else { return nil }
    // If others use SQLite in this process, its memory is also theirs.
    if FailingMemory.isInstalled, leaked != 0 {
      let text = "SQLite still holds \(leaked) bytes"
      return Outcome(finding: Judge.Finding(fault: .stuck, text: text))
    }
    return Outcome(finding: try said(result, fault, disk) ?? finding(result))
  }

  package struct Outcome: Sendable {
    package var finding: Judge.Finding?
  }

  private func perform(_ fault: PlannedFault, _ disk: FaultyDisk) throws -> Int {
    var subject = subject
    var host = disk.host(in: folder)
    subject.cancellation = disk.cancellation
    subject.shrinkCache(of: disk.writer, &host)
    // A catalog keeps what it has read, and does not read it again.
    if case .bundle = fault.operation {
      subject.catalog = try Catalog(locked: subject.catalog.path, host: disk.bundleHost())
    }
    return try subject.perform(in: folder, host: host)
  }

  /// What is wrong with the error's message, or with the calls before it.
  private func said(
    _ result: Result<Int, any Error>, _ fault: PlannedFault, _ disk: FaultyDisk
  ) -> Judge.Finding? {
    // A cancelled run reports the cancellation, whatever it was doing.
    if fault.answer == .cancel, case .failure(let error as SeedbedError) = result,
      error.code != .cancelled
    {
      return Judge.Finding(fault: .unclear, text: "cancelled, but the error is \(error)")
    }
    if let path = disk.syncedAgain {
      return Judge.Finding(fault: .lost, text: "\(path) was synced again after a failure")
    }
    let root = subject.catalog.path
    let struck = disk.struck.filter { $0.hasPrefix(root) }
    guard case .failure(let error as SeedbedError) = result, !struck.isEmpty else { return nil }
    let isNamed = struck.contains { path in
      let name = path.dropFirst(root.count + 1)
      return error.description.contains(path) || !name.isEmpty && error.description.contains(name)
    }
    if isNamed { return nil }
    return Judge.Finding(fault: .unclear, text: "\(struck) failed, but the error is \(error)")
  }

  private func finding(_ result: Result<Int, any Error>) throws -> Judge.Finding? {
    if let open = openFiles() { return Judge.Finding(fault: .stuck, text: "left open: \(open)") }
    if let held = heldLock() { return held }
    let image = try DiskImage(of: folder)
    let (told, isExact) = try reported(result)
    let stage = try judge.stage(of: image)
    if isExact, let stage, stage != told {
      let says = (try? result.get()) == nil ? "\(result)" : "success"
      return Judge.Finding(fault: .lost, text: "\(stage) steps are done, but it reported \(says)")
    }
    return try judge.finding(on: image, told: isExact ? told : min(told, stage ?? 0))
      ?? judge.readFinding()
  }

  /// The number of steps done according to the result or error; false if the error says that it is
  /// unknown.
  private func reported(_ result: Result<Int, any Error>) throws -> (steps: Int, isExact: Bool) {
    switch result {
    case .success(let steps): return (steps, true)
    case .failure(let error as SeedbedError):
      return (error.applied.count + subject.beside.writes, error.code != .outcomeUnknown)
    case .failure(let error): throw error
    }
  }

  private func openFiles() -> String? {
    let manager = FileManager.default
    let open = try? manager.contentsOfDirectory(atPath: "/proc/self/fd")
    return (open ?? []).lazy.compactMap {
      try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.first { $0.hasPrefix(folder + "/") || $0.hasPrefix(subject.catalog.path + "/") }
  }

  /// A finding if the next connection does not get the write lock at once.
  private func heldLock() -> Judge.Finding? {
    let path = folder + "/" + Subject.database
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      try Reader(path, waits: false).run("BEGIN IMMEDIATE; ROLLBACK")
      return nil
    } catch {
      return Judge.Finding(fault: .stuck, text: "the lock is held: \(error)")
    }
  }
}
