import Seedbed
import TestSupport

/// What a person decides after the releases, on SQLite and on a twin: both answer the same, and are
/// the same then.
extension History {
  /// Settles, pins and unpins rows at random, and brings another release in between.
  mutating func settle() throws {
    // To know the seed's rows, the catalog is played on a scratch database. Here it cannot be if
    // the app owns the tables, or if catalog.json has lost their old names.
    guard let twin = bench.twin, !appOwnsTables, !isRenamed else { return }
    // Apart from the other dice, so that the histories are those of before.
    var dice = Dice(seed: seed &+ 1979)
    for round in 0..<6 {
      switch dice.below(4) {
      case 0: try pin(&dice)
      case 1 where round > 2: try another(&dice, twin)
      default: try resolve(&dice)
      }
      try compareTwins(twin, after: round)
    }
  }

  private mutating func resolve(_ dice: inout Dice) throws {
    let side: Migrator.Conflict.Side = dice.chance(50) ? .seed : .mine
    let all = try [false, true].map { isTwin in
      Labelled(try bench.migrator(isTwin: isTwin).conflicts())
    }
    // SQLite gives a row id that no option knows to another row as soon as it is free.
    let numbered = shape.tables.filter { $0.hidden.contains { $0.hasPrefix("row ") } }.map(\.name)
    let common = all[0].labels.filter { label in
      guard let conflict = all[0].conflicts[label] else { return false }
      let isGone = conflict.kind == .editedRetired && conflict.resolution == .tookSeed
      return all[1].conflicts[label] != nil && !(isGone && numbered.contains(conflict.table))
    }
    let chosen = common.filter { _ in dice.chance(40) }
    if chosen.isEmpty { return }
    log.append(.text("resolve with \(side): \(chosen)"))
    var reasons: [String] = []
    let answers = try zip(all, [false, true]).map { logged, isTwin in
      let conflicts = chosen.compactMap { logged.conflicts[$0] }
      let settled = try bench.migrator(isTwin: isTwin).resolve(conflicts, with: side)
      reasons += settled.refused.map { "\n    \($0.error.message)" }
      return logged.shown(settled, besides: shape.tables.filter(\.hasStamp).map(\.name))
    }
    guard answers[0] == answers[1] else {
      throw disagreement(
        "resolve\n  SQLite \(answers[0])\n  twin   \(answers[1])\(reasons.joined())")
    }
    for (what, count) in answers[0].counts where count > 0 {
      seen["\(what) \(side)", default: 0] += count
    }
  }

  /// A row of the seed, of the user, or none.
  private mutating func pin(_ dice: inout Dice) throws {
    let index = dice.below(shape.tables.count)
    let table = shape.tables[index]
    let rows = try bench.device.rows(of: shape)[index]
    if rows.isEmpty { return }
    let row = dice.pick(rows)
    let key = Migrator.Row(positional: table.key.map { row[$0].value })
    let unpins = dice.chance(30)
    log.append(.text("\(unpins ? "unpin" : "pin") \(table.name) \(table.key.map { row[$0] })"))
    let answers = try [false, true].map { isTwin in
      let migrator = try bench.migrator(isTwin: isTwin)
      var shown = "none"
      do throws(SeedbedError) {
        if let origin = try migrator.origin(of: key, in: table.name) {
          shown = "\(origin.kind) \(origin.isPinned)"
        }
        try unpins ? migrator.unpin(key, in: table.name) : migrator.pin(key, in: table.name)
        return "done, \(shown)"
      } catch {
        return "\(error.code), \(shown)"
      }
    }
    guard answers[0] == answers[1] else {
      throw disagreement("pin\n  SQLite \(answers[0])\n  twin   \(answers[1])")
    }
    seen["pins \(answers[0].prefix(4))", default: 0] += 1
  }

  private mutating func another(_ dice: inout Dice, _ twin: any Twin) throws {
    let release = source.naming(source.release(&dice), share: 0, &dice)
    try bench.write(release, shape)
    log.append(.release(release))
    try alignIDs(twin)
    let answers = try [false, true].map { isTwin in
      let migrator = try bench.migrator(gentle, isTwin: isTwin)
      do {
        return try migrator.up().migrations.map { migration in
          migration.tables.map { "\($0.table) \($0.counts)" }.sorted()
        }.description
      } catch {
        throw disagreement("another release: \(error)\(isTwin ? " (twin)" : "")")
      }
    }
    guard answers[0] == answers[1] else {
      throw disagreement("another release\n  SQLite \(answers[0])\n  twin   \(answers[1])")
    }
  }

  /// No policy of the app's says `fail`.
  private var gentle: Migrator.Policies {
    Migrator.Policies(onEdited: .keepEdits, onTaken: .keepUser)
  }

  private func compareTwins(_ twin: any Twin, after round: Int) throws {
    for table in shape.tables {
      let sql = "SELECT \(table.names) FROM \(table.name)"
      let found = try [bench.device, twin].map { (database: any Database) in
        try database.rows(sql).map { "\($0)" }.sorted()
      }
      guard found[0] == found[1] else {
        throw disagreement(
          "rows of \(table.name) after step \(round)"
            + "\n  SQLite \(found[0].filter { !found[1].contains($0) })"
            + "\n  twin   \(found[1].filter { !found[0].contains($0) })")
      }
    }
    let left = try [false, true].map { isTwin in
      try bench.migrator(isTwin: isTwin).userOwnedKeys()
        .map { "\($0.table) \($0.key.json) \($0.reason)" }.sorted()
    }
    guard left[0] == left[1] else {
      throw disagreement("left to the user\n  SQLite \(left[0])\n  twin   \(left[1])")
    }
  }
}

/// The conflicts of a log by what they are about, since the engines number them differently.
private struct Labelled {
  private(set) var labels: [String] = []
  private(set) var conflicts: [String: Migrator.Conflict] = [:]
  private var names: [Int64: String] = [:]

  init(_ logged: [Migrator.Conflict]) {
    for conflict in logged {
      let name =
        "\(conflict.version) \(conflict.table) \(conflict.key.json) \(conflict.kind) "
        + "\(conflict.resolution)"
      let label = conflicts[name] == nil ? name : "\(name) (\(conflicts.count))"
      labels.append(label)
      conflicts[label] = conflict
      names[conflict.id] = label
    }
  }

  struct Answer: Equatable, CustomStringConvertible {
    let settled, changedSince, refused, touched: [String]

    var counts: [(String, Int)] {
      [("settled", settled.count), ("refused", refused.count), ("since", changedSince.count)]
    }

    var description: String {
      "settled \(settled), changed since \(changedSince), refused \(refused), touched \(touched)"
    }
  }

  /// - Parameter clocks: tables with values of the clock: whether those are put back depends on it.
  func shown(_ settlement: Migrator.Settlement, besides clocks: [String]) -> Answer {
    let named = { (ids: [Int64]) in ids.map { names[$0] ?? "?" }.sorted() }
    return Answer(
      settled: named(settlement.conflicts), changedSince: named(settlement.changedSince),
      refused: settlement.refused.map { "\(names[$0.conflict] ?? "?"): \($0.error.code)" }.sorted(),
      touched: settlement.touchedTables.filter { !clocks.contains($0) }.sorted())
  }
}

extension Cell {
  fileprivate var value: Migrator.Value {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(text)
    case .blob(let bytes): .blob(Array(bytes))
    }
  }
}
