/// The order in which tables are filled: parents before children. Tables that refer to each other
/// form a group.
package enum LoadOrder {
  /// The files of one table, or of tables that refer to each other.
  struct Group {
    var files: [RowFile]
    /// Whether a row may refer to another row of these files.
    var isCyclic: Bool
  }

  /// The files of one table stay together and in their order.
  static func groups(of files: [RowFile]) -> [Group] {
    let byTable = Dictionary(grouping: files) { ExactText($0.target.name) }
    let parents = byTable.mapValues { files in
      files.flatMap(\.parents).map(\.parent).asTexts
    }
    return groups(files.map(\.target.name), parents: parents).map { names in
      Group(
        files: names.flatMap { byTable[$0] ?? [] },
        isCyclic: names.contains { parents[$0]?.isDisjoint(with: names.asTexts) == false })
    }
  }

  /// Groups of names; `parents` are the names that each refers to. If the references allow several
  /// orders, the order of `names` decides.
  package static func groups(_ names: [String], parents: [ExactText: Set<ExactText>]) -> [[String]]
  {
    var search = Search(parents: parents.mapValues { $0.ordered() }, known: names.asTexts)
    for name in names where search.number[name] == nil { search.visit(ExactText(name)) }
    assert(search.open.isEmpty, "A table is in no group.")
    assert(Set(search.groups.joined()).count == search.number.count, "A table is in two groups.")
    return search.groups.map { $0.map(\.text) }
  }

  /// Tarjan's search for strongly connected components. It finishes a component after all
  /// components that it refers to, and this is the order wanted.
  private struct Search {
    let parents: [ExactText: [ExactText]]
    let known: Set<ExactText>
    var number: [ExactText: Int] = [:]
    var low: [ExactText: Int] = [:]
    var open: [ExactText] = []
    var groups: [[ExactText]] = []

    mutating func visit(_ name: ExactText) {
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
  /// The elements of each name together. Names and elements keep their order.
  package func grouped(by name: (Element) -> String) -> [[Element]] {
    var groups: [[Element]] = []
    var places: [ExactText: Int] = [:]
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
