/// Which values of a case are the same, and nothing else about them.
///
/// The merge compares values for equality alone, so cases that differ by other names for the same
/// values are one case. `MergeComparisons` holds the SQL to that.
enum Patterns {
  /// Each way in which so many cells can agree, as strings of numbers: 0 is NULL, and a number that
  /// is new is the next one. There are 1, 2, 5, 15, 52, 203, 877 of them: Bell's numbers.
  static func strings(_ count: Int, first: Int = 0) -> [[Int]] {
    (0..<count).reduce([[]]) { strings, _ in
      strings.flatMap { string in
        (first...(string.max() ?? 0) + 1).map { string + [$0] }
      }
    }
  }

  /// The same for numbers that have several spellings, each of which is the same number as the
  /// others: a multiple of four is a number, and what is above it a spelling.
  static func spelled(_ count: Int) -> [[Int]] {
    strings(count).flatMap { numbers in
      numbers.indices.reduce([numbers.map { $0 * 4 }]) { strings, index in
        strings.flatMap { string -> [[Int]] in
          let used = string[..<index].filter { $0 / 4 == numbers[index] }.map { $0 % 4 + 1 }
          let next = numbers[index] == 0 ? 0 : used.max() ?? 0
          return (0...next).map { spelling in
            var string = string
            string[index] += spelling
            return string
          }
        }
      }
    }
  }
}

/// All cases of a family of tables, each of which can be made from its number.
struct CaseSpace: Sendable {
  /// The rows of one time, by the family's sites: 0 for one that is absent.
  typealias State = [Int]

  /// A value of a row in release 1, as the user leaves it, or in release 2: 0, 1, 2.
  struct CellPlace: Hashable, Sendable {
    let time, site, column: Int
  }

  /// Cells that the merge may compare with one another.
  struct Chain: Sendable {
    let cells: [CellPlace]
    let patterns: [[Int]]
  }

  /// The cases that have the same rows.
  struct Block: Sendable {
    let states: [State]
    /// The tables of which the two rows exchange their keys, or one takes the other's.
    let exchanged: Set<Int>
    let chains: [Chain]
    let first: Int

    var count: Int { chains.reduce(1) { $0 * $1.patterns.count } }

    func codes(_ number: Int) -> [CellPlace: Int] {
      var (rest, codes) = (number - first, [CellPlace: Int]())
      for chain in chains {
        for (cell, code) in zip(chain.cells, chain.patterns[rest % chain.patterns.count]) {
          codes[cell] = code
        }
        rest /= chain.patterns.count
      }
      return codes
    }
  }

  private(set) var blocks: [Block] = []
  var count: Int { blocks.last.map { $0.first + $0.count } ?? 0 }

  init(_ family: CaseFamily) {
    let possible = (0..<3).map { time in
      Self.states(family.sites.map(\.forms)).filter { family.isPossible($0, time) }
    }
    // Blocks with the same rows of tables that have values have the same patterns.
    var known: [Int: [Chain]] = [:]
    for base in possible[0] {
      for seed in possible[2] {
        guard let exchanged = family.exchanged(base, seed) else { continue }
        for mine in possible[1] {
          let states = [base, mine, seed]
          let key = family.rowsWithValues(states, exchanged)
          let chains = known[key] ?? family.chains(states, exchanged)
          known[key] = chains
          blocks.append(Block(states: states, exchanged: exchanged, chains: chains, first: count))
        }
      }
    }
  }

  /// The block in which a case is.
  func block(of number: Int) -> Block {
    var (low, high) = (0, blocks.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if blocks[middle].first <= number { low = middle } else { high = middle }
    }
    return blocks[low]
  }

  private static func states(_ forms: [Int]) -> [State] {
    forms.reduce([[]]) { states, count in
      states.flatMap { state in (0..<count).map { state + [$0] } }
    }
  }
}
