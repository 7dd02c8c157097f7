import Seedbed
import TestSupport

/// One history: a schema, releases, and what the user does in between, played on the engine and on
/// the model.
struct History {
  let seed: UInt64
  private var dice: Dice
  /// For what came later, so that it leaves the histories of old seeds as they were.
  var otherDice: Dice
  /// For what came later still.
  var laterDice: Dice
  /// For references by natural key, and how many of a hundred there are.
  private var nameDice: Dice
  private let nameShare: Int
  /// For the spelling of defaults, and what users put over them.
  private var defaultDice: Dice
  /// Where there are any, releases give rows new keys.
  private var keyDice: Dice?
  let shape: Shape
  private var truth: TruthMaker
  let bench: Bench
  var log: [Event] = []
  /// How often each kind of conflict was settled in each way.
  var seen: [String: Int] = [:]
  /// Columns that the model does not know of.
  let hidden: Set = ["row", "stamp", "twice"]
  let catalogPolicies: [Policy]
  var left: Set<RowKey> = []
  var holders: Set<Holder> = []

  /// What happened so far; put into words only where it ends in a disagreement.
  enum Event {
    case text(String)
    case release(Release)
  }

  struct Disagreement: Error, CustomStringConvertible {
    var seed: UInt64
    var description: String
  }

  init(seed: UInt64, isPlanned: Bool = false) throws {
    self.seed = seed
    dice = Dice(seed: seed)
    otherDice = Dice(seed: ~seed)
    laterDice = Dice(seed: seed.byteSwapped)
    nameDice = Dice(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ 0x6E61_6D65)
    var shape = ShapeMaker.make(&dice)
    var defaultDice = Dice(seed: seed &* 0xD1B5_4A32_D192_ED03 ^ 0x6465_6661)
    shape.drawDefaults(&defaultDice)
    self.defaultDice = defaultDice
    if isPlanned { shape.keepPlanned() } else { shape.drawDisposable(&laterDice) }
    nameShare = isPlanned ? 0 : nameDice.pick([0, 50, 90])
    if nameShare > 0 { shape.assignNumbers(&nameDice) }
    self.shape = shape
    // Keys that change while names stand for others are left out: what a name means hangs on both.
    var keyDice = Dice(seed: seed &* 31 ^ 0x6B65_7973)
    self.keyDice = !isPlanned && nameShare == 0 && keyDice.chance(60) ? keyDice : nil
    truth = TruthMaker(shape)
    bench = try Bench(isPlanned: isPlanned)
    let isDefault = dice.chance(30)
    catalogPolicies = isDefault ? shape.tables.map { _ in Policy() } : shape.policies(&dice)
    try bench.write("catalog.json", shape.options(catalogPolicies))
  }

  mutating func play() throws {
    log.append(.text(shape.sql + shape.disposableTables))
    let appOwnsTables = dice.chance(20)
    if appOwnsTables {
      try bench.device.run(shape.sql)
    }
    var upSQL = appOwnsTables ? nil : shape.sql
    for number in 0..<(2 + dice.below(4)) {
      var releases: [Release] = []
      // Numbers that the database chose between two releases are not seen.
      let hasNumbers = shape.tables.contains { $0.assigned != nil }
      let count = dice.chance(15) && !hasNumbers ? 2 : 1
      for _ in 0..<count {
        var release = truth.release(&dice, &laterDice, keys: &keyDice)
        release.forgetDisposable(shape, &laterDice)
        if dice.chance(20) { release.policies = shape.policies(&dice) }
        if count == 1 { takeBases(from: &release) }
        release = truth.naming(release, share: nameShare, &nameDice)
        try bench.write(release, shape, upSQL: upSQL)
        releases.append(release)
        upSQL = nil
      }
      if number > 0 || appOwnsTables { try userActs(before: releases) }
      try apply(releases)
    }
  }

  /// Old values may be missing where every column takes the seed's value anyway.
  private mutating func takeBases(from release: inout Release) {
    let policies = catalogPolicies.indices.map {
      (release.policies?[$0] ?? Policy()).over(catalogPolicies[$0])
    }
    // After a failure the release would be applied under another policy.
    if policies.contains(where: { $0.onEdited == "fail" || $0.onTaken == "fail" }) { return }
    for index in release.files.indices where release.files[index].kind != .insert {
      let table = release.files[index].table
      let canDoWithout = shape.tables[table].identity.isEmpty
      if policies[table].onEdited == "overwriteRow", canDoWithout, otherDice.chance(30) {
        release.files[index].takeBases(shape.tables[table])
      }
    }
  }

  // MARK: the user

  private mutating func userActs(before releases: [Release]) throws {
    var dice = dice
    _ = try userActs(&dice, before: releases)
    self.dice = dice
  }

  /// Returns whether SQLite enforced foreign keys meanwhile.
  mutating func userActs(_ dice: inout Dice, before releases: [Release] = []) throws -> Bool {
    let enforces = dice.chance(85)
    try bench.device.run("PRAGMA foreign_keys = \(enforces ? 1 : 0); BEGIN")
    let coming = releases.flatMap(\.files).filter { $0.kind != .delete && $0.bringsKeys }
    let maker = UserMaker(
      shape: shape, rows: try bench.device.rows(of: shape),
      coming: Dictionary(grouping: coming, by: \.table).mapValues { $0.flatMap(\.rows) })
    for sql in maker.actions(&dice) + maker.children(&laterDice) + maker.labels(&defaultDice) {
      log.append(.text((bench.device.attempt(sql) ? "user: " : "refused: ") + sql))
    }
    if !bench.device.attempt("COMMIT") { try bench.device.run("ROLLBACK") }
    return enforces
  }

  // MARK: the releases

  private mutating func apply(_ releases: [Release], isFirstTime: Bool = true) throws {
    log += releases.map { .release($0) }
    let isNew = try bench.device.rows("SELECT 1 FROM sqlite_master WHERE name = 't0'").isEmpty
    let before = isNew ? shape.tables.map { _ in [] } : try bench.device.rows(of: shape)
    let hasOrphans = shape.hasOrphans(before)
    var app = dice.chance(15) ? shape.policy(&dice) : Policy()
    if releases.contains(where: \.isBaseless) { app = Policy() }
    if app != Policy() { log.append(.text("app: \(app)")) }
    var expected: [Model] = []
    var model = try model(before, isNew: isNew)
    var refused: Model?
    for release in releases where refused == nil {
      let next = model.after(release, policies(of: release, app))
      guard !next.fails else {
        refused = next
        continue
      }
      expected.append(next)
      model = next.withoutReport()
    }
    try up(app, releases, expected, refused: refused, before)
    for clash in expected.flatMap(\.clashes) {
      seen["\(clash.kind) \(clash.resolution)", default: 0] += 1
    }
    seen["disposed", default: 0] += expected.map(\.disposed.count).reduce(0, +)
    // What triggers or the app rewrite does not come back with `down`.
    let rewrites = shape.tables.flatMap(\.columns).contains { $0.role == .ignored }
    // Nor does a row that was an orphan before: no dangling key of ours is ever committed.
    let goesBack =
      !shape.isPlanned && isFirstTime && !rewrites && !hasOrphans && expected.count == 1
      && releases.count == 1
      && releases[0].version > 1 && !releases[0].isBaseless
    if goesBack, dice.chance(30) {
      try downAndUp(releases[0], app, expected[0], before)
    } else if goesBack, otherDice.chance(40),
      try actAndGoDown(releases[0], app, expected[0], before)
    {
      return try apply(releases, isFirstTime: false)
    }
    (left, holders) = (model.left, model.holders)
    guard expected.count < releases.count else { return }
    // Under a policy of the app's that lets it pass.
    log.append(.text("failed as it should, and again with the app's policies"))
    let rest = Array(releases[expected.count...])
    let gentle = Policy(
      onEdited: dice.pick(["keepEdits", "preferSeed", "keepRow"]), onTaken: "keepUser")
    expected = []
    for release in rest {
      let next = model.after(release, shape.tables.map { _ in gentle })
      expected.append(next)
      model = next.withoutReport()
    }
    try up(gentle, rest, expected, try bench.device.rows(of: shape))
    (left, holders) = (model.left, model.holders)
  }

  func policies(of release: Release, _ app: Policy) -> [Policy] {
    catalogPolicies.indices.map {
      app.over(release.policies?[$0] ?? Policy()).over(catalogPolicies[$0])
    }
  }

  /// The model of the database as it is.
  func model(_ rows: [[[Cell]]], isNew: Bool = false) throws -> Model {
    var lastIds: [Int: Int64] = [:]
    for (index, table) in shape.tables.enumerated() where table.isAutoincrement {
      let last =
        isNew
        ? []
        : try bench.device.rows(
          "SELECT max(seq) FROM sqlite_sequence WHERE name = '\(table.name)'")
      if case .integer(let id)? = last.first?.first {
        lastIds[index] = id
      } else {
        lastIds[index] = 0
      }
    }
    return Model(shape, rows, left: left, holders: holders, lastIds: lastIds)
  }

  func up(
    _ app: Policy, _ releases: [Release], _ expected: [Model], refused: Model? = nil,
    _ before: [[[Cell]]]
  ) throws {
    if expected.contains(where: \.neverSettles) { throw disagreement("names never settle") }
    let migrator = try bench.migrator(Policies(app))
    let plan = refused == nil && releases[0].version % 3 == 2 ? try plan(migrator, before) : nil
    do {
      let report = try migrator.up()
      if refused != nil { throw disagreement("up passed where a policy says fail") }
      let rows = try bench.device.rows(of: shape)
      let expected = expected.map { $0.numbered(like: rows) }
      for report in [plan, report].compactMap({ $0 }) {
        for (migration, model) in zip(report.migrations, expected) {
          try compare(migration, model)
        }
      }
      try compareRows(expected.last?.tables.map { $0.compactMap { $0 } } ?? before)
      try compareLeft(expected.last?.left ?? left)
      let touched = Set(expected.flatMap(\.disposed).map { shape.tables[$0.table].name })
      guard touched.isSubset(of: report.touchedTables) else {
        throw disagreement("touched are \(report.touchedTables), not \(touched)")
      }
    } catch let error as SeedbedError {
      guard let refused, error.code == .conflict else { throw disagreement("up failed: \(error)") }
      try compare(error, refused)
      guard error.applied.count == expected.count else {
        throw disagreement("up applied \(error.applied), not \(expected.count)")
      }
      try compareRows(expected.last?.tables.map { $0.compactMap { $0 } } ?? before)
    }
  }

  /// Will have to be the same report; nothing else happens.
  private func plan(_ migrator: Migrator, _ before: [[[Cell]]]) throws -> Report {
    do {
      let report = try migrator.plan()
      try compareRows(before)
      return report
    } catch let error as SeedbedError {
      throw disagreement("plan failed: \(error)")
    }
  }
}

extension Model {
  /// The data, ready for the next release.
  func withoutReport() -> Model {
    Model(
      shape, tables.map { $0.compactMap { $0 } }, left: left, holders: holders, lastIds: lastIds)
  }
}

extension Policies {
  init(_ policy: Policy) {
    self.init(
      onEdited: policy.onEdited.flatMap(OnEdited.init),
      onTaken: policy.onTaken.flatMap(OnTaken.init))
  }
}

extension Shape {
  fileprivate func policy(_ dice: inout Dice) -> Policy {
    var policy = Policy()
    let edited = ["keepEdits", "preferSeed", "keepRow", "overwriteRow", "fail"]
    if dice.chance(70) { policy.onEdited = dice.pick(edited) }
    if dice.chance(50) {
      policy.onTaken = dice.pick(["keepUser", "moveUser", "moveUser", "replaceUser", "fail"])
    }
    if isPlanned, ["moveUser", "replaceUser"].contains(policy.onTaken) { policy.onTaken = nil }
    return policy
  }

  fileprivate func policies(_ dice: inout Dice) -> [Policy] {
    tables.map { table in
      var policy = policy(&dice)
      if !isPlanned, table.isRowid, dice.chance(40) { policy.onTaken = "moveUser" }
      return policy
    }
  }
}
