import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// What must hold for any table, any releases of it and any user.
struct SnapshotPropertyTests {
  @Test(arguments: Seeds.first(10, of: 40))
  func `a database that began with a snapshot is as one that took all releases`(
    seed: Int
  ) throws {
    var dice = Dice(seed: UInt64(seed))
    var table = RandomTable(&dice)
    let bench = try Workbench([
      "catalog.json": table.options, "0001_table/up.sql": table.sql,
    ])
    _ = try release(bench, &table, &dice)
    table.edit(&dice)
    let last = try release(bench, &table, &dice)
    _ = try CatalogLock.write(directory: bench.catalog)
    _ = try bench.migrator().up()
    let long = bench.database
    try bench.snapshot()
    let drops = dice.chance(50)
    if drops { _ = try Snapshot.drop(directory: bench.catalog, before: last + 1) }
    let short = bench.path + "/short.sqlite"
    let report = try migrator(bench, short).up()
    #expect(report.migrations.map(\.isSnapshot) == [true])
    #expect(try rows(long, table) == rows(short, table))

    var version = last
    for _ in 1...2 {
      let sql = userSQL(table, &dice)
      for path in [long, short] { try Connection(path, .readWrite, setup: nil).executeAll(sql) }
      table.edit(&dice)
      let before = version
      version = try release(bench, &table, &dice)
      for path in [long, short] {
        let report = try migrator(bench, path).up()
        #expect(report.migrations.count == (version > before ? 1 : 0))
      }
      #expect(try rows(long, table) == rows(short, table))
    }
    #expect(try conflicts(bench, long) == conflicts(bench, short))
    // Back to where the short one began, and all seeds as they were then.
    let codes = try [long, short].map { path in
      let migrator = try migrator(bench, path)
      return [
        version > last ? bench.code { _ = try migrator.down(to: last) } : nil,
        bench.code { _ = try migrator.reseed(table.name) },
      ]
    }
    #expect(codes[0] == codes[1])
    #expect(try rows(long, table) == rows(short, table))
    for path in [long, short] { #expect(try migrator(bench, path).verify().isEmpty) }
  }

  /// The catalog's last version by then.
  private func release(
    _ bench: Workbench, _ table: inout RandomTable, _ dice: inout Dice
  ) throws -> Version {
    try bench.write(["data/source.csv": table.csv(&dice)])
    try bench.make("step") {
      $0.allowsDeletes = true
      $0.acceptsSpreadsheets = true
    }
    return try Catalog(authoring: bench.catalog).migrations().last?.version ?? 0
  }

  private func migrator(_ bench: Workbench, _ path: String) throws -> Migrator {
    var options = Migrator.Options()
    options.takesBackup = false
    return Migrator(
      catalog: try Catalog(directory: bench.catalog), at: path, options: options)
  }

  /// Edits, favours, deletes and adds, the same on each database.
  private func userSQL(_ table: RandomTable, _ dice: inout Dice) -> String {
    let name = table.name.quoted
    let column = table.columns[table.keyCount].name.quoted
    let key = table.columns[0].name.quoted
    let rest = dice.below(3)
    var sql = [
      "UPDATE \(name) SET favourite = 1 WHERE length(\(key)) % 3 = \(rest);",
      "UPDATE \(name) SET \(column) = NULL WHERE length(\(key)) % 3 = \(dice.below(3));",
      "DELETE FROM \(name) WHERE length(\(key)) % 5 = \(dice.below(5));",
    ]
    let keys = table.columns.prefix(table.keyCount)
    let values = keys.map { $0.kind == .integer ? "30" : "'mine'" }.joined(separator: ", ")
    sql.append(
      "INSERT OR IGNORE INTO \(name) (\(keys.map(\.name).quotedList)) VALUES (\(values));")
    return sql.joined(separator: "\n")
  }

  private func rows(_ path: String, _ table: RandomTable) throws -> Set<String> {
    let names = (table.columns.map(\.name) + ["favourite"]).quotedList
    let found = try Connection(path, .readOnly, setup: nil).rows(
      "SELECT \(names) FROM \(table.name.quoted)")
    return Set(found.map { "\($0)" })
  }

  private func conflicts(_ bench: Workbench, _ path: String) throws -> [String] {
    try migrator(bench, path).conflicts().map {
      "\($0.kind) \($0.key.json) \($0.mine?.json ?? "") \($0.seed?.json ?? "")"
    }.sorted()
  }
}
