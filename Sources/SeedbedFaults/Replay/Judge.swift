import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Opens what a crash left as the app's next start would, and reports what is wrong with it.
package final class Judge {
  /// The worst first.
  package enum Fault: String, Sendable, CaseIterable {
    /// What was reported as done is not there.
    case lost
    /// The state is neither that before a migration nor that after it.
    case mixed
    /// SQLite finds damage, or rows without their parents.
    case corrupt
    /// A backup that is not what the database held.
    case backup
    /// The next run does not end as the first one should have.
    case stuck
    /// An error that does not name the file that it is about.
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
  /// What is in it is thrown away.
  let folder: String
  /// By the bytes after SQLite's recovery: the same disk goes on in the same way.
  private var known: [DiskImage.Fingerprint: Tried] = [:]
  private var knownCrashes: [DiskImage.Fingerprint: Opened] = [:]
  /// Disks that were judged to the end: those that differ after SQLite's recovery.
  package private(set) var judged = 0

  /// What nobody reads any more is tried in so many forms beside the same database: a journal that
  /// SQLite looked at and left, a backup that was never finished.
  private static let triesOfLeftovers = 3

  private struct Tried {
    /// By the leftovers beside it.
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

  /// `told`: how many steps were reported as done before the crash; `isKnown`: whether all reports
  /// were received, so that at most one more can be done.
  package func finding(
    on image: DiskImage, told: Int, isKnown: Bool = true
  ) throws -> Finding? {
    let opened = try open(image)
    if let finding = opened.finding { return finding }
    guard let stage = opened.stage else { return nil }
    // Restoring once more what was restored is a step that leads nowhere new.
    let told = min(told, stages.count - 1)
    if stage < told {
      return Finding(fault: .lost, text: "step \(told) was reported as done, and \(stage) is there")
    }
    if isKnown, stage > told + 1 {
      return Finding(
        fault: .mixed,
        text: "step \(stage) is there while step \(told + 1) was "
          + "running")
    }
    return nil
  }

  /// Which stage the database is at; nil if something is wrong.
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
        // SQLite rolls a journal back and takes a WAL over at the first look.
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
        opened.finding = Finding(fault: .mixed, text: "no state between two\n\(nearest ?? "")")
        return opened
      }
    } catch {
      opened.finding = Finding(fault: .corrupt, text: "\(error)")
      return opened
    }
    opened.finding = backupFinding(stage: opened.stage ?? 0) ?? retryFinding()
    return opened
  }

  /// Whatever has a backup's name is whole, and holds what the database held at its version; and
  /// no step is done before there is one.
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
        if stages.contains(where: { $0.version == backup.version && $0.dump == dump }) { continue }
        return Finding(fault: .backup, text: "\(backup.path) holds something else")
      }
      return nil
    } catch {
      return Finding(fault: .backup, text: "\(error)")
    }
  }

  private func dump(_ path: String) throws -> DatabaseDump {
    try DatabaseDump(path, ledger: subject.options.ledger, setup: subject.onConnection)
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
          fault: .stuck, text: "ends otherwise\n\(dump.difference(from: last.dump))")
      }
      return backupFinding(stage: 0) ?? leftoverFinding() ?? readFinding()
    } catch {
      return Finding(fault: .stuck, text: "\(error)")
    }
  }

  /// What an app read beside the runs so far: states between two commits only.
  package func readFinding() -> Finding? {
    let halves = subject.beside.takeSeen().subtracting(stages.map(\.dump))
    guard let half = halves.first else { return nil }
    let nearest = stages.map { half.difference(from: $0.dump) }.min { $0.count < $1.count }
    return Finding(fault: .mixed, text: "an app read no state between two\n\(nearest ?? "")")
  }

  /// A run that ends well leaves nothing half-done beside the backups.
  private func leftoverFinding() -> Finding? {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    let leftover = names.first { $0.hasSuffix(".partial") || $0.hasSuffix(".partial-journal") }
    return leftover.map { Finding(fault: .stuck, text: "leaves \($0)") }
  }
}
