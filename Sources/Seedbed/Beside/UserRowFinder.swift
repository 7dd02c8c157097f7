/// Finds the rows of a database that its user made or changed.
package final class UserRowFinder {
  package let connection: any DatabaseSession
  /// The catalog's tables at the version of the database.
  package let scratch: Scratch
  let context: RunContext
  let version: Version
  /// Another scratch database of the same catalog, to which nothing is applied yet.
  let makeScratch: () throws -> Scratch
  /// Those of the database's other catalogs: a row is the user's if it is so to each.
  var others: [UserRowFinder] = []

  init(_ run: Run) throws {
    (context, connection) = (run.context, run.connection)
    (scratch, version) = try run.scratchAsApplied()
    makeScratch = { [scratch] in
      try run.emptyScratch(of: scratch.resolved, startingWith: scratch.start)
    }
  }

  /// Whether a row is the user's or has their changes, by its key and its values.
  package typealias Test = (_ key: [Value], _ row: Migrator.Row) throws -> Bool

  /// The test for the rows of a table; nil if no catalog has such a table, and all are the user's.
  package func test(of target: TableTarget) throws -> Test? {
    let kinds = try ([self] + others).compactMap { try $0.kind(of: target) }
    if kinds.isEmpty { return nil }
    return { key, row in try kinds.allSatisfy { try $0(key, row) != .seed } }
  }

  /// The test for rows of the database's other catalogs, whether the user changed them or not.
  func testOfOthers(of target: TableTarget) throws -> Test {
    let kinds = try others.compactMap { try $0.kind(of: target) }
    return { key, row in try kinds.contains { try $0(key, row) != .user } }
  }

  private func kind(
    of target: TableTarget
  ) throws -> ((_ key: [Value], _ row: Migrator.Row) throws -> Migrator.Origin.Kind)? {
    if try scratch.serving(target.name) != nil {
      let seeded = try SeededTable(
        target.name, scratch: scratch, version: version, context)
      seeded.passesOverMissingParents = true
      let others = try others(
        in: target, of: seeded.scratchTarget, besides: seeded.names.asNames)
      return { key, row in
        let wanted = try seeded.original(of: key, with: others)
        return try seeded.kind(row, wanted, left: seeded.reason(key))
      }
    }
    guard let found = try scratch.session.object(named: target.name), found.kind == .table else {
      return nil
    }
    // The catalog's SQL made it, and no file fills it.
    let schema = try scratch.session.schema(of: found.name)
    let names = schema.columns.filter { target.schema.column($0.name) != nil }.map(\.name)
    let row = try scratch.session.cursor(
      "SELECT \(names.quotedList) FROM \(schema.sql) "
        + "WHERE \(target.key.names.equalsParameters().allTrue)")
    return { key, current in
      row.bind(key)
      guard try row.step() else { return .user }
      let original = row.values(from: 0)
      while try row.step() {}
      let isSame = zip(names, original).allSatisfy { target.isSame(current[$0], $1, in: $0) }
      return isSame ? .seed : .editedSeed
    }
  }

  /// Columns that no file fills, in which a value that differs from the catalog's database is the
  /// user's. The engine chooses ids and the values of some defaults differently each time.
  private func others(
    in target: TableTarget, of scratchTarget: TableTarget, besides filled: Set<Name>
  ) throws -> [String] {
    try scratchTarget.schema.columns.filter { column in
      guard !filled.contains(column.name), column.generated == .no,
        column.primaryKeyPosition == 0, !column.isAutoincrement, !column.isFixed,
        target.schema.column(column.name) != nil
      else { return false }
      return try scratch.session.constantDefault(of: column) != nil
    }.map(\.name)
  }
}
