import Seedbed
import TestSupport
import Testing

/// Random histories in which releases know the rows of a table now by one column, now by another.
@Suite struct `Left keys when the option key changes` {
  @Test(arguments: Seeds.histories(60, of: 3000))
  func `are those that the model leaves`(_ seed: UInt64) throws {
    var history = try KeyHistory(seed: seed)
    for _ in 0..<6 { try history.play() }
    // What is left by another column is no reason to fail.
    _ = try history.bench.migrator().down(to: 1)
    _ = try history.bench.migrator().up()
  }
}

private struct KeyHistory {
  /// A key that was left to the user, by the columns that were the key then.
  struct Entry: Hashable {
    var columns: [Int]
    var key: [Cell]
    var reason: Left.Reason
  }

  let seed: UInt64
  var dice: Dice
  var shape: Shape
  var source: SourceMaker
  let bench: Bench
  var entries: Set<Entry> = []
  /// What the seed had after each version.
  var seeds: [[[Cell]]] = [[]]

  init(seed: UInt64) throws {
    self.seed = seed
    dice = Dice(seed: seed)
    let columns = [
      ColumnShape(name: "k", kind: .text), ColumnShape(name: "s", kind: .text),
      ColumnShape(name: "n", kind: .text), ColumnShape(name: "u", kind: .integer, role: .user),
    ]
    shape = Shape(tables: [
      TableShape(
        name: "t0", columns: columns, key: [0], isKeyPrimary: false,
        uniques: [Unique(columns: [1])])
    ])
    source = SourceMaker(shape)
    bench = try Bench()
    try bench.write("catalog.json", "{}")
  }

  private var table: TableShape { shape.tables[0] }

  mutating func play() throws {
    changeKey()
    let release = source.release(&dice)
    let policy = Policy(
      onEdited: dice.pick(["keepEdits", "preferSeed", "overwriteRow"]),
      onTaken: dice.pick(["keepUser", "replaceUser"]))
    try bench.write(release, shape, creating: release.version == 1 ? shape : nil)
    let key = "\"key\": [\"\(table.columns[table.key[0]].name)\"]"
    try bench.write(
      "\(release.version)_release/migration.json",
      "{\"tables\": {\"t0\": {\(([key] + policy.json(table)).joined(separator: ", "))}}}")
    if release.version > 1 { try userActs(before: release) }
    let before = release.version > 1 ? try bench.device.rows(of: shape) : [[]]
    if !release.files.isEmpty { follow(release.version, before[0]) }
    let left = entries.filter { $0.columns == table.key }
    let known = left.map {
      (shape.rowKey($0.key, 0), Left(kind: $0.reason.kind, version: $0.reason.version))
    }
    let model = Model(
      shape, before, left: Dictionary(known) { $0.and($1) }, lastIds: [:]
    ).after(release, [policy])
    entries.subtract(left)
    for (key, left) in model.left {
      for reason in left.reasons {
        entries.insert(Entry(columns: table.key, key: key.key, reason: reason))
      }
    }
    seeds.append(source.source[0])
    _ = try bench.migrator().up()
    #expect(try sorted(bench.device.rows(of: shape)[0]) == sorted(model.tables[0]), "SEED \(seed)")
    #expect(try logged() == entries, "SEED \(seed)")
  }

  /// From now on rows are known by the other column, if all of the seed's have it.
  private mutating func changeKey() {
    let other = table.uniques[0].columns
    let hasAll = source.source[0].allSatisfy { $0[other[0]] != .null }
    guard seeds.count > 2, hasAll, dice.chance(50) else { return }
    (shape.tables[0].key, shape.tables[0].uniques) = (other, [Unique(columns: table.key)])
    source.shape = shape
  }

  private mutating func userActs(before release: Release) throws {
    let coming = release.files.filter { $0.kind == .insert }.flatMap(\.rows)
    let maker = UserMaker(
      shape: shape, rows: try bench.device.rows(of: shape), coming: [0: coming])
    for sql in maker.actions(&dice) { _ = bench.device.attempt(sql) }
  }

  // MARK: the rule

  /// An entry is about a row of the seed, and follows it to the key by which it is known now.
  ///
  /// - What was to be retired is there: its row says what that is.
  /// - Else the seed's row says it: the one of now, or if that was retired, the one of then, unless
  ///   another row of the seed has its key now.
  /// - If the seed has none, the user's row under the old key says it.
  /// - If none has a key, the entry stays as it is.
  private mutating func follow(_ version: Int, _ rows: [[Cell]]) {
    let old = entries.filter { $0.columns != table.key }
    for entry in old.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      let now = seeds[version - 1]
      let mine = find(entry.columns, entry.key, in: rows)
      var seed = find(entry.columns, entry.key, in: now)
      if seed == nil {
        let reason = entry.reason
        let then = seeds[reason.isOfAUsersRow ? reason.version : reason.version - 1]
        seed = find(entry.columns, entry.key, in: then)
        if let key = seed.map(key), find(table.key, key, in: now) != nil { seed = nil }
      }
      let isThere =
        entry.reason.isOfARowToRetire && mine.map { !key(of: $0).contains(.null) } == true
      guard let row = isThere ? mine : seed ?? mine, !key(of: row).contains(.null) else { continue }
      entries.remove(entry)
      let next = Entry(
        columns: table.key, key: table.folded(table.key, of: row), reason: entry.reason)
      let isKnown = entries.contains {
        $0.columns == next.columns && $0.key == next.key && $0.reason.kind == next.reason.kind
      }
      if !isKnown {
        entries.insert(next)
      }
    }
  }

  private func key(of row: [Cell]) -> [Cell] { table.key.map { row[$0] } }

  private func find(_ columns: [Int], _ key: [Cell], in rows: [[Cell]]) -> [Cell]? {
    rows.first { row in columns.map { row[$0] } == key && !key.contains(.null) }
  }

  // MARK: what the engine left

  private func sorted(_ rows: [[Cell]]) -> [String] { rows.map { "\($0)" }.sorted() }

  private func logged() throws -> Set<Entry> {
    let rows = try bench.device.rows("SELECT key, kind, version FROM seedbed_left_to_user")
    return Set(
      rows.compactMap { row in
        guard case .text(let json) = row[0], case .text(let kind) = row[1],
          case .integer(let version) = row[2], let key = CellJSON.columns(json)
        else { return nil }
        let columns = table.columns.indices.filter { key[table.columns[$0].name] != nil }
        return Entry(
          columns: columns, key: columns.map { key[table.columns[$0].name] ?? .null },
          reason: Left.Reason(kind: kind, version: Int(version)))
      })
  }
}
