import Seedbed

/// Applies a release to a scratch database before it is published.
struct ReleaseTrial {
  let catalog: Catalog
  let settings: ScratchSettings
  let sources: [SourceList.Source]
  /// The sources, loaded into the scratch database with which the release was made.
  let sourceTables: [SourceTable]

  func freshScratch() throws -> ScratchDatabase {
    try ScratchDatabase(.authored(catalog), settings)
  }

  /// - Parameter known: the sources, if they are already loaded into this scratch database.
  /// - Returns: the tables whose rows the app makes, and to which rows refer.
  func run(
    _ next: Catalog, on scratch: ScratchDatabase, _ known: [SourceTable]? = nil
  ) throws -> [String] {
    let report = try scratch.apply(next)
    try refuseConflicts(of: report)
    try confirm(on: scratch, known)
    return try scratch.tablesOfApp()
  }

  /// On a database without users, a conflict means that rows of the catalog collide.
  private func refuseConflicts(of report: Migrator.Report) throws {
    guard let conflict = report.migrations.flatMap(\.conflicts).first else { return }
    let source = sourceTables.first { $0.target.name == conflict.table }
    let place = try source.flatMap { source in
      // A retired row is in no line of it.
      try source.place(ofKey: conflict.key.json) ?? source.files.first.map { .init($0.place) }
    }
    throw SeedbedError.conflictsWithItself(
      conflict.kind.rawValue, conflict.table, conflict.key.json, place)
  }

  /// The written release must give the content of the sources. If it does not, Seedbed has a bug or
  /// the rows break a rule of the schema. Neither may be shipped.
  private func confirm(on scratch: ScratchDatabase, _ known: [SourceTable]?) throws {
    for (number, listed) in sources.enumerated() {
      guard let target = try scratch.target(listed.table) else { continue }
      let source =
        try known?.first { $0.target.name == target.name }
        ?? scratch.source(listed.files, of: target, number: number)
      let left = try TableDifference(source, on: scratch.connection)
      if left.isEmpty { continue }
      let error = SeedbedError.notTheSource(target.name, left.example)
      let hasNames = source.fields.contains { $0.reference != nil }
      throw hasNames ? error.because(of: .otherNames) : error
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
  fileprivate static func conflictsWithItself(
    _ kind: String, _ table: String, _ key: String, _ place: Place?
  ) -> SeedbedError {
    SeedbedError(
      .conflict,
      "Applied to the catalog's own rows, the new migration has the conflict \(kind) in "
        + "'\(table)', \(key): the new data break a rule of the schema, such as NOT NULL, UNIQUE "
        + "or a foreign key, or a trigger interferes. If a name passes from one row to another "
        + "while others refer by it, change the CSV in two steps, with a release after each. "
        + "Nothing was written.", at: place)
  }

  fileprivate static func notTheSource(_ table: String, _ key: String) -> SeedbedError {
    SeedbedError(
      .verify,
      "Applied to the catalog's own rows, the new migration does not give the source CSV of "
        + "'\(table)': \(key) differs. A trigger may change it (name such columns under 'ignore' "
        + "in catalog.json); else this is a bug in Seedbed, please report it. Nothing was written.")
  }
}
