import Seedbed

extension ReleaseMaker {
  func publish(_ content: ReleaseContent, _ result: inout ReleaseSummary) throws {
    let trial = ReleaseTrial(
      catalog: catalog, ledger: release.ledger, sources: sources.sources,
      truths: content.rows.differences.map(\.truth))
    let options = try optionsFile()
    var cut = try cut(content, trial, options.bytes)
    while true {
      let parts = cut.parts
      let names = try folders(count: parts.count)
      let folders = try content.folders(names, parts)
      do {
        result.lock = try writer.publish(
          folders, replacing: amended?.folder, options: options.bytes,
          writesOptions: !options.added.isEmpty
        ) { next in
          if parts.count > 1 { return try trial.runParts(next) }
          // SQL has changed the first one already.
          let hasSQL = content.own.contains { $0.name.hasSuffix(".sql") }
          _ = try told(folders) {
            try trial.run(
              next, on: hasSQL ? try trial.freshScratch() : content.scratch,
              hasSQL ? nil : trial.truths)
          }
        }
        result.folders = names
        result.sources = options.added
        result.oversized = zip(names, parts).filter { $1.rows.count > release.splitRows ?? .max }
          .map { ReleaseSummary.Oversized(folder: $0, rows: $1.rows.count) }
        return
      } catch let failure as ReleaseTrial.PartFails {
        cut.join(at: failure.part)
      }
    }
  }

  /// What is wrong with the rows shows in the release as a whole, and is reported before it is cut.
  private func cut(
    _ content: ReleaseContent, _ trial: ReleaseTrial, _ options: [UInt8]?
  ) throws -> ReleaseCut {
    let rows = content.rows
    let whole = ReleaseCut(whole: rows.count)
    guard let limit = release.splitRows, rows.count > limit else { return whole }
    let folders = try content.folders(try folders(count: 1), whole.parts)
    return try writer.staged(folders, options: options) { next in
      let after = try trial.freshScratch()
      let truths = try told(folders) { try trial.run(next, on: after) }
      let needs = try ReleaseNeeds(
        rows, before: content.scratch.connection, after: after.connection, truths)
      return ReleaseCut(needs.needs, limit: max(1, limit))
    }
  }

  private func told<Result>(
    _ folders: [ReleaseWriter.FolderContent], _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw TruthPlaces(folders: folders, directory: writer.partial).told(error)
    }
  }

  /// catalog.json, and the sources that it gets: of tables that begin here with a CSV beside it.
  private func optionsFile() throws -> (bytes: [UInt8]?, added: [ReleaseSummary.Source]) {
    var bytes = try catalog.hasOptions() ? try catalog.bytes(of: "catalog.json") : nil
    guard release.creates || release.schemaSQL != nil else { return (bytes, []) }
    let options = try catalog.generalOptions()
    let added = release.sources.compactMap { file -> ReleaseSummary.Source? in
      guard let table = file.table, options.table(table).source == nil,
        let path = catalog.pathOfSource(file.path)
      else { return nil }
      return ReleaseSummary.Source(table: table, file: path)
    }
    for source in added {
      bytes = try Catalog.optionsFile(source: source.file, of: source.table, in: bytes)
    }
    return (bytes, added)
  }
}
