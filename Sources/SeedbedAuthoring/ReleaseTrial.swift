import Seedbed

/// Applies a release to a scratch database before it is published.
struct ReleaseTrial {
  let catalog: Catalog
  let settings: ScratchSettings
  let sources: [SourceList.Source]
  /// The sources on the scratch database that the release was made on.
  let sourceTables: [SourceTable]

  /// A part of a release that is not valid without those after it.
  struct PartFails: Error {
    /// Its number, from 0.
    let part: Int
    let reason: any Error
  }

  func freshScratch() throws -> ScratchDatabase { try ScratchDatabase(catalog, settings) }

  /// - Parameters:
  ///   - known: the sources if they are already loaded on this scratch.
  ///   - isWhole: false if later folders complete the source.
  /// - Returns: the sources as they are loaded on this scratch.
  @discardableResult
  func run(
    _ next: Catalog, on scratch: ScratchDatabase, _ known: [SourceTable]? = nil,
    isWhole: Bool = true
  ) throws -> [SourceTable] {
    let report = try scratch.apply(next)
    try refuseConflicts(of: report)
    return try confirm(on: scratch, known, isWhole: isWhole)
  }

  /// The same rows made a release as a whole, so whatever is in the way is where they were cut.
  ///
  /// - Throws: `PartFails` for the first part that does not hold.
  func runParts(_ next: Catalog) throws {
    let scratch = try freshScratch()
    let report: Migrator.Report
    do {
      report = try scratch.apply(next)
    } catch let error as SeedbedError where error.isOfData {
      throw PartFails(part: error.applied.count, reason: error)
    }
    let part = report.migrations.firstIndex { $0.conflictCount > 0 } ?? 0
    do {
      try refuseConflicts(of: report)
      _ = try confirm(on: scratch, nil)
    } catch let error as SeedbedError where error.isOfData {
      throw PartFails(part: part, reason: error)
    }
  }

  /// On a database without users no row may be in another's way.
  private func refuseConflicts(of report: Migrator.Report) throws {
    guard let conflict = report.migrations.flatMap(\.conflicts).first else { return }
    let source = sourceTables.first { $0.target.name == conflict.table }
    let place = try source.flatMap { source in
      // A row that goes is in no line of it.
      try source.place(ofKey: conflict.key.json) ?? source.files.first.map { .init($0.place) }
    }
    throw SeedbedError.conflictsWithItself(
      conflict.kind.rawValue, conflict.table, conflict.key.json, place)
  }

  /// The written release must give what the sources say. If not, Seedbed has a bug or the rows
  /// break a rule of the schema; neither may be shipped.
  private func confirm(
    on scratch: ScratchDatabase, _ known: [SourceTable]?, isWhole: Bool = true
  ) throws -> [SourceTable] {
    try sources.enumerated().compactMap { number, listed in
      guard let target = try scratch.target(listed.table) else { return nil }
      let source =
        try known?.first { $0.target.name == target.name }
        ?? scratch.source(listed.files, of: target, number: number)
      if !isWhole { return source }
      let left = try TableDifference(source, on: scratch.connection)
      if !left.isEmpty {
        let error = SeedbedError.notTheSource(target.name, left.example)
        let hasNames = source.fields.contains { $0.reference != nil }
        throw hasNames ? error.because(of: .otherNames) : error
      }
      return source
    }
  }
}

extension TableDifference {
  /// One row that differs, for the message.
  fileprivate var example: String {
    let row = inserts.first ?? updates.first?.row
    let text = row.flatMap { try? source.keyText(of: $0) }
    return text ?? deletes.first.map { SourceTable.keyText(target.key.map(\.name), $0) } ?? ""
  }
}

extension SeedbedError {
  /// Whether rows or SQL are the reason, not the machine.
  fileprivate var isOfData: Bool {
    switch code {
    case .csv, .sql, .constraint, .foreignKey, .verify, .conflict: true
    default: false
    }
  }

  fileprivate static func conflictsWithItself(
    _ kind: String, _ table: String, _ key: String, _ place: Place?
  ) -> SeedbedError {
    SeedbedError(
      .conflict,
      "Applied to what the catalog makes, the new migration meets the conflict \(kind) in "
        + "'\(table)', \(key): the new data break a rule of the schema, such as NOT NULL, UNIQUE "
        + "or a foreign key, or a trigger interferes. If a name passes from one row to another "
        + "while others refer by it, change the CSV in two steps, with a release after each. "
        + "Nothing was written.", at: place)
  }

  fileprivate static func notTheSource(_ table: String, _ key: String) -> SeedbedError {
    SeedbedError(
      .verify,
      "Applied to what the catalog makes, the new migration does not give the source CSV of "
        + "'\(table)': \(key) differs. A trigger may change it (name such columns under 'ignore' "
        + "in catalog.json); else this is a bug in Seedbed, please report it. Nothing was written.")
  }
}
