import TestSupport
@testable import Seedbed

/// The values behind the examples of the manual.
enum Examples {
  static let conflict = Migrator.Conflict(
    id: 1, version: 3, table: "elements", key: #"{"number":113}"#, kind: .edited,
    policy: "keepEdits", resolution: .merged, movedTo: nil, base: #"{"name":"Ununtrium"}"#,
    mine: #"{"name":"Bobium"}"#, seed: #"{"name":"Nihonium"}"#, at: "2026-11-20T08:12:44.131Z")

  static func conflict(
    _ kind: Migrator.Conflict.Kind, _ resolution: Migrator.Conflict.Resolution,
    table: String = "elements"
  ) -> Migrator.Conflict {
    var conflict = conflict
    conflict.kind = kind
    conflict.resolution = resolution
    conflict.table = table
    return conflict
  }

  static func counts(
    inserted: Int = 0, updated: Int = 0, deleted: Int = 0, unchanged: Int = 0, kept: Int = 0,
    left: Int = 0
  ) -> Migrator.Counts {
    var counts = Migrator.Counts()
    (counts.inserted, counts.updated, counts.deleted) = (inserted, updated, deleted)
    (counts.unchanged, counts.kept, counts.left) = (unchanged, kept, left)
    return counts
  }

  static func migration(
    _ version: Version, _ name: String, ms: Int, _ tables: [(String, Migrator.Counts)],
    conflicts: [Migrator.Conflict] = []
  ) -> Migrator.Report.Migration {
    Migrator.Report.Migration(
      version: version, name: name, duration: .milliseconds(ms),
      tables: tables.map { Migrator.Report.Table(table: $0.0, counts: $0.1) }, conflicts: conflicts,
      conflictCount: conflicts.count, moved: [], isWithdrawn: false)
  }

  static let backup = Migrator.Backup(
    path: "/home/app.sqlite.backups/app.v2.20261120T081244.120Z.sqlite", version: 2,
    takenAt: "2026-11-20T08:12:44.120Z", bytes: 1_216_512, isVerified: true)

  static func report(
    from: Version = 2, to: Version = 4, backup: Migrator.Backup? = nil,
    _ migrations: [Migrator.Report.Migration]
  ) -> Migrator.Report {
    Migrator.Report(
      database: "/home/app.sqlite", from: from, to: to, backup: backup,
      outcome: migrations.isEmpty ? .upToDate : .applied, migrations: migrations,
      touchedTables: [], notes: [])
  }

  static let twoApplied = report(
    backup: backup,
    [
      migration(
        3, "iupac_2016", ms: 11, [("elements", counts(updated: 4))], conflicts: [conflict]),
      migration(4, "weights_2021", ms: 9, [("elements", counts(updated: 6))]),
    ])

  static func status(
    _ version: Version, _ name: String, _ state: Migrator.Status.Migration.State, rows: Int?,
    at: Migrator.Timestamp? = nil,
    ms: Int? = nil, checksum: String? = nil
  ) -> Migrator.Status.Migration {
    Migrator.Status.Migration(
      version: version, name: name, state: state, rows: rows, appliedAt: at,
      duration: ms.map { .milliseconds($0) },
      checksum: checksum)
  }

  static let twoPending = Migrator.Status(
    database: "/home/app.sqlite", catalog: "/home/Migrations", current: 2, target: 4,
    state: .pending,
    migrations: [
      status(
        1, "elements", .applied, rows: 118, at: "2026-09-01T08:12:44.001Z", ms: 12,
        checksum: "sha256:9f3c2a77"),
      status(
        2, "notes", .applied, rows: 0, at: "2026-09-01T08:12:44.014Z", ms: 1,
        checksum: "sha256:77b01d00"),
      status(3, "iupac_2016", .pending, rows: 4, checksum: "sha256:aaaaaa"),
      status(4, "weights_2021", .pending, rows: 6),
    ], lastRun: nil)
}
