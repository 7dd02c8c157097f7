import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes one release: compares, writes, tests, publishes.
struct ReleaseMaker {
  private(set) var release: Release
  let catalog: Catalog
  let sources: SourceList
  let amended: AmendedMigration?
  private let upSQL: String?
  /// The engine whose SQL the author writes.
  private let engine: EngineName
  var writer: ReleaseWriter { ReleaseWriter(directory: catalog.path) }

  init(_ release: Release) throws {
    self.release = release
    amended =
      release.amends
      ? try AmendedMigration(release.name, in: release.directory) : nil
    catalog = try Catalog(authoring: release.directory, passingOver: amended?.folder)
    try CatalogLock.refuseRewritten(catalog, except: amended?.folder)
    sources = try SourceList(catalog, given: release.sources).reading(release.standIns)
    engine = try catalog.authoredEngine()
    upSQL = release.upSQL ?? amended?.text(of: engine.file("up.sql"))
  }

  mutating func check() throws -> ReleaseSummary {
    let (scratch, proposals) = try prepare()
    let differences = try differences(in: scratch)
    var result = summary(of: differences, proposals)
    result.absent = try absences(in: scratch)
    result.renames = try differences.compactMap { try LikelyRenames($0).summary }
    return result
  }

  mutating func make() throws -> ReleaseSummary {
    // An invalid name is reported before any work.
    _ = try folders(count: 1)
    let (scratch, proposals) = try prepare()
    if !proposals.isEmpty, !release.creates { return summary(of: [], proposals) }
    let differences = try differences(in: scratch)
    var result = summary(of: differences, [])
    result.absent = try absences(in: scratch)
    var files = ownFiles(proposals)
    result.keepsDownSQL = files.contains { $0.name == engine.file("down.sql") }
    if release.upSQL != nil, !result.keepsDownSQL {
      (result.downSQL, result.writesDownSQL) = try undoing(proposals)
      if result.writesDownSQL, let sql = result.downSQL {
        files.append(NewFile(engine.file("down.sql"), Array((sql + "\n").utf8)))
      }
    }
    if differences.allSatisfy(\.isEmpty), files.isEmpty {
      if let amended { throw SeedbedError.amendsToNothing(amended.folder) }
      return result
    }
    try publish(
      ReleaseContent(
        rows: ReleaseRows(differences), scratch: scratch, own: files,
        description: release.description), &result)
    result.created = proposals
    return result
  }

  /// The migration's files besides the compared rows.
  private func ownFiles(_ proposals: [ReleaseSummary.Proposal]) -> [NewFile] {
    var files = amended?.kept(without: sources.sources.map(\.table), engine) ?? []
    let twin = engine == .sqlite ? release.schemas.serverFile : nil
    for schema in [schemaFile, twin].compactMap(\.self) {
      files.removeAll { $0.name == schema.name }
      files.append(schema)
    }
    let sql = ([upSQL] + proposals.map(\.sql)).compactMap { $0 }.joined(separator: "\n")
    if !sql.isEmpty { files.append(upFile(sql)) }
    if !proposals.isEmpty, upSQL == nil {
      let down = proposals.reversed().map { "DROP TABLE \($0.table.quoted);\n" }.joined()
      files.append(NewFile(engine.file("down.sql"), Array(down.utf8)))
    }
    return files
  }

  func folders(count: Int) throws -> [String] {
    let migrations = try catalog.migrationsFromBase()
    if let amended, count == 1, amended.version > migrations.last?.version ?? 0 {
      return [amended.folder]
    }
    let time = release.usesTimestamp ? Date() : nil
    let words = amended?.words ?? release.name
    return try (0..<count).map { index in
      try FolderNumber.next(
        after: migrations, words: count == 1 ? words : "\(words)_\(index + 1)", timestamp: time,
        offset: index)
    }
  }

  // MARK: comparing

  /// The catalog's state with the new SQL applied, and the tables that are still missing.
  private mutating func prepare() throws -> (ScratchDatabase, [ReleaseSummary.Proposal]) {
    let scratch = try ScratchDatabase(.authored(catalog), release.settings)
    try release.readSchemas(sources.sources.map(\.table), catalog, before: scratch)
    let sql = schemaFiles
    if sql.contains(where: { $0.name.hasSuffix(".sql") }) {
      do {
        try writer.trying(sql, on: scratch)
      } catch let error as SeedbedError {
        let isLater = try error.place?.file == schemaFile?.copied && catalog.hasSchemaFile
        throw isLater ? error.ofLaterSchema : error
      }
    }
    var proposals: [ReleaseSummary.Proposal] = []
    for source in sources.sources where try scratch.target(source.table) == nil {
      let options = try catalog.generalOptions().table(source.table)
      if let shown = schemaFile?.copied { throw SeedbedError.notInSchema(source.table, shown) }
      let proposal = try TableProposal(source.table, source.files, options, engine)
      proposals.append(proposal.proposal)
      if release.creates { try scratch.connection.execute(proposal.scratchSQL) }
    }
    return (scratch, proposals)
  }

  /// SQL that undoes `upSQL`, and whether a trial showed that it undoes all of it; none if the
  /// tables are the app's own.
  private func undoing(_ proposals: [ReleaseSummary.Proposal]) throws -> (String?, Bool) {
    guard let upSQL, !release.hasSchema else { return (nil, false) }
    let fresh = try ScratchDatabase(.authored(catalog), release.settings)
    let before = try fresh.columnsByTable()
    let up = ([upSQL] + proposals.map(\.sql)).joined(separator: "\n")
    try writer.trying(
      schemaFiles.filter { $0.name != engine.file("up.sql") } + [upFile(up)], on: fresh)
    let sql = try UpTwin.sql(
      from: before, to: fresh.columnsByTable(), parents: fresh.parentsByTable())
    guard let sql, UpTwin.isWhole(upSQL) else { return (sql, false) }
    do {
      try fresh.connection.executeAll(sql)
    } catch {
      // Its author has to see why.
      return (sql, false)
    }
    return (sql, try fresh.columnsByTable() == before)
  }

  /// The files that decide how the tables look when the rows are applied.
  private var schemaFiles: [NewFile] {
    let kept = amended.map { amended in
      amended.files.filter { file in
        file.name == "migration.json"
          || file.name == engine.file("schema.sql") && schemaFile == nil
      }.map { amended.copy($0.name, $0.bytes) }
    }
    return (kept ?? []) + [schemaFile].compactMap(\.self) + (upSQL.map { [upFile($0)] } ?? [])
  }

  private var schemaFile: NewFile? {
    if engine == .postgresql { return release.schemas.serverFile }
    return release.schemaSQL.map {
      NewFile("schema.sql", Array($0.utf8), copied: release.schemaSQLShownAs ?? "schema.sql")
    }
  }

  /// The migration's file with the author's SQL.
  private func upFile(_ sql: String) -> NewFile {
    let isAmended = release.upSQL == nil
    let name = engine.file("up.sql")
    return NewFile(
      name, Array(sql.utf8),
      copied: isAmended ? amended.map { $0.folder + "/" + name } : release.upSQLShownAs)
  }

  /// - Parameter renaming: the keys that are still to change, by table; nil before any step, when
  ///   they are those of the files.
  func differences(
    in scratch: ScratchDatabase, _ renaming: (([SourceTable]) throws -> RenamedRows)? = nil
  ) throws -> [TableDifference] {
    let tables = try sources.sources.enumerated().compactMap { number, listed -> SourceTable? in
      guard let target = try scratch.target(listed.table) else { return nil }
      try MissingColumns.refuse(
        listed.files, of: target, seeded: try scratch.seededNames(of: target),
        isAppsOwn: schemaFiles.contains { $0.name == engine.file("schema.sql") }
          || catalog.hasSchemaFile, engine)
      return try scratch.source(listed.files, of: target, number: number)
    }
    let known = try renaming?(tables)
    return try tables.enumerated().map { number, source in
      let name = source.target.name
      let renamed =
        if let known {
          try known[ExactText(name)].map { entries in
            try RenamedKeys(entries, of: source, number: number, on: scratch.connection)
          }
        } else {
          try renamedFile(of: name).map { try scratch.renamed($0, of: source, number: number) }
        }
      return try TableDifference(source, renamed: renamed, on: scratch.connection)
    }
  }

  private func absences(in scratch: ScratchDatabase) throws -> [ReleaseSummary.Absence] {
    try sources.sources.flatMap { source -> [ReleaseSummary.Absence] in
      guard let target = try scratch.target(source.table) else { return [] }
      return try MissingColumns.absent(source.files, scratch.seededNames(of: target)).map {
        ReleaseSummary.Absence(table: target.name, column: $0)
      }
    }
  }

  private func renamedFile(of table: String) throws -> SourceFile? {
    let tables = sources.sources.map(\.table)
    for file in release.renamed {
      guard let name = file.table else {
        if tables.count == 1 { continue }
        throw SeedbedError.renamedOfWhich()
      }
      if !tables.contains(name: name) { throw SeedbedError.renamedOfNone(name, tables) }
    }
    return release.renamed.first {
      ($0.table ?? table).isSameName(as: table)
    }.map { SourceFile($0.path, place: $0.shownAs) }
  }

  private func summary(
    of differences: [TableDifference], _ proposals: [ReleaseSummary.Proposal]
  ) -> ReleaseSummary {
    var summary = ReleaseSummary()
    summary.compared = sources.sources.count
    summary.proposals = proposals
    summary.tables = tables(of: differences)
    return summary
  }

  func tables(of differences: [TableDifference]) -> [ReleaseSummary.Table] {
    differences.filter { !$0.isEmpty }.grouped(by: \.target.name).map { steps in
      let fields = Set(steps.flatMap(\.changedFields)).sorted()
      return ReleaseSummary.Table(
        table: steps[0].target.name, inserted: steps.reduce(0) { $0 + $1.inserts.count },
        updated: steps.reduce(0) { $0 + $1.updates.count },
        deleted: steps.reduce(0) { $0 + $1.deletes.count },
        changedColumns: fields.map { steps[0].source.fields[$0].header })
    }
  }

  // MARK: guards

  /// - Parameters:
  ///   - whole: the differences before any step.
  ///   - steps: the steps in which keys change, and what they need.
  ///   - rest: the differences after these, when what refers to the rows has followed.
  func refuse(
    _ whole: [TableDifference], after steps: [ReleaseContent], _ rest: [TableDifference]
  ) throws {
    let steps = steps.flatMap(\.rows.differences)
    for (before, after) in zip(whole, rest) {
      let keys = before.only(Set(before.source.keyIndexes))
      if !release.acceptsSpreadsheets { try [keys, after].forEach(SpreadsheetGuard.refuse) }
      let same = steps.filter { $0.target.name == before.target.name }
      let gone = (same + [after]).reduce(0) { $0 + $1.deletes.count }
      if !release.allowsDeletes, gone * 20 > before.tableRows {
        throw SeedbedError.removesMuch(
          gone, of: before.tableRows, before.target.name, before.source.files.map(\.place))
      }
    }
  }
}

extension SeedbedError {
  fileprivate static func amendsToNothing(_ folder: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "'\(folder)' is no longer needed: the catalog already matches the CSV without it. Remove the "
        + "folder, then: migrate lock.")
  }

  fileprivate static func renamedOfWhich() -> SeedbedError {
    SeedbedError(
      .usage,
      "Several tables have a source. Name the table whose rows are renamed: --renamed "
        + "TABLE=FILE.")
  }

  fileprivate static func renamedOfNone(_ name: String, _ tables: [String]) -> SeedbedError {
    let near = Nearest.question(about: name, among: tables)
    return SeedbedError(.usage, "The table '\(name)' is not compared here.\(near)")
  }

  fileprivate static func removesMuch(
    _ gone: Int, of all: Int, _ table: String, _ files: [String]
  ) -> SeedbedError {
    SeedbedError(
      .csv,
      "\(gone) of \(all) rows of '\(table)' are no longer in \(files.joined(separator: ", ")), "
        + "more than 5 %. To retire them on every device, pass --allow-deletes; otherwise put them "
        + "back.")
  }
}
