/// One table of a database that an app filled, beside all states that its rows had.
///
/// In temporary tables of that database:
///
///     states   the catalog's (`Editions`)
///     mine     the database's rows: values `v0`…, and of each reference the identity `x0`… of
///              the row that it means, NULL for a row of the user's own
///     pairs    each row of the database beside each state of its key: in how many values they
///              differ, and in how many they agree
///     placed   the rows that are the seed's: the identity, and the edition from which the row
///              differs least
///     doubles  rows that are exactly as an edition had them, under a key that a later edition
///              changed, beside the row with the new key
final class PlayedTable {
  let number: Int
  let target: TableTarget
  let scratchTarget: TableTarget
  /// The columns that the catalog fills, as this database has them.
  let columns: [ColumnSchema]
  /// The names by which files fill them.
  private(set) var fields: [Field] = []
  /// The positions of the key among the columns.
  let keys: [Int]
  /// The references to tables that are adopted, too; each column belongs to one at most.
  private(set) var references: [Reference] = []
  /// Whether users' rows may have keys that the catalog uses.
  let mayHaveStrangers: Bool
  /// The editions of which absent rows were deleted by the user.
  var arrived: Set<Int> = []
  var report: Adoption.Table
  let connection: any DatabaseSession

  struct Reference {
    unowned let parent: PlayedTable
    let pairs: [(slot: Int, parent: String)]
    /// The columns whose values are those of the row that it means.
    var slots: Set<Int>
  }

  /// A field of a file.
  struct Field {
    let header: String
    /// The columns that it fills.
    let slots: [Int]
    /// For the name of another row, as in `word_id:words.lemma`: the reference, and the column of
    /// the parent.
    var name: (reference: Int, column: Int)?
  }

  var dialect: any Dialect { connection.dialect }
  var stateName: String { "seedbed:states:\(number)" }
  var states: String { dialect.temporary(stateName) }
  var mine: String { dialect.temporary("seedbed:mine:\(number)") }
  var pairs: String { dialect.temporary("seedbed:pairs:\(number)") }
  var doubles: String { dialect.temporary("seedbed:doubles:\(number)") }
  var placed: String { dialect.temporary("seedbed:placed:\(number)") }
  var valueNames: [String] {
    columns.indices.map { "v\($0)" } + references.indices.map { "x\($0)" }
  }
  /// The references to rows that are placed with these or later.
  var laterReferences: Set<Int> {
    Set(references.indices.filter { references[$0].parent.number >= number })
  }
  /// The columns in which a difference counts.
  var compared: [Int] {
    columns.indices.filter {
      !keys.contains($0) && !target.options.ignore.contains(name: columns[$0].name)
        && !(target.options.per != nil && target.isID(columns[$0]))
    }
  }

  init(
    _ number: Int, _ target: TableTarget, _ scratchTarget: TableTarget, columns: [ColumnSchema],
    hasLedger: Bool, on connection: any DatabaseSession
  ) throws {
    (self.number, self.target, self.scratchTarget) = (number, target, scratchTarget)
    (self.columns, self.connection) = (columns, connection)
    keys = target.key.compactMap { key in columns.firstIndex { $0.name.isSameName(as: key.name) } }
    mayHaveStrangers = !hasLedger && target.sharesIDs && target.options.identity.isEmpty
    report = .init(table: target.name)
    guard keys.count == target.key.count else {
      throw SeedbedError.noKey(target.name, SeedbedError.Place(target.name))
    }
  }

  /// What the tables of states are made of.
  var layout: [String] {
    [target.name] + columns.names + keys.map(String.init) + fields.map(\.header)
      + references.map { "\($0.parent.target.name) \($0.slots.sorted())" }
  }

  func slot(of name: String) -> Int? { columns.firstIndex { $0.name.isSameName(as: name) } }

  /// Finds the references among the tables: by the names that files write, else by the fewest
  /// columns.
  func connect(_ tables: [PlayedTable], _ file: RowFile) {
    for key in file.naturals.map(\.key) + target.parents.ordered(by: \.childColumns.count) {
      guard let parent = tables.first(where: { $0.target.name.isSameText(as: key.parent) })
      else { continue }
      let pairs = zip(key.childColumns, key.parentColumns).compactMap { child, other in
        slot(of: child).map { (slot: $0, parent: other) }
      }
      let taken = references.reduce(into: Set<Int>()) { $0.formUnion($1.slots) }
      let slots = Set(pairs.map(\.slot)).subtracting(taken)
      if pairs.count < key.childColumns.count || slots.isEmpty { continue }
      references.append(Reference(parent: parent, pairs: pairs, slots: slots))
    }
    fields = file.fields.enumerated().flatMap { index, field -> [Field] in
      guard field.isStreamed else { return [] }
      guard let natural = file.naturals.first(where: { $0.fields.contains(index) }) else {
        return slot(of: field.column.name).map { [Field(header: field.header, slots: [$0])] } ?? []
      }
      let slots = natural.receivingColumns.compactMap { slot(of: $0.name) }
      let reference = slots.first.flatMap(reference)
      let parent = reference.map { references[$0].parent }
      if let reference, let column = parent?.slot(of: field.column.name) {
        return [Field(header: field.header, slots: slots, name: (reference, column))]
      }
      // Rows that only the app has are known by no edition.
      let first = natural.fields[0] == index
      return first ? slots.map { Field(header: columns[$0].name, slots: [$0]) } : []
    }
  }

  func reference(of slot: Int) -> Int? { references.firstIndex { $0.slots.contains(slot) } }

  /// The column that identifies what a column of the key refers to.
  func identityColumn(_ slot: Int) -> String? { reference(of: slot).map { "x\($0)" } }

  // MARK: conditions

  /// Whether two rows have the same in a column, or refer by it to the same row.
  func isSame(_ first: String, _ second: String, _ slot: Int) -> String {
    let same = target.sameBytes("\(first).v\(slot)", "\(second).v\(slot)", columns[slot])
    return self.same(first, second, slot, same)
  }

  /// The same as far as the column's options want it. A key may be that of a row that was retired
  /// and came back.
  func agrees(_ slot: Int) -> String {
    let values = target.same("m.v\(slot)", "s.v\(slot)", columns[slot])
    let same = self.same("m", "s", slot, values)
    guard let number = reference(of: slot),
      let pair = references[number].pairs.first(where: { $0.slot == slot }),
      references[number].parent.slot(of: pair.parent) != nil
    else { return same }
    return "(\(same) OR m.x\(number) <> s.x\(number) AND \(values))"
  }

  private func same(_ first: String, _ second: String, _ slot: Int, _ values: String) -> String {
    guard let number = reference(of: slot) else { return values }
    let (one, other) = ("\(first).x\(number)", "\(second).x\(number)")
    return """
      CASE WHEN \(one) IS NOT NULL AND \(other) IS NOT NULL THEN \(one) = \(other)
        ELSE \(one) IS NULL AND \(other) IS NULL AND \(values) END
      """
  }

  var isKey: String {
    keys.map { slot in
      let name = identityColumn(slot) ?? "v\(slot)"
      return "m.\(name) = s.\(name)"
    }.allTrue
  }

  // MARK: rows of the database

  /// Makes the states, which are those of any owner, this owner's.
  func setOwner(_ owner: Value) throws {
    guard let name = target.owner?.name, let slot = slot(of: name) else { return }
    try connection.execute("UPDATE \(states) SET v\(slot) = ?", [owner])
  }

  /// In SQL, the rows `m` of the table that are an owner's.
  private var isOwners: String {
    if let owner = target.owner { return "m.\(owner.name.quoted) = ?" }
    // They are those of the owner of their parents.
    for reference in references {
      guard let owner = reference.parent.target.owner else { continue }
      let isParent = reference.pairs.map {
        "p.\($0.parent.quoted) = m.\(columns[$0.slot].name.quoted)"
      }
      return "EXISTS (SELECT 1 FROM \(reference.parent.target.sql) AS p "
        + "WHERE \((isParent + ["p.\(owner.name.quoted) = ?"]).allTrue))"
    }
    return "? IS NOT NULL"
  }

  /// - Parameter owner: whose rows are looked at; nil for all.
  func makeTables(of owner: Value?) throws {
    let types = columns.enumerated().map { "v\($0) \(dialect.type(of: $1, in: target.schema))" }
    let values = (types + references.indices.map { "x\($0) BIGINT" }).listed
    try connection.execute("CREATE TABLE \(mine) (\(values)\(dialect.numberedRows))")
    try connection.execute(
      "CREATE TABLE \(pairs) (mine BIGINT, identity BIGINT, edition BIGINT, differing BIGINT, "
        + "agreeing BIGINT, speaking BIGINT)")
    let place = "edition BIGINT, mine BIGINT, differing BIGINT"
    try connection.execute("CREATE TABLE \(placed) (identity BIGINT PRIMARY KEY, \(place))")
    try connection.execute("CREATE TABLE \(doubles) (identity BIGINT, \(place))")
    let names = columns.map { "m.\($0.name.quoted)" }
    try connection.execute(
      "INSERT INTO \(mine) (\(columns.indices.map { "v\($0)" }.listed)) SELECT \(names.listed) "
        + "FROM \(target.sql) AS m WHERE "
        + (keys.map { "\(names[$0]) IS NOT NULL" } + (owner == nil ? [] : [isOwners])).allTrue,
      [owner].compactMap(\.self))
    let name = "seedbed:mine:\(number)"
    try connection.execute(
      "CREATE INDEX \(dialect.temporaryIndex(name + ":key", on: name)) "
        + "(\(keys.map { "v\($0)" }.listed))")
  }

  func dropTables() throws {
    for table in [states, mine, pairs, placed, doubles] {
      try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
  }

  /// Finds the rows that its rows refer to.
  func findReferences() throws {
    for (number, reference) in references.enumerated() {
      let parent = reference.parent
      let refers = reference.pairs.map { "p.\($0.parent.quoted) = m.v\($0.slot)" }
      let isKey = zip(parent.keys, parent.target.key).map { "q.v\($0) = p.\($1.name.quoted)" }
      try connection.execute(
        """
        UPDATE \(mine) AS m SET x\(number) = (
          SELECT w.identity FROM \(parent.target.sql) AS p
            \(dialect.orderedJoin) \(parent.mine) AS q ON \(isKey.allTrue)
            JOIN \(parent.placed) AS w ON w.mine = q.\(dialect.fileRow)
          WHERE \(refers.allTrue))
        """)
    }
  }
}

extension TableTarget {
  /// Whether the database chooses its keys where a row has none, so that a user's row may get one
  /// that the catalog will use.
  fileprivate var sharesIDs: Bool {
    key.count == 1 && schema.rowidAlias?.name.isSameName(as: key[0].name) == true
  }
}
