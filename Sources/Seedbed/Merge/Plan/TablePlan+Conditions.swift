/// The conditions that the rules are made of. Each letter always means the same row:
///
///     p  of the plan, the one that is judged      t  of the table
///     q  of the plan, another one                 h  of the table, that holds a UNIQUE value
///     d  of the plan, to retire                   c  of a child's table
///     v  of the plan, what it says of t           m  of the table, with the key of s
///     l  a key that was left to the user          s  of a file
extension TablePlan {
  static let taken = "('\(Why.take)', '\(Why.overruled)')"

  /// The value that a column of `q` will have.
  func next(_ slot: Int, _ q: String) -> String {
    columns[slot] == nil ? "\(q).k\(slot)" : "\(q).x\(slot)"
  }

  func next(_ names: [String], _ q: String) throws -> [String] {
    try slots(of: names).map { next($0, q) }
  }

  /// The value that it has now.
  func now(_ slot: Int, _ q: String) -> String {
    columns[slot] == nil ? "\(q).k\(slot)" : "\(q).m\(slot)"
  }

  /// Whether the plan has these columns. It does not change others.
  func tracks(_ slots: [Int]) -> Bool {
    slots.allSatisfy { columns[$0]?.isHeld ?? key.contains($0) }
  }

  /// Whether `q` is the row `t` of the table. A plus before it makes the plan the outer table, and
  /// finds the row by its key.
  @inline(never) func isSameRow(_ q: String, _ t: String) -> String {
    key.map { "\(t).\(column($0)) = \(q).k\($0)" }.allTrue
  }

  /// The column takes the seed's value.
  func takes(_ slot: Int, _ q: String) -> String { "\(q).why\(slot) IN \(Self.taken)" }

  /// The row is of one of these kinds, and is applied.
  func applies(_ q: String, _ kinds: [Kind]) -> String {
    "(\(q).kind IN (\(kinds.map { "'\($0)'" }.listed)) AND \(q).fate = '\(Fate.apply)')"
  }

  /// The row is retired.
  func leaving(_ q: String) -> String { applies(q, [.delete]) }

  /// The row is inserted.
  func coming(_ q: String) -> String { applies(q, [.insert]) }

  /// The row gets another value in one of these columns, `exactly` even if only its case differs.
  func moving(_ q: String, _ slots: [Int], exactly: Bool = false) -> String {
    let differ = exactly ? dialect.differExactly : dialect.differ
    let changes = slots.filter(mayChange).map { differ("\(q).x\($0)", "\(q).m\($0)") }
    if changes.isEmpty { return "false" }
    return "(\(applies(q, [.update, .replace])) AND (\(changes.anyTrue)))"
  }

  /// The row makes a user's row with its key move to another key.
  func movingUser(_ q: String) -> String {
    "(\(q).moved IS NOT NULL AND \(q).fate = '\(Fate.apply)')"
  }

  /// The user's row `t` goes, or gives up its values in these columns.
  func vacates(_ t: String, _ slots: [Int], goes: Bool = true) -> String {
    var reasons = goes ? [leaving("v"), moving("v", slots)] : [moving("v", slots)]
    let read = slots + slots.flatMap { columns[$0]?.computed?.slots ?? [] }
    if movesUsers, key.contains(where: read.contains) { reasons.append(movingUser("v")) }
    return exists("v", [isSameRow("v", t), "(\(reasons.anyTrue))"])
  }

  /// Whether the plan has a row `q` for which these conditions hold.
  func exists(_ q: String, _ conditions: [String]) -> String {
    "EXISTS (SELECT 1 FROM \(sql) AS \(q) WHERE \(conditions.allTrue))"
  }

  /// Whether two rows have the same values in these columns.
  @inline(never)
  func agree(_ set: UniqueSet, _ first: (Int) -> String, _ second: (Int) -> String) -> String {
    zip(set.slots, set.collations).map { slot, collation in
      "\(dialect.collated(first(slot), collation)) = \(second(slot))"
    }.allTrue
  }

  /// Whether a child's row refers to the present values of `q`. The parent's collation decides.
  func isReferred(
    _ q: String, by child: Reference, _ value: (String) throws -> String
  ) throws -> String {
    try zip(slots(of: child.key.parentColumns), child.key.childColumns)
      .map { try "\(now($0, q)) = \(value($1))" }.allTrue
  }

  /// Whether two values are the same, as far as the column and its options distinguish them.
  @inline(never) func same(_ first: String, _ second: String, _ column: ColumnSchema) -> String {
    target.same(first, second, column)
  }

  /// The rows of the plan for which a condition holds.
  func rows(where condition: String) -> String {
    "SELECT row FROM \(sql) AS p WHERE \(condition) ORDER BY row"
  }
}
