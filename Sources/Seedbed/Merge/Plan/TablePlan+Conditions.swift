/// The words in which the templates are written. `q` is a row of the plan, `t` one of the user's.
extension TablePlan {
  static let taken = "('\(Why.take.rawValue)', '\(Why.overruled.rawValue)')"

  /// The value that a column of `q` will have.
  func next(_ place: Int, _ q: String) -> String {
    columns[place] == nil ? "\(q).k\(place)" : "\(q).x\(place)"
  }

  func next(_ names: [String], _ q: String) -> [String] { places(of: names).map { next($0, q) } }

  /// The value that it has now.
  func now(_ place: Int, _ q: String) -> String {
    columns[place] == nil ? "\(q).k\(place)" : "\(q).m\(place)"
  }

  /// Whether `q` is the row `t` of the table.
  func isSameRow(_ q: String, _ t: String) -> String {
    target.key.map { "\(t).\($0.name.quoted) = \(q).k\(place(of: $0.name))" }.allTrue
  }

  /// The seed's value of a column is taken.
  func takes(_ place: Int, _ q: String) -> String { "\(q).why\(place) IN \(Self.taken)" }

  /// The row goes.
  func going(_ q: String) -> String {
    "(\(q).kind = '\(Kind.delete)' AND \(q).fate = '\(Fate.go)')"
  }

  /// The row is new.
  func coming(_ q: String) -> String {
    "(\(q).kind = '\(Kind.insert)' AND \(q).fate = '\(Fate.go)')"
  }

  /// The row gets another value in one of these columns.
  func moving(_ q: String, _ places: [Int]) -> String {
    let changes = places.filter { columns[$0]?.isSet == true }
      .map { "\(q).x\($0) IS NOT \(q).m\($0)" }
    if changes.isEmpty { return "false" }
    return "(\(q).kind IN ('\(Kind.update)', '\(Kind.replace)') AND \(q).fate = '\(Fate.go)' "
      + "AND (\(changes.anyTrue)))"
  }

  /// The user's row `t` goes, or gives up its values in these columns.
  func vacates(_ t: String, _ places: [Int]) -> String {
    """
    EXISTS (SELECT 1 FROM \(sql) AS v
      WHERE \(isSameRow("v", t)) AND (\(going("v")) OR \(moving("v", places))))
    """
  }

  /// Whether the columns of `t` hold what `q` will have in them.
  func holds(_ set: UniqueSet, _ t: String, _ q: String) -> String {
    zip(set.columns, set.collations).map { column, collation in
      "\(t).\(column.name.quoted) COLLATE \(collation.quoted) = "
        + next(place(of: column.name), q)
    }.allTrue
  }

  /// Whether `q` will have in these columns what `p` will have.
  func meets(_ set: UniqueSet, _ q: String, _ p: String) -> String {
    zip(set.places, set.collations).map { place, collation in
      "\(next(place, q)) COLLATE \(collation.quoted) = \(next(place, p))"
    }.allTrue
  }

  /// Whether two values are the same: by type and bytes, or reals that agree in 15 digits.
  func same(_ first: String, _ second: String, _ column: ColumnSchema) -> String {
    let equal = "\(first) COLLATE BINARY IS \(second)"
    switch Affinity(of: column, isStrict: target.schema.isStrict) {
    case .text: return equal
    case .blob:
      return """
        (typeof(\(first)) = typeof(\(second)) AND \(equal) OR \(sameReal(first, second)))
        """
    case .integer, .real, .numeric: return "(\(equal) OR \(sameReal(first, second)))"
    }
  }

  private func sameReal(_ first: String, _ second: String) -> String {
    "typeof(\(first)) = 'real' AND typeof(\(second)) = 'real' "
      + "AND \(RealFunction.name.quoted)(\(first), \(second))"
  }
}
