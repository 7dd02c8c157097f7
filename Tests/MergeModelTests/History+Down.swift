import Seedbed

/// What `down` leaves.
extension History {
  /// Takes the release back, which leaves all as it was, and applies it once more.
  mutating func downAndUp(
    _ release: Release, _ app: Policy, _ expected: Model, _ before: [[[Cell]]]
  ) throws {
    log.append(.text("down, and up again"))
    let migrator = try bench.migrator(Policies(app))
    do {
      _ = try migrator.down(to: Int64(release.version - 1))
    } catch let error as SeedbedError {
      // The rows that were there may be the user's.
      if expected.hasUnchangedInserts, error.code == .catalog { return }
      throw disagreement("down failed: \(error)")
    }
    let found = try bench.device.rows(of: shape)
    let gone = shape.affected(by: expected.disposed, in: before)
    let rest = (shape.rows(found, without: gone), shape.rows(before, without: gone))
    for table in shape.tables.indices {
      let columns = comparable(table)
      let lines = { (rows: [[Cell]]) in rows.map { "\(columns($0))" }.sorted() }
      let rows = [rest.0, rest.1].map { lines(shape.withoutNumbers($0)[table]) }
      let (found, before) = (rows[0], rows[1])
      guard found == before else {
        throw disagreement(
          "down leaves in \(shape.tables[table].name)\n  "
            + "found  \(found.filter { !before.contains($0) })"
            + "\n  before \(before.filter { !found.contains($0) })")
      }
    }
    try compareLeft(left)
    let open = try migrator.conflicts().filter {
      $0.version == Int64(release.version) && $0.undoneAt == nil
    }
    guard open.isEmpty else { throw disagreement("down left conflicts: \(open)") }
    // A key that ignores case may have come back in the seed's, and ids are never given twice.
    let again = try model(found).after(release, policies(of: release, app))
    if again.fails { throw disagreement("the model fails the second time") }
    try up(app, [release], [again], found)
  }

  /// What `down` brings back: what triggers or the app rewrite is not the user's, nor is the case
  /// of a key that ignores it, or of what refers to one and followed it.
  private func comparable(_ table: Int) -> ([Cell]) -> [Cell] {
    let target = shape.tables[table]
    let keyed = shape.keyed(table)
    return { row in
      target.columns.indices.filter { target.columns[$0].role != .ignored }.map { column in
        let folds = keyed.contains(column) && target.columns[column].ignoresCase
        return folds ? row[column].folded(ignoringCase: true) : row[column]
      }
    }
  }
}

/// What `down` leaves where the user went on in between: all that the user did since.
extension History {
  /// False where the release cannot be taken back.
  mutating func actAndGoDown(
    _ release: Release, _ app: Policy, _ expected: Model, _ before: [[[Cell]]]
  ) throws -> Bool {
    let after = try bench.device.rows(of: shape)
    log.append(.text("after it"))
    var dice = otherDice
    let enforces = try userActs(&dice)
    otherDice = dice
    let mine = try bench.device.rows(of: shape)
    log.append(.text("down"))
    let report: Report
    do {
      report = try bench.migrator(Policies(app)).down(to: Int64(release.version - 1))
    } catch let error as SeedbedError {
      // The rows that were there may be the user's.
      if expected.hasUnchangedInserts, error.code == .catalog { return false }
      throw disagreement("down failed: \(error)")
    }
    // What is logged only since nobody can tell is no reason.
    let clashes = report.migrations.flatMap(\.conflicts).map(Clash.init).filter {
      $0.kind != "editedRetired" || $0.resolution != "tookSeed"
    }
    let back = report.moved.map { MovedBack($0, shape) }
    let away = expected.clashes.compactMap { MovedBack($0, shape) }
    let moves = expected.keyMoves(of: release)
    let old = KeyReading(shape, moves)
    let again = KeyReading(
      shape, movesBack(moves, mine, clashes), passed: deleted(moves, mine))
    let found = try bench.device.rows(of: shape)
    let left = found.indices.map {
      again.rows(shape.following(back, found[$0], of: $0), of: $0)
    }
    let read = before.indices.map { old.rows(before[$0], of: $0) }
    let gone = shape.affected(by: expected.disposed, in: read)
    let unnamed = shape.unnamed(release, after, mine)
    let worlds = DownStep.Worlds(
      before: shape.withoutNumbers(
        before.indices.map { old.rows(shape.following(away, before[$0], of: $0), of: $0) }),
      after: shape.withoutNumbers(after), mine: shape.withoutNumbers(mine),
      left: shape.withoutNumbers(left))
    // An orphan may find a parent under a key that came back.
    let isComparable = moves.isEmpty || !shape.hasOrphans(mine)
    for table in shape.tables.indices where isComparable {
      let step = DownStep(
        shape: shape, number: table, worlds: worlds,
        disposed: (worlds.mine[table] + worlds.before[table]).filter {
          shape.isDisposed($0, of: table, worlds.mine, worlds.left)
        },
        affected: Set(gone.filter { $0.table == table }.map(\.key)),
        unnamed: Set(
          unnamed.filter { $0.table == table }.map {
            shape.tables[table].folded(shape.tables[table].key, of: worlds.after[table][$0.index])
          }),
        naturals: release.files.filter { $0.table == table }.flatMap(\.naturals),
        clashes: clashes)
      if let problem = step.problem {
        throw disagreement("down in \(shape.tables[table].name): \(problem)")
      }
    }
    try compareLeft(self.left)
    if enforces, try !bench.device.rows("PRAGMA foreign_key_check").isEmpty {
      throw disagreement("down leaves orphans")
    }
    return true
  }
}

/// A user's row that made way for the seed's: its own id, and the one that it had meanwhile.
private struct MovedBack {
  var table: Int
  var id: Cell
  var meanwhile: Cell

  init(_ row: MovedRow, _ shape: Shape) {
    table = shape.tables.firstIndex { $0.name == row.table } ?? 0
    id = CellJSON.columns(row.to)?["id"] ?? .null
    meanwhile = CellJSON.columns(row.from)?["id"] ?? .null
  }

  init?(_ clash: Clash, _ shape: Shape) {
    guard let new = clash.movedTo?["id"] else { return nil }
    table = shape.tables.firstIndex { $0.name == clash.table } ?? 0
    id = clash.key["id"] ?? .null
    meanwhile = new
  }
}

extension Shape {
  fileprivate func keyed(_ table: Int) -> Set<Int> {
    Set(tables[table].key + tables[table].foreignKeys.flatMap(\.columns))
  }

  /// Rows with the ids that users' rows had meanwhile, so that they can be told from the seed's.
  fileprivate func following(_ moves: [MovedBack], _ rows: [[Cell]], of table: Int) -> [[Cell]] {
    var rows = rows
    for move in moves {
      let columns = self.columns(of: table, with: (move.table, 0))
      for index in rows.indices {
        for column in columns where rows[index][column] == move.id {
          rows[index][column] = move.meanwhile
        }
      }
    }
    return rows
  }

  /// The columns of a table that hold ids of another, over any number of references.
  private func columns(of table: Int, with id: (table: Int, column: Int)) -> [Int] {
    var found: Set = [Place(table: id.table, index: id.column)]
    var count = 0
    while count < found.count {
      count = found.count
      for (child, target) in tables.enumerated() {
        for key in target.foreignKeys {
          for (column, parent) in zip(key.columns, key.parentColumns)
          where found.contains(Place(table: key.parent, index: parent)) {
            found.insert(Place(table: child, index: column))
          }
        }
      }
    }
    return found.filter { $0.table == table }.map(\.index)
  }
}
