// The choice among downloads, which each database makes by its ledger.

extension Migrator {
  /// The newest catalog that the database can take, as it is now.
  package func resolved() throws -> ResolvedCatalog { try resolved(on: nil) }

  /// - Parameter connection: nil to open the database.
  func resolved(
    on connection: (any DatabaseSession)?, needingFilesAbove version: Version? = nil,
    besides damaged: [PassedOver] = []
  ) throws -> ResolvedCatalog {
    let conditions = ChoiceConditions(
      allowsOutOfOrder: options.allowsOutOfOrder, policies: options.policies, neededAbove: version,
      damaged: damaged)
    // Without downloads, the database is not opened.
    let asksNothing = catalog.downloads == nil && catalog.packBase == nil
    if connection != nil || asksNothing || !database.exists {
      return try catalog.resolved(for: ledger, on: connection, conditions)
    }
    return try readingRepaired { try catalog.resolved(for: $1, on: $0, conditions) }
  }

  /// Calls `body` with the newest catalog that the database can take, and again with the next best
  /// one where a download turns out to be damaged.
  ///
  /// - Parameters:
  ///   - connection: nil to open the database for each choice.
  ///   - version: `body` needs the files of the applied migrations above this one; nil for none.
  func choosing<Result>(
    on connection: (any DatabaseSession)? = nil, needingFilesAbove version: Version?,
    _ body: (ResolvedCatalog) throws -> Result
  ) throws -> Result {
    var damaged: [PassedOver] = []
    while true {
      let resolved = try resolved(
        on: connection, needingFilesAbove: version, besides: damaged)
      do {
        return try body(resolved)
      } catch {
        let cause = SeedbedError.from(error)
        guard cause.applied.isEmpty, let found = resolved.damage(behind: cause) else {
          throw error
        }
        damaged.append(found)
      }
    }
  }

  /// Goes on with the next best download where one is damaged, and with one that lacked releases
  /// which another has brought meanwhile.
  ///
  /// - Parameters:
  ///   - isPlan: true if `once` rolls back what it did.
  ///   - once: returns a download that turned out to be damaged, too.
  func upWithDownloads(
    isPlan: Bool = false,
    _ once: (ResolvedCatalog) throws -> (report: Report, damaged: PassedOver?)
  ) throws -> Report {
    try asExpected(upToTheLast(isPlan: isPlan, once))
  }

  /// The report of a database that has the version which was expected.
  func asExpected(_ report: Report) throws -> Report {
    if let version = options.expectedVersion, report.to < version {
      throw SeedbedError.below(version, report)
    }
    return report
  }

  private func upToTheLast(
    isPlan: Bool,
    _ once: (ResolvedCatalog) throws -> (report: Report, damaged: PassedOver?)
  ) throws -> Report {
    var damaged: [PassedOver] = []
    var total: Report?
    while true {
      let resolved = try resolved(on: nil, besides: damaged)
      do {
        let (report, found) = try once(resolved)
        total = total.map { isPlan ? $0.orFurther(report) : $0.continued(by: report) } ?? report
        let mayGoOn = !isPlan && report.passedOver.contains { $0.reason.isOfTheMoment }
        if found == nil, !mayGoOn || report.migrations.isEmpty { return total ?? report }
        damaged += [found].compactMap(\.self)
      } catch {
        let error = SeedbedError.from(error)
        guard let choice = resolved.choice else { throw error }
        if let found = resolved.damage(behind: error) {
          damaged.append(found)
        } else if try !error.isOvertaken
          || database.head(of: ledger, options, cancellation)?.version ?? 0 <= choice.current
        {
          throw isPlan ? error : total.map(error.after) ?? error
        }
      }
      assert(Set(damaged.map(\.path)).count == damaged.count, "A download is damaged twice.")
    }
  }
}

extension Migrator.PassedOver.Reason {
  /// Whether it may not hold any more after a run.
  fileprivate var isOfTheMoment: Bool {
    if case .needsFrom = self { true } else { false }
  }
}

extension SeedbedError {
  /// What the run applied stays: it is whole, and only less than was expected.
  fileprivate static func below(_ version: Migrator.Version, _ report: Migrator.Report) -> Self {
    let reasons = report.passedOver.map { " " + $0.description }.joined()
    let remedy = reasons.isEmpty ? " Give 'up' a catalog or a download that has it." : ""
    let error = SeedbedError(
      .tooOld,
      "Version \(version) was expected, and the database is at \(report.to), the last one that it "
        + "could get.\(reasons)\(remedy)")
    return error.after(report)
  }

  /// Whether another process that applied a later download may be the cause.
  fileprivate var isOvertaken: Bool {
    [.newer, .drift, .missing, .outOfOrder, .busy].contains(code)
  }

  /// The same error after a run that committed something.
  fileprivate func after(_ report: Migrator.Report) -> SeedbedError {
    let applied = report.migrations.map(\.version)
    return with {
      $0.applied = applied + $0.applied
      if !applied.isEmpty { $0.isDatabaseUnchanged = false }
    }
  }
}

extension Migrator.Report {
  /// The plan of two that gets further.
  fileprivate func orFurther(_ next: Self) -> Self {
    var report = next.to < to ? self : next
    report.passedOver = next.passedOver
    return report
  }

  /// The report of two runs, one after the other.
  fileprivate func continued(by next: Self) -> Self {
    var report = next
    report.from = from
    report.backup = backup ?? next.backup
    report.migrations = migrations + next.migrations
    if outcome == .applied { report.outcome = .applied }
    report.touchedTables = (touchedTables + next.touchedTables).asTexts.texts
    // The rest had nothing to do, so it says nothing new.
    report.notes = next.outcome == .upToDate ? notes : notes + next.notes
    return report
  }
}
