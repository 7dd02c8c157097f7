/// The highest release that each key has signed, so that an older one is not taken for news:
/// `ResolvedCatalog` compares a download with it.
///
/// One for each key: if a stolen key signs 99999, that must not lock out the author's next key. The
/// table is made for the first download, so a database without downloads has none.
extension Ledger {
  func signedHeads(on connection: any DatabaseSession) throws -> [Migrator.SignedHead] {
    guard try connection.object(named: "\(prefix)_\(LedgerSchema.signed)") != nil else { return [] }
    return try connection.rows(
      "SELECT key, version, lock FROM \(table(LedgerSchema.signed)) ORDER BY key"
    ).map {
      try Migrator.SignedHead(key: $0.text(0), version: $0.integer(1), lock: $0.text(2))
    }
  }

  /// Notes what was signed, in the transaction of a migration that comes from it.
  ///
  /// - Throws: `busy` if another process applied a later release while this one waited.
  func note(_ heads: [Migrator.SignedHead], on connection: any DatabaseSession) throws {
    let known = try signedHeads(on: connection)
    for head in heads {
      guard let last = known.first(where: { $0.key == head.key }), last != head else { continue }
      guard last.version < head.version else {
        throw SeedbedError(
          .busy,
          "Another process has applied a later release by the same key meanwhile. Try again.")
      }
    }
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(table(LedgerSchema.signed)) (
        key     TEXT   PRIMARY KEY NOT NULL,
        version BIGINT NOT NULL,
        lock    TEXT   NOT NULL,
        at      TEXT   NOT NULL
      )
      """)
    for head in heads {
      try connection.execute(
        """
        INSERT INTO \(table(LedgerSchema.signed)) (key, version, lock, at) VALUES (?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET version = excluded.version, lock = excluded.lock,
          at = excluded.at
        """,
        [.text(head.key), .integer(head.version), .text(head.lock), .text(Clock.timestamp())])
    }
  }
}
