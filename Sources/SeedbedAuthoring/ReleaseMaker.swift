import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes one release: compares, writes, tries, publishes.
struct ReleaseMaker {
  private let release: Release
  private let catalog: Catalog
  private let sources: TruthSources

  init(_ release: Release) throws {
    self.release = release
    catalog = try Catalog(authoring: release.directory)
    try CatalogLock.refuseRewritten(catalog)
    sources = try TruthSources(catalog, given: release.sources)
  }

  func check() throws -> ReleaseSummary {
    let (scratch, proposals) = try prepare()
    return summary(of: try differences(in: scratch), proposals)
  }

  func make() throws -> ReleaseSummary {
    // A name that cannot be is told before all work.
    let folder = try FolderNumber.next(
      after: try catalog.migrations(), words: release.name,
      timestamp: release.usesTimestamp ? Date() : nil)
    let (scratch, proposals) = try prepare()
    if !proposals.isEmpty, !release.creates { return summary(of: [], proposals) }
    let differences = try differences(in: scratch)
    var result = summary(of: differences, [])
    let sql = [release.upSQL] + proposals.map(\.sql)
    let upSQL = sql.compactMap { $0 }.joined(separator: "\n")
    if differences.allSatisfy(\.isEmpty), upSQL.isEmpty { return result }
    try refuse(differences)
    var files = try differences.flatMap { try ReleaseFiles(difference: $0, scratch: scratch).all() }
      .map { (name: $0.name, bytes: $0.bytes) }
    if !upSQL.isEmpty { files.append(("up.sql", Array(upSQL.utf8))) }
    if !proposals.isEmpty, release.upSQL == nil {
      let down = proposals.reversed().map { "DROP TABLE \($0.table.quoted);\n" }.joined()
      files.append(("down.sql", Array(down.utf8)))
    }
    result.lock = try ReleaseWriter(directory: catalog.path).publish(
      [ReleaseWriter.FolderContent(name: folder, files: files)],
      options: try catalog.hasOptions() ? try catalog.bytes(of: "catalog.json") : nil
    ) { next in
      // SQL has changed the first one already.
      let trial = upSQL.isEmpty ? scratch : try Scratch(catalog, ledger: release.ledger)
      try confirm(next, on: trial)
    }
    result.folders = [folder]
    return result
  }

  // MARK: comparing

  /// The catalog's state, the new SQL applied, and the tables that are still missing.
  private func prepare() throws -> (Scratch, [ReleaseSummary.Proposal]) {
    let scratch = try Scratch(catalog, ledger: release.ledger)
    if let upSQL = release.upSQL {
      try ReleaseWriter(directory: catalog.path).trying(upSQL, on: scratch)
    }
    var proposals: [ReleaseSummary.Proposal] = []
    for source in sources.sources where try scratch.target(source.table) == nil {
      let options = try catalog.generalOptions().table(source.table)
      let proposal = try TableProposal(source.table, source.files, options).proposal
      proposals.append(proposal)
      if release.creates { try scratch.connection.execute(proposal.sql) }
    }
    return (scratch, proposals)
  }

  private func differences(in scratch: Scratch) throws -> [TableDifference] {
    try sources.sources.enumerated().compactMap { number, source in
      guard let target = try scratch.target(source.table) else { return nil }
      try MissingColumns.refuse(source.files, of: target)
      let truth = try scratch.truth(source.files, of: target, number: number)
      return try TableDifference(truth, on: scratch.connection)
    }
  }

  private func summary(
    of differences: [TableDifference], _ proposals: [ReleaseSummary.Proposal]
  ) -> ReleaseSummary {
    var summary = ReleaseSummary()
    summary.compared = sources.sources.count
    summary.proposals = proposals
    summary.tables = differences.filter { !$0.isEmpty }.map { difference in
      ReleaseSummary.Table(
        table: difference.target.name, inserted: difference.inserts.count,
        updated: difference.updates.count, deleted: difference.deletes.count,
        changedColumns: difference.changedFields.sorted().map {
          difference.truth.fields[$0].header
        })
    }
    return summary
  }

  // MARK: guards

  private func refuse(_ differences: [TableDifference]) throws {
    for difference in differences {
      let (gone, all) = (difference.deletes.count, difference.tableRows)
      if !release.allowsDeletes, gone * 20 > all {
        throw SeedbedError.removesMuch(
          gone, of: all, difference.target.name, difference.truth.files.map(\.place))
      }
    }
  }

  /// What was written must make the truth of the catalog: else it is an error of ours, or the rows
  /// break a rule of the schema, and either must not be shipped.
  private func confirm(_ next: Catalog, on scratch: Scratch) throws {
    let report = try scratch.apply(next)
    let conflicts = report.migrations.flatMap(\.conflicts)
    if let conflict = conflicts.first {
      throw SeedbedError.conflictsWithItself(conflict.kind.rawValue, conflict.table, conflict.key)
    }
    let number = sources.sources.count
    for (index, source) in sources.sources.enumerated() {
      guard let target = try scratch.target(source.table) else { continue }
      let truth = try scratch.truth(source.files, of: target, number: number + index)
      let left = try TableDifference(truth, on: scratch.connection)
      if !left.isEmpty { throw SeedbedError.notTheTruth(target.name, left.example) }
    }
  }
}

extension TableDifference {
  /// One row that differs, for words.
  fileprivate var example: String {
    let row = inserts.first ?? updates.first?.row
    let text = row.flatMap { try? truth.keyText(of: $0) }
    return text ?? deletes.first.map { Truth.keyText(target.key.map(\.name), $0) } ?? ""
  }
}

extension SeedbedError {
  fileprivate static func removesMuch(
    _ gone: Int, of all: Int, _ table: String, _ files: [String]
  ) -> SeedbedError {
    SeedbedError(
      .csv,
      "\(gone) of \(all) rows of '\(table)' are not in \(files.joined(separator: ", ")) any more, "
        + "more than 5 %. Where they are to be retired on every device, say --allow-deletes; else "
        + "put them back.")
  }

  fileprivate static func conflictsWithItself(
    _ kind: String, _ table: String, _ key: String
  ) -> SeedbedError {
    SeedbedError(
      .conflict,
      "Applied to what the catalog makes, the new migration meets the conflict \(kind) in "
        + "'\(table)', \(key): the new data break a rule of the schema, such as UNIQUE or a "
        + "foreign key, or a trigger works against them. Nothing was written.")
  }

  fileprivate static func notTheTruth(_ table: String, _ key: String) -> SeedbedError {
    SeedbedError(
      .verify,
      "Applied to what the catalog makes, the new migration does not give the truth of '\(table)': "
        + "\(key) differs. A trigger may change it (name such columns under 'ignore' in "
        + "catalog.json); else this is an error in Seedbed, please report it. Nothing was written.")
  }
}
