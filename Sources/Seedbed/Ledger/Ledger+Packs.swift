/// The register of a database's packs, beside the base's ledger. A pack has a ledger of its own;
/// here is whether `up` of the base brings it. It is made for the first pack.
///
/// `up` of a pack adds it, and `down` to 0 removes it. What the user deleted stays in its ledger,
/// so that a pack that comes again leaves that alone.
extension Ledger {
  private var register: String { dialect.table("\(basePrefix)_\(LedgerSchema.packs)") }

  /// All that were ever added, by name.
  func packs(on connection: any DatabaseSession) throws -> [Migrator.Pack] {
    guard try connection.object(named: "\(basePrefix)_\(LedgerSchema.packs)") != nil else {
      return []
    }
    return try connection.rows(
      "SELECT name, needs, state FROM \(register) ORDER BY name"
    ).map { row in
      let pack = try Pack(name: row.text(0), needs: row.integer(1))
      let own = try Ledger(prefix: pack.ledger, dialect: dialect)
      let head = try own.exists(on: connection) ? own.head(on: connection) : nil
      return try Migrator.Pack(
        name: pack.name, version: head?.version ?? 0, needs: pack.needs,
        state: Migrator.Pack.State(logged: row.text(2)))
    }
  }

  /// Those of all packs, also of one whose first release is not there yet.
  func ledgersOfPacks(on connection: any DatabaseSession) throws -> [Ledger] {
    let ending = "_runs"
    return try connection.tableNames().filter {
      $0.hasPrefix(Pack.word + "_") && $0.hasSuffix(ending)
    }.map {
      try Ledger(prefix: String($0.dropLast(ending.count)), dialect: dialect)
    }.filter { try $0.exists(on: connection) }
  }

  /// The version of the base, by which backups are named.
  func baseVersion(on connection: any DatabaseSession) throws -> Version {
    let base = try Ledger(prefix: basePrefix, dialect: dialect)
    return try base.exists(on: connection) ? base.head(on: connection)?.version ?? 0 : 0
  }

  /// Notes that a pack was added or removed.
  func note(
    _ pack: Pack, _ state: Migrator.Pack.State, on connection: any DatabaseSession
  ) throws {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(register) (
        name  TEXT   PRIMARY KEY NOT NULL,
        needs BIGINT NOT NULL,
        state TEXT   NOT NULL CHECK (state IN ('added', 'removed'))
      )
      """)
    try connection.execute(
      """
      INSERT INTO \(register) (name, needs, state) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET needs = excluded.needs, state = excluded.state
      """, [.text(pack.name), .integer(pack.needs), .text(state.rawValue)])
  }

  /// The ledger under another name that has a pack's first release: before packs had names, their
  /// authors chose the prefix. nil if the pack has its ledger, or none.
  func chosenByHand(
    for first: (version: Version, checksum: String), on connection: any DatabaseSession
  ) throws -> Ledger? {
    if try exists(on: connection) { return nil }
    // Two packs may begin alike, and each has its ledger.
    let known = Set(try packs(on: connection).map { Pack(name: $0.name, needs: 0).ledger })
    let ending = "_left_to_user"
    for table in try connection.tableNames() where table.hasSuffix(ending) {
      let other = try Ledger(prefix: String(table.dropLast(ending.count)), dialect: dialect)
      guard other.prefix != basePrefix, !known.contains(other.prefix),
        try other.exists(on: connection)
      else { continue }
      let applied = try other.applied(on: connection).first
      if let applied, (applied.version, applied.checksum) == first { return other }
    }
    return nil
  }

  /// Gives the ledger's tables the names of another one, in the caller's transaction.
  func rename(to other: Ledger, on connection: any DatabaseSession) throws {
    let signed = [LedgerSchema.signed, LedgerSchema.owners]
    for name in LedgerSchema.tables + signed
    where try connection.object(named: "\(prefix)_\(name)") != nil {
      try connection.execute(
        "ALTER TABLE \(table(name)) RENAME TO \("\(other.prefix)_\(name)".quoted)")
    }
  }
}
