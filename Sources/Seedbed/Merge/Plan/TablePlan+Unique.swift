/// UNIQUE constraints, and UNIQUE indexes over columns, expressions or a part of the table.
///
/// A value that an index computes is a column of the plan that is computed in the same way. So each
/// rule uses its `x` and `m` like those of any other column. Its position is after the table's
/// columns.
extension TablePlan {
  /// Values that no two rows may share, compared by the index's collations.
  struct UniqueSet {
    let slots: [Int]
    let collations: [String]
    /// Whether only one row may have NULL, as with any other value.
    var hasOneNull = false
    /// The expressions of the index, in the order of `slots`; nil if it only has columns, of all
    /// rows.
    var index: IndexExpressions?
    /// The columns of the plan that are computed for it.
    var computed: [Column] = []
    /// The table's columns on which it depends, without computed ones.
    var columns: [Int] = []
  }

  /// Whether the release may change the value of a column of the plan.
  func mayChange(_ slot: Int) -> Bool {
    guard let column = columns[slot] else { return false }
    return column.hasWhy || column.computed?.slots.contains(where: mayChange) == true
  }

  /// The expression of a computed column, over the row's present or new values; nil for others.
  func computation(_ column: Column, isNext: Bool) -> String? {
    if let computed = column.computed {
      return computed.sql { inComputed($0, isNext: isNext) }
    }
    if !isNext { return nil }
    let taken = "CASE WHEN why\(column.slot) IN \(Self.taken)"
    return column.hasWhy
      ? "\(taken) THEN n\(column.slot) ELSE m\(column.slot) END"
      : "m\(column.slot)"
  }

  private func inComputed(_ slot: Int, isNext: Bool) -> String {
    guard let column = columns[slot] else { return "k\(slot)" }
    let name = isNext ? "x\(slot)" : "m\(slot)"
    return computation(column, isNext: isNext).map { dialect.inComputed(name, $0) } ?? name
  }

  /// The seed's value for a column of the plan.
  func seed(_ slot: Int) -> String {
    guard let column = columns[slot] else { return "k\(slot)" }
    return column.computed?.sql(seed) ?? "n\(slot)"
  }

  /// Whether the row `t` of the table holds the values that `q` will have.
  func holds(_ set: UniqueSet, _ t: String, _ q: String) -> String {
    let own = { (slot: Int) in "\(t).\(self.column(slot))" }
    let terms = Dictionary(zip(set.slots, set.index?.terms ?? [])) { first, _ in first }
    let isIn = set.index?.condition.map { [$0.sql(own)] } ?? []
    let agree = agree(set, { terms[$0]?.expression.sql(own) ?? own($0) }, { next($0, q) })
    return (isIn + [agree]).allTrue
  }
}

extension TableSchema {
  /// An index that cannot be read reports a duplicate only when it is written.
  func uniqueSets(_ expressions: TableExpressions?) -> [TablePlan.UniqueSet] {
    var (sets, free): ([TablePlan.UniqueSet], Int) = ([], columns.count)
    for index in indexes where index.isUnique {
      guard let set = uniqueSet(index, expressions, from: free) else { continue }
      sets.append(set)
      free += index.isPlain ? 0 : set.slots.count
    }
    if let id = rowidAlias, !indexes.contains(where: { $0.origin == "pk" }),
      let slot = self.index(of: id.name)
    {
      sets.append(
        TablePlan.UniqueSet(slots: [slot], collations: [id.collation], columns: [slot]))
    }
    return sets
  }

  private func uniqueSet(
    _ index: IndexSchema, _ expressions: TableExpressions?, from first: Int
  ) -> TablePlan.UniqueSet? {
    var set: TablePlan.UniqueSet
    var open: [Int]
    if index.isPlain {
      let slots = index.columns.compactMap { $0.flatMap(self.index) }
      if slots.count < index.columns.count { return nil }
      set = TablePlan.UniqueSet(slots: slots, collations: index.collations)
      open = slots
    } else {
      guard let known = expressions?.indexes[index.name] else { return nil }
      let slots = Array(first..<(first + known.terms.count))
      set = TablePlan.UniqueSet(slots: slots, collations: index.collations, index: known)
      set.computed = zip(slots, zip(known.terms, index.collations)).map { slot, made in
        let (term, collation) = made
        let schema = ColumnSchema(
          name: "", declaredType: term.type, isNotNull: false, defaultSQL: nil,
          primaryKeyPosition: 0, generated: .virtual, collation: collation)
        return TablePlan.Column(
          schema: schema, slot: slot, isHeld: true, computed: known.value(term))
      }
      let terms = known.terms.map(\.expression) + [known.condition].compactMap(\.self)
      open = terms.flatMap(\.slots)
    }
    set.hasOneNull = index.hasOneNull
    guard let (own, made) = sources(of: open, expressions) else { return nil }
    set.columns = own
    set.computed += made
    return set
  }

  /// The columns that files can set on which these depend, and those that are computed from them;
  /// nil if one cannot be read.
  func sources(
    of slots: [Int], _ expressions: TableExpressions?
  ) -> (columns: [Int], computed: [TablePlan.Column])? {
    var (open, own, computed) = (slots, [Int](), [TablePlan.Column]())
    while !open.isEmpty {
      let slot = open.removeFirst()
      if columns[slot].generated == .no {
        if !own.contains(slot) { own.append(slot) }
      } else if !computed.contains(where: { $0.slot == slot }) {
        guard let made = expressions?.columns[slot] else { return nil }
        computed.append(
          TablePlan.Column(schema: columns[slot], slot: slot, isHeld: true, computed: made))
        open += made.slots
      }
    }
    return (own, computed)
  }
}
