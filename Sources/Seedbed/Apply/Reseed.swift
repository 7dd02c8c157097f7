/// Puts rows of one table back to what the catalog says, whatever users did to them: a release of
/// the fold's rows, merged by the plan under `replaceUser`.
struct Reseed {
  let connection: Connection
  let ledger: Ledger
  let fold: Fold
  let version: Version
  let host: Host
  private let target: TableTarget
  private let columns: [ColumnSchema]
  private let foldTarget: TableTarget

  struct Outcome {
    var counts: Counts
    var keys: [String]
    var replaced: [String]
  }

  /// Reads the table in the database and in the fold.
  init(
    _ table: String, fold: Fold, version: Version, ledger: Ledger, host: Host,
    on connection: Connection
  ) throws {
    self.connection = connection
    self.ledger = ledger
    self.fold = fold
    self.version = version
    self.host = host
    foldTarget = try fold.target(table)
    guard let found = try connection.object(named: table), found.kind == .table else {
      throw SeedbedError.reseedTableMissing(table)
    }
    let schema = try connection.schema(of: found.name)
    target = TableTarget(
      schema: schema, options: foldTarget.options, key: foldTarget.key,
      parents: foldTarget.parents, triggers: [], identity: [])
    columns = try fold.seededColumns(of: foldTarget)
    let missing = (columns + target.key).first { schema.column($0.name) == nil }
    if let missing { throw SeedbedError.reseedColumnMissing(missing.name, schema.name) }
  }

  /// - Parameter keys: as `Reseed.text` writes them; nil for all rows but those whose keys are the
  ///   user's: nobody who wants the seeds back asks for rows of users to go.
  func run(_ keys: [String]?) throws -> Outcome {
    let file = RowFile(columns, of: target, from: "temp." + "seedbed:reseed".quoted)
    let names = file.fields.indices.map { "c\($0)" }.joined(separator: ", ")
    let types = file.fields.indices.map { "c\($0) \(file.fields[$0].type)" }
    try connection.execute(
      "CREATE TABLE \(file.source) (\(types.joined(separator: ", ")), line INTEGER)")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let insert = try connection.prepare(
      "INSERT INTO \(file.source) (\(names)) VALUES (\(marks))")
    let left = Set(try ledger.keysLeftToUser(table: target.name, on: connection))
    let isRow = target.key.map { "\($0.name.quoted) = ?" }.allTrue
    var usersRows: [String] = []
    try eachRow(keys) { row, key in
      try insert.run(row)
      let collated = RowJSON.collatedKey(target.key, key)
      guard keys != nil, left.contains(collated) else { return }
      try ledger.takeBack(table: target.name, key: collated, on: connection)
      let mine = try connection.value("SELECT 1 FROM \(target.sql) WHERE \(isRow)", key)
      if mine != nil { usersRows.append(RowJSON.object(target.key.map(\.name), key)) }
    }
    let last = try ledger.lastConflict(on: connection)
    let context = try merge(file)
    try connection.execute("DROP TABLE \(file.source)")
    let counts = context.findings.counts[target.name] ?? Counts()
    if keys != nil, let conflict = try ledger.conflicts(on: connection, after: last, limit: 1).first
    {
      let key = try LoggedRow(conflict.key, of: conflict).values
      throw SeedbedError.reseedRefused(target.name, Self.text(key), reason: conflict.kind)
    }
    let changed = context.findings.changedKeys?[target.name] ?? []
    return Outcome(counts: counts, keys: changed, replaced: changed.filter(usersRows.contains))
  }

  /// The wanted rows of the fold, and their keys.
  private func eachRow(_ keys: [String]?, _ body: ([Value], [Value]) throws -> Void) throws {
    let names = columns.map(\.name)
    let places = try foldTarget.key.map { column in
      guard let place = names.firstIndex(of: column.name) else {
        throw SeedbedError.noKey(target.name, SeedbedError.Place(target.name))
      }
      return place
    }
    var wanted = keys.map { Set($0) }
    let order = foldTarget.key.map(\.name).quotedList
    let rows = try fold.connection.prepare(
      "SELECT \(names.quotedList) FROM \(foldTarget.sql) ORDER BY \(order)")
    while try rows.step() {
      try connection.cancellation?.check()
      let values = rows.values()
      if wanted != nil, wanted?.remove(Self.text(places.map { values[$0] })) == nil { continue }
      let row = try live(values, names, foldTarget)
      if keys != nil { try refuseOrphan(names, row) }
      try body(row, places.map { row[$0] })
    }
    if let unknown = wanted?.min() {
      throw SeedbedError.noSuchSeedRow(unknown, target.name, key: target.key.map(\.name))
    }
  }

  private func merge(_ file: RowFile) throws -> MergeContext {
    let options = try fold.options(of: target.name)
    let keyOptions = try KeyOptions(options, ledger: ledger, on: connection) { _ in false }
    let context = MergeContext(
      connection: connection, ledger: ledger, version: version,
      policies: Policies(onTaken: .replaceUser), options: options, keyOptions: keyOptions,
      host: host, collectsKeys: true, isCreatedByRun: { _ in false }, onAdvance: { _, _ in })
    context.isReseeding = true
    try connection.withFixedSchema { try MigrationMerge(context: context).run([file]) }
    return context
  }

  /// A key as users write it: its values with commas between them, in quotes where one has a comma
  /// or a quote itself.
  static func text(_ key: [Value]) -> String {
    key.map { value in
      let text = value.plainText
      guard text.utf8.contains(where: { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A }) else {
        return text
      }
      return text.quoted
    }.joined(separator: ",")
  }

  // MARK: references

  /// The same row, its references by the keys that rows have in this database.
  private func live(
    _ values: [Value], _ names: [String], _ target: TableTarget
  ) throws -> [Value] {
    var values = values
    for parent in target.parents {
      let places = parent.childColumns.compactMap { names.firstIndex(of: $0) }
      let referred = places.map { values[$0] }
      guard places.count == parent.childColumns.count, !referred.contains(.null) else { continue }
      let key = try liveKey(of: parent, referred)
      for (place, value) in zip(places, key) { values[place] = value }
    }
    return values
  }

  /// Keys that the catalog itself gives are the same everywhere; where the database chose them, the
  /// row is found by the key that the catalog knows it by.
  private func liveKey(of parent: ParentKey, _ referred: [Value]) throws -> [Value] {
    guard let target = try? fold.target(parent.parent) else { return referred }
    let seeded = try fold.seededColumns(of: target).map(\.name)
    if parent.parentColumns.allSatisfy(seeded.contains) { return referred }
    let names = target.key.map(\.name)
    let isParent = parent.parentColumns.map { "\($0.quoted) = ?" }.joined(separator: " AND ")
    guard
      let key = try fold.connection.rows(
        "SELECT \(names.quotedList) FROM \(target.sql) WHERE \(isParent)", referred
      ).first
    else { return referred }
    let isRow = names.map { "\($0.quoted) = ?" }.joined(separator: " AND ")
    let liveKey = try live(key, names, target)
    let found = try connection.rows(
      "SELECT \(parent.parentColumns.quotedList) FROM \(target.sql) WHERE \(isRow)", liveKey
    ).first
    guard let found else {
      throw SeedbedError.reseedParentMissing(self.target.name, parent.parent, Self.text(liveKey))
    }
    return found
  }

  private func refuseOrphan(_ names: [String], _ values: [Value]) throws {
    for parent in target.parents where parent.parent != target.name {
      let places = parent.childColumns.compactMap { names.firstIndex(of: $0) }
      let referred = places.map { values[$0] }
      guard places.count == parent.childColumns.count, !referred.contains(.null) else { continue }
      let isParent = parent.parentColumns.map { "\($0.quoted) = ?" }.joined(separator: " AND ")
      let found = try connection.value(
        "SELECT 1 FROM main.\(parent.parent.quoted) WHERE \(isParent)", referred)
      if found == nil {
        throw SeedbedError.reseedParentMissing(target.name, parent.parent, Self.text(referred))
      }
    }
  }
}

extension Value {
  /// As a key is written on a command line.
  fileprivate var plainText: String {
    switch self {
    case .null: ""
    case .integer(let number): String(number)
    case .real(let number): number.description
    case .text(let text): text
    case .invalidText(let bytes), .blob(let bytes):
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
