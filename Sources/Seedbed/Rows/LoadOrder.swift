/// The order in which tables are filled: parents before children, and tables that refer to each
/// other together.
package enum LoadOrder {
  /// The files of a table, or of tables that refer to each other.
  struct Group {
    var files: [RowFile]
    /// Whether a row may refer to another of these files.
    var isCyclic: Bool
  }

  /// The files of one table stay together, in the order they have.
  static func groups(of files: [RowFile]) -> [Group] {
    let byTable = Dictionary(grouping: files, by: \.target.name)
    let parents = byTable.mapValues { files in
      Set(files.flatMap(\.parents).map(\.parent))
    }
    return groups(files.map(\.target.name), parents: parents).map { names in
      Group(
        files: names.flatMap { byTable[$0] ?? [] },
        isCyclic: names.contains { parents[$0]?.isDisjoint(with: names) == false })
    }
  }

  /// Groups of names; `parents` are those each name refers to. Within what the references leave
  /// open, the order of `names` decides.
  package static func groups(_ names: [String], parents: [String: Set<String>]) -> [[String]] {
    var search = Search(parents: parents.mapValues { $0.ordered() }, known: Set(names))
    for name in names where search.number[name] == nil { search.visit(name) }
    return search.groups
  }

  /// Tarjan's search for strongly connected components; it leaves a component after all that the
  /// component refers to, which is the order wanted.
  private struct Search {
    let parents: [String: [String]]
    let known: Set<String>
    var number: [String: Int] = [:]
    var low: [String: Int] = [:]
    var open: [String] = []
    var groups: [[String]] = []

    mutating func visit(_ name: String) {
      number[name] = number.count
      low[name] = number[name]
      open.append(name)
      for parent in parents[name] ?? [] where known.contains(parent) {
        if number[parent] == nil {
          visit(parent)
          low[name] = min(low[name] ?? 0, low[parent] ?? 0)
        } else if open.contains(parent) {
          low[name] = min(low[name] ?? 0, number[parent] ?? 0)
        }
      }
      guard low[name] == number[name], let start = open.firstIndex(of: name) else { return }
      groups.append(open[start...].ordered())
      open.removeSubrange(start...)
    }
  }
}

extension Sequence {
  /// The elements of one name together, in the order in which they and the names come.
  package func grouped(by name: (Element) -> String) -> [[Element]] {
    var groups: [[Element]] = []
    var places: [String: Int] = [:]
    for element in self {
      if let place = places[name(element)] {
        groups[place].append(element)
      } else {
        places[name(element)] = groups.count
        groups.append([element])
      }
    }
    return groups
  }
}
