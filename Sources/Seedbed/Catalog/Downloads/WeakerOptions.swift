// What a download's options may not do: protect less of what users made than the app's own catalog.

extension Catalog {
  /// A sentence about the first option of a downloaded release that is weaker than the app's own;
  /// nil if none is.
  ///
  /// Only the tables count for which the release has rows. In a table that the app's catalog does
  /// not fill, all rows are the user's, so only the options that reach those count.
  func weakening(
    by options: MigrationOptions, of migration: Migration, under policies: Migrator.Policies
  ) throws -> String? {
    let own = parts[0]
    let general = try own.writtenGeneralOptions()
    let fillers = try own.snapshots() + own.migrations()
    for table in Set(migration.files.compactMap { $0.kind.rows?.table }).ordered() {
      let last = fillers.last { filler in
        filler.files.contains { $0.kind.rows?.table.isSameName(as: table) == true }
      }
      var mine = general.table(table)
      if let last {
        // These belong to the table's form, so an author may have them in each migration.json.
        let written = try own.options(of: last).table(table)
        (mine.ownKey, mine.per, mine.identity) = (written.ownKey, written.per, written.identity)
      }
      let isFilled = try last != nil || own.base() != nil
      let found = options.table(table).weakening(of: mine, isFilled: isFilled, under: policies)
      guard let found else { continue }
      return "\(migration.folder): \(found) of the table '\(table.shortened(to: 40))'."
    }
    return nil
  }
}

extension TableOptions {
  /// The first option that protects less than in `own`, as a person writes it; nil if none does.
  ///
  /// - Parameters:
  ///   - isFilled: whether the app's catalog has rows for the table.
  ///   - policies: those of the app, which are stronger than the options.
  fileprivate func weakening(
    of own: TableOptions, isFilled: Bool, under policies: Migrator.Policies
  ) -> String? {
    if let table = disposable.first(where: { new in
      !own.disposable.contains { $0.value.isSameName(as: new.value) }
    }) {
      return "\"disposable\" with '\(table.value.shortened(to: 40))'"
    }
    if policies.onTaken == nil {
      let (mine, new) = (own.onTaken ?? .keepUser, onTaken ?? .keepUser)
      if new.strength < mine.strength { return "\"onTaken\": \"\(new.rawValue)\"" }
    }
    return isFilled ? weakeningOfEdits(of: own, under: policies) : nil
  }

  private func weakeningOfEdits(
    of own: TableOptions, under policies: Migrator.Policies
  ) -> String? {
    func isMissing(_ name: String, in names: [String]) -> Bool {
      !names.contains { $0.isSameName(as: name) }
    }
    if let column = ignore.first(where: { isMissing($0, in: own.ignore) }) {
      return "\"ignore\" with '\(column.shortened(to: 40))'"
    }
    let compared = own.compare.map(\.column)
    if let column = compare.map(\.column).first(where: { isMissing($0, in: compared) }) {
      return "\"compare\" with '\(column.shortened(to: 40))'"
    }
    let (mine, new) = (own.key ?? [], key ?? [])
    if own.per?.table.value != per?.table.value || own.per?.key.value != per?.key.value {
      return "other owners in \"per\""
    }
    if mine.count != new.count || new.contains(where: { isMissing($0, in: mine) }) {
      return "another \"key\""
    }
    let names = identity.map(\.value)
    if let column = own.identity.first(where: { isMissing($0.value, in: names) }) {
      return "\"identity\" without '\(column.value.shortened(to: 40))'"
    }
    return policies.onEdited == nil ? weakeningOfPolicies(of: own) : nil
  }

  private func weakeningOfPolicies(of own: TableOptions) -> String? {
    let (mine, new) = (own.onEdited ?? .keepEdits, onEdited ?? .keepEdits)
    if new.strength < mine.strength { return "\"onEdited\": \"\(new.rawValue)\"" }
    for column in (columns + own.columns).map(\.column) {
      let (before, after) = (own.policy(of: column) ?? mine, policy(of: column) ?? new)
      guard after.strength < before.strength else { continue }
      return "the policy \(after.rawValue) for the column '\(column.shortened(to: 40))'"
    }
    return nil
  }
}
