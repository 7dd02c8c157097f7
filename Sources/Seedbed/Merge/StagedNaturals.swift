/// Natural keys that name rows which are inserted together with those that name them: of the same
/// table, or of tables that refer to each other.
///
/// The database has chosen no key for such a row yet, so it gets one here.
final class StagedNaturals {
  private let context: MergeContext
  private let stages: [Stage]
  private let inner: [Inner]
  /// The last number given to a row of a table.
  private var lastNumbers: [String: Int64] = [:]
  private var connection: Connection { context.connection }

  private struct Inner {
    var stage: Stage
    var reference: NaturalReference
    var parents: [Stage]
    /// The rows that are not named by what the database holds already.
    var openSQL: String
  }

  init(context: MergeContext, stages: [Stage]) {
    self.context = context
    self.stages = stages
    var inner: [Inner] = []
    for stage in stages {
      for reference in stage.file.naturals {
        let parents = stages.filter { $0.file.target.name == reference.parent.name }
        if parents.isEmpty { continue }
        inner.append(
          Inner(
            stage: stage, reference: reference, parents: parents,
            openSQL: "temp." + "seedbed:open:\(inner.count)".quoted))
      }
    }
    self.inner = inner
  }

  /// The files, with columns for the keys that rows of others need; nil where none of them names
  /// rows of another.
  static func assigning(_ files: [RowFile]) -> [RowFile]? {
    let names = Set(files.map(\.target.name))
    let inner = files.flatMap(\.naturals).filter { names.contains($0.parent.name) }
    if inner.isEmpty { return nil }
    return files.map { file in
      file.assigning(
        inner.filter { $0.parent.name == file.target.name }.flatMap(\.keyColumns)
          .filter { $0.generated == .no })
    }
  }

  /// Finds what the database holds, and with it the keys of rows that are there.
  func settleKeys() throws {
    for stage in stages {
      for reference in stage.file.naturals { try stage.lookup(reference).fill() }
      try stage.indexByKey()
    }
    for stage in stages { try assign(stage) }
  }

  func noteOpen() throws {
    for one in inner {
      // A row of the user's that takes the seed's values may lose the name by which it was found.
      let isReplaced = one.parents.contains { context.onTaken($0.file.target) == .replaceUser }
      let isOpen =
        isReplaced && !one.stage.file.isKey(one.reference)
        ? "true" : one.stage.lookup(one.reference).isUnresolved
      try connection.execute("DROP TABLE IF EXISTS \(one.openSQL)")
      try connection.execute(
        """
        CREATE TABLE \(one.openSQL) AS SELECT s.row FROM \(one.stage.sql) AS s
        WHERE \(isOpen)
        """)
    }
  }

  /// Finds the rows that are about to go in; again after each of them that does not.
  func settle() throws { try settle { $0.parents } }

  /// Now that all rows are in that go in.
  func finish() throws {
    try settle { _ in [] }
    for one in inner { try connection.execute("DROP TABLE \(one.openSQL)") }
    for stage in stages { try stage.mendLog(context.ledger) }
  }

  private func settle(_ parents: (Inner) -> [Stage]) throws {
    // What others receive may itself be received.
    let received = inner.filter { one in
      inner.contains { other in
        let columns = Set(other.reference.keyColumns.map(\.name))
        return other.reference.parent.name == one.stage.file.target.name
          && one.reference.receivers.contains {
            columns.contains(one.stage.file.fields[$0].column.name)
          }
      }
    }
    for _ in 0..<max(received.count, 1) { try settle(received, parents) }
    let isReceived = Set(received.map(\.openSQL))
    try settle(inner.filter { !isReceived.contains($0.openSQL) }, parents)
  }

  private func settle(_ inner: [Inner], _ parents: (Inner) -> [Stage]) throws {
    for one in inner {
      let isKey = one.reference.receivers.contains { one.stage.file.keyIndexes.contains($0) }
      if isKey { try one.stage.forgetKeys() }
      try one.stage.lookup(one.reference).fill(
        parents(one), where: "s.row IN (SELECT row FROM \(one.openSQL))")
      if isKey { try one.stage.indexByKey() }
    }
  }

  // MARK: keys

  private func assign(_ stage: Stage) throws {
    let file = stage.file
    for index in file.fields.indices where file.fields[index].source == .assigned {
      let column = file.fields[index].column
      if column.name == file.target.schema.rowidAlias?.name {
        let last = try lastNumber(column, file.target, count: stage.rowCount)
        try connection.execute("UPDATE \(stage.sql) SET c\(index) = \(last) + row")
      } else if let value = column.defaultSQL {
        try connection.execute("UPDATE \(stage.sql) SET c\(index) = (\(value))")
      }
      try connection.execute(
        """
        UPDATE \(stage.sql) AS s SET c\(index) = (
          SELECT m.\(column.name.quoted) FROM \(file.target.sql) AS m
          WHERE \(MergeSQL.sameKey(file)))
        WHERE \(MergeSQL.keyExists(file))
        """)
      // Each row that names another looks here for it.
      try stage.index([index])
    }
  }

  /// The number behind which so many are free, as SQLite would choose them.
  private func lastNumber(
    _ column: ColumnSchema, _ target: TableTarget, count: Int
  ) throws -> Int64 {
    let count = Int64(count)
    let select = "SELECT max(\(column.name.quoted)) FROM \(target.sql)"
    var last = try connection.value(select)?.integer ?? 0
    if try connection.object(named: "sqlite_sequence") != nil {
      let used = try connection.value(
        "SELECT max(seq) FROM main.sqlite_sequence WHERE name = ?", [.text(target.name)])
      last = max(last, used?.integer ?? 0)
    }
    last = max(last, lastNumbers[target.name] ?? 0, 0)
    // Where a row has one of the last numbers there are, some are free below.
    let name = column.name.quoted
    var bound = Int64.max - count
    while last > Int64.max - count, bound > 0 {
      let below = try connection.value("\(select) WHERE \(name) BETWEEN 0 AND ?", [.integer(bound)])
      let start = below?.integer ?? 0
      let next = try connection.value(
        "SELECT 1 FROM \(target.sql) WHERE \(name) > ?1 AND \(name) <= ?2 LIMIT 1",
        [.integer(start), .integer(start + count)])
      if next == nil { last = start } else { bound = start - 1 }
    }
    guard last <= Int64.max - count else { throw SeedbedError.numbersUsedUp(target.name) }
    lastNumbers[target.name] = last + count
    return last
  }
}
