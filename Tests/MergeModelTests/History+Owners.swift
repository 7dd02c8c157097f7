import TestSupport

/// What a history knows of owners. Its releases have no owner, and the model gets them once for
/// each.
struct Owned {
  var dice: Dice
  /// Those who have a copy of the rows.
  var known: Set<Cell> = []
  /// Whether the last `up` filled one. What it brought then is no release's that `down` takes back.
  var hasFilled = false
  /// The highest version that was applied.
  var version = 0
  /// The highest id that an owner had.
  var last: Int64 = 3

  /// - Parameter shape: becomes one that tables per owner can have.
  init(_ seed: UInt64, _ shape: inout Shape) {
    dice = Dice(seed: seed &+ 7013)
    shape.becomePerOwner()
    shape.owners = (0..<dice.below(3)).map { .integer(Int64($0 + 1)) }
  }
}

extension History {
  /// A release as the merge sees it.
  func merged(_ release: Release) -> Release {
    guard let owned else { return release }
    return release.each(shape.owners.filter(owned.known.contains), shape)
  }

  /// The catalog's rows as a database has them.
  func ofEachOwner(_ seeds: [[[Cell]]]) -> [[[Cell]]] {
    guard let owned else { return seeds }
    return seeds.map { rows in
      rows.flatMap { row in shape.owners.filter(owned.known.contains).map { row + [$0] } }
    }
  }

  /// At the end of an `up`, those who came since get the rows of the catalog, as one more release
  /// would bring them. What the log has of others who had their ids before is forgotten.
  mutating func fillNewOwners(
    _ releases: [Release], _ model: inout Model, _ expected: inout [Model]
  ) {
    guard var owned else { return }
    owned.version = releases.last?.version ?? owned.version
    let new = shape.owners.filter { !owned.known.contains($0) }
    owned.known.formUnion(new)
    owned.hasFilled = !new.isEmpty
    self.owned = owned
    if new.isEmpty { return }
    let catalog = withoutUser.tables
    let files = source.shape.tables.indices.filter { !catalog[$0].isEmpty }.map { table in
      let target = source.shape.tables[table]
      return SeedFile(
        table: table, kind: .insert, columns: target.seeded,
        rows: catalog[table].map { row in
          SeedRow(key: target.key.map { row[$0] }, values: target.seeded.map { row[$0] })
        })
    }
    let fill = Release(version: owned.version, files: files).each(new, shape)
    var next = model.forgetting(new).after(fill, shape.tables.map { _ in Policy() })
    // The rows are of several releases, and no `down` gives a key back.
    for (key, left) in next.left where key.key.last.map(new.contains) == true {
      next.left[key] = left.ofNoRelease
    }
    expected.append(next)
    model = next.withoutReport()
  }

  /// An owner may come when no release does.
  mutating func fillWithoutRelease() throws {
    guard owned?.dice.chance(30) == true else { return }
    try ownersComeAndGo()
    try apply([])
  }

  /// The app adds owners and deletes some with all that is theirs. An id may come again at once,
  /// but a server gives none twice.
  mutating func ownersComeAndGo() throws {
    guard var owned, try bench.device.has("owners") else { return }
    try bench.device.run("PRAGMA foreign_keys = 1")
    for _ in 0..<owned.dice.below(3) {
      if !shape.owners.isEmpty, owned.dice.chance(40) {
        let owner = owned.dice.pick(shape.owners)
        try act("DELETE FROM owners WHERE id = \(owner)")
        if shape.owners.contains(owner) { continue }
        owned.known.remove(owner)
        if owned.dice.chance(50) { continue }
      }
      if shape.owners.count == 3 { continue }
      if bench.twin != nil { owned.last += 1 }
      let ids = bench.twin == nil ? 1...3 : owned.last...owned.last
      guard let owner = ids.map(Cell.integer).first(where: { !shape.owners.contains($0) }) else {
        continue
      }
      try act("INSERT INTO owners VALUES (\(owner), 'new')")
    }
    self.owned = owned
  }

  private mutating func act(_ sql: String) throws {
    for database in databases { try database.run("BEGIN") }
    let isDone = try attempt(sql)
    try commit()
    shape.owners = try bench.device.rows("SELECT id FROM owners ORDER BY id").map { $0[0] }
    log.append(.text((isDone ? "app: " : "refused: ") + sql))
  }
}

extension Model {
  /// Without what the log has of these owners.
  fileprivate func forgetting(_ owners: [Cell]) -> Model {
    var model = self
    let isTheirs = { (row: [Cell]) in row.last.map(owners.contains) ?? false }
    model.left = left.filter { !isTheirs($0.key.key) }
    model.holders.removeAll { isTheirs($0.seed) }
    model.skipped = skipped.filter { !isTheirs($0.key.key) }
    return model
  }
}
