/// The difference between a database and its catalog, as a pure function of the catalog's
/// migrations and the ledger's rows. It uses no database, clock or disk.
struct LedgerComparison: Sendable {
  /// A version in the catalog, the ledger or both.
  final class Step: Sendable {
    let version: Version
    /// The words in the catalog, if it has the version: they may change.
    let name: String
    let state: Migrator.Status.Migration.State
    let migration: Migration?
    let applied: AppliedMigration?

    init(
      _ version: Version, _ state: Migrator.Status.Migration.State, _ migration: Migration?,
      _ applied: AppliedMigration?
    ) {
      (self.version, self.state) = (version, state)
      (self.migration, self.applied) = (migration, applied)
      name = migration?.name ?? applied?.name ?? ""
    }
  }

  /// The steps in version order.
  let steps: [Step]
  /// The highest version in the ledger; 0 for none.
  let current: Version
  /// The highest version in the catalog; 0 for none.
  let target: Version
  /// Whether releases above the catalog's last are known: a download brought them.
  let isBeyond: Bool
  /// The last migration whose folder was dropped; nil if all folders exist.
  let base: Base?

  /// The last version without a folder, and its checksum.
  struct Base: Sendable {
    var version: Version
    var checksum: String
    /// The advice in `catalog.json` for users of an older database.
    var advice: String?
  }

  /// A migration without a checksum is not compared, since the caller did not read its files.
  init(
    available: [Migration], applied: [AppliedMigration], base: Base? = nil, isBeyond: Bool = false
  ) {
    let ours = Dictionary(available.map { ($0.version, $0) }) { first, _ in first }
    let theirs = Dictionary(applied.map { ($0.version, $0) }) { first, _ in first }
    let current = theirs.keys.max() ?? 0
    let target = ours.keys.max() ?? base?.version ?? 0
    let steps = Set(ours.keys).union(theirs.keys).ordered().map { version in
      let (migration, row) = (ours[version], theirs[version])
      let state = Self.state(
        migration, row, version: version, current: current, target: target, base)
      if isBeyond, state == .newer, let row { return Step(version, row.known, nil, row) }
      return Step(version, state, migration, row)
    }
    (self.steps, self.current, self.target, self.base) = (steps, current, target, base)
    self.isBeyond = isBeyond
  }

  /// Whether folders were dropped that lie between the database and the catalog.
  var isTooOld: Bool { current > 0 && current < base?.version ?? 0 }

  private static func state(
    _ migration: Migration?, _ row: AppliedMigration?, version: Version, current: Version,
    target: Version, _ base: Base?
  ) -> Migrator.Status.Migration.State {
    guard let migration else {
      if let base, version <= base.version {
        return version == base.version && row?.checksum != base.checksum ? .drifted : .superseded
      }
      return version > target ? .newer : .missing
    }
    guard let row else {
      // Skipping a withdrawn migration writes no rows, so its place in the order does not matter.
      if migration.isWithdrawn { return .withdrawn }
      return version < current ? .outOfOrder : .pending
    }
    if let checksum = migration.checksum, checksum != row.checksum { return .drifted }
    return row.known
  }

  /// The worst state of all steps. A withdrawn migration that is not recorded yet counts as
  /// pending, because `up` must record it.
  var state: Migrator.Status.State {
    let states = steps.map { step -> Migrator.Status.State in
      switch step.state {
      case .newer: .newer
      case .drifted: .drifted
      case .missing: .missing
      case .outOfOrder: .outOfOrder
      case .pending: .pending
      case .withdrawn: step.applied == nil ? .pending : .upToDate
      case .applied, .baseline, .superseded: .upToDate
      }
    }
    // If the database is too old, the folders in between are missing.
    return (states + (isTooOld ? [.missing] : [])).max { $0.severity < $1.severity } ?? .upToDate
  }

  /// The work of `up` in version order: migrations to apply, withdrawn ones to record.
  ///
  /// `last` is the version to stop after, nil for all. `lineEndings` is called only for the first
  /// drifted migration: it returns whether its files differ from what was applied only in line
  /// endings.
  ///
  /// - Throws: `drift`, even if another catalog took the database further, `newer`, `usage` for a
  ///   `last` that is not in the catalog or lies below the last applied version, `missing` or
  ///   `outOfOrder`.
  func migrationsToApply(
    to last: Version? = nil, allowsOutOfOrder: Bool = false, allowsNewer: Bool = false,
    lineEndings: ((Migration, AppliedMigration) throws -> [LineEndingRule])? = nil
  ) throws -> [Migration] {
    if current > target {
      // Not newer, but another one, if another catalog took it there.
      try refuseChanged(lineEndings)
      if allowsNewer || isBeyond { return [] }
      throw SeedbedError.newer(current: current, target: target)
    }
    if let base, isTooOld {
      throw SeedbedError.tooOld(current: current, base: base.version, advice: base.advice)
    }
    if let last, last != base?.version,
      !steps.contains(where: { $0.version == last && $0.migration != nil })
    {
      throw SeedbedError.unknownVersion(
        last, first: steps.first { $0.migration != nil }?.version, last: target)
    }
    try refuseDrift(lineEndings)
    if let last, last < current { throw SeedbedError.backwards(to: last, current: current) }
    let stragglers = steps.filter { $0.state == .outOfOrder }
    if !allowsOutOfOrder, !stragglers.isEmpty {
      throw SeedbedError.outOfOrder(stragglers.map(\.label), current: current)
    }
    return steps.compactMap { step in
      guard step.applied == nil, step.version <= last ?? .max else { return nil }
      return step.migration
    }
  }

  /// Throws unless every applied migration is in the catalog, and unchanged.
  ///
  /// - Throws: `drift` or `missing`.
  func refuseDrift(
    _ lineEndings: ((Migration, AppliedMigration) throws -> [LineEndingRule])?,
    above last: Version = .min
  ) throws {
    try refuseChanged(lineEndings, above: last)
    let missing = steps.filter { $0.state == .missing && $0.version > last }
    if !missing.isEmpty { throw SeedbedError.missing(missing.map(\.label)) }
  }

  /// Throws unless the releases that the catalog and the ledger both have are the same.
  func refuseChanged(
    _ lineEndings: ((Migration, AppliedMigration) throws -> [LineEndingRule])?,
    above last: Version = .min
  ) throws {
    let drifted = steps.filter { $0.state == .drifted && $0.version > last }
    if let first = drifted.first, let row = first.applied {
      guard let migration = first.migration else {
        throw SeedbedError.otherBase(first.label, found: row.checksum)
      }
      let lineEndings = try lineEndings?(migration, row) ?? []
      if current > target, lineEndings.isEmpty {
        throw SeedbedError.otherCatalog(first.label, current: current, target: target)
      }
      throw SeedbedError.drift(drifted.map(\.label), migration, row, lineEndings: lineEndings)
    }
  }

  /// The lines of `migrate status`.
  var statuses: [Migrator.Status.Migration] {
    steps.map { step in
      Migrator.Status.Migration(
        version: step.version, name: step.name, state: step.state, rows: step.rows,
        appliedAt: step.applied.map { Migrator.Timestamp(text: $0.appliedAt) },
        duration: step.applied.map { .milliseconds($0.durationMs) },
        checksum: step.applied?.checksum ?? step.migration?.checksum)
    }
  }
}

extension AppliedMigration {
  /// Its state, if nothing is wrong with it.
  fileprivate var known: Migrator.Status.Migration.State {
    switch state {
    case .applied: .applied
    case .baseline: .baseline
    case .withdrawn: .withdrawn
    }
  }
}

extension LedgerComparison.Step {
  /// The version and the name, for errors.
  var label: SeedbedError.MigrationLabel {
    SeedbedError.MigrationLabel(version: version, name: name)
  }

  /// The number of rows: from the ledger if they were written, from the lock if they are pending.
  fileprivate var rows: Int? {
    guard let applied else { return migration?.rows }
    return applied.state == .applied ? applied.counts.total : nil
  }
}
