/// The tables in the user's database that record which migrations were applied.
package final class Ledger: Sendable {
  package let prefix: String
  /// That of a pack's base; of a base, its own.
  package let basePrefix: String
  let dialect: any Dialect

  /// The ledger of a catalog in a database whose base has the given prefix.
  package convenience init(
    of catalog: Catalog, beside base: String, _ dialect: any Dialect = SQLiteDialect.shared
  ) throws {
    if let pack = catalog.pack, pack.ledger == base { throw SeedbedError.ledgerOfPack(pack) }
    try self.init(prefix: catalog.ledger(beside: base), beside: base, dialect: dialect)
  }

  /// Throws if no table's name can begin with the prefix.
  package init(
    prefix: String, beside base: String? = nil, dialect: any Dialect = SQLiteDialect.shared
  ) throws {
    self.dialect = dialect
    basePrefix = base ?? prefix
    let allowed = prefix.allSatisfy { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
    if let remedy = dialect.insteadOfSchema(in: prefix) {
      throw SeedbedError(
        .usage, "The ledger's name '\(prefix.shortened(to: 40))' names a schema. \(remedy)")
    }
    let begins = prefix.first.map { !$0.isNumber } ?? false
    guard allowed, begins, !prefix.asciiLowercased().hasPrefix("sqlite") else {
      throw SeedbedError(
        .usage,
        "The ledger's name '\(prefix.shortened(to: 40))' must be letters, digits and _, "
          + "and must not begin with a digit or sqlite.")
    }
    self.prefix = prefix
  }

  /// A table's name in SQL.
  @inline(never) package func table(_ name: String) -> String { dialect.table("\(prefix)_\(name)") }

  /// Whether a table is the ledger's own, or SQLite's.
  package func owns(_ table: String) -> Bool {
    table.asciiLowercased().hasPrefix("sqlite_") || tableNames.contains(table)
  }

  /// The names of all the ledger's tables, and of those of a pack's base.
  var tableNames: Set<Name> {
    let all = LedgerSchema.tables + LedgerSchema.optional
    return Set([prefix, basePrefix].flatMap { prefix in all.map { Name("\(prefix)_\($0)") } })
  }

  private var requiredTables: Set<Name> {
    LedgerSchema.tables.map { "\(prefix)_\($0)" }.asNames
  }

  /// The ledger of a database, with any prefix; nil if it has none.
  package convenience init?(of connection: Connection) throws {
    let name = try connection.value(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name GLOB ?",
      [.text("*" + Self.ending)])?.text
    guard let name else { return nil }
    try self.init(prefix: String(name.dropLast(Self.ending.count)))
  }

  /// The version of a backup, if the one in its name is that of no ledger in it; otherwise nil. A
  /// database may have several ledgers, and a backup has the version of one of them in its name.
  func changedVersion(of named: Version, on connection: Connection) throws -> Version? {
    let found = try exists(on: connection) ? head(on: connection)?.version ?? 0 : 0
    if found == named { return nil }
    let others = try connection.rows(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name GLOB ?",
      [.text("*" + Self.ending)])
    let isOfOther = try others.contains { row in
      let other = try Ledger(prefix: String(row.text(0).dropLast(Self.ending.count)))
      return try other.exists(on: connection) && other.head(on: connection)?.version == named
    }
    return isOfOther ? nil : found
  }

  private static let ending = "_left_to_user"

  // MARK: is there a ledger

  /// - Throws: `corrupt` if only some of its tables exist.
  func exists(on connection: any DatabaseSession) throws -> Bool {
    let own = requiredTables
    let found = try connection.tables(beginningWith: prefix.asciiLowercased() + "_")
    let missing = own.subtracting(found)
    if missing.count == own.count { return false }
    guard missing.isEmpty else { throw SeedbedError.ledgerIsBroken(missing.texts, prefix) }
    let format = try connection.value("SELECT format FROM \(table("ledger"))")?.integer ?? 0
    guard format <= LedgerSchema.format else { throw SeedbedError.ledgerIsNewer(format) }
    guard format == LedgerSchema.format else { throw SeedbedError.ledgerIsOlder(format) }
    return true
  }

  /// Creates the missing tables, in the caller's transaction.
  func create(on connection: any DatabaseSession) throws {
    if try exists(on: connection) { return }
    // The SQL has the prefix `seedbed_`, which the chosen one replaces.
    let parts = LedgerSchema.tables(dialect)
      .split(separator: "seedbed_", omittingEmptySubsequences: false)
    try connection.executeAll(parts.joined(separator: prefix + "_"))
  }

  // MARK: migrations

  /// The last version and its chain; nil if nothing is applied.
  package func head(on connection: any DatabaseSession) throws -> (version: Version, chain: String)?
  {
    let rows = try connection.rows(
      "SELECT version, chain FROM \(table("migrations")) ORDER BY version DESC LIMIT 1")
    guard let row = rows.first, let version = row[0].integer, let chain = row[1].text else {
      return nil
    }
    return (version, chain)
  }

  /// The number of migrations in the ledger.
  package func count(on connection: any DatabaseSession) throws -> Int {
    try Int(connection.value("SELECT count(*) FROM \(table("migrations"))")?.integer ?? 0)
  }

  func applied(on connection: any DatabaseSession) throws -> [AppliedMigration] {
    try connection.rows(
      """
      SELECT version, name, state, checksum, chain, applied_at, duration_ms,
             inserted, updated, deleted, unchanged, kept
      FROM \(table("migrations")) ORDER BY version
      """
    ).map { row in
      var counts = Migrator.Counts()
      (counts.inserted, counts.updated, counts.deleted) = try (row.sum(7), row.sum(8), row.sum(9))
      (counts.unchanged, counts.kept) = try (row.sum(10), row.sum(11))
      return try AppliedMigration(
        version: row.integer(0), name: row.text(1),
        state: AppliedMigration.State(logged: row.text(2)), checksum: row.text(3),
        chain: row.text(4), appliedAt: row.text(5), durationMs: row.sum(6), counts: counts)
    }
  }

  /// Writes the row that records a migration as applied, in the transaction of its rows.
  package func insert(
    _ row: AppliedMigration, run: Int64?, on connection: any DatabaseSession
  ) throws {
    let counts = row.counts
    try connection.execute(
      """
      INSERT INTO \(table("migrations"))
        (version, name, state, checksum, chain, applied_at, duration_ms,
         inserted, updated, deleted, unchanged, kept, run, tool)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(row.version), .text(row.name), .text(row.state.rawValue), .text(row.checksum),
        .text(row.chain), .text(row.appliedAt), Value(row.durationMs), Value(counts.inserted),
        Value(counts.updated), Value(counts.deleted), Value(counts.unchanged), Value(counts.kept),
        Value(run), .text(Tool.name),
      ])
  }

  func setChain(_ chain: String, of version: Version, on connection: any DatabaseSession) throws {
    try connection.execute(
      "UPDATE \(table("migrations")) SET chain = ? WHERE version = ?",
      [.text(chain), .integer(version)])
  }

  /// Removes a migration, and the keys that it left to the user.
  func remove(_ version: Version, on connection: any DatabaseSession) throws {
    try connection.execute(
      "DELETE FROM \(table("migrations")) WHERE version = ?", [.integer(version)])
    try giveBackKeys(of: version, on: connection)
  }

  func contains(_ version: Version, run: Int64, on connection: any DatabaseSession) throws -> Bool {
    try connection.value(
      "SELECT 1 FROM \(table("migrations")) WHERE version = ? AND run = ?",
      [.integer(version), .integer(run)]) != nil
  }

  /// The versions that other runs recorded, in their order.
  func versions(besides run: Int64, on connection: any DatabaseSession) throws -> [Version] {
    try connection.rows(
      """
      SELECT version FROM \(table("migrations")) WHERE coalesce(run, 0) <> ? ORDER BY version
      """, [.integer(run)]
    ).map { try $0.integer(0) }
  }

  /// Marks that this transaction applies a migration, for the app's own triggers. They ask the
  /// table of the base, also about packs.
  func setApplying(_ version: Version?, on connection: any DatabaseSession) throws {
    let table = dialect.table("\(basePrefix)_applying")
    if let version {
      try connection.execute("INSERT INTO \(table) (version) VALUES (?)", [.integer(version)])
    } else {
      try connection.execute("DELETE FROM \(table)")
    }
  }
}

extension [Value] {
  /// A number that can be added to others without an overflow, whatever somebody wrote into the
  /// ledger.
  func sum(_ column: Int) throws -> Int {
    try Int(Swift.max(0, Swift.min(integer(column), 1 << 40, Int64(Int.max / 8))))
  }

  func time(_ column: Int) -> Migrator.Timestamp? {
    self[column].text.map { Migrator.Timestamp(text: $0) }
  }
}
