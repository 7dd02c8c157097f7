import Foundation
import Seedbed

extension SmallCases {
  struct Disagreement: Error, CustomStringConvertible {
    let description: String
  }

  /// Merges all of them by the engine, and each by the model.
  ///
  /// - Parameter twin: a database of another engine, on which they are merged in place of SQLite's.
  /// - Returns: the number of cases.
  func play(on twin: (any Twin)? = nil) throws -> Int {
    let (cases, shape) = (cases, shape)
    if cases.isEmpty { return 0 }
    let bench = try Bench(beside: twin)
    let database: any Database = bench.twin ?? bench.device
    try bench.write("catalog.json", shape.options(policies, hasTwin: twin != nil))
    var release = first(cases)
    release.files.removeAll(where: \.rows.isEmpty)
    try bench.write(release, shape, createsTables: true)
    _ = try bench.migrator(isTwin: twin != nil).up()
    try act(cases, shape, on: database)

    var next = second(cases)
    next.files.removeAll(where: \.rows.isEmpty)
    if next.files.isEmpty { return 0 }
    try bench.write(next, shape, createsTables: false)
    _ = try bench.migrator(isTwin: twin != nil).up()
    let found = try Found(on: database, shape)
    for one in cases { try compare(one, found) }
    // Once more: nothing is left to do.
    let again = try bench.migrator(isTwin: twin != nil).up()
    guard again.outcome == .upToDate, try Found(on: database, shape) == found else {
      throw Disagreement(description: "\(variant) \(base): a second run changed something")
    }
    return cases.count
  }

  /// Makes the database what the user leaves.
  private func act(_ cases: [Case], _ shape: Shape, on database: any Database) throws {
    let rows = cases.map(user)
    try database.run("BEGIN")
    try database.run("DELETE FROM t0")
    for table in shape.tables.indices {
      let all = rows.flatMap { $0[table] }
      for start in stride(from: 0, to: all.count, by: 500) {
        let tuples = all[start..<min(start + 500, all.count)].map { row in
          "(\(row.map(\.sql).joined(separator: ", ")))"
        }
        try database.run(
          "INSERT INTO \(shape.tables[table].name) (\(shape.tables[table].names)) VALUES "
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

  // MARK: comparing

  /// All that the engine left, by the number of the case.
  private struct Found: Equatable {
    var rows: [Int64: [Int: Set<[Cell]>]] = [:]
    var clashes: [Int64: [Clash]] = [:]
    var left: [Int64: [RowKey: Left]] = [:]

    init(on database: any Database, _ shape: Shape) throws {
      for (table, all) in try database.rows(of: shape).enumerated() {
        for row in all { rows[row[0].number, default: [:]][table, default: []].insert(row) }
      }
      let logged = try database.rows(
        """
        SELECT table_name, key, kind, policy, resolution, base, mine, seed FROM seedbed_conflicts
        """)
      for row in logged {
        let key = CellJSON.columns(row[1].words) ?? [:]
        let clash = Clash(
          table: row[0].words ?? "", key: key, kind: row[2].words ?? "", policy: row[3].words,
          resolution: row[4].words ?? "", base: CellJSON.columns(row[5].words),
          mine: CellJSON.columns(row[6].words), seed: CellJSON.columns(row[7].words))
        clashes[(key["c"] ?? key["n"] ?? .null).number, default: []].append(clash)
      }
      let entries = try database.rows(
        "SELECT table_name, key, kind, version FROM seedbed_left_to_user")
      for row in entries {
        let table = shape.tables.firstIndex { $0.name == row[0].words } ?? 0
        let columns = CellJSON.columns(row[1].words) ?? [:]
        let key = shape.tables[table].key.map {
          columns[shape.tables[table].columns[$0].name] ?? .null
        }
        left[key[0].number, default: [:]][shape.rowKey(key, table)] =
          Left(kind: row[2].words ?? "", version: Int(row[3].number))
      }
    }
  }

  private func compare(_ one: Case, _ found: Found) throws {
    let before = user(one)
    let model = Model(shape, before, left: left(one), lastIds: [:])
      .after(second([one]), policies)
    let rows = shape.tables.indices.map { found.rows[one.number]?[$0] ?? [] }
    let clashes = found.clashes[one.number] ?? []
    let left = found.left[one.number] ?? [:]
    let expected = model.clashes.map { $0.indifferent(among: model.clashes) }
    let logged = clashes.map { $0.indifferent(among: model.clashes) }
    guard rows == model.tables.map(Set.init), left == model.left,
      logged.count == expected.count, Set(logged) == Set(expected)
    else {
      throw disagreement(
        one,
        """
        engine \(rows) \(left)\(clashes.map(\.line).joined())
        model  \(model.tables) \(model.left)\(model.clashes.map(\.line).joined())
        """)
    }
    if let broken = brokenLaw(one, rows[0]) { throw disagreement(one, broken + ": \(rows[0])") }
  }

  private func disagreement(_ one: Case, _ words: String) -> Disagreement {
    let shown = { (state: Int) in
      Self.rows(state, of: one.number).map { $0.map { "\($0[2...])" } ?? "-" }
        .joined(separator: " ")
    }
    return Disagreement(
      description:
        "\(variant), case \(one.number): base \(shown(one.base)), mine \(shown(one.mine)), "
        + "seed \(shown(one.seed))\n\(words)")
  }

  // MARK: laws

  /// What must hold whatever the model says, where only the defaults decide; nil if it does.
  func brokenLaw(_ one: Case, _ rows: Set<[Cell]>) -> String? {
    guard [.plain, .unique, .child, .seedsChild].contains(variant) else { return nil }
    let all = [one.base, one.mine, one.seed].map { Self.rows($0, of: one.number) }
    var (areApart, both) = (true, Set<[Cell]>())
    for place in 0..<2 {
      let (base, mine, seed) = (all[0][place], all[1][place], all[2][place])
      let key = Cell.integer(Int64(place + 1))
      let now = rows.first { $0[1] == key }
      if base != nil, mine == nil, now != nil { return "a row that the user deleted is back" }
      if let mine, mine != base {
        guard let now else { return "a row that the user changed or made is gone" }
        if (2...3).contains(where: { mine[$0] != base?[$0] && now[$0] != mine[$0] }) {
          return "a value of the user's is lost"
        }
      }
      let (edited, changed) = (Self.cells(base, mine), Self.cells(base, seed))
      areApart = areApart && edited.isDisjoint(with: changed)
      if var row = edited.contains(0) ? mine : changed.contains(0) ? seed : base {
        for column in 2...3 {
          if let mine, edited.contains(column) { row[column] = mine[column] }
          if let seed, changed.contains(column) { row[column] = seed[column] }
        }
        both.insert(row)
      }
    }
    // The child holds its parent, and a value that is taken holds the row that wants it.
    if variant == .child, all[2][0] == nil { return nil }
    if isTaken(in: both) { return nil }
    if areApart, rows != both { return "a release and an edit of other cells cannot change places" }
    return nil
  }

  private func isTaken(in rows: Set<[Cell]>) -> Bool {
    let values = rows.map { $0[2] }.filter { !$0.isNull }
    return variant == .unique && Set(values).count < values.count
  }

  /// The columns in which two states of a row differ; 0, too, if there is one state only.
  private static func cells(_ one: [Cell]?, _ other: [Cell]?) -> Set<Int> {
    guard let one, let other else { return one == other ? [] : [0, 2, 3] }
    return Set((2...3).filter { one[$0] != other[$0] })
  }
}

extension Cell {
  fileprivate var number: Int64 { if case .integer(let number) = self { number } else { -1 } }
  fileprivate var words: String? { if case .text(let text) = self { text } else { nil } }
}
