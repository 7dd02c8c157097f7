/// The rows of a plan as the log reads them.
extension PlanLog {
  enum Side { case key, base, seed }

  /// One row of the plan, with the user's.
  final class Row {
    let number: Int64
    let file: RowFile
    /// The values of the plan's columns.
    let values: [Value]
    let places: Places
    /// The user's whole row; nil if there is none.
    let mine: [Value]?

    init(
      _ number: Int64, in file: RowFile, _ values: [Value], at places: Places,
      mine: [Value]?
    ) {
      (self.number, self.file, self.values) = (number, file, values)
      (self.places, self.mine) = (places, mine)
    }

    subscript(column: String) -> Value? { places.all[column].map { values[$0] } }
    var kind: TablePlan.Kind? { self["kind"]?.text.flatMap(TablePlan.Kind.init) }
    var fate: Fate? { self["fate"]?.text.flatMap(Fate.init) }
    /// The new id of a user's row that makes room.
    var moved: Value { self["moved"] ?? .null }
    @inline(never) func why(_ slot: Int) -> Why? {
      places.why[slot].flatMap { values[$0].text.flatMap(Why.init) }
    }
    func takes(_ slot: Int) -> Bool { why(slot) == .take || why(slot) == .overruled }
    func key(_ slot: Int) -> Value? { places.key[slot].map { values[$0] } }
    func seed(_ slot: Int) -> Value? { places.seed[slot].map { values[$0] } }
    func value(_ slot: Int, of side: Side) -> Value? {
      switch side {
      case .key: key(slot)
      case .seed: seed(slot)
      // The present key of a row is the base of its new one.
      case .base: key(slot) ?? places.base[slot].map { values[$0] }
      }
    }
  }

  /// Where the columns of the plan are among those that are read. They are looked up once for all
  /// rows.
  final class Places {
    let all: [String: Int]
    let key, seed, base, why: [Int?]

    init(_ names: [String], slots: Int) {
      let all = Dictionary(zip(names, 0...)) { first, _ in first }
      func places(_ prefix: String) -> [Int?] { (0..<slots).map { all["\(prefix)\($0)"] } }
      (key, seed, base, why) = (places("k"), places("n"), places("b"), places("why"))
      self.all = all
    }
  }

  /// Returns a function that returns one row after another, and nil at the end.
  func rows(where condition: String) throws -> () throws -> Row? {
    var names = ["row", "kind", "fate", "policy"]
    if plan.movesUsers { names.append("moved") }
    names += plan.key.map { "k\($0)" }
    names += plan.ordered.filter(\.isSet).map { "n\($0.slot)" }
    names += plan.decided.map { "why\($0.slot)" }
    names += plan.ordered.filter(\.hasBase).map { "b\($0.slot)" }
    let statement = try connection.cursor(
      "SELECT \(names.listed) FROM \(plan.sql) AS p WHERE \(condition) ORDER BY p.row")
    // Both sides may have more columns than one statement can read.
    let mine = try connection.cursor(select(target.key.names.equalsParameters().allTrue))
    let places = Places(names, slots: target.schema.columns.count)
    let keys = plan.key.compactMap { places.key[$0] }
    assert(places.all.count == names.count, "A column of the plan is read twice.")
    assert(keys.count == plan.key.count, "The key is not among the columns that are read.")
    return { [plan] in
      guard try statement.step() else { return nil }
      let number = statement.integer(0)
      let values = statement.values(from: 0)
      mine.bind(keys.map { values[$0] })
      return Row(
        number, in: plan.file(of: number), values, at: places,
        mine: try mine.step() ? mine.values(from: 0) : nil)
    }
  }

  func select(_ condition: String) -> String {
    "SELECT \(target.schema.columns.names.quotedList) FROM \(target.sql) WHERE \(condition)"
  }
}
