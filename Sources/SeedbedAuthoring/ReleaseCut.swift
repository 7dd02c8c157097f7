import Seedbed

/// A release cut into parts, each of which is valid after those before it.
struct ReleaseCut {
  struct Part {
    /// The numbers of its rows, in ascending order.
    var rows: [Int]
    /// How many parts it was before it was joined with others.
    var width = 1
  }

  private(set) var parts: [Part] = []

  /// All in one part.
  init(whole count: Int) { parts = [Part(rows: Array(0..<count))] }

  /// - Parameter limit: the most rows of a part; rows that need each other are one all the same.
  init(_ needs: [[Int32]], limit: Int) {
    for group in Self.groups(needs) {
      if let last = parts.indices.last, parts[last].rows.count + group.count <= limit {
        parts[last].rows += group
      } else {
        parts.append(Part(rows: group))
      }
    }
    for index in parts.indices { parts[index].rows.sort() }
  }

  /// Undoes cuts after a part that is not valid without what comes later: twice as many each time,
  /// so that few trials are enough.
  mutating func join(at index: Int) {
    let index = max(0, min(index, parts.count - 2))
    let wanted = 2 * parts[index].width
    while parts[index].width < wanted, parts.indices.contains(index + 1) {
      let next = parts.remove(at: index + 1)
      parts[index].rows = (parts[index].rows + next.rows).sorted()
      parts[index].width += next.width
    }
  }

  /// Rows that need each other in a circle are one group, and each group comes after those that it
  /// needs; what needs nothing keeps its place. (Tarjan's strongly connected components, without
  /// recursion, since a tree may be as deep as it has rows.)
  static func groups(_ needs: [[Int32]]) -> [[Int]] {
    var groups: [[Int]] = []
    // 0 for a row that was not reached yet.
    var order = [Int](repeating: 0, count: needs.count)
    var lowest = order
    var isOpen = [Bool](repeating: false, count: needs.count)
    var open: [Int] = []
    var path: [(row: Int, next: Int)] = []
    var reached = 0
    func enter(_ row: Int) {
      reached += 1
      (order[row], lowest[row], isOpen[row]) = (reached, reached, true)
      open.append(row)
      path.append((row, 0))
    }
    for start in needs.indices where order[start] == 0 {
      enter(start)
      while let (row, next) = path.last {
        if next < needs[row].count {
          path[path.count - 1].next += 1
          let other = Int(needs[row][next])
          if order[other] == 0 {
            enter(other)
          } else if isOpen[other] {
            lowest[row] = min(lowest[row], order[other])
          }
          continue
        }
        path.removeLast()
        if let above = path.last?.row { lowest[above] = min(lowest[above], lowest[row]) }
        guard lowest[row] == order[row], let first = open.lastIndex(of: row) else { continue }
        for member in open[first...] { isOpen[member] = false }
        groups.append(Array(open[first...]))
        open.removeSubrange(first...)
      }
    }
    return groups
  }
}
