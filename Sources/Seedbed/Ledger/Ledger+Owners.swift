/// The owners who have a copy of the catalog's rows, if tables have the option `per`. All are at
/// the database's version: a release is merged for these, and a new one gets the rows of that
/// version.
///
/// On SQLite, it refers to the app's own table, so that an entry goes with its owner, in the app's
/// own transaction: an id that is used again is a new owner. A server gives no id twice, and
/// refuses TRUNCATE of a table to which another one refers.
extension Ledger {
  func hasOwners(on connection: any DatabaseSession) throws -> Bool {
    try connection.object(named: "\(prefix)_\(LedgerSchema.owners)") != nil
  }

  func owners(on connection: any DatabaseSession) throws -> [Value] {
    guard try hasOwners(on: connection) else { return [] }
    return try connection.rows(
      "SELECT owner FROM \(table(LedgerSchema.owners)) ORDER BY owner"
    ).map { $0[0] }
  }

  /// The owners that have no copy yet.
  func newOwners(of owners: Owners, on connection: any DatabaseSession) throws -> [Value] {
    guard try hasOwners(on: connection) else { return try owners.all(on: connection) }
    let key = owners.key.name.quoted
    return try connection.rows(
      """
      SELECT o.\(key) FROM \(owners.table.sql) AS o
      WHERE NOT EXISTS (
        SELECT 1 FROM \(table(LedgerSchema.owners)) AS l WHERE l.owner = o.\(key))
      ORDER BY o.\(key)
      """
    ).map { $0[0] }
  }

  func hasOwner(_ owner: Value, on connection: any DatabaseSession) throws -> Bool {
    try hasOwners(on: connection)
      && connection.finds(
        "SELECT 1 FROM \(table(LedgerSchema.owners)) WHERE owner = ?", [owner])
  }

  func forget(_ owner: Value, on connection: any DatabaseSession) throws {
    try connection.execute(
      "DELETE FROM \(table(LedgerSchema.owners)) WHERE owner = ?", [owner])
  }

  /// The head; nil if there may be an owner without a copy, for whom `up` has something to do. It
  /// asks no catalog, so that `up` without pending migrations stays one look.
  package func settledHead(
    on connection: any DatabaseSession
  ) throws -> (version: Version, chain: String)? {
    let head = try head(on: connection)
    guard head != nil, try hasOwners(on: connection) else { return head }
    let own = try connection.schema(of: "\(prefix)_\(LedgerSchema.owners)")
    guard let key = try connection.parentKeys(of: own).sound.first else { return nil }
    let isNew = try connection.finds(
      """
      SELECT 1 FROM \(connection.schema(of: key.parent).sql) AS o WHERE NOT EXISTS (
        SELECT 1 FROM \(table(LedgerSchema.owners)) AS l
        WHERE l.owner = o.\(key.parentColumns[0].quoted)) LIMIT 1
      """)
    return isNew ? nil : head
  }

  /// Makes the table with the first release that owners have a copy of, so that the next `up` finds
  /// them even if a kill comes before their rows.
  func create(for owners: Owners, on connection: any DatabaseSession) throws {
    let (key, parent) = (owners.key, owners.table)
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(table(LedgerSchema.owners)) (
        owner \(connection.dialect.type(of: key, in: parent)) PRIMARY KEY NOT NULL
          \(connection.dialect.following(key, of: parent))
      )
      """)
  }

  /// Notes owners whose rows are those of the database's version.
  func note(
    _ new: [Value], of owners: Owners, on connection: any DatabaseSession
  ) throws {
    try create(for: owners, on: connection)
    let insert = try connection.cursor(
      "INSERT INTO \(table(LedgerSchema.owners)) (owner) VALUES (?)")
    for owner in new { try insert.run([owner]) }
  }

  /// Forgets what the log has under these owners: it is about others, who had their ids before.
  func forgetLog(
    of new: [Value], _ column: ColumnSchema, of name: String,
    on connection: any DatabaseSession
  ) throws {
    for log in ["left_to_user", "conflicts"] {
      let any = "SELECT 1 FROM \(table(log)) WHERE table_name = ? LIMIT 1"
      guard try connection.finds(any, [.text(name)]) else { continue }
      for owner in new {
        let key = RowJSON.collatedKey([column], [owner]).dropLast()
        try connection.execute(
          """
          DELETE FROM \(table(log)) WHERE table_name = ? AND substr(key, 1, ?) IN (?, ?)
          """,
          [.text(name), Value(key.count + 1), .text("\(key),"), .text("\(key)}")])
      }
    }
  }

  /// Forgets owners that are gone. Where the app does not enforce foreign keys, nothing else does.
  func forgetGoneOwners(of owners: Owners, on connection: any DatabaseSession) throws {
    guard try hasOwners(on: connection) else { return }
    try connection.execute(
      """
      DELETE FROM \(table(LedgerSchema.owners)) WHERE NOT EXISTS (
        SELECT 1 FROM \(owners.table.sql) AS o WHERE o.\(owners.key.name.quoted) = owner)
      """)
  }
}
