/// The tables of some variants of small cases: which rows they have, which of their values are
/// compared with which, and what a release says of them.
struct CaseFamily: Sendable {
  /// A row that may be there. It is of one of several forms: 0 is absent, 1 there, and more if what
  /// it refers to is part of the case.
  struct Site: Sendable {
    let table, place: Int
    var forms = 2
  }

  /// How the values of a column are drawn.
  enum Values: Sendable {
    /// NULL is one that is told from the others.
    case text
    /// No two rows of a table have the same but NULL, so cells of all rows are compared.
    case unique
    /// NULL is as good as any.
    case plain
    /// Numbers with several spellings.
    case real
    /// No file has the column, and a row that the seed brings has the DEFAULT.
    case user
  }

  var shape: Shape
  var sites: [Site]
  /// By table and column.
  var values: [[Int: Values]]
  /// Of the tables that release 2 has a file for; what refers to others follows them.
  var filed: Set<Int> = [0]
  /// Of the tables whose rows get other keys in release 2.
  var changingKeys: Set<Int> = []
  /// The columns of their keys that those are.
  var changing = [1]
  /// Whether a database can be in a state at a time, values aside.
  var isPossible: @Sendable (CaseSpace.State, Int) -> Bool = { _, _ in true }
  /// Whether release 2 can bring a state: what follows has no file, and its author's rows follow.
  var isReleased: @Sendable (CaseSpace.State, CaseSpace.State, Set<Int>) -> Bool = { _, _, _ in
    true
  }
  /// A row without its values, of a form of a site, for the number of a case.
  var row: @Sendable (Site, Int, Int64) -> [Cell]
  /// Rows that are of no case, by table: there all the time.
  var lasting: [[[Cell]]] = []
  /// The case that a row of a table is of.
  var number: @Sendable (Int, [Cell]) -> Int64 = { _, row in row[0].number }

  /// The column that says which row it is.
  func who(_ table: Int) -> Int? {
    shape.tables[table].columns.firstIndex { $0.role == .ignored }
  }

  /// The rows of a table that a state has.
  func places(_ table: Int, in state: CaseSpace.State) -> [Int] {
    sites.indices.filter { sites[$0].table == table && state[$0] > 0 }.map { sites[$0].place }
  }

  /// The tables of which release 2 exchanges the keys of two rows, or gives one row that of the
  /// other place; nil if no release does that. One that changes keys brings and retires no rows.
  func exchanged(_ base: CaseSpace.State, _ seed: CaseSpace.State) -> Set<Int>? {
    var exchanged: Set<Int> = []
    for table in changingKeys {
      let (old, new) = (places(table, in: base), places(table, in: seed))
      guard old.count == new.count else { return nil }
      if old.count == 2 || old != new { exchanged.insert(table) }
    }
    return isReleased(base, seed, exchanged) ? exchanged : nil
  }

  /// The site that a row of release 1 has in release 2.
  func next(_ site: Int, _ exchanged: Set<Int>) -> Int {
    let (table, place) = (sites[site].table, sites[site].place)
    guard exchanged.contains(table) else { return site }
    return sites.firstIndex { $0.table == table && $0.place == 1 - place } ?? site
  }

  /// Which rows that have values are there, and which tables exchange keys, as bits.
  func rowsWithValues(_ states: [CaseSpace.State], _ exchanged: Set<Int>) -> Int {
    var bits = exchanged.reduce(0) { $0 | 1 << $1 }
    for site in sites.indices where !values[sites[site].table].isEmpty {
      for time in 0..<3 { bits = bits << 1 | (states[time][site] > 0 ? 1 : 0) }
    }
    return bits
  }

  /// The cells that the merge may compare, those of each chain with one another.
  func chains(_ states: [CaseSpace.State], _ exchanged: Set<Int>) -> [CaseSpace.Chain] {
    var chains: [CaseSpace.Chain] = []
    for (table, columns) in values.enumerated() {
      let own = sites.indices.filter { sites[$0].table == table }
      for (column, values) in columns.sorted(by: { $0.key < $1.key }) {
        let cells = own.map { site in
          let places = [(0, site), (1, site), (2, next(site, exchanged))]
          return places.filter { time, site in
            states[time][site] > 0 && (time < 2 || filed.contains(table))
              && (time == 1 || values != .user)
          }.map { CaseSpace.CellPlace(time: $0, site: $1, column: column) }
        }
        for cells in values == .unique ? [cells.flatMap(\.self)] : cells where !cells.isEmpty {
          chains.append(CaseSpace.Chain(cells: cells, patterns: values.patterns(of: cells)))
        }
      }
    }
    return chains
  }
}

extension CaseFamily.Values {
  fileprivate func patterns(of cells: [CaseSpace.CellPlace]) -> [[Int]] {
    switch self {
    case .text: Patterns.strings(cells.count)
    case .plain: Patterns.strings(cells.count, first: 1)
    case .real: Patterns.spelled(cells.count)
    // NULL, the DEFAULT, and another value.
    case .user: [[0], [1], [2]]
    case .unique:
      Patterns.strings(cells.count).filter { codes in
        let taken = zip(cells, codes).filter { $1 > 0 }.map { [$0.time, $1] }
        return Set(taken).count == taken.count
      }
    }
  }
}

extension Cell {
  var number: Int64 { if case .integer(let number) = self { number } else { -1 } }
}
