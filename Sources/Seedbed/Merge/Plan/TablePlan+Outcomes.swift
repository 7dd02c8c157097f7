/// The outcome of a row as one text, so that one query counts all rows and shows which statements
/// write them: kind, fate, and signs. The first sign is about the row, and each other sign about a
/// decided column.
///
///     =  both sides agree, or the seed changes nothing    +  the seed's value is taken
///     !  the seed's is taken from the user                -  the user's value stays
extension TablePlan {
  struct Outcome {
    let text: String
    let count: Int
    let kind: Kind?
    let fate: Fate?
    private let allSigns: Substring

    init(text: String, count: Int) {
      (self.text, self.count) = (text, count)
      let words = text.split(separator: " ")
      assert(words.count == 3, "'\(text)' is no outcome.")
      (kind, fate) = (Kind(rawValue: String(words[0])), Fate(rawValue: String(words[1])))
      allSigns = words[2]
      assert(kind != nil && fate != nil, "'\(text)' has an unknown word.")
      assert(count >= 0, "An outcome is of some rows, or none.")
    }

    /// The signs of the columns.
    var signs: Substring { allSigns.dropFirst() }
    var takesSeed: Bool { signs.contains { $0 == "+" || $0 == "!" } }
    var agrees: Bool { signs.allSatisfy { $0 == "=" } }
    /// Whether either side loses a value.
    var isDisputed: Bool {
      switch fate {
      case .apply: kind == .replace || allSigns.contains { $0 == "!" || $0 == "-" }
      case .same, .left, .not(.absent): false
      case .not, nil: true
      }
    }
  }

  /// The column of the plan with the outcome.
  var outcome: String {
    let isOverruled = "policy IS NOT NULL" + (movesUsers ? " OR moved IS NOT NULL" : "")
    let signs = decided.map { column in
      """
      CASE coalesce(why\(column.slot), '\(Why.same)')
        WHEN '\(Why.take)' THEN '+' WHEN '\(Why.same)' THEN '=' WHEN '\(Why.ours)' THEN '='
        WHEN '\(Why.overruled)' THEN '!' ELSE '-' END
      """
    }
    let own = "kind || ' ' || fate || CASE WHEN \(isOverruled) THEN ' !' ELSE ' =' END"
    // Most rows are like this, and putting the text together takes time.
    let takesAll =
      ["fate = '\(Fate.apply)'", "kind = '\(Kind.update)'"]
      + decided.map { "why\($0.slot) = '\(Why.take)'" }
    let text = """
      CASE WHEN \(takesAll.allTrue) THEN '\(usualOutcome)'
        ELSE \(([own] + signs).joined(separator: " || ")) END
      """
    return "outcome TEXT \(dialect.computed(text, isStored: true))"
  }

  /// The outcome of a row that takes the seed's value in every column.
  private var usualOutcome: String {
    "\(Kind.update) \(Fate.apply) =" + decided.map { _ in "+" }.joined()
  }

  func findOutcomes() throws {
    // GROUP BY sorts its rows. Most have the usual outcome, so those are counted by subtraction.
    let found = try connection.rows(
      """
      SELECT outcome, count(*) FROM \(sql) WHERE outcome <> '\(usualOutcome)' GROUP BY outcome
      UNION ALL SELECT '\(usualOutcome)', count(*) FROM \(sql)
      """
    ).map { try Outcome(text: $0.text(0), count: Int($0.integer(1))) }
    let unusual = found.dropLast().map(\.count).reduce(0, +)
    let usual = Outcome(text: usualOutcome, count: (found.last?.count ?? 0) - unusual)
    outcomes = found.dropLast() + (usual.count > 0 ? [usual] : [])
    assert(unusual >= 0 && usual.count >= 0, "More rows are unusual than there are.")
  }
}
