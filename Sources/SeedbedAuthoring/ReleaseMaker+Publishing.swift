import Seedbed

extension ReleaseMaker {
  /// Publishes a release as one migration, or as many as it takes.
  func publish(_ content: ReleaseContent, _ result: inout ReleaseSummary) throws {
    let trial = ReleaseTrial(
      catalog: catalog, settings: release.settings, sources: sources.sources,
      sourceTables: content.rows.differences.map(\.source))
    let options = try optionsFile()
    let steps = ReleaseSteps(maker: self, trial: trial, options: options.bytes, own: content.own)
    do {
      let changesKeys = content.rows.differences.contains(where: \.changesKeys)
      let contents = changesKeys ? try steps.cut(content, nil) : [content]
      try publish(contents, trial, options, &result)
    } catch let error as SeedbedError where error.limit?.isCut == true {
      try publish(try steps.cut(content, error), trial, options, &result)
    } catch let error as SeedbedError where error.cause == .otherNames {
      // The one before was written to.
      var fresh = content
      if !content.hasSQL {
        fresh.scratch = try trial.freshScratch()
        fresh.rows = ReleaseRows(try differences(in: fresh.scratch))
      }
      try publish(try steps.cut(fresh, nil), trial, options, &result)
    }
  }

  private func publish(
    _ contents: [ReleaseContent], _ trial: ReleaseTrial,
    _ options: (bytes: [UInt8]?, added: [ReleaseSummary.Source]), _ result: inout ReleaseSummary
  ) throws {
    var cuts = try contents.indices.map { try cut(contents[...$0], trial, options.bytes) }
    while true {
      let names = try folders(count: cuts.reduce(0) { $0 + $1.parts.count })
      let folders = try folders(of: contents, cuts, names, &result)
      do {
        result.lock = try writer.publish(
          folders, replacing: amended?.folder, options: options.bytes,
          writesOptions: !options.added.isEmpty
        ) { next in
          try run(trial, next, contents[0], isWhole: names.count == 1, folders)
          try told(folders) { try release.onServer?(Catalog([catalog, next])) }
        }
        result.folders = names
        result.sources = options.added
        result.tables = tables(of: contents.flatMap(\.rows.differences))
        result.oversized = zip(names, cuts.flatMap(\.parts))
          .filter { $1.rows.count > release.splitRows ?? .max }
          .map { ReleaseSummary.Oversized(folder: $0, rows: $1.rows.count) }
        return
      } catch let failure as ReleaseTrial.PartFails {
        var part = failure.part
        let step = cuts.firstIndex { cut in
          if part < cut.parts.count { return true }
          part -= cut.parts.count
          return false
        }
        guard let step, cuts[step].parts.count > 1 else { throw failure.reason }
        cuts[step].join(at: part)
      }
    }
  }

  private func run(
    _ trial: ReleaseTrial, _ next: Catalog, _ first: ReleaseContent, isWhole: Bool,
    _ folders: [ReleaseWriter.FolderContent]
  ) throws {
    if !isWhole { return try trial.runParts(next) }
    // SQL has changed the first one already.
    _ = try told(folders) {
      try trial.run(
        next, on: first.hasSQL ? try trial.freshScratch() : first.scratch,
        first.hasSQL ? nil : trial.sourceTables)
    }
  }

  /// The folders of all steps, and in the summary why there are several.
  private func folders(
    of contents: [ReleaseContent], _ cuts: [ReleaseCut], _ names: [String],
    _ result: inout ReleaseSummary
  ) throws -> [ReleaseWriter.FolderContent] {
    var rest = names[...]
    result.cuts = []
    return try zip(contents, cuts).flatMap { content, cut in
      let own = Array(rest.prefix(cut.parts.count))
      rest = rest.dropFirst(cut.parts.count)
      if let reason = content.reason, let folder = own.first {
        result.cuts.append(ReleaseSummary.Cut(folder: folder, reason: reason))
      }
      return try content.folders(own, cut.parts)
    }
  }

  /// What is wrong with the rows of a step shows in it as a whole, and is reported before that is
  /// cut.
  ///
  /// - Parameter contents: the step, and those before it.
  private func cut(
    _ contents: ArraySlice<ReleaseContent>, _ trial: ReleaseTrial, _ options: [UInt8]?
  ) throws -> ReleaseCut {
    let content = contents[contents.endIndex - 1]
    let rows = content.rows
    guard let limit = release.splitRows, rows.count > limit else {
      return ReleaseCut(whole: rows.count)
    }
    let names = try folders(count: contents.count)
    let folders = try zip(contents, names).flatMap { content, name in
      try content.folders([name], ReleaseCut(whole: content.rows.count).parts)
    }
    return try writer.staged(folders, options: options) { next in
      let after = try trial.freshScratch()
      let sourceTables = try told(folders) {
        try trial.run(next, on: after, isWhole: content.isLast)
      }
      let needs = try ReleaseNeeds(
        rows, before: content.scratch.connection, after: after.connection, sourceTables)
      return ReleaseCut(needs.needs, limit: max(1, limit))
    }
  }

  private func told<Result>(
    _ folders: [ReleaseWriter.FolderContent], _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw SourcePlaces(folders: folders, directory: writer.partial).told(error)
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
