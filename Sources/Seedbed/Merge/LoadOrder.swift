/// The order in which tables are filled: parents before children, and tables that refer to each
/// other together.
enum LoadOrder {
  /// Groups of names; `parents` are those each name refers to. Within what the references leave
  /// open, the order of `names` decides.
  static func groups(_ names: [String], parents: [String: Set<String>]) -> [[String]] {
    var search = Search(parents: parents.mapValues { $0.sorted() }, known: Set(names))
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
      groups.append(open[start...].sorted())
      open.removeSubrange(start...)
    }
  }
}
