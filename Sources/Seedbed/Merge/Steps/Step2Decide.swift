/// Step 2: as a row enters the plan, it is compared with the user's.
extension TablePlan {
  /// The statement for the rows of one file.
  func decide(_ file: RowFile, number: Int) throws -> String {
    switch file.role {
    case .update: try decideUpdates(file, number)
    case .delete: try decideDeletes(file, number)
    case .insert: decideInserts(file, number)
    }
  }

  // MARK: rows to change

  private func decideUpdates(_ file: RowFile, _ number: Int) throws -> String {
    let fate = """
      CASE WHEN \(isLeft(file)) THEN '\(Fate.left)'
        WHEN \(isDeleted(file)) THEN '\(Fate.deletedByUser)' ELSE '\(Fate.apply)' END
      """
    var values: [(String, String)] = []
    for change in file.changes {
      let slot = try slot(of: change.column.name)
      values += [("n\(slot)", "s.c\(change.seed)"), ("why\(slot)", try why(change))]
      if let base = change.base { values.append(("b\(slot)", "s.c\(base)")) }
    }
    for column in file.keyChanges {
      guard let seed = file.index(of: column.name) else { continue }
      let slot = try slot(of: column.name)
      let isSame = same("m.\(column.name.quoted)", "s.c\(seed)", column)
      let why = "CASE WHEN \(isSame) THEN '\(Why.same)' ELSE '\(Why.take)' END"
      values += [("n\(slot)", "s.c\(seed)"), ("why\(slot)", why)]
    }
    return insert(file, number, kind: "'\(Kind.update)'", fate: fate, values)
  }

  /// The table *Rows to change* on the page `HowTheMergeDecides`, for one column.
  private func why(_ change: RowFile.Change) throws -> String {
    let column = change.column
    let (mine, seed) = ("m.\(column.name.quoted)", "s.c\(change.seed)")
    let edited = onEdited(column).givesWay ? Why.overruled : .edited
    let isUsers = try namesUsersRow(column).map { " AND NOT \($0)" } ?? ""
    var cases = "WHEN \(same(mine, seed, column)) THEN '\(Why.same)'"
    if target.comparesPlainText(column), let base = change.base.map({ "s.c\($0)" }) {
      // A new spelling is no difference to a user's own, but an untouched text takes it.
      let isUntouched = target.sameBytes(mine, base, column)
      cases =
        "WHEN \(isUntouched)\(isUsers) AND NOT \(target.sameBytes(mine, seed, column)) "
        + "THEN '\(Why.take)' \(cases)"
    }
    guard let base = change.base.map({ "s.c\($0)" }) else {
      return "CASE \(cases) ELSE '\(Why.take)' END"
    }
    // The seed does not change the value, so only `overwriteRow` sets it.
    let isAsked = onEdited == .overwriteRow && !change.isIgnored
    cases += " WHEN \(same(base, seed, column)) THEN '\(isAsked ? Why.overruled : .ours)'"
    if change.isIgnored { return "CASE \(cases) ELSE '\(Why.take)' END" }
    let isUnedited = same(mine, base, column) + isUsers
    return "CASE \(cases) WHEN \(isUnedited) THEN '\(Why.take)' ELSE '\(edited)' END"
  }

  /// A reference of several columns is one value. If the user changed a part of it, it stays as a
  /// whole, or gives way as a whole:
  ///     ('de', 'Ulm') is ('at', 'Ulm') for the user, and ('de', 'Bonn') for the release
  ///     → ('at', 'Ulm') stays: ('at', 'Bonn') is a row that neither of them named
  func keepEditedReferences() throws -> [String] {
    try parents.compactMap { parent in
      let known = updates.map { $0.changes.filter { $0.base != nil }.map(\.column.name).asNames }
      let names = parent.childColumns.filter { name in known.allSatisfy { $0.contains(name) } }
      let slots = try decided(slots(of: names)).filter { columns[$0]?.isHeld == true }
      if updates.isEmpty || slots.count < 2 { return nil }
      let isEdited = slots.map { slot in
        "NOT (\(same("p.m\(slot)", "p.b\(slot)", target.schema.columns[slot])))"
      }
      let givesWay = slots.allSatisfy { onEdited(target.schema.columns[$0]).givesWay }
      // Another reference may share a column, and keep it.
      let isKept = slots.map { "p.why\($0) = '\(Why.edited)'" }
      let stays = givesWay ? isKept.anyTrue : "true"
      let own = slots.map {
        "p.why\($0) = '\(Why.ours)' AND \(dialect.differ("p.m\($0)", "p.n\($0)"))"
      }
      let set = zip(slots, own).map { slot, isOwn in
        "why\(slot) = CASE WHEN \(stays) THEN '\(Why.edited)' "
          + "WHEN \(isOwn) THEN '\(Why.overruled)' ELSE p.why\(slot) END"
      }
      return """
        UPDATE \(sql) AS p SET \(set.listed)
        WHERE \(applies("p", [.update])) AND (\((isEdited + isKept).anyTrue))
          AND (\((slots.map { takes($0, "p") } + isKept).anyTrue))
          AND CASE WHEN \(stays) THEN NOT (\(isKept.allTrue)) ELSE \(own.anyTrue) END
        """
    }
  }

  /// Under `keepRow`, a row that the user edited anywhere keeps all its values.
  var keepEditedRows: String? {
    let set = decided.filter { $0.hasBase || rekeyed.contains($0.slot) }.map(\.slot)
    if onEdited != .keepRow || set.isEmpty { return nil }
    let isEdited = set.map { "why\($0) = '\(Why.edited)'" }
    return """
      UPDATE \(sql) AS p SET \(keeping(set, "'\(Why.kept)'"))
      WHERE kind = '\(Kind.update)' AND (\(isEdited.anyTrue))
      """
  }

  // MARK: rows to retire

  private func decideDeletes(_ file: RowFile, _ number: Int) throws -> String {
    let isUnedited = try unedited(file)
    let all = isUnedited.map(\.condition)
    // An edit is a reason to stay where its column keeps edits, whatever the others do.
    let keeps = isUnedited.filter { !$0.policy.givesWay }.map(\.condition)
    let fate = """
      CASE WHEN \(isLeft(file)) THEN '\(Fate.left)'
        WHEN \(isDeleted(file)) THEN '\(Fate.absent)'
        WHEN \(keeps.allTrue) THEN '\(Fate.apply)' ELSE '\(Fate.editedRetired)' END
      """
    // Of several policies, one that keeps the row decides.
    let deciding =
      isUnedited.filter { !$0.policy.givesWay } + isUnedited.filter { $0.policy.givesWay }
    let cases = deciding.map { "WHEN NOT (\($0.condition)) THEN '\($0.policy)'" }
    let policy = "CASE WHEN \(all.allTrue) THEN NULL \(cases.joined(separator: " ")) END"
    let values = try file.ownIndexes.compactMap { index -> (String, String)? in
      let slot = try slot(of: file.fields[index].column.name)
      return self.columns[slot]?.hasBase == true ? ("b\(slot)", "s.c\(index)") : nil
    }
    return insert(
      file, number, kind: "'\(Kind.delete)'", fate: fate, [("policy", policy)] + values)
  }

  /// By policy, the table's first, whether the columns under it are as the file has them.
  private func unedited(
    _ file: RowFile
  ) throws -> [(policy: Migrator.EditPolicy, condition: String)] {
    // The columns that are not in the file, which has all columns that the seed ever set.
    let atDefault = try UserColumns.atDefault(file, table: "m", on: connection)
    var groups = [(policy: onEdited, conditions: [atDefault])]
    for index in file.comparedIndexes {
      let column = file.fields[index].column
      let policy = onEdited(column)
      let isUsers = try namesUsersRow(column).map { ["NOT \($0)"] } ?? []
      let conditions = [agrees(file, index)] + isUsers
      if let group = groups.firstIndex(where: { $0.policy == policy }) {
        groups[group].conditions += conditions
      } else {
        groups.append((policy, conditions))
      }
    }
    return groups.map { ($0.policy, $0.conditions.allTrue) }
  }

  /// Whether the row `m` refers, through this column, to a row that the user made under one of the
  /// seed's keys. The seed never means that row, so the reference is the user's, even if a release
  /// ships the same value. nil if no key of a parent is left to the user.
  private func namesUsersRow(_ column: ColumnSchema) throws -> String? {
    let users = Reason.ofLeftKeys.filter(\.isUsers).literals
    let named = target.parents.filter { $0.childColumns.contains(name: column.name) }
    let found = try named.compactMap { parent -> String? in
      guard let left = left[parent.parent] else { return nil }
      let isParent = zip(parent.parentColumns, parent.childColumns)
        .map { "t.\($0.quoted) = m.\($1.quoted)" }
      return try """
      EXISTS (SELECT 1 FROM \(left.sql) AS l
        JOIN \(connection.schema(of: parent.parent).sql) AS t ON \(left.isRow("t"))
        WHERE \(isParent.allTrue) AND l.kind IN (\(users)))
      """
    }
    return found.isEmpty ? nil : "(\(found.anyTrue))"
  }

  // MARK: rows to insert

  private func decideInserts(_ file: RowFile, _ number: Int) -> String {
    let compared = file.comparedIndexes
    let isSame = compared.map { agrees(file, $0) }.allTrue
    let replaces = onTaken.effect.replaces
    let isTaken = "NOT (\(isAbsent)) AND NOT (\(isSame)) AND NOT (\(isLeft(file)))"
    let isReplaced = replaces ? isTaken : "false"
    let kind = "CASE WHEN \(isReplaced) THEN '\(Kind.replace)' ELSE '\(Kind.insert)' END"
    let fate = """
      CASE \(insertsOfKnownKeys(file, isSame: isSame))
        ELSE '\(replaces || movesUsers ? Fate.apply : .keyTaken)' END
      """
    // A row is also new if a user's row gives up its key.
    let isNew = movesUsers ? "\(isAbsent) OR \(isTaken)" : isAbsent
    let comes = "CASE WHEN \(isNew) THEN '\(Why.take)'"
    var values: [(String, String)] = []
    if movesUsers { values.append(("moved", "CASE WHEN \(isTaken) THEN 0 END")) }
    for column in ordered where column.isSet {
      let slot = column.slot
      var why = "\(comes) ELSE '\(Why.same)' END"
      if let index = file.index(of: column.schema.name) {
        values.append(("n\(slot)", "s.c\(index)"))
        if replaces, compared.contains(index) {
          let isSeeds = agrees(file, index)
          why = "\(comes) WHEN \(isSeeds) THEN '\(Why.same)' ELSE '\(Why.overruled)' END"
        }
      } else {
        // A new row takes the DEFAULT. An existing row keeps its value.
        values.append(("n\(slot)", column.schema.defaultSQL.map { "(\($0))" } ?? "NULL"))
      }
      if column.hasWhy { values.append(("why\(slot)", why)) }
    }
    return insert(file, number, kind: kind, fate: fate, values)
  }

  /// A key is the seed's again if its row is as in the file, or if the row that was kept or that
  /// took its place is gone. A row that the user deleted stays deleted.
  private func insertsOfKnownKeys(_ file: RowFile, isSame: String) -> String {
    let isDone = "WHEN \(isSame) THEN '\(Fate.same)'"
    if let reasons = context.mode.reasonsThatKeepAway {
      let staysAway = isLeft(file, "l.kind IN (\(reasons.literals))")
      return """
        WHEN \(isAbsent) THEN CASE WHEN \(staysAway) THEN '\(Fate.left)' ELSE '\(Fate.apply)' END
        \(isDone) WHEN \(isLeft(file)) THEN '\(Fate.left)'
        """
    }
    // A row that the release kept is the seed's again as it is. If gone, the user deleted it.
    return """
      WHEN \(isKept(file)) THEN CASE WHEN \(isAbsent) THEN '\(Fate.absent)' ELSE '\(Fate.same)' END
      WHEN \(isLeft(file)) THEN '\(Fate.left)' WHEN \(isAbsent) THEN '\(Fate.apply)' \(isDone)
      """
  }

  /// Whether the release that `down` undoes was to retire the row, but kept it.
  func isKept(_ file: RowFile) -> String {
    if !context.mode.takesKeptRowsBack { return "false" }
    let kept = Reason.ofLeftKeys.filter(\.isKept).literals
    return isLeft(file, "l.version = \(context.version) AND l.kind IN (\(kept))")
  }

  // MARK: the statement

  private var isAbsent: String { "m.\(column(key[0])) IS NULL" }

  /// Whether a field of the file equals the value in the user's row.
  private func agrees(_ file: RowFile, _ index: Int) -> String {
    let column = file.fields[index].column
    return same("m.\(column.name.quoted)", "s.c\(index)", column)
  }

  /// The seed's row is gone: there is none, or one in which a column of `identity` has neither the
  /// old nor the new value of the seed. That is a different row with the freed id:
  ///     the seed's row was 7 'Hydrogen', and the user deleted it
  ///     row 7 is now 'My favourite': a different row under the same id
  private func isDeleted(_ file: RowFile) -> String {
    let others = file.identity.map { change in
      let known = [change.base, change.seed].compactMap(\.self).map {
        same("m.\(change.column.name.quoted)", "s.c\($0)", change.column)
      }
      return "NOT (\(known.anyTrue))"
    }
    return "(\(([isAbsent] + others).anyTrue))"
  }

  private func isLeft(_ file: RowFile, _ condition: String = "true") -> String {
    guard let leftSQL else { return "false" }
    let matches = zip(key, file.oldKeyIndexes).map { "l.k\($0) = s.c\($1)" }.allTrue
    return "EXISTS (SELECT 1 FROM \(leftSQL) AS l WHERE \(matches) AND \(condition))"
  }

  private func insert(
    _ file: RowFile, _ number: Int, kind: String, fate: String, _ values: [(String, String)]
  ) -> String {
    var all = [
      ("row", "s.\(dialect.fileRow) + \(Self.firstRow(of: number))"), ("line", "s.line"),
      ("kind", kind), ("fate", fate),
    ]
    all += zip(key, file.oldKeyIndexes).map { ("k\($0)", "s.c\($1)") } + values
    all += ordered.filter { $0.isHeld && $0.computed == nil }
      .map { ("m\($0.slot)", "m.\($0.schema.name.quoted)") }
    let matches = zip(key, file.oldKeyIndexes).map { "m.\(column($0)) = s.c\($1)" }.allTrue
    return """
      INSERT INTO \(sql) (\(all.map(\.0).listed))
      SELECT \(all.map(\.1).listed)
      FROM \(rows(number)) AS s LEFT JOIN \(target.sql) AS m ON \(matches)
      """
  }
}
