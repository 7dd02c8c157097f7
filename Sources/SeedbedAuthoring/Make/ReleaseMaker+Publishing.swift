import Seedbed

extension ReleaseMaker {
  /// Publishes a release as one migration, or as many as it needs.
  func publish(_ content: ReleaseContent, _ result: inout ReleaseSummary) throws {
    let trial = ReleaseTrial(
      catalog: catalog, settings: release.settings, sources: sources.sources,
      sourceTables: content.rows.differences.map(\.source))
    let options = try optionsFile()
    let steps = ReleaseSteps(maker: self, trial: trial, options: options.bytes, own: content.own)
    let keyed = try steps.ofKeys(content)
    let rest = keyed.rest.rows.differences
    try refuse(content.rows.differences, after: keyed.steps, rest)
    result.renames = try rest.compactMap { try LikelyRenames($0).summary }
    do {
      let contents = keyed.steps.isEmpty ? [content] : try steps.cut(keyed, nil)
      try publish(contents, trial, options, &result)
    } catch let error as SeedbedError where error.limit?.isCut == true {
      try publish(try steps.cut(keyed, error), trial, options, &result)
    } catch let error as SeedbedError where error.cause == .otherNames {
      // The scratch database of the attempt before was changed.
      var fresh = content
      if !content.hasSQL {
        fresh.scratch = try trial.freshScratch()
        fresh.rows = ReleaseRows(try differences(in: fresh.scratch))
      }
      try publish(try steps.cut(steps.ofKeys(fresh), nil), trial, options, &result)
    }
  }

  private func publish(
    _ contents: [ReleaseContent], _ trial: ReleaseTrial,
    _ options: (bytes: [UInt8]?, added: [ReleaseSummary.Source]), _ result: inout ReleaseSummary
  ) throws {
    let names = try folders(count: contents.count)
    let folders = try zip(contents, names).map { try $0.folder($1) }
    var left: [String] = []
    func check(_ next: Catalog) throws {
      try told(folders) {
        // SQL has already changed the first one, and steps have continued from it.
        if contents.count == 1, !contents[0].hasSQL {
          left = try trial.run(next, on: contents[0].scratch, trial.sourceTables)
        } else {
          left = try trial.run(next, on: trial.freshScratch())
        }
        // SQLite's trial has the conflicts of a catalog for both.
        let added = try catalog.servesSQLite() ? [] : next.migrations()
        try release.onServer?(Catalog([catalog, next]), added)
      }
    }
    guard release.isPublished else {
      return try writer.staged(folders, options: options.bytes, check)
    }
    result.lock = try writer.publish(
      folders, replacing: amended?.folder, options: options.bytes,
      writesOptions: !options.added.isEmpty, check: check)
    (result.folders, result.leftToApp) = (names, left)
    result.sources = options.added
    result.tables = tables(of: contents.flatMap(\.rows.differences))
    result.cuts = zip(contents, names).compactMap { content, name in
      content.reason.map { ReleaseSummary.Cut(folder: name, reason: $0) }
    }
  }

  private func told(
    _ folders: [ReleaseWriter.FolderContent], _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch {
      throw SourcePlaces(folders: folders, directory: writer.partial).told(error)
    }
  }

  /// catalog.json with the sources added to it: of tables that begin here, and have a CSV next to
  /// it.
  private func optionsFile() throws -> (bytes: [UInt8]?, added: [ReleaseSummary.Source]) {
    var bytes = try catalog.hasOptions() ? try catalog.bytes(of: "catalog.json") : nil
    guard release.creates || release.hasSchema else { return (bytes, []) }
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
