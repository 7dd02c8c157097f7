import Foundation
import Seedbed
import SeedbedFaults

/// Who may read the backups, and whether the write lock is held: looked at while a run goes on.
final class Access: Sendable {
  private let problems = Guarded<[PlantedBug.Layer]>([])

  /// What was found wrong first.
  var problem: PlantedBug.Layer? { problems.withLock { $0.first } }

  /// Has a look at the moments of a run that tell.
  func watch(_ log: DiskLog, _ host: inout Seedbed.Host) {
    host.also(at: .ledgerPrepared) { chmod(log.database, 0o600) }
    host.also(at: .beforeCommit) { [self] in
      if Self.backups(of: log).contains(where: { Self.mode($0) != 0o600 }) { note(.modes) }
      if !Self.isLocked(log.database) { note(.locks) }
    }
  }

  private func note(_ layer: PlantedBug.Layer) { problems.withLock { $0.append(layer) } }

  static func backups(of log: DiskLog) -> [String] {
    let folder = log.database + ".backups"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    // Those of the scenario's past were copied for it, without their modes.
    return names.sorted().suffix(1).map { folder + "/" + $0 }
  }

  private static func mode(_ path: String) -> mode_t? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_mode & 0o777 : nil
  }

  /// The kernel lists all locks by the numbers of the processes and of the files.
  private static func isLocked(_ path: String) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0,
      let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
    else { return false }
    return locks.split(separator: "\n").contains { line in
      let words = line.split(separator: " ")
      return words.contains("\(getpid())") && words.contains { $0.hasSuffix(":\(facts.st_ino)") }
    }
  }
}
