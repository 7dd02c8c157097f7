import Seedbed
import TestSupport

/// Tables and columns that get other names. To the model names mean nothing: what was left to the
/// user stays left.
extension History {
  /// A release that only does that; half of the time it is taken back and comes again.
  mutating func rename(_ names: inout Dice) throws {
    isRenamed = true
    earlier = nil
    let (old, new) = (shape, shape.renamed(isOnServer: bench.twin != nil, &names))
    let before = try bench.device.rows(of: old)
    let version = source.renameTables(to: new)
    try bench.write(version, names: old.renaming(to: new), back: new.renaming(to: old))
    log.append(.text("release \(version): " + old.renaming(to: new)))
    try bench.write("catalog.json", new.options(catalogPolicies, hasTwin: bench.twin != nil))
    for database in databases {
      let migrator = try bench.migrator(isTwin: database is any Twin)
      shape = new
      _ = try migrator.up()
      try compare(before, on: database)
      if names.chance(50) { continue }
      shape = old
      _ = try migrator.down(to: Int64(version - 1))
      try compare(before, on: database)
      shape = new
      _ = try migrator.up()
      try compare(before, on: database)
    }
    shape = new
  }

  private func compare(_ rows: [[[Cell]]], on database: any Database) throws {
    try compareRows(rows, on: database)
    try compareLeft(left, on: database)
  }
}

extension Bench {
  fileprivate func write(_ version: Int, names up: String, back down: String) throws {
    let texts = ["up": up, "down": down]
    for (name, sql) in texts {
      try write("\(version)_names/\(name).sql", sql)
      if twin != nil { try write("\(version)_names/\(name).postgresql.sql", sql) }
    }
  }
}

extension Shape {
  /// `t0` stays: by it the tests see whether there are tables.
  fileprivate func renamed(isOnServer: Bool, _ dice: inout Dice) -> Shape {
    var shape = self
    for table in tables.indices {
      let isNumbered = tables[table].isRowid || tables[table].isAutoincrement
      if table > 0, !(isOnServer && isNumbered), dice.chance(40) { shape.tables[table].name += "n" }
      let free = tables[table].columns.indices.filter {
        !["id", "label"].contains(tables[table].columns[$0].name)
          || table > 0 && !isOnServer
            && tables[table].columns[$0].name == "id"
      }
      for column in free where dice.chance(20) {
        shape.tables[table].columns[column].name += "n"
      }
      // Two exchange theirs.
      if free.count > 1, dice.chance(30) {
        let pair = Array(free.shuffled(using: &dice).prefix(2))
        let names = pair.map { shape.tables[table].columns[$0].name }
        shape.tables[table].columns[pair[0]].name = names[1]
        shape.tables[table].columns[pair[1]].name = names[0]
      }
    }
    return shape
  }

  /// The SQL for it, over names that nothing has.
  fileprivate func renaming(to new: Shape) -> String {
    var sql: [String] = ["SELECT 1"]
    for (old, new) in zip(tables, new.tables) {
      let columns = zip(old.columns, new.columns).map { ($0.name, $1.name) }.filter { $0 != $1 }
      let alter = "ALTER TABLE \(old.name) RENAME"
      sql += columns.map { "\(alter) COLUMN \($0.0) TO tmp_\($0.0)" }
      sql += columns.map { "\(alter) COLUMN tmp_\($0.0) TO \($0.1)" }
      if old.name != new.name { sql.append("\(alter) TO \(new.name)") }
    }
    return sql.map { $0 + ";\n" }.joined()
  }
}

extension SourceMaker {
  /// The source of the next version has the same rows.
  fileprivate mutating func renameTables(to shape: Shape) -> Int {
    begin()
    self.shape = shape
    return version
  }
}
