@testable import Seedbed
import TestSupport
import Testing

/// What holds for the owners of rows, whatever the model says.
@Suite struct `What holds for each owner` {
  @Test func `what another does changes nothing`() throws {
    try HistoryQueue.play(Seeds.histories(4, of: 4000), "histories of two owners") { seed in
      var both = try OwnersJourney(seed, owners: [1, 2])
      var alone = try OwnersJourney(seed, owners: [1, 2])
      for _ in 0..<4 {
        try both.step(acting: [1, 2])
        try alone.step(acting: [1])
        try both.compare(alone, of: 1)
      }
    }
  }

  @Test func `one alone has what a table without owners has`() throws {
    try HistoryQueue.play(Seeds.histories(4, of: 4000), "histories of one owner") { seed in
      var plain = try OwnersJourney(seed, owners: [])
      var alone = try OwnersJourney(seed, owners: [1])
      for _ in 0..<4 {
        try plain.step(acting: [])
        try alone.step(acting: [], as: plain)
        try alone.compare(plain, of: 1)
      }
    }
  }
}

/// Random releases of tables that are per owner, or of the same tables without owners.
struct OwnersJourney {
  private let seed: UInt64
  private var dice: Dice
  private var source: SourceMaker
  private let shape: Shape
  private let bench: Bench
  private let owners: [Cell]
  private var acting: [Dice]
  /// What the user did last.
  private var acts: [String] = []
  private var log: [String]
  private var isNew = true

  /// - Parameter owners: if there is only one, what does not name an owner is that one's.
  init(_ seed: UInt64, owners: [Cell]) throws {
    (self.seed, self.owners) = (seed, owners)
    dice = Dice(seed: seed)
    acting = (0..<3).map { Dice(seed: seed &+ 31 &* UInt64($0)) }
    var plain = ShapeMaker.make(&dice)
    plain.drawAllKey(&dice)
    plain.drawKeyKinds(&dice)
    plain.drawDisposable(&dice)
    plain.drawIndexes(&dice)
    plain.changesKeys = dice.chance(50)
    plain.becomePerOwner()
    source = SourceMaker(plain)
    var shape = owners.isEmpty ? plain : plain.perOwner
    shape.owners = owners
    if owners.count == 1 {
      for table in shape.tables.indices {
        guard let owner = shape.tables[table].owner else { continue }
        shape.tables[table].columns[owner].standard = owners[0]
      }
    }
    self.shape = shape
    let policies = plain.policies(.all.subtracting(.moves), &dice).map { policy in
      Policy(
        onEdited: policy.onEdited == "fail" ? nil : policy.onEdited,
        onTaken: policy.onTaken == "fail" ? nil : policy.onTaken)
    }
    bench = try Bench()
    let options = shape.options(policies)
    log = [shape.sql, options]
    try bench.write("catalog.json", options)
  }

  /// A release, after what the owners do, and half of the time once more after it is taken back.
  ///
  /// - Parameter other: if the user does what was done there.
  mutating func step(acting: [Int], as other: Self? = nil) throws {
    var release = source.release(&dice)
    source.bringBack(&release, &dice)
    release.forgetDisposable(source.shape, &dice)
    try bench.write(release, source.shape, creating: isNew ? shape : nil)
    log.append("release \(release.version)")
    log += release.files.map {
      "  \($0.name(in: source.shape))\n\($0.csv(source.shape.tables[$0.table]))"
    }
    if !isNew { try act(acting, other, before: release) }
    let goesBack = !isNew && dice.chance(25)
    isNew = false
    try run { _ = try bench.migrator().up() }
    guard goesBack else { return }
    log.append("down and up")
    try run { _ = try bench.migrator().down(to: Int64(release.version - 1)) }
    try run { _ = try bench.migrator().up() }
  }

  private func run(_ body: () throws -> Void) throws {
    do { try body() } catch let error as SeedbedError { throw differing("\(error)") }
  }

  // MARK: the users

  private mutating func act(_ numbers: [Int], _ other: Self?, before release: Release) throws {
    try bench.device.run("PRAGMA foreign_keys = 1")
    acts = []
    if let other { return try repeatActs(of: other) }
    let rows = try bench.device.rows(of: shape)
    let coming = Dictionary(grouping: release.files.filter(\.bringsKeys), by: \.table)
      .mapValues { $0.flatMap(\.rows) }
    for number in owners.isEmpty ? [0] : numbers {
      var own = shape
      own.owners = [.integer(Int64(number))]
      let theirs = zip(shape.tables, rows).map { table, rows in
        rows.filter { row in table.owner.map { row[$0] == own.owners[0] } ?? true }
      }
      let maker = UserMaker(shape: own, rows: theirs, coming: coming)
      for sql in maker.actions(&acting[number]) + maker.children(&acting[number]) {
        let isDone = bench.device.attempt(sql)
        acts.append((isDone ? "user: " : "refused: ") + sql)
      }
    }
    log += acts
  }

  private mutating func repeatActs(of other: Self) throws {
    for act in other.acts {
      let parts = act.split(separator: ": ", maxSplits: 1).map(String.init)
      let isDone = bench.device.attempt(parts[1])
      acts.append((isDone ? "user: " : "refused: ") + parts[1])
      guard acts.last == act else { throw differing("\(acts.last ?? "") is no \(act)") }
    }
    log += acts
  }

  // MARK: what an owner has

  func compare(_ other: Self, of owner: Cell) throws {
    let (mine, theirs) = try (state(of: owner), other.state(of: owner))
    for (one, other) in zip(mine, theirs) where one != other {
      throw differing(
        "\(one.filter { !other.contains($0) })\nand \(other.filter { !one.contains($0) })")
    }
  }

  /// The rows, the log and the left keys, in lines.
  private func state(of owner: Cell) throws -> [[String]] {
    let rows = try zip(shape.tables, bench.device.rows(of: shape)).map { table, rows in
      let shown = table.columns.indices.filter { $0 != table.owner }
      let own = rows.filter { row in table.owner.map { row[$0] == owner } ?? true }
      return own.map { row in "\(table.name) \(shown.map { row[$0] })" }.sorted()
    }
    let clashes = try bench.migrator().conflicts().map(Clash.init)
      .filter { $0.key["owner"].map { $0 == owner } ?? true }.map { $0.withoutOwner.shown }
    let left = try bench.device.rows(
      "SELECT table_name, key, kind, version FROM seedbed_left_to_user"
    ).compactMap { row -> String? in
      guard case .text(let json) = row[1], var key = CellJSON.columns(json) else { return nil }
      guard key.removeValue(forKey: "owner").map({ $0 == owner }) ?? true else { return nil }
      return "\(row[0]) \(key.sorted { $0.key < $1.key }) \(row[2]) \(row[3])"
    }
    return rows + [clashes.sorted(), left.sorted()]
  }

  private func differing(_ what: String) -> Differing {
    Differing(description: "SEEDBED_SEED=\(seed): \(what)\n\(log.joined(separator: "\n"))")
  }

  struct Differing: Error, CustomStringConvertible {
    var description: String
  }
}

extension Clash {
  fileprivate var withoutOwner: Clash {
    let rest = { (object: [String: Cell]?) in object?.filter { $0.key != "owner" } }
    var clash = self
    clash.key["owner"] = nil
    (clash.base, clash.mine, clash.seed) = (rest(base), rest(mine), rest(seed))
    return clash
  }

  /// In one order. The columns of the clock differ anyway.
  fileprivate var shown: String {
    let list = { (object: [String: Cell]?) in
      object?.filter { !["row", "stamp"].contains($0.key) }.sorted { $0.key < $1.key }
        .map { "\($0.key) \($0.value)" }.joined(separator: ", ") ?? "-"
    }
    return "\(table) \(list(key)) \(kind) \(policy ?? "-") \(resolution) base \(list(base)) "
      + "mine \(list(mine)) seed \(list(seed))"
  }
}
