import Foundation
import Seedbed

/// What the engine left, held against the model.
extension History {
  func compareRows(
    _ expected: [[[Cell]]], on database: any Database,
    as shown: ([[[Cell]]]) -> [[[Cell]]] = { $0 }
  ) throws {
    guard try database.has("t0") else { return }
    let (found, expected) = try (shown(database.rows(of: shape)), shown(expected))
    for table in shape.tables.indices {
      let lines = { (rows: [[Cell]]) in rows.map { "\(withoutLetters($0, table))" }.sorted() }
      let (found, expected) = (lines(found[table]), lines(expected[table]))
      guard found == expected else {
        throw disagreement(
          "rows of \(shape.tables[table].name)\n  engine \(found.filter { !expected.contains($0) })"
            + "\n  model  \(expected.filter { !found.contains($0) })")
      }
    }
  }

  /// Without the case of what a row may have received by name. A file whose rows all come reads it
  /// from the row that is there, as its user may have written it, and any other one from its file.
  private func withoutLetters(_ row: [Cell], _ table: Int) -> [Cell] {
    if nameShare == 0 { return row }
    var shown = row
    for key in shape.tables[table].foreignKeys {
      for (column, target) in zip(key.columns, key.parentColumns) {
        let ignoresCase = shape.tables[key.parent].columns[target].ignoresCase
        shown[column] = row[column].folded(ignoringCase: ignoresCase)
      }
    }
    return shown
  }

  func compare(_ migration: Migrator.Report.Migration, _ model: Model) throws {
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
      Clash($0).without(hidden).indifferent(among: model.clashes)
    }
    let clashes = model.clashes.map { $0.indifferent(among: model.clashes) }
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
    let expected = Dictionary(grouping: clashes) { [$0.table, $0.kind] }.map { place, rows in
      "\(rows.count) \(rows.count == 1 ? "row" : "rows") of '\(place[0])' "
        + "\(rows.count == 1 ? "is" : "are") in conflict (\(place[1]))"
    }
    let found = error.message.components(separatedBy: "The policy").count - 1
    guard found == expected.count, expected.allSatisfy(error.message.contains) else {
      throw disagreement("refused\n  engine \(error.message)\n  model  \(expected.sorted())")
    }
  }

  func leftToUser(on database: any Database) throws -> [RowKey: Left] {
    let rows = try database.rows(
      "SELECT table_name, key, kind, version FROM seedbed_left_to_user")
    var found: [RowKey: Left] = [:]
    for row in rows {
      guard case .text(let name) = row[0], case .text(let json) = row[1],
        case .text(let kind) = row[2], case .integer(let version) = row[3],
        let table = shape.tables.firstIndex(where: { $0.name == name })
      else { continue }
      let values = CellJSON.columns(json) ?? [:]
      let names = shape.tables[table].key.map { shape.tables[table].columns[$0].name }
      let key = shape.rowKey(names.map { values[$0] ?? .null }, table)
      let reason = Left(kind: kind, version: Int(version))
      found[key] = found[key]?.and(reason) ?? reason
    }
    return found
  }

  func compareLeft(_ expected: [RowKey: Left], on database: any Database) throws {
    let found = try leftToUser(on: database)
    guard found == expected else {
      throw disagreement(
        "keys left to the user\n  engine \(found.filter { expected[$0.key] != $0.value })"
          + "\n  model  \(expected.filter { found[$0.key] != $0.value })")
    }
  }
}

extension Clash {
  /// The log may show one of several holders, and name one of two reasons.
  func indifferent(among clashes: [Clash]) -> Clash {
    let expected = clashes.filter { $0.table == table && $0.key == key }
    var clash = self
    (clash.mayShow, clash.hasBothReasons) = ([], false)
    if kind == "uniqueTaken", expected.contains(where: { $0.mayShow.contains(mine) }) {
      clash.mine = nil
    }
    if kind == "parentTaken", expected.contains(where: \.hasBothReasons) {
      clash.kind = "parentDeleted"
    }
    return clash
  }

  fileprivate func without(_ columns: Set<String>) -> Clash {
    let rest = { (object: [String: Cell]?) in object?.filter { !columns.contains($0.key) } }
    var clash = self
    (clash.base, clash.mine, clash.seed) = (rest(base), rest(mine), rest(seed))
    return clash
  }

  var line: String {
    "\n    \(table) \(key) \(kind) \(policy ?? "-") \(resolution) base \(base?.description ?? "-")"
      + " mine \(mine?.description ?? "-") seed \(seed?.description ?? "-")"
      + " to \(movedTo?.description ?? "-")"
  }
}

extension History {
  /// What ends a history in which the model cannot know what is right.
  enum Ending: Error { case byChance }

  /// Whether a row that refers to a missing one may have a parent now, since the database gave that
  /// number to a new row, or to one that was skipped: it may be the seed's by chance, and the model
  /// does not choose numbers. So may one whose DEFAULT, which ON DELETE leaves, is such a number.
  func adoptsOrphan(_ before: [[[Cell]]], _ after: [[[Cell]]]) -> Bool {
    zip(shape.tables, before).contains { table, rows in
      table.foreignKeys.contains { key in
        guard let number = shape.tables[key.parent].assigned, key.parentColumns == [number] else {
          return false
        }
        let old = Set(before[key.parent].map { $0[number] })
        let new = Set(after[key.parent].map { $0[number] }).subtracting(old)
        let last = old.compactMap(\.whole).max() ?? 0
        let isDefault = key.action.contains("ON DELETE SET DEFAULT")
        if isDefault, new.contains(table.columns[key.columns[0]].standard) { return true }
        return rows.map { $0[key.columns[0]] }.contains {
          new.contains($0) || $0.whole.map { $0 > last } == true
        }
      }
    }
  }
}

extension Cell {
  fileprivate var whole: Int64? { if case .integer(let number) = self { number } else { nil } }
}
