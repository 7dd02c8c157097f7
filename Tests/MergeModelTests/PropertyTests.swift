import Seedbed
import TestSupport
import Testing

/// What must hold whatever the model says. Each property plays its own random histories.
@Suite struct `Properties of the merge` {
  private static let seeds = Seeds.first(12, of: 40)

  @Test(arguments: seeds)
  func `no release fails under the default policies`(seed: Int) throws {
    var journey = try Journey(seed)
    try journey.release()
    _ = try journey.bench.migrator().up()
    for _ in 0..<5 {
      try journey.userActs(before: try journey.release())
      #expect(throws: Never.self) { try journey.bench.migrator().up() }
    }
  }

  @Test(arguments: seeds)
  func `the default policies change no row that a user made, and no edit`(seed: Int) throws {
    var journey = try Journey(seed)
    for _ in 0..<5 {
      let old = journey.source.source
      try journey.release()
      let before = old.allSatisfy(\.isEmpty) ? old : try journey.rows()
      _ = try journey.bench.migrator().up()
      try expectNothingLost(journey.shape, old: old, before, try journey.rows())
      try journey.userActs()
    }
  }

  private func expectNothingLost(
    _ shape: Shape, old: [[[Cell]]], _ before: [[[Cell]]], _ after: [[[Cell]]]
  ) throws {
    for (index, table) in shape.tables.enumerated() {
      let key = { (row: [Cell]) in table.folded(table.key, of: row) }
      // What refers to a value follows it.
      let follows = Set(
        table.foreignKeys.filter { $0.parentColumns != shape.tables[$0.parent].key }
          .flatMap(\.columns))
      let own = { (row: [Cell]) in row.indices.map { follows.contains($0) ? .null : row[$0] } }
      let shipped = Dictionary(uniqueKeysWithValues: old[index].map { (key($0), $0) })
      for row in before[index] {
        // A user's row, or one whose key the seed has given up.
        guard let seed = shipped[key(row)], !key(row).contains(.null) else {
          #expect(after[index].contains { own($0) == own(row) }, "\(table.name) lost \(row)")
          continue
        }
        let now = after[index].first { key($0) == key(row) }
        for column in table.columns.indices
        where table.columns[column].role != .ignored && !follows.contains(column) {
          // The limit: where a user reused the seed's key, values that are equal are the seed's.
          if row[column].isSame(as: seed[column]) || table.key.contains(column) { continue }
          #expect(now?[column] == row[column], "\(table.name) lost an edit of \(row)")
        }
      }
    }
  }

  @Test(arguments: seeds)
  func `a release never deletes a row that a user made`(seed: Int) throws {
    var journey = try Journey(seed)
    try journey.release()
    // Those that take most from users.
    let policies = Migrator.Policies(
      onEdited: .overwriteRow, onTaken: seed.isMultiple(of: 2) ? .replaceUser : .moveUser)
    _ = try journey.bench.migrator(policies).up()
    var shipped: Set<RowKey> = []
    for _ in 0..<4 {
      shipped.formUnion(keys(journey.shape, journey.source.source))
      try journey.userActs(before: try journey.release())
      let before = try journey.rows()
      _ = try journey.bench.migrator(policies).up()
      let after = try journey.rows()
      let mine = keys(journey.shape, before).subtracting(shipped)
      #expect(mine.isSubset(of: keys(journey.shape, after)))
      for (index, table) in journey.shape.tables.enumerated() {
        let withoutKey = { (rows: [[[Cell]]]) in
          rows[index].count { table.folded(table.key, of: $0).contains(.null) }
        }
        #expect(withoutKey(after) >= withoutKey(before), "\(table.name)")
      }
    }
  }

  private func keys(_ shape: Shape, _ rows: [[[Cell]]]) -> Set<RowKey> {
    Set(
      rows.enumerated().flatMap { table, rows in
        rows.map {
          RowKey(table: table, key: shape.tables[table].folded(shape.tables[table].key, of: $0))
        }
        .filter { !$0.key.contains(.null) }
      })
  }

  @Test(arguments: seeds) func `applying twice is applying once`(seed: Int) throws {
    var journey = try Journey(seed)
    for _ in 0..<3 {
      try journey.release()
      _ = try journey.bench.migrator().up()
      try journey.userActs()
    }
    let before = try journey.sorted()
    let report = try journey.bench.migrator().up()
    #expect(report.outcome == .upToDate)
    #expect(try journey.sorted() == before)
  }

  @Test(arguments: seeds)
  func `a database that already holds the data takes it with zero changes`(seed: Int) throws {
    var journey = try Journey(seed)
    try journey.bench.device.run(journey.shape.sql)
    let release = journey.source.release(&journey.dice)
    try journey.bench.write(release, journey.shape)
    try journey.bench.device.run("BEGIN; PRAGMA defer_foreign_keys = 1")
    for (table, rows) in zip(journey.shape.tables, journey.source.source) {
      for row in rows {
        let values = row.map(\.sql).joined(separator: ", ")
        try journey.bench.device.run(
          "INSERT INTO \(table.name) (\(table.names)) VALUES (\(values))")
      }
    }
    try journey.bench.device.run("COMMIT")
    let before = try journey.sorted()
    let report = try journey.bench.migrator().up()
    #expect(report.migrations[0].tables.allSatisfy { $0.counts.changed + $0.counts.kept == 0 })
    #expect(report.migrations[0].conflicts.isEmpty)
    #expect(try journey.sorted() == before)
  }

  @Test(arguments: seeds)
  func `releases one by one equal a fresh install where actions commute`(seed: Int) throws {
    var slow = try Journey(seed)
    var fast = try Journey(seed)
    // Rows of the user's own, far from all that the seed ships.
    let mine = { (shape: Shape, number: Int) -> [String] in
      shape.tables.map { table in
        let values = table.columns.indices.map { column -> Cell in
          let shape = table.columns[column]
          if table.key.contains(column) {
            return shape.kind == .integer
              ? .integer(Int64(5000 + number)) : .text("mine\(number)")
          }
          return shape.standard.isNull || !shape.isNotNull ? .null : shape.standard
        }
        return "INSERT INTO \(table.name) (\(table.names)) VALUES "
          + "(\(values.map(\.sql).joined(separator: ", ")))"
      }
    }
    for number in 0..<4 {
      try slow.release()
      try fast.release()
      _ = try slow.bench.migrator().up()
      for sql in mine(slow.shape, number) { try slow.bench.device.run(sql) }
    }
    _ = try fast.bench.migrator().up()
    for number in 0..<4 {
      for sql in mine(fast.shape, number) { try fast.bench.device.run(sql) }
    }
    #expect(try slow.sorted() == fast.sorted())
    // Of a row with a default from the clock nobody can tell, so it is logged when it goes.
    let stamped = Set(slow.shape.tables.filter(\.hasStamp).map(\.name))
    let conflicts = try slow.bench.migrator().conflicts().filter {
      !(stamped.contains($0.table) && $0.kind == .editedRetired && $0.policy == nil)
    }
    #expect(conflicts.isEmpty)
  }
}
