import Foundation
import Seedbed

extension SmallCases {
  struct Disagreement: Error, CustomStringConvertible {
    let description: String
  }

  /// Merges all of them by the engine, and each by the model.
  ///
  /// - Parameter twin: a database of another engine, on which they are merged in place of SQLite's.
  /// - Returns: what the engine made of them, and the number of cases.
  @discardableResult
  func play(on twin: (any Twin)? = nil) throws -> (found: Found?, count: Int) {
    let (cases, shape, tables) = (cases, shape, tables)
    if cases.isEmpty { return (nil, 0) }
    let bench = try Bench(beside: twin)
    let database: any Database = bench.twin ?? bench.device
    try bench.write("catalog.json", tables.options(variant.policies, hasTwin: twin != nil))
    var release = first(cases)
    release.files.removeAll(where: \.rows.isEmpty)
    try bench.write(release, shape, creating: tables)
    _ = try bench.migrator(isTwin: twin != nil).up()
    try act(cases, on: database)

    var next = second(cases)
    next.files.removeAll(where: \.rows.isEmpty)
    if next.files.isEmpty { return (nil, 0) }
    try bench.write(next, shape)
    do {
      _ = try bench.migrator(isTwin: twin != nil).up()
    } catch let error as SeedbedError {
      throw try stuck(error, cases, twin)
    }
    let found = try found(on: database)
    for one in cases {
      try compare(one, found[0], next)
      if variant.hasOwners { try compare(one.untouched, found[1], next) }
    }
    // Once more: nothing is left to do.
    let again = try bench.migrator(isTwin: twin != nil).up()
    guard again.outcome == .upToDate, try self.found(on: database) == found else {
      throw Disagreement(description: "\(variant.name): a second run changed something")
    }
    return (found[0], cases.count)
  }

  /// The tables of the database.
  private var tables: Shape {
    guard variant.hasOwners else { return shape }
    var tables = shape.perOwner
    tables.owners = [1, 2]
    return tables
  }

  /// What is left, of each owner by itself.
  private func found(on database: any Database) throws -> [Found] {
    try (variant.hasOwners ? [1, 2] : [nil]).map { try Found(on: database, family, of: $0) }
  }

  /// The first case alone that a release cannot be merged into, or all if it is none alone.
  private func stuck(
    _ error: SeedbedError, _ cases: [Case], _ twin: (any Twin)?
  ) throws -> any Error {
    if cases.count == 1 { return disagreement(cases[0], "engine \(error)") }
    for half in [numbers.prefix(numbers.count / 2), numbers.suffix((numbers.count + 1) / 2)] {
      try twin?.empty()
      try SmallCases(variant, space, Array(half), names: names).play(on: twin)
    }
    return Disagreement(description: "\(variant.name), only \(numbers) together: \(error)")
  }

  /// Makes the database what the user leaves.
  func act(_ cases: [Case], on database: any Database) throws {
    try database.run("BEGIN")
    for table in shape.tables.reversed() { try database.run("DELETE FROM \(table.name)") }
    for (table, target) in shape.tables.enumerated() {
      let lasting = family.lasting.isEmpty ? [] : family.lasting[table]
      var all = lasting + cases.flatMap { $0.user(table) }
      if variant.hasOwners {
        let others = cases.flatMap { $0.untouched.user(table) }
        all = all.map { $0 + [1] } + others.map { $0 + [2] }
      }
      for start in stride(from: 0, to: all.count, by: 500) {
        let tuples = all[start..<min(start + 500, all.count)].map { row in
          "(\(row.map(\.sql).joined(separator: ", ")))"
        }
        try database.run(
          "INSERT INTO \(target.name) (\(tables.tables[table].names)) VALUES "
            + tuples.joined(separator: ", "))
      }
    }
    for key in cases.flatMap({ left($0).keys }) {
      // As `pin` writes it, which plays the catalog once for each row.
      try database.run(
        "INSERT INTO seedbed_left_to_user (table_name, key, version, kind) VALUES "
          + "('t0', '{\"c\":\(key.key[0].sql),\"k\":\(key.key[1].sql)}', 0, 'pinned')")
    }
    try database.run("COMMIT")
  }

  /// What the model makes of one, as a part of this release.
  private func expected(_ one: Case, _ release: Release) -> Model {
    var own = second([one])
    // Whether a row may make way depends on which tables have files.
    own.files.removeAll { file in
      !release.files.contains { $0.table == file.table && $0.kind == file.kind }
    }
    var lastIds: [Int: Int64] = [:]
    for table in shape.tables.indices where shape.tables[table].isRowid {
      lastIds[table] = (one.number + 1) * 8 + Int64(table) * 2 + 3
    }
    return Model(shape, user(one), left: left(one), lastIds: lastIds)
      .after(own, variant.policies)
  }

  private func compare(_ one: Case, _ found: Found, _ release: Release) throws {
    let model = expected(one, release)
    let rows = shape.tables.indices.map { found.rows[one.number]?[$0] ?? [] }
    let clashes = found.clashes[one.number] ?? []
    let left = found.left[one.number] ?? [:]
    let expected = model.clashes.map { $0.indifferent(among: model.clashes) }
    let logged = clashes.map { $0.indifferent(among: model.clashes) }
    let lasting = family.lasting.isEmpty ? shape.tables.map { _ in [] } : family.lasting
    let wanted = zip(model.tables, lasting).map { Set($0).subtracting($1) }
    guard rows == wanted, left == model.left,
      logged.count == expected.count, Set(logged) == Set(expected)
    else {
      throw disagreement(
        one,
        """
        engine \(rows) \(left)\(clashes.map(\.line).joined())
        model  \(wanted) \(model.left)\(model.clashes.map(\.line).joined())
        """)
    }
    if let broken = brokenLaw(one, rows) ?? brokenReference(one, rows) {
      throw disagreement(one, broken + ": \(rows)")
    }
  }

  private func disagreement(_ one: Case, _ words: String) -> Disagreement {
    let states = ["base", "mine", "seed"].enumerated().map { time, name in
      let tables = one.rows[time].enumerated().map { table, rows in
        let shown = rows.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")
        return "\(shape.tables[table].name) \(shown)"
      }
      return "  \(name) \(tables.joined(separator: "; "))"
    }
    return Disagreement(
      description: """
        Scripts/checks/cases --variants \(variant.name) \(one.number)-\(one.number)
        \(states.joined(separator: "\n"))
        \(words)
        """)
  }
}

// MARK: what the engine left

extension SmallCases {
  /// All of it, by the number of the case.
  struct Found: Equatable {
    var rows: [Int64: [Int: Set<[Cell]>]] = [:]
    var clashes: [Int64: [Clash]] = [:]
    var left: [Int64: [RowKey: Left]] = [:]

    /// - Parameter owner: one whose rows alone are read.
    init(on database: any Database, _ family: CaseFamily, of owner: Cell? = nil) throws {
      let shape = family.shape
      let isTheirs = { (columns: [String: Cell]) in columns["owner"] == owner }
      let key = { (table: Int, columns: [String: Cell]) in
        shape.tables[table].key.map { columns[shape.tables[table].columns[$0].name] ?? .null }
      }
      try readClashes(on: database, family, key, isTheirs)
      let moved = moved(shape)
      let rows = try shape.tables.map { table in
        let own = owner.map { " WHERE owner = \($0.sql)" } ?? ""
        return try database.rows("SELECT \(table.names) FROM \(table.name)\(own)")
      }
      for (table, all) in rows.enumerated() {
        let lasting = family.lasting.isEmpty ? [] : family.lasting[table]
        for row in all where !lasting.contains(row) {
          let row = Self.renumbered(row, table, shape, moved)
          self.rows[family.number(table, row), default: [:]][table, default: []].insert(row)
        }
      }
      let entries = try database.rows(
        "SELECT table_name, key, kind, version FROM seedbed_left_to_user")
      for row in entries {
        let table = shape.tables.firstIndex { $0.name == row[0].words } ?? 0
        let columns = CellJSON.columns(row[1].words) ?? [:]
        guard isTheirs(columns) else { continue }
        let key = key(table, columns)
        left[family.number(table, key), default: [:]][shape.rowKey(key, table)] =
          Left(kind: row[2].words ?? "", version: Int(row[3].number))
      }
    }

    private mutating func readClashes(
      on database: any Database, _ family: CaseFamily,
      _ key: (Int, [String: Cell]) -> [Cell], _ isTheirs: ([String: Cell]) -> Bool
    ) throws {
      let rest = { (columns: [String: Cell]?) in columns?.filter { $0.key != "owner" } }
      let logged = try database.rows(
        """
        SELECT table_name, key, kind, policy, resolution, base, mine, seed, moved_to
        FROM seedbed_conflicts
        """)
      for row in logged {
        let all = CellJSON.columns(row[1].words) ?? [:]
        guard isTheirs(all), let columns = rest(all) else { continue }
        let clash = Clash(
          table: row[0].words ?? "", key: columns, kind: row[2].words ?? "", policy: row[3].words,
          resolution: row[4].words ?? "", base: rest(CellJSON.columns(row[5].words)),
          mine: rest(CellJSON.columns(row[6].words)), seed: rest(CellJSON.columns(row[7].words)),
          movedTo: CellJSON.columns(row[8].words))
        let table = family.shape.tables.firstIndex { $0.name == row[0].words } ?? 0
        clashes[family.number(table, key(table, columns)), default: []].append(clash)
      }
    }

    /// By table, the numbers that rows got which made way, and what they are in a case of its own:
    /// there they are the next ones.
    private mutating func moved(_ shape: Shape) -> [[Cell: Cell]] {
      var moved: [[Cell: Cell]] = shape.tables.map { _ in [:] }
      for (number, all) in clashes {
        for table in shape.tables.indices where shape.tables[table].isRowid {
          let ids = all.filter { $0.table == shape.tables[table].name }
            .compactMap { $0.movedTo?["id"] }.sorted { $0.number < $1.number }
          for (rank, id) in ids.enumerated() {
            moved[table][id] = .integer((number + 1) * 8 + Int64(table) * 2 + 4 + Int64(rank))
          }
        }
        clashes[number] = all.map { clash in
          var clash = clash
          let table = shape.tables.firstIndex { $0.name == clash.table } ?? 0
          clash.movedTo = clash.movedTo?.mapValues { moved[table][$0] ?? $0 }
          return clash
        }
      }
      return moved
    }

    private static func renumbered(
      _ row: [Cell], _ table: Int, _ shape: Shape, _ moved: [[Cell: Cell]]
    ) -> [Cell] {
      var row = row
      for column in row.indices {
        let parents = shape.tables[table].foreignKeys.filter { $0.columns == [column] }
          .map(\.parent)
        let tables = (shape.tables[table].key == [column] ? [table] : []) + parents
        if let new = tables.lazy.compactMap({ moved[$0][row[column]] }).first { row[column] = new }
      }
      return row
    }
  }
}

extension Cell {
  var words: String? { if case .text(let text) = self { text } else { nil } }
}
