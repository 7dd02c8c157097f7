import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Opens the files that a crash left, like the app's next start would, and reports what is wrong.
package final class Judge {
  /// The faults, the worst first.
  package enum Fault: String, Sendable, CaseIterable {
    /// A step was reported as done, but is missing.
    case lost
    /// The state is neither that before a migration nor that after it.
    case mixed
    /// SQLite finds damage, or rows without their parents.
    case corrupt
    /// A backup differs from the database at that time.
    case backup
    /// The next run does not end like an undisturbed one.
    case stuck
    /// An error does not name the file that it is about.
    case unclear
  }

  package struct Finding: Sendable {
    package var fault: Fault
    package var text: String

    package init(fault: Fault, text: String) {
      self.fault = fault
      self.text = text
    }
  }

  private struct Opened {
    var stage: Int?
    var finding: Finding?
  }

  let subject: Subject
  let stages: [Stage]
  /// Files that were there before the run.
  let old: [String: [UInt8]]
  /// The judge's own folder. Its content is deleted.
  let folder: String
  /// Results by the bytes after SQLite's recovery: equal disks have equal results.
  private var known: [DiskImage.Fingerprint: Tried] = [:]
  private var knownCrashes: [DiskImage.Fingerprint: Opened] = [:]
  /// The number of disks that were judged completely: those that differ after SQLite's recovery.
  package private(set) var judged = 0

  /// The number of different leftovers to try with the same database. Leftovers are files that no
  /// later look reads: a journal that SQLite has read and left, or a backup that was not finished.
  private static let triesOfLeftovers = 3

  private struct Tried {
    /// Results by the leftovers in the same folder.
    var opened: [DiskImage.Fingerprint: Opened] = [:]

    func first(after count: Int) -> Opened? {
      let bad = opened.values.first { $0.finding != nil }
      return bad ?? (opened.count < count ? nil : opened.values.first)
    }
  }

  package init(_ subject: Subject, from start: DiskImage, stages: [Stage], folder: String) {
    self.subject = subject
    self.stages = stages
    old = start.files
    self.folder = folder
  }

  private var database: String { folder + "/" + Subject.database }

  /// Judges a disk by the number of steps that were reported as done before the crash.
  ///
  /// `isKnown`: whether all reports were received, so that at most one more step can be done.
  package func finding(
    on image: DiskImage, told: Int, isKnown: Bool = true
  ) throws -> Finding? {
    let opened = try open(image)
    if let finding = opened.finding { return finding }
    guard let stage = opened.stage else { return nil }
    // Restoring the same backup again is a step that changes nothing.
    let told = min(told, stages.count - 1)
    if stage < told {
      return Finding(fault: .lost, text: "step \(told) was reported, but \(stage) is the last done")
    }
    if isKnown, stage > told + 1 {
      return Finding(
        fault: .mixed,
        text: "step \(stage) is done while step \(told + 1) was running")
    }
    return nil
  }

  /// The stage of the database; nil if something is wrong.
  package func stage(of image: DiskImage) throws -> Int? { try open(image).stage }

  private func open(_ image: DiskImage) throws -> Opened {
    let crash = image.fingerprint
    if let opened = knownCrashes[crash] { return opened }
    let opened = try recover(image)
    knownCrashes[crash] = opened
    return opened
  }

  private func recover(_ image: DiskImage) throws -> Opened {
    try DiskLayer.observing(folder, with: JournalMode(subject.journal)) { try recovered(image) }
  }

  private func recovered(_ image: DiskImage) throws -> Opened {
    try image.write(to: folder)
    do {
      if FileManager.default.fileExists(atPath: database) {
        // At its first look, SQLite rolls a journal back or recovers a WAL.
        try Reader(database).run("SELECT count(*) FROM sqlite_schema")
      }
    } catch let trouble as Trouble {
      return Opened(finding: Finding(fault: .corrupt, text: trouble.description))
    }
    let rest = try DiskImage(of: folder).withoutLeftovers()
    let leftovers = rest.leftovers.fingerprint
    var tried = known[rest.image.fingerprint] ?? Tried()
    if let opened = tried.opened[leftovers] ?? tried.first(after: Self.triesOfLeftovers) {
      return opened
    }
    let opened = judge()
    tried.opened[leftovers] = opened
    known[rest.image.fingerprint] = tried
    return opened
  }

  private func judge() -> Opened {
    judged += 1
    var opened = Opened()
    do {
      let dump = try dump(database)
      opened.stage = stages.firstIndex { $0.dump == dump }
      guard opened.stage != nil else {
        let nearest = stages.map { dump.difference(from: $0.dump) }.min { $0.count < $1.count }
        opened.finding = Finding(
          fault: .mixed, text: "not a state between two migrations\n\(nearest ?? "")")
        return opened
      }
    } catch {
      opened.finding = Finding(fault: .corrupt, text: "\(error)")
      return opened
    }
    opened.finding = backupFinding(stage: opened.stage ?? 0) ?? retryFinding()
    return opened
  }

  /// Checks that every file with a backup's name is intact and holds the database at its version,
  /// and that no step is done before there is a backup.
  private func backupFinding(stage: Int) -> Finding? {
    do {
      let backups = try subject.migrator(in: folder).backups()
      let isMissing = backups.allSatisfy { old[relative($0.path)] != nil }
      let isDue = stages[...stage].dropFirst().contains { !$0.isTheApps }
      if isDue, subject.options.takesBackup, stages.first?.dump.lines.isEmpty == false, isMissing {
        return Finding(fault: .backup, text: "step \(stage) is done, and there is no backup")
      }
      for backup in backups {
        if let bytes = old[relative(backup.path)] {
          if try Data(contentsOf: URL(fileURLWithPath: backup.path)) == Data(bytes) { continue }
          return Finding(fault: .backup, text: "\(backup.path) was sound before the run")
        }
        let dump = try dump(backup.path)
        // A pack's have the version of the base in their names, which does not change.
        let isOfPack = subject.catalog.pack != nil
        if stages.contains(where: { (isOfPack || $0.version == backup.version) && $0.dump == dump })
        {
          continue
        }
        return Finding(fault: .backup, text: "\(backup.path) holds something else")
      }
      return nil
    } catch {
      return Finding(fault: .backup, text: "\(error)")
    }
  }

  private func dump(_ path: String) throws -> DatabaseDump {
    try DatabaseDump(
      path, ledger: subject.options.ledger, pack: subject.catalog.pack?.ledger,
      setup: subject.setup)
  }

  private func relative(_ path: String) -> String {
    String(path.dropFirst(folder.count + 1))
  }

  private func retryFinding() -> Finding? {
    do {
      try subject.perform(in: folder)
      let dump = try dump(database)
      if let last = stages.last, dump != last.dump {
        return Finding(
          fault: .stuck, text: "ends differently\n\(dump.difference(from: last.dump))")
      }
      return backupFinding(stage: 0) ?? leftoverFinding() ?? readFinding()
    } catch {
      return Finding(fault: .stuck, text: "\(error)")
    }
  }

  /// Checks that the app read only states between two commits during the runs so far.
  package func readFinding() -> Finding? {
    let halves = subject.beside.takeSeen().subtracting(stages.map(\.dump))
    guard let half = halves.first else { return nil }
    let nearest = stages.map { half.difference(from: $0.dump) }.min { $0.count < $1.count }
    return Finding(fault: .mixed, text: "an app read a state within a migration\n\(nearest ?? "")")
  }

  /// Checks that a successful run leaves nothing unfinished among the backups.
  private func leftoverFinding() -> Finding? {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    let leftover = names.first { $0.hasSuffix(".partial") || $0.hasSuffix(".partial-journal") }
    return leftover.map { Finding(fault: .stuck, text: "leaves \($0)") }
  }
}
