/// Puts rows of one table back to their state in the catalog: it merges the scratch database's rows
/// like those of an insert file, under `replaceUser`. Pinned rows stay as they are.
final class SeededTable {
  let context: RunContext
  let scratch: Scratch
  let version: Version
  let target: TableTarget
  /// The columns that the catalog fills.
  let columns: [ColumnSchema]
  let scratchTarget: TableTarget
  /// Of each parent that was looked up, the table if each database chose its keys itself.
  private var chosenIDs: [ExactText: TableTarget?] = [:]
  var knownKeyForm: KeyForm??
  /// Whether a row whose parent is absent counts as one that cannot exist, instead of an error, as
  /// for what only reads.
  var passesOverMissingParents = false

  var connection: any DatabaseSession { context.connection }
  var ledger: Ledger { context.ledger }
  var names: [String] { columns.names }
  var keyNames: [String] { target.key.names }
  var isRow: String { keyNames.equalsParameters().allTrue }

  /// Reads the table in the database and in the scratch database.
  init(
    _ table: String, scratch: Scratch, version: Version, _ context: RunContext
  ) throws {
    (self.scratch, self.version, self.context) = (scratch, version, context)
    let connection = context.connection
    scratchTarget = try scratch.own(scratch.seededTarget(table))
    guard let found = try connection.object(named: table), found.kind == .table else {
      throw SeedbedError(
        .sql,
        "The database has no table '\(table)'. Create it again as the migrations do, or restore a "
          + "backup that has it.")
    }
    let schema = try connection.schema(of: found.name)
    target = TableTarget(
      schema: schema, options: scratchTarget.options, key: scratchTarget.key,
      parents: scratchTarget.parents, triggers: [], identity: [], dialect: connection.dialect)
    columns = try scratch.copiedColumns(of: scratchTarget)
    if let missing = (columns + target.key).first(where: { schema.column($0.name) == nil }) {
      throw SeedbedError(
        .sql,
        "'\(schema.name)' has no column '\(missing.name)', which the catalog fills: the app "
          + "changed the table. Change it back, or ship a migration that fits it.")
    }
  }

  /// The counts for the rows of a table, the keys of those put back, and the keys among them under
  /// which a user had made a row.
  typealias Found = (
    table: String, counts: Migrator.Counts, changed: [Migrator.Row], replaced: [Migrator.Row]
  )

  func run(_ wanted: WantedRows) throws -> Found {
    // A row whose parent stays away stays away, too, and keeps no other row from coming back.
    if case .absent = wanted { passesOverMissingParents = true }
    let isNamed = wanted.areNamed
    let file = try RowFile(
      .insert, names, of: target, scratch.servingOptions(of: target.name),
      from: connection.dialect.temporary("seedbed:reseed"), on: connection)
    try connection.execute(file.tableCreation)
    let slots = columns.indices.map { "c\($0)" }
    let insert = try connection.cursor(
      "INSERT INTO \(file.table) (\(slots.listed)) VALUES (\(slots.map { _ in "?" }.listed))")
    var usersRows: Set<ExactText> = []
    let keyPlaces = try keyPlaces()
    func add(_ values: [Value]) throws -> Bool {
      guard let row = try live(values, names, scratchTarget) else { return false }
      if isNamed { try refuseOrphan(row) }
      try insert.run(row)
      let key = keyPlaces.map { row[$0] }
      if !isNamed { return true }
      if try isPinned(key) { throw pinned(key) }
      if try reason(key) == nil { return true }
      try ledger.takeBack(table: target.name, key: collated(key), on: connection)
      let mine = try connection.value("SELECT 1 FROM \(target.sql) WHERE \(isRow)", key)
      if mine != nil { usersRows.insert(RowJSON.object(keyNames, key)) }
      return true
    }
    // A row waits if its parent is in the same table, and is about to be put back.
    var waiting: [[Value]] = []
    try eachRow(wanted) { if try !add($0) { waiting.append($0) } }
    let last = try ledger.lastConflict(on: connection)
    var counts = Migrator.Counts()
    var changed: [String] = []
    var ruleBroken: String?
    while true {
      let context = try merge(file)
      ruleBroken = ruleBroken ?? context.ruleBroken
      counts += context.findings.counts[target.name] ?? Migrator.Counts()
      changed += context.findings.changedKeys?[target.name] ?? []
      guard let first = waiting.first else { break }
      try connection.execute("DELETE FROM \(file.table)")
      let rest = try waiting.filter { try !add($0) }
      if rest.count == waiting.count {
        if isNamed { throw try parentMissing(first) }
        // A user's row keeps their parent out.
        counts.kept += rest.count
        break
      }
      waiting = rest
    }
    try connection.execute("DROP TABLE \(file.table)")
    if isNamed, let conflict = try ledger.conflicts(on: connection, after: last, limit: 1).first {
      throw refused(conflict, ruleBroken)
    }
    let rows = { (keys: [String]) in try keys.map { try Migrator.Row(logged: $0, "changed key") } }
    return (
      target.name, counts, try rows(changed),
      replaced: try rows(changed.filter { usersRows.contains($0) })
    )
  }

  private func keyPlaces() throws -> [Int] {
    try scratchTarget.key.map { column in
      guard let slot = names.firstIndex(where: column.name.isSameName) else {
        throw SeedbedError.noKey(target.name, SeedbedError.Place(target.name))
      }
      return slot
    }
  }

  private func merge(_ file: RowFile) throws -> MergeContext {
    let merge = try mergeContext()
    try connection.withFixedSchema {
      // The table may have been created again.
      try merge.keyOptions.raiseReserves(on: connection)
      try MigrationMerge(context: merge).run([file])
      try connection.noteIDs(of: [target.schema])
    }
    return merge
  }

  func mergeContext() throws -> MergeContext {
    let options = try scratch.servingOptions(of: target.name)
    let keyOptions = try KeyOptions(options, ledger: ledger, on: connection)
    return MergeContext(
      run: context, version: version, mode: .reseeding, options: options, keyOptions: keyOptions,
      collectsKeys: true, createdTables: [])
  }

  /// A key as users write it: its values, separated by commas. A value with a comma or a quote is
  /// in quotes.
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

  /// The same row, with its references changed to the keys in this database; nil if it refers to a
  /// row of the table to put back that does not exist.
  func live(
    _ values: [Value], _ names: [String], _ target: TableTarget, depth: Int = 0
  ) throws -> [Value]? {
    try Self.refuseCircle(depth, target)
    var values = values
    assert(values.count == names.count, "A row has a value for each column.")
    for (parent, slots, referred) in Self.references(of: values, names, by: target.parents) {
      guard let key = try liveKey(of: parent, referred, depth: depth) else { return nil }
      for (slot, value) in zip(slots, key) { values[slot] = value }
    }
    return values
  }

  /// The references of a row in which all columns exist and are not NULL: their positions and
  /// values.
  static func references(
    of values: [Value], _ names: [String], by parents: [ParentKey]
  ) -> [(ParentKey, slots: [Int], [Value])] {
    assert(values.count == names.count, "A row has a value for each column.")
    return parents.compactMap { parent in
      let slots = parent.childColumns.compactMap { names.firstIndex(where: $0.isSameName) }
      let referred = slots.map { values[$0] }
      guard slots.count == parent.childColumns.count, !referred.contains(.null) else { return nil }
      return (parent, slots, referred)
    }
  }

  /// Keys that hold ids of rows whose keys hold such ids may never end.
  static func refuseCircle(_ depth: Int, _ target: TableTarget) throws {
    if depth < 100 { return }
    throw SeedbedError(
      .usage,
      "The keys of '\(target.name)' refer to each other in a circle, so that no row is known by "
        + "them. Nothing was changed.")
  }

  /// Keys from the catalog are the same everywhere. If the database chose the key, the row is found
  /// by the catalog's own key.
  private func liveKey(
    of parent: ParentKey, _ referred: [Value], depth: Int
  ) throws -> [Value]? {
    guard let target = try targetWithChosenIDs(parent),
      let key = try scratchKey(of: target, parent, referred)
    else { return referred }
    let names = target.key.names
    guard let liveKey = try live(key, names, target, depth: depth + 1) else { return nil }
    let found = try connection.rows(
      "SELECT \(parent.parentColumns.quotedList) FROM \(target.sql) "
        + "WHERE \(names.equalsParameters().allTrue)",
      liveKey
    ).first
    if found == nil, !passesOverMissingParents, !parent.parent.isSameText(as: self.target.name) {
      throw SeedbedError.reseedParentMissing(self.target.name, parent.parent, Self.text(liveKey))
    }
    return found
  }

  /// The error if no round has put back the row of the same table that this one refers to.
  func parentMissing(_ values: [Value]) throws -> SeedbedError {
    let own = scratchTarget.parents.filter { $0.parent.isSameText(as: target.name) }
    for (parent, _, referred) in Self.references(of: values, names, by: own) {
      if let key = try scratchKey(of: scratchTarget, parent, referred) {
        return .reseedParentMissing(target.name, target.name, try written(catalogs: key))
      }
    }
    return .reseedOrphans(target.name)
  }

  /// The table that a key refers to, if each database chose the values of that key itself.
  func targetWithChosenIDs(_ parent: ParentKey) throws -> TableTarget? {
    let name = ([parent.parent] + parent.parentColumns).joined(separator: "\0")
    if let known = chosenIDs[name] { return known }
    let target = try scratch.targetWithChosenIDs(parent)
    chosenIDs[name] = .some(target)
    return target
  }

  /// The key of the scratch database's row that `referred` refers to.
  private func scratchKey(
    of target: TableTarget, _ parent: ParentKey, _ referred: [Value]
  ) throws -> [Value]? {
    try scratch.session.rows(
      "SELECT \(target.key.names.quotedList) FROM \(target.sql) "
        + "WHERE \(parent.parentColumns.equalsParameters().allTrue)", referred
    ).first
  }

  private func refuseOrphan(_ values: [Value]) throws {
    let others = target.parents.filter { !$0.parent.isSameText(as: target.name) }
    for (parent, _, referred) in Self.references(of: values, names, by: others) {
      let found = try connection.value(
        "SELECT 1 FROM \(connection.schema(of: parent.parent).sql) "
          + "WHERE \(parent.parentColumns.equalsParameters().allTrue)",
        referred)
      if found == nil {
        throw SeedbedError.reseedParentMissing(target.name, parent.parent, Self.text(referred))
      }
    }
  }
}

extension Migrator.Row {
  /// A key as users write it.
  package var written: String { SeededTable.text(values) }
}

extension Value {
  /// The key as it is written on a command line.
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
