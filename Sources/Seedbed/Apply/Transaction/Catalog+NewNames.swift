/// The new names that SQL files give to tables and columns, as far as their text shows it.
extension Catalog {
  /// The changes of migrations up to up.sql of this one, in order. Nothing is run: where a device
  /// applies a release, the earlier ones are history.
  func newNames(before last: Migration) throws -> [RunContext.NewNames] {
    var renamed: [RunContext.NewNames] = []
    for migration in try migrations() where migration.version <= last.version {
      if migration.isWithdrawn { continue }
      let kinds: [MigrationFile.Kind] = migration.version < last.version ? [.up, .after] : [.up]
      for file in kinds.compactMap(migration.file) {
        let bytes = try open(file, in: migration).content(limit: MigrationScripts.limit)
        renamed += Ledger.Renamed.all(in: bytes).map {
          .init(version: migration.version, file: file.kind, tables: [$0])
        }
      }
    }
    return renamed
  }
}

extension Ledger.Renamed {
  /// `ALTER TABLE t RENAME TO u` and `ALTER TABLE t RENAME COLUMN a TO b`, in order.
  fileprivate static func all(in sql: [UInt8]) -> [Self] {
    let code = SQLTokens.code(of: String(decoding: sql, as: UTF8.self))
    return code.indices.compactMap { start in
      let rest = code.dropFirst(start + 1)
      guard code[start].isWord("ALTER"), rest.first?.isWord("TABLE") == true else { return nil }
      return Self(rest.dropFirst().prefix { !$0.isSign(";") })
    }
  }

  /// - Parameter code: what follows `ALTER TABLE`.
  private init?(_ code: ArraySlice<SQLToken>) {
    guard let verb = code.firstIndex(where: { $0.isWord("RENAME") }),
      let table = code[..<verb].last(where: { !$0.isSign("*") })
    else { return nil }
    let rest = code[(verb + 1)...]
    if rest.first?.isWord("TO") == true, let new = rest.dropFirst().first {
      self.init(old: table.text, new: new.text, columns: [:])
      return
    }
    let names = rest.first?.isWord("COLUMN") == true && rest.count > 3 ? rest.dropFirst() : rest
    guard let old = names.first, names.dropFirst().first?.isWord("TO") == true,
      let new = names.dropFirst(2).first
    else { return nil }
    self.init(old: table.text, new: table.text, columns: [Name(old.text): new.text])
  }
}
