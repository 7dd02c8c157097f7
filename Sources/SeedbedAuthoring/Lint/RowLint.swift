import Seedbed

/// Applies the migrations one by one, and reports rows that do not fit the state before each of
/// them.
struct RowLint {
  let scratch: ScratchDatabase
  let findings: LintFindings
  /// The files that cannot be read to their end.
  let broken: Set<ExactText>
  /// Where a server created each table, if its SQL was checked there.
  var makersOnServer: [Name: SeedbedError.Place]?

  /// A file that cannot be applied is left out, and so is everything that depends on its rows. If
  /// SQL fails, the tables are unknown, and the check ends.
  ///
  /// - Parameter snapshot: replaces the migrations whose folders were dropped.
  func apply(_ migrations: [Migration], behind snapshot: Migration?) throws -> SchemaLint {
    var makers = makersOnServer ?? [:]
    var isWhole = true
    var last: Version = 0
    if let snapshot {
      guard try begin(with: snapshot, &makers) else {
        return SchemaLint(scratch: scratch, findings: findings, makers: makers)
      }
    }
    for migration in migrations
    where !migration.isWithdrawn && migration.version > snapshot?.version ?? 0 {
      // Two migrations with the same number: the finding asks the author to order them.
      if migration.version == last { isWhole = false; continue }
      last = migration.version
      guard let done = try apply(migration, &makers) else { break }
      if !done.left.isEmpty { isWhole = false }
      if isWhole { try lookAtRows(of: migration, done.tables) }
      try lookAtBases(of: migration, without: done.left)
    }
    return SchemaLint(scratch: scratch, findings: findings, makers: makers)
  }

  /// Creates the state that the snapshot replaces, without findings: it was generated, and its
  /// source no longer exists.
  private func begin(
    with snapshot: Migration, _ makers: inout [Name: SeedbedError.Place]
  ) throws -> Bool {
    // For the scratch database, the snapshot is the first migration.
    var first = snapshot
    first.isSnapshot = false
    var statements = StatementLint(first, scratch, LintFindings(), makers: makers)
    do {
      _ = try scratch.apply(first, without: []) { try statements.look($0, $1) }
      makers = statements.makers
      return true
    } catch {
      try findings.add(error, in: snapshot)
      return false
    }
  }

  /// Applies a migration; nil if its SQL fails.
  private func apply(
    _ migration: Migration, _ makers: inout [Name: SeedbedError.Place]
  ) throws -> (tables: [Migrator.Report.Table], left: Set<ExactText>)? {
    var left = migration.files.map(\.name)
      .filter { broken.contains(migration.folder + "/" + $0) }.asTexts
    while true {
      let found = LintFindings()
      var statements = StatementLint(migration, scratch, found, makers: makers)
      do {
        let tables = try scratch.apply(migration, without: left) { kind, statement in
          if makersOnServer == nil { try statements.look(kind, statement) }
        }
        found.all.forEach(findings.add)
        makers = statements.makers
        return (tables, left)
      } catch {
        try findings.add(error, in: migration)
        guard let file = file(of: SeedbedError.from(error), in: migration, left) else {
          found.all.forEach(findings.add)
          makers = statements.makers
          return nil
        }
        left.insert(file)
      }
    }
  }

  /// The file to leave out, so that the rest can go on.
  private func file(
    of error: SeedbedError, in migration: Migration, _ left: Set<ExactText>
  ) -> String? {
    let file = migration.files.first { error.place?.file == migration.place(of: $0) }
    guard let file, file.isRows || file.kind == .verify, !left.contains(file.name) else {
      return nil
    }
    return file.name
  }

  // MARK: bases

  private func lookAtBases(of migration: Migration, without left: Set<ExactText>) throws {
    for file in migration.files where file.isRows && !left.contains(file.name) {
      guard try scratch.catalog.isWithoutBase(file, in: migration, on: scratch.connection)
      else { continue }
      findings.add(
        .missingBase, SeedbedError.Place(migration.place(of: file), line: 1),
        "The file lacks the rows' old values, so a device cannot recognise users' edits, and "
          + "'migrate down' refuses this migration.", migration)
    }
  }

  private func lookAtRows(of migration: Migration, _ tables: [Migrator.Report.Table]) throws {
    var groups: [Group] = []
    func add(_ code: LintCode, _ what: String, _ table: String, _ key: String) {
      let index = groups.firstIndex {
        $0.code == code && $0.what == what && $0.table.isSameText(as: table)
      }
      if let index { return groups[index].keys.append(key) }
      groups.append(Group(code: code, what: what, table: table, keys: [key]))
    }
    for conflict in try scratch.conflicts(of: migration) {
      let (code, what) = Self.meaning(of: conflict)
      add(code, what, conflict.table, conflict.key.json)
    }
    for group in groups { try report(group, migration) }
    for table in tables where table.counts.unchanged > 0 {
      try lookAtUnchanged(table, migration, isTold: groups.map(\.table).contains(text: table.table))
    }
  }

  /// Reports rows of insert files that already existed with exactly these values.
  private func lookAtUnchanged(
    _ table: Migrator.Report.Table, _ migration: Migration, isTold: Bool
  ) throws {
    let files = migration.files.filter { $0.serves(table.table) }
    guard !isTold, let file = files.first(where: { $0.kind == .insert(table: $0.table ?? "") }),
      files.count == 1
    else { return }
    let count = table.counts.unchanged
    findings.add(
      .rowTaken, SeedbedError.Place(migration.place(of: file), line: 1),
      "\(count == 1 ? "1 row" : "\(count) rows") of '\(table.table)' "
        + "\(count == 1 ? "was" : "were") added by an earlier migration, with the same values.",
      migration)
  }

  /// Rows of one table that disagree in the same way.
  private struct Group {
    var code: LintCode
    var what: String
    var table: String
    var keys: [String]
  }

  private static func meaning(of conflict: Migrator.Conflict) -> (LintCode, String) {
    if conflict.isDoneAlready { return (.staleBase, "already have the file's values") }
    return switch conflict.kind {
    case .edited, .editedRetired: (.staleBase, "did not have the file's old values")
    case .deletedByUser: (.staleBase, "are changed but do not exist")
    case .referenced: (.foreignKey, "are retired or renamed while other rows refer to them")
    case .parentDeleted, .parentTaken: (.foreignKey, "refer to rows that do not exist")
    case .keyTaken: (.rowTaken, "already exist, with other values")
    case .uniqueTaken: (.rowTaken, "need a UNIQUE value that another row holds")
    }
  }

  private func report(_ group: Group, _ migration: Migration) throws {
    let first = group.keys[0]
    let place = try scratch.place(of: first, group.table, in: migration) { _ in true }
    let shown = group.keys.prefix(5).map { $0.shortened(to: 200) }.joined(separator: ", ")
    let more = group.keys.count > 5 ? " and \(group.keys.count - 5) more" : ""
    findings.add(
      group.code, place, "Rows of '\(group.table)' \(group.what): \(shown)\(more).", migration)
  }
}
