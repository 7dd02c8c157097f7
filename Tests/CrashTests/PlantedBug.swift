import Foundation
import Seedbed
import SeedbedFaults

/// A bug that Seedbed could have, made from outside: its log of the disk is spoiled, or something
/// happens in the middle of its run. Bugs inside Seedbed are the patches in `Tests/Planted`.
struct PlantedBug: Sendable {
  /// Where it must be seen.
  enum Layer: String, Sendable {
    case states = "crash states"
    case run = "the run itself"
    case reads = "an app that reads"
    case modes = "access of files"
    case locks = "locks"
  }

  var name: String
  var layer: Layer
  var scenario = Scenario.oneOfThree
  var plant: @Sendable (DiskLog, inout Seedbed.Host) -> Void

  static let all: [PlantedBug] = [
    PlantedBug(name: "synchronous off", layer: .states) { log, _ in
      log.forget { change in
        if case .synced(let name) = change { name.hasPrefix(Subject.database) } else { false }
      }
    },
    PlantedBug(name: "synchronous FULL, not EXTRA", layer: .states) { log, _ in
      // Only EXTRA syncs the folder once the journal is gone.
      log.forgetFolderSyncs(after: .removed(Subject.database + "-journal"))
    },
    PlantedBug(name: "ledger row in a second transaction", layer: .states) { log, host in
      host.also(at: .beforeLedgerRow) { log.interfere("COMMIT; BEGIN IMMEDIATE") }
    },
    PlantedBug(name: "the same beside an app", layer: .reads, scenario: .beside) { log, host in
      host.also(at: .beforeLedgerRow) { log.interfere("COMMIT; BEGIN IMMEDIATE") }
    },
    PlantedBug(name: "backup begun after the first write", layer: .run) { log, host in
      host.also(at: .locked) {
        log.interfere("UPDATE mine SET text = text || '!'")
        log.flush()
      }
    },
    PlantedBug(name: "backup published before its fsync", layer: .states) { log, _ in
      log.forget { change in
        if case .synced(let name) = change { name.hasSuffix(".partial") } else { false }
      }
    },
    PlantedBug(name: "ready-made database before its fsync", layer: .states, scenario: .readyMade) {
      log, _ in
      log.forget { change in
        if case .synced(let name) = change { name.hasSuffix(".partial") } else { false }
      }
    },
    PlantedBug(name: "backup that everybody may read", layer: .modes) { log, host in
      host.also(at: .backupPublished) {
        for path in Access.backups(of: log) { chmod(path, 0o644) }
      }
    },
    PlantedBug(name: "database opened beside SQLite", layer: .locks) { log, host in
      // Closing any descriptor of a file gives up all POSIX locks that the process has on it.
      host.also(at: .beforeRows) { close(open(log.database, O_RDONLY)) }
    },
    PlantedBug(name: "no fsync of the backups' folder", layer: .states) { log, _ in
      log.forget { change in
        if case .syncedFolder(let name) = change { name.hasSuffix(".backups") } else { false }
      }
    },
  ]
}
