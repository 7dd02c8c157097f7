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
    return code.indices.filter { code[$0].isWord("ALTER") }.flatMap { start in
      AlterStatement.actions(of: code[start...].prefix { !$0.isSign(";") }).compactMap(Self.init)
    }
  }

  private init?(_ action: AlterStatement) {
    switch action {
    case .rename(let table, let name): self.init(old: table, new: name, columns: [:])
    case .renameColumn(let table, let old, let new):
      self.init(old: table, new: table, columns: [Name(old): new])
    case .add, .drop: return nil
    }
  }
}
