import Foundation
import Seedbed

/// What the engine left, held against the model.
extension History {
  func compareRows(_ expected: [[[Cell]]]) throws {
    if try bench.device.rows("SELECT 1 FROM sqlite_master WHERE name = 't0'").isEmpty { return }
    let found = try bench.device.rows(of: shape)
    for table in shape.tables.indices {
      let found = found[table].map { "\($0)" }.sorted()
      let expected = expected[table].map { "\($0)" }.sorted()
      guard found == expected else {
        throw disagreement(
          "rows of \(shape.tables[table].name)\n  engine \(found.filter { !expected.contains($0) })"
            + "\n  model  \(expected.filter { !found.contains($0) })")
      }
    }
  }

  func compare(_ migration: MigrationReport, _ model: Model) throws {
    for (index, table) in shape.tables.enumerated() {
      let found =
        migration.tables.first { $0.table == table.name }
        .map { ModelCounts($0.counts) } ?? ModelCounts()
      let expected = model.counts[index] ?? ModelCounts()
      guard found == expected else {
        throw disagreement(
          "counts of \(table.name)\n  engine \(found)\n  model  \(expected)"
            + "\n  engine's conflicts \(migration.conflicts.map { Clash($0).without(hidden).line })"
            + "\n  model's conflicts \(model.clashes.map(\.line))")
      }
    }
    let found = migration.conflicts.map {
      either(Clash($0).without(hidden), model)
    }
    let clashes = model.clashes.map { either($0, model) }
    let extra = found.filter { !clashes.contains($0) }
    let missing = clashes.filter { !found.contains($0) }
    guard extra.isEmpty, missing.isEmpty, found.count == clashes.count else {
      throw disagreement(
        "conflicts of \(migration.version)\n  engine \(extra.map(\.line))"
          + "\n  model  \(missing.map(\.line))")
    }
  }

  /// The error of a policy `fail` lists every kind of each table, with the number of rows.
  func compare(_ error: SeedbedError, _ model: Model) throws {
    let clashes = model.clashes.filter { $0.policy == "fail" }
    let expected = Dictionary(grouping: clashes) { "of '\($0.table)' met \($0.kind)," }
      .map { "\($1.count) \($1.count == 1 ? "row" : "rows") \($0)" }
    let found = error.message.components(separatedBy: "and the policy").count - 1
    guard found == expected.count, expected.allSatisfy(error.message.contains) else {
      throw disagreement("refused\n  engine \(error.message)\n  model  \(expected.sorted())")
    }
  }

  /// Where the log may name one of two things, neither is compared.
  private func either(_ clash: Clash, _ model: Model) -> Clash {
    guard let table = shape.tables.firstIndex(where: { $0.name == clash.table }) else {
      return clash
    }
    let columns = shape.tables[table].columns
    let key = model.rowKey(
      shape.tables[table].key.map { clash.key[columns[$0].name] ?? .null }, table)
    var clash = clash
    let isParent = clash.kind == "parentTaken" || clash.kind == "parentDeleted"
    if isParent, model.hangsOnItself { clash.seed = nil }
    // The holder is as it was before the release.
    if shape.isPlanned, clash.kind == "uniqueTaken", clash.base == nil { clash.mine = nil }
    if isParent, model.hasEither.contains(key) { clash.kind = "parentDeleted" }
    if clash.kind == "uniqueTaken", model.hasSeveralHolders.contains(key) { clash.mine = nil }
    return clash
  }

  func compareLeft(_ expected: Set<RowKey>) throws {
    let rows = try bench.device.rows("SELECT table_name, key FROM seedbed_left_to_user")
    let found = Set(
      rows.compactMap { row -> RowKey? in
        guard case .text(let name) = row[0], case .text(let json) = row[1],
          let table = shape.tables.firstIndex(where: { $0.name == name })
        else { return nil }
        let values = CellJSON.columns(json) ?? [:]
        let key = shape.tables[table].key.map { column in
          (values[shape.tables[table].columns[column].name] ?? .null)
            .folded(ignoringCase: shape.tables[table].columns[column].ignoresCase)
        }
        return RowKey(table: table, key: key)
      })
    guard found == expected else {
      throw disagreement(
        "keys left to the user\n  engine \(found.subtracting(expected))"
          + "\n  model  \(expected.subtracting(found))")
    }
  }
}

extension Clash {
  fileprivate func without(_ columns: Set<String>) -> Clash {
    let rest = { (object: [String: Cell]?) in object?.filter { !columns.contains($0.key) } }
    var clash = self
    (clash.base, clash.mine, clash.seed) = (rest(base), rest(mine), rest(seed))
    return clash
  }

  fileprivate var line: String {
    "\n    \(table) \(key) \(kind) \(policy ?? "-") \(resolution) base \(base?.description ?? "-")"
      + " mine \(mine?.description ?? "-") seed \(seed?.description ?? "-")"
      + " to \(movedTo?.description ?? "-")"
  }
}
