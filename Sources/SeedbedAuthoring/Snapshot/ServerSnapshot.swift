import Seedbed

/// What a snapshot's SQL for PostgreSQL has to bring about, and SQL that does.
///
/// The rows are in files that SQLite and the server share. So the SQL is that of the migrations,
/// joined in their order, and runs before the rows; their comparison finds what that cannot do,
/// such as values that SQL gave to rows of files, and that SQLite does not have.
struct ServerSnapshot {
  /// All migrations, applied on the server.
  private let long: Scratch
  private let catalog: Catalog
  private let version: Version
  private let ledger: String
  private let empty: () throws -> EmptyDatabase

  /// - Parameters:
  ///   - catalog: with the SQL for PostgreSQL.
  ///   - empty: makes an empty database.
  init(
    _ catalog: Catalog, to version: Version, ledger: String,
    on empty: @escaping () throws -> EmptyDatabase
  ) throws {
    (self.catalog, self.version, self.ledger, self.empty) = (catalog, version, ledger, empty)
    long = try Scratch(catalog, to: version, on: empty(), ledger: ledger)
  }

  /// The first difference, in words, between all migrations and the snapshot of this catalog; nil
  /// if there is none.
  func difference(_ catalog: Catalog) throws -> String? {
    guard let snapshot = try catalog.snapshots().first(where: { $0.version == version }) else {
      return "it has no SQL for PostgreSQL"
    }
    let short = try Scratch(
      catalog, to: version, on: empty(), ledger: ledger, startingWith: snapshot)
    return try ServerProof(long: long, short: short).difference()
  }

  // MARK: SQL

  /// What may do it, the best first. Migrations' SQL may have filled tables that files fill, too.
  /// Rows that only PostgreSQL has must stay. Rows that the snapshot's files bring again, perhaps
  /// changed by later releases, would be in their way: the second candidate deletes them.
  ///
  /// - Parameter tables: those whose rows are in files.
  func candidates(filling tables: [String]) throws -> [[NewFile]] {
    let schema = try joined([.schema])
    let up = try joined([.up, .after])
    let after = try Definition.all(of: long).filter { $0.kind == Definition.state }
      .map { $0.text + "\n" }.joined()
    let emptying = try emptying(tables, after: [schema, up])
    return (emptying.isEmpty ? [""] : ["", emptying]).map { rest in
      let texts = [("schema.sql", schema), ("up.sql", up + rest), ("after.sql", after)]
      // up.sql says that there is SQL for PostgreSQL, even if it does nothing.
      return texts.filter { !$0.1.isEmpty || $0.0 == "up.sql" }.map {
        NewFile(FileName.twin(of: $0.0), Array((Self.remark + $0.1).utf8))
      }
    }
  }

  /// Tables and views, but for the app's own.
  func creates() throws -> [String] {
    let schema = try joined([.schema])
    let apps = try schema.isEmpty ? [] : withScratch(of: [schema], Definition.all)
    let kinds: Set = ["table", "view", "materialized view", "foreign table"]
    return try Definition.all(of: long)
      .filter { each in
        kinds.contains(each.kind)
          && !apps.contains { ($0.kind, $0.name) == (each.kind, each.name) }
      }
      .map(\.name)
  }

  /// The files of these kinds, one after the other.
  private func joined(_ kinds: [MigrationFile.Kind]) throws -> String {
    var text = ""
    for migration in long.migrations {
      for kind in kinds {
        guard let file = migration.file(kind) else { continue }
        let bytes = try catalog.open(file, in: migration).content(limit: MigrationScripts.limit)
        if SQLText(bytes).code.isEmpty { continue }
        let sql = String(decoding: bytes, as: UTF8.self)
        text +=
          "\n-- \(migration.folder)/\(file.name)\n"
          + Self.ended(sql.hasPrefix(Self.remark) ? String(sql.dropFirst(Self.remark.count)) : sql)
      }
    }
    return text
  }

  /// Empties the tables that the SQL fills, children first.
  private func emptying(_ tables: [String], after sql: [String]) throws -> String {
    try withScratch(of: sql) { _, session in
      let names = try tables.compactMap { try session.object(named: $0)?.name }
      let filled = try names.filter {
        try session.value("SELECT 1 FROM \(session.schema(of: $0).sql) LIMIT 1") != nil
      }
      var parents: [String: Set<String>] = [:]
      for name in filled {
        let keys = try session.parentKeys(of: session.schema(of: name)).sound
        parents[name] = Set(keys.map(\.parent))
      }
      if filled.isEmpty { return "" }
      return try "\n-- Their rows are in the files.\n"
        + LoadOrder.groups(filled, parents: parents).joined().reversed()
        .map { try "DELETE FROM \(session.schema(of: $0).sql);\n" }.joined()
    }
  }

  /// Runs SQL on an empty database, and forgets it after `body`.
  private func withScratch<Result>(
    of sql: [String], _ body: (Ledger, any DatabaseSession) throws -> Result
  ) throws -> Result {
    let database = try empty()
    return try withExtendedLifetime(database) {
      try database.session.beginImmediate()
      defer { database.session.rollBack() }
      for each in sql where !each.isEmpty { try database.session.executeAll(each) }
      return try body(long.ledger, database.session)
    }
  }

  /// The last statement must not go on in the next file.
  private static func ended(_ sql: String) -> String {
    let last = sql.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) } ?? ""
    let isEnded =
      last.last { !$0.isWhitespace } == ";" && !last.contains("--") && !last.contains("*/")
    return sql + (sql.last?.isNewline == true ? "" : "\n") + (isEnded ? "" : ";\n")
  }

  // MARK: the author's own

  /// The first lines of a file that may be written again.
  static let remark = """
    -- Written by 'migrate snapshot', from the SQL for PostgreSQL of all migrations up to here.
    -- Without these two lines the file is yours: 'migrate snapshot' then only compares.

    """
}

/// One thing that SQL files made; see `Dialect.definitions`.
struct Definition: Hashable {
  var kind: String
  var name: String
  var table: String
  var text: String

  static let state = "state"

  /// Without the ledger's.
  static func all(of scratch: Scratch) throws -> [Definition] {
    try all(scratch.ledger, scratch.session)
  }

  static func all(_ ledger: Ledger, _ session: any DatabaseSession) throws -> [Definition] {
    try session.rows(session.dialect.definitions).map { row in
      let words = row.map { $0.text ?? "" }
      return Definition(kind: words[0], name: words[1], table: words[2], text: words[3])
    }.filter { !ledger.owns($0.table) }
  }
}
