/// The columns of a plan, and the constraints that this release may affect.
///
///     a column of the table …                                    has  n   b   m  why  x
///     that an update file sets                                        n          why
///     that an insert file sets                                        n
///     that an insert file sets, under `replaceUser`                   n          why
///     that an update file has the base of, or a delete file has           b
///     of a constraint that this release may affect                            m       x
///     the same, where there are rows to insert                        n       m  why  x
///     of the key, which an update file changes                        n       m  why  x
///     of the key, otherwise: it is `k`
///     that is computed for a UNIQUE index, or by one, or for a reference     m       x
///
/// If several lines apply to a column, it has all their properties, except for columns of the key.
struct PlanColumns {
  /// The columns by their positions in the table, then the values that an index computes.
  private(set) var columns: [Int: TablePlan.Column] = [:]
  let uniqueSets: [TablePlan.UniqueSet]
  let parents: [ParentKey]
  /// The columns of the key that an update file changes.
  let rekeyed: Set<Int>

  init(
    _ target: TableTarget, _ files: [RowFile], children: [Reference], replaces: Bool,
    on connection: any DatabaseSession
  ) throws {
    let (schema, inserts) = (target.schema, files.filter { $0.role == .insert })
    let slots = { (names: [String]) in try schema.slots(of: names) }
    rekeyed = try Set(slots(files.filter { $0.role == .update }.flatMap(\.keyChanges).names))
    let key = try Set(slots(target.key.names)).subtracting(rekeyed)
    let set = try Set(files.filter { $0.role != .delete }.flatMap { try slots($0.valueNames) })
    let mayChange = { (slots: [Int]) in
      !inserts.isEmpty || slots.contains { set.contains($0) && !key.contains($0) }
    }

    let computes = schema.computesUniqueValues || schema.computes(target.childColumns)
    let computed = computes ? try connection.expressions(of: schema) : nil
    let isRekeyed = !rekeyed.isEmpty
    uniqueSets = schema.uniqueSets(computed).filter {
      mayChange($0.columns) && (isRekeyed || Set($0.slots) != key)
    }
    // A row that is referred to by name is a parent, too.
    let named = files.filter { $0.role != .delete }.flatMap(\.parents)
    let all = (target.parents + named).reduce(into: []) { (parents: inout [ParentKey], key) in
      if !parents.contains(where: { $0.isSame(as: key) }) { parents.append(key) }
    }
    let sources = try all.map { schema.sources(of: try slots($0.childColumns), computed) }
    let found = zip(all, sources).filter { $1.map { mayChange($0.columns) } ?? false }
    parents = found.map(\.0)
    // Columns that others refer to are needed if a row goes, or if their value changes.
    let retires = files.contains { $0.role == .delete }
    let referred = try children.map { try slots($0.key.parentColumns) }.filter {
      retires || mayChange($0)
    }
    let held =
      uniqueSets.map(\.columns) + found.compactMap(\.1?.columns) + referred

    for file in files {
      noteSet(try slots(file.valueNames), file.role, replaces: replaces, schema)
      noteBases(try slots(file.baseNames), schema)
    }
    noteHeld(Set(held.joined()), comes: !inserts.isEmpty, schema)
    noteKey(key)
    assert(columns.keys.allSatisfy { !key.contains($0) }, "A key that stays is only k.")
    assert(rekeyed.allSatisfy { columns[$0]?.hasBase != true }, "The key's base is k.")
    for column in uniqueSets.flatMap(\.computed) + found.compactMap(\.1?.computed).joined() {
      columns[column.slot] = column
    }
  }

  // MARK: the lines of the table above

  private mutating func noteSet(
    _ slots: [Int], _ role: RowFile.Role, replaces: Bool, _ schema: TableSchema
  ) {
    for slot in slots {
      note(slot, schema) { column in
        column.isSet = true
        if role == .update || replaces { column.hasWhy = true }
      }
    }
  }

  private mutating func noteBases(_ slots: [Int], _ schema: TableSchema) {
    for slot in slots { note(slot, schema) { $0.hasBase = true } }
  }

  /// A new row takes the DEFAULT of a column that its file does not have.
  private mutating func noteHeld(_ slots: Set<Int>, comes: Bool, _ schema: TableSchema) {
    for slot in slots {
      note(slot, schema) { column in
        column.isHeld = true
        if comes { (column.isSet, column.hasWhy) = (true, true) }
      }
    }
  }

  /// The base of a key that changes is the row's present key.
  private mutating func noteKey(_ unchanged: Set<Int>) {
    for slot in unchanged { columns[slot] = nil }
    for slot in rekeyed {
      columns[slot]?.isHeld = true
      columns[slot]?.hasBase = false
    }
  }

  private mutating func note(
    _ slot: Int, _ schema: TableSchema, _ change: (inout TablePlan.Column) -> Void
  ) {
    change(
      &columns[slot, default: TablePlan.Column(schema: schema.columns[slot], slot: slot)])
  }
}

extension RowFile {
  /// The columns of the values that the file ships; none for rows to retire.
  fileprivate var valueNames: [String] {
    role == .delete ? [] : valueIndexes.map { fields[$0].column.name }
  }

  /// The columns for which the file has old values.
  fileprivate var baseNames: [String] {
    switch role {
    case .update: ownIndexes.filter { fields[$0].isBase }.map { fields[$0].column.name }
    case .delete: ownIndexes.map { fields[$0].column.name }
    case .insert: []
    }
  }
}
