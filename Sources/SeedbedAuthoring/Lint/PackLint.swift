import Seedbed

/// Finds rows that two catalogs of a database have, rows of the base that a pack changes, and rows
/// that refer to what the base no longer has: each pack is played after its base as it is now, and
/// after each other pack.
struct PackLint {
  private let catalog: Catalog
  private let settings: ScratchSettings
  private let findings: LintFindings

  init(_ catalog: Catalog, _ settings: ScratchSettings, _ findings: LintFindings) {
    (self.catalog, self.settings, self.findings) = (catalog, settings, findings)
  }

  func check() throws {
    let all = [catalog] + catalog.others
    guard var base = all.first(where: { $0.pack == nil }) else { return }
    let packs = all.filter { $0.pack != nil }.map { pack in
      var pack = pack
      pack.others = []
      return pack
    }
    base.others = []
    base.playedTo = try base.migrations().last?.version
    // Where a pack is linted, the others are linted on their own.
    for pack in packs where catalog.pack == nil || pack.packName == catalog.packName {
      let pack = try pack.beside([base])
      let ofBase = try shared(pack, after: nil)
      try report(ofBase, pack, "the base")
      for other in packs where other.packName != pack.packName {
        if catalog.pack == nil, (other.packName ?? "") > (pack.packName ?? "") { continue }
        let found = try shared(pack, after: other.beside([base])).filter { row in
          !ofBase.contains { $0.isSame(as: row) }
        }
        try report(found, pack, "the pack '\(other.packName ?? "")'")
      }
    }
  }

  private struct SharedRow {
    var migration: Migration
    var table: String
    var isOrphan = false
    /// nil if all values are the same, so that no conflict names the row.
    var key: String?

    func isSame(as other: Self) -> Bool {
      migration.version == other.migration.version && table == other.table && key == other.key
    }
  }

  /// The rows of a pack whose keys or UNIQUE values rows have that were there before.
  private func shared(_ pack: Catalog, after other: Catalog?) throws -> [SharedRow] {
    var settings = settings
    settings.others = []
    let scratch = try ScratchDatabase(empty: .authored(pack), settings)
    do {
      if let other { try scratch.play(beside: other) }
      let migrations = try pack.migrations()
      let ofBase = other == nil ? try RowsOfBase(migrations, scratch) : nil
      let report = try scratch.up(scratch.resolved)
      try ofBase?.changed().forEach { add(.overlap, $0.migration, pack, $0.words) }
      return report.migrations.flatMap { done in
        guard let migration = migrations.first(where: { $0.version == done.version }) else {
          return [SharedRow]()
        }
        // Beside another pack, a parent is only missing because of one of these.
        let met = done.conflicts.filter {
          [.keyTaken, .uniqueTaken].contains($0.kind) || other == nil && $0.kind == .parentDeleted
        }
        // A row to add that is there already. One to change may be as it was.
        let same = done.tables.filter { table in
          table.counts.unchanged > 0
            && migration.files.contains { $0.kind == .insert(table: table.table) }
        }
        return met.map {
          SharedRow(
            migration: migration, table: $0.table, isOrphan: $0.kind == .parentDeleted,
            key: $0.key.json)
        } + same.map { SharedRow(migration: migration, table: $0.table) }
      }
    } catch let error as SeedbedError where error.code != .cancelled {
      // What does not fit the base alone is reported once.
      if other == nil { try findings.add(placed(error, in: pack), in: nil) }
      return []
    }
  }

  private func report(_ rows: [SharedRow], _ pack: Catalog, _ owner: String) throws {
    let name = pack.packName ?? ""
    for row in rows {
      let what = row.key.map { ", \($0)," } ?? ", with the same values,"
      let words =
        row.isOrphan
        ? "of the pack '\(name)' refers to a row that \(owner) no longer has."
        : "is in the pack '\(name)' and in \(owner)."
      add(
        row.isOrphan ? .foreignKey : .overlap, row.migration, pack,
        "A row of '\(row.table)'\(what) \(words)")
    }
  }

  private func add(_ code: LintCode, _ migration: Migration, _ pack: Catalog, _ words: String) {
    findings.add(code, place(migration.folder, in: pack), words, migration)
  }

  /// Another pack's files are below its name.
  private func place(_ file: String, in pack: Catalog) -> SeedbedError.Place {
    let isOwn = pack.packName == catalog.packName
    return SeedbedError.Place(isOwn ? file : "\(pack.packName ?? "")/\(file)")
  }

  private func placed(_ error: SeedbedError, in pack: Catalog) -> SeedbedError {
    error.with {
      if let file = $0.place?.file { $0.place?.file = place(file, in: pack).file }
      if let last = pack.packBase?.playedTo, last != pack.pack?.needs {
        $0.message +=
          " The pack came after release \(last) of the base, which may neither rename nor take "
          + "away what packs fill."
      }
    }
  }
}
