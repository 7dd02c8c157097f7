import Seedbed
import TestSupport

/// One history: a schema, releases, and what the user does in between, played on the engine and on
/// the model.
struct History {
  let seed: UInt64
  var dice: Dice
  var shape: Shape
  var source: SourceMaker
  let bench: Bench
  var log: [Event] = []
  /// How often each kind of conflict was settled in each way.
  var seen: [String: Int] = [:]
  /// Columns that the model does not know of.
  let hidden: Set = ["row", "stamp", "twice"]
  let catalogPolicies: [Policy]
  /// For policies and spellings of columns. Apart from the other dice, so that the histories are
  /// those of before.
  var columns: Dice
  /// How many of a hundred references are by natural key.
  let nameShare: Int
  let features: Features
  /// If the tables are per owner.
  var owned: Owned?
  private(set) var appOwnsTables = false
  var isRenamed = false
  var left: [RowKey: Left] = [:]
  /// The release before the last, with the app's policies, if both can be taken back together.
  var earlier: Earlier?
  /// For what happens after releases are taken back.
  var after: Dice
  /// The program that applies the releases; nil if the library itself does.
  let host: SQLHost?

  /// What happened so far; put into words only if it ends in a disagreement.
  enum Event {
    case text(String)
    case release(Release)
  }

  struct Disagreement: Error, CustomStringConvertible {
    var seed: UInt64
    var description: String
  }

  /// - Parameter features: what else than SQLite's engine can do, too.
  init(
    seed: UInt64, beside twin: (any Twin)? = nil, with features: Features = .all,
    in host: SQLHost? = nil, forOwners isPerOwner: Bool = false
  ) throws {
    self.seed = seed
    self.host = host
    var shelf = Dice(seed: seed &+ 8009)
    let isShelved = host == nil && features.contains(.downloads) && shelf.chance(15)
    // The names of tables need SQL, which is for the app to ship.
    self.features = isShelved ? features.subtracting(.newNames) : features
    dice = Dice(seed: seed)
    after = Dice(seed: seed &+ 4801)
    var shape = ShapeMaker.make(&dice)
    var keys = Dice(seed: seed &+ 3011)
    shape.drawAllKey(&keys)
    shape.drawKeyKinds(&keys)
    shape.drawDefaults(&dice)
    shape.drawDisposable(&dice)
    shape.drawIndexes(&dice)
    var columns = Dice(seed: seed &+ 1231)
    let share = features.contains(.names) ? dice.pick([0, 50, 90]) : 0
    nameShare = share
    if share > 0, features.contains(.numbers) { shape.assignNumbers(&dice) }
    // What a name means may hang on a key that changes.
    if share == 0, features.contains(.keyChanges) { shape.changesKeys = dice.chance(50) }
    if twin != nil { shape.limit(to: features) }
    shape.drawPlainText(&columns)
    if isPerOwner { owned = Owned(seed, &shape) }
    source = SourceMaker(shape)
    if isPerOwner { shape = shape.perOwner }
    self.shape = shape
    bench = try Bench(beside: twin, downloads: isShelved ? shelf : nil)
    let isDefault = dice.chance(30)
    catalogPolicies =
      isDefault
      ? shape.tables.map { _ in Policy() }
      : shape.withColumns(shape.policies(features, &dice), &columns)
    self.columns = columns
    let options = shape.options(catalogPolicies, hasTwin: twin != nil)
    try bench.write("catalog.json", bench.shelf?.options(options) ?? options)
  }

  mutating func play() throws {
    do {
      try playReleases()
    } catch Ending.byChance {
      seen["ended by chance", default: 0] += 1
    }
    seen.merge(bench.shelf?.seen ?? [:], uniquingKeysWith: +)
  }

  private mutating func playReleases() throws {
    log.append(.text(shape.sql + shape.disposableTables))
    appOwnsTables = dice.chance(20)
    if appOwnsTables { try createTables() }
    var createsTables = !appOwnsTables
    // Apart from the other dice, so that the histories are those of before.
    var (names, back) = (Dice(seed: seed &+ 977), Dice(seed: seed &+ 6007))
    for number in 0..<(2 + dice.below(4)) {
      if number > 0, features.contains(.newNames), names.chance(25) { try rename(&names) }
      var releases: [Release] = []
      // What is not seen between two releases: numbers that the database chose, and which of two
      // rows the log shows that kept one out. The next release's names hang on either.
      let hides = shape.tables.contains { $0.assigned != nil || $0.uniques.count > 1 }
      let count = dice.chance(15) && !(hides && nameShare > 0) ? 2 : 1
      for _ in 0..<count {
        var release = source.release(&dice)
        source.bringBack(&release, &back)
        source.respell(&release, &columns)
        release.forgetDisposable(source.shape, &dice)
        if dice.chance(20) {
          release.policies = shape.withColumns(shape.policies(features, &dice), &columns)
        }
        if count == 1 { takeBases(from: &release) }
        release = source.naming(release, share: nameShare, &dice)
        try bench.write(release, source.shape, creating: createsTables ? shape : nil)
        releases.append(release)
        createsTables = false
      }
      if number > 0 || appOwnsTables { try userActs(before: releases) }
      try apply(releases)
      if number > 0, back.chance(bench.shelf == nil ? 15 : 50) { try reseed(source.source) }
      try fillWithoutRelease()
    }
  }

  /// Old values may be missing where every column takes the seed's value anyway.
  private mutating func takeBases(from release: inout Release) {
    let policies = policies(of: release, Policy())
    // After a failure the release would be applied under another policy.
    if policies.contains(where: { $0.onEdited == "fail" || $0.onTaken == "fail" }) { return }
    for index in release.files.indices where release.files[index].kind != .insert {
      let table = release.files[index].table
      let canDoWithout = shape.tables[table].identity.isEmpty
      if policies[table].onEdited == "overwriteRow", canDoWithout, dice.chance(30) {
        release.files[index].takeBases(source.shape.tables[table])
      }
    }
  }

  private func createTables() throws {
    try bench.device.run(shape.sql)
    // A new owner gets what the catalog has on a scratch database, which needs the tables.
    if owned != nil { try bench.write("1_release/schema.sql", shape.sql) }
    guard let twin = bench.twin else { return }
    try twin.run(twin.sql(shape))
    if owned != nil { try bench.write("1_release/schema.postgresql.sql", twin.sql(shape)) }
  }

  // MARK: the user

  mutating func userActs(before releases: [Release] = []) throws {
    if owned != nil { try ownersComeAndGo() }
    let enforces = dice.chance(85) || bench.twin != nil
    try bench.device.run("PRAGMA foreign_keys = \(enforces ? 1 : 0); BEGIN")
    try bench.twin?.run("BEGIN")
    let coming = releases.flatMap(\.files).filter { $0.kind != .delete && $0.bringsKeys }
    let maker = UserMaker(
      shape: shape, rows: try bench.device.rows(of: shape),
      coming: Dictionary(grouping: coming, by: \.table).mapValues { $0.flatMap(\.rows) })
    let acts = maker.actions(&dice) + maker.labels(&dice) + maker.children(&dice)
    for sql in acts + maker.forms(&columns) {
      log.append(.text((try attempt(sql) ? "user: " : "refused: ") + sql))
    }
    try commit()
  }

  // MARK: the releases

  /// - Parameter again: the app's policies, if the release was taken back.
  mutating func apply(_ releases: [Release], again: Policy? = nil) throws {
    log += releases.map { .release($0) }
    let isNew = try !bench.device.has("t0")
    let before = isNew ? shape.tables.map { _ in [] } : try bench.device.rows(of: shape)
    var app = again ?? (dice.chance(15) ? shape.policy(&dice).limited(to: features) : Policy())
    if releases.contains(where: \.isBaseless) { app = Policy() }
    if app != Policy() { log.append(.text("app: \(app)")) }
    var expected: [Model] = []
    var model = try model(before, isNew: isNew)
    var refused: Model?
    for release in releases where refused == nil {
      let next = model.after(merged(release), policies(of: release, app))
      guard !next.fails else {
        refused = next
        continue
      }
      expected.append(next)
      model = next.withoutReport()
    }
    if refused == nil { fillNewOwners(releases, &model, &expected) }
    try up(app, releases, expected, refused: refused, before)
    for clash in expected.flatMap(\.clashes) {
      seen["\(clash.kind) \(clash.resolution)", default: 0] += 1
    }
    seen["disposed", default: 0] += expected.map(\.disposed.count).reduce(0, +)
    left = try model.numbered(like: bench.device.rows(of: shape)).left
    guard expected.count < releases.count else {
      let goesBack = releases.count == 1 && releases[0].version > 1 && !releases[0].isBaseless
      if again != nil { return }
      if goesBack, features.contains(.down) {
        if dice.chance(40) { try takeBack(releases[0], app, expected[0]) }
        try takeBackBoth(releases[0])
      }
      earlier = goesBack ? Earlier(release: releases[0], seeds: source.old) : nil
      return
    }
    earlier = nil
    // Under a policy of the app's that lets it pass.
    log.append(.text("failed as it should, and again with the app's policies"))
    let rest = Array(releases[expected.count...])
    let gentle = Policy(
      onEdited: dice.pick(["keepEdits", "preferSeed", "keepRow"]), onTaken: "keepUser")
    expected = []
    for release in rest {
      let next = model.after(merged(release), shape.tables.map { _ in gentle })
      expected.append(next)
      model = next.withoutReport()
    }
    fillNewOwners(rest, &model, &expected)
    try up(gentle, rest, expected, try bench.device.rows(of: shape))
    left = try model.numbered(like: bench.device.rows(of: shape)).left
  }

  func policies(of release: Release, _ app: Policy) -> [Policy] {
    catalogPolicies.indices.map {
      app.overAll((release.policies?[$0] ?? Policy()).over(catalogPolicies[$0]))
    }
  }
}
