/// The words in which the templates are written. A letter is a row, the same in all of them:
///
///     p  of the plan, the one that is judged      t  of the table
///     q  of the plan, another one                 h  of the table, that holds a UNIQUE value
///     d  of the plan, to retire                   c  of a child's table
///     v  of the plan, what it says of t           m  of the table, with the key of s
///     l  a key that was left to the user          s  of a file
extension TablePlan {
  static let taken = "('\(Why.take.rawValue)', '\(Why.overruled.rawValue)')"

  /// The value that a column of `q` will have.
  func next(_ place: Int, _ q: String) -> String {
    columns[place] == nil ? "\(q).k\(place)" : "\(q).x\(place)"
  }

  /// Whether the plan has these columns; of others it changes nothing.
  func tracks(_ places: [Int]) -> Bool {
    places.allSatisfy { columns[$0]?.isHeld ?? key.contains($0) }
  }

  func next(_ names: [String], _ q: String) -> [String] { places(of: names).map { next($0, q) } }

  /// The value that it has now.
  func now(_ place: Int, _ q: String) -> String {
    columns[place] == nil ? "\(q).k\(place)" : "\(q).m\(place)"
  }

  /// Whether `q` is the row `t` of the table. With a plus before it, the plan comes first: the row
  /// is found by its key.
  func isSameRow(_ q: String, _ t: String) -> String {
    target.key.map { "\(t).\($0.name.quoted) = \(q).k\(place(of: $0.name))" }.allTrue
  }

  /// The seed's value of a column is taken.
  func takes(_ place: Int, _ q: String) -> String { "\(q).why\(place) IN \(Self.taken)" }

  /// The row goes.
  func leaving(_ q: String) -> String {
    "(\(q).kind = '\(Kind.delete)' AND \(q).fate = '\(Fate.apply)')"
  }

  /// The row is new.
  func coming(_ q: String) -> String {
    "(\(q).kind = '\(Kind.insert)' AND \(q).fate = '\(Fate.apply)')"
  }

  /// The row gets another value in one of these columns.
  func moving(_ q: String, _ places: [Int]) -> String {
    moving(q, places, by: dialect.differ)
  }

  /// The row gets another value, or the same in other letters.
  func changing(_ q: String, _ places: [Int]) -> String {
    moving(q, places, by: dialect.differExactly)
  }

  private func moving(
    _ q: String, _ places: [Int], by differ: (String, String) -> String
  ) -> String {
    let changes = decided(places).map { differ("\(q).x\($0)", "\(q).m\($0)") }
    if changes.isEmpty { return "false" }
    return "(\(q).kind IN ('\(Kind.update)', '\(Kind.replace)') AND \(q).fate = '\(Fate.apply)' "
      + "AND (\(changes.anyTrue)))"
  }

  /// The row makes a user's row with its key move to another.
  func movingUser(_ q: String) -> String {
    "(\(q).moved IS NOT NULL AND \(q).fate = '\(Fate.apply)')"
  }

  /// The user's row `t` goes, or gives up its values in these columns.
  func vacates(_ t: String, _ places: [Int], goes: Bool = true) -> String {
    var reasons = goes ? [leaving("v"), moving("v", places)] : [moving("v", places)]
    if movesUsers, !key.allSatisfy({ !places.contains($0) }) { reasons.append(movingUser("v")) }
    return "EXISTS (SELECT 1 FROM \(sql) AS v WHERE \(isSameRow("v", t)) AND (\(reasons.anyTrue)))"
  }

  /// Whether the columns of `t` hold what `q` will have in them.
  func holds(_ set: UniqueSet, _ t: String, _ q: String) -> String {
    zip(set.columns, set.collations).map { column, collation in
      "\(dialect.collated("\(t).\(column.name.quoted)", collation)) = "
        + next(place(of: column.name), q)
    }.allTrue
  }

  /// Whether two values are the same, by what the column can tell apart.
  func same(_ first: String, _ second: String, _ column: ColumnSchema) -> String {
    dialect.same(first, second, column, of: target.schema)
  }
}
