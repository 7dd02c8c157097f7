extension Sequence {
  /// Sorted by `key`; elements with equal keys keep their order.
  ///
  /// Swift compiles a sort for each closure and type that it is called with, 3 KB of code each.
  /// Here only the keys are sorted, and they have few types.
  func ordered<Key: Comparable>(by key: (Element) -> Key) -> [Element] {
    let all = Array(self)
    return pick(places(inOrder: all.map(key)), of: all)
  }
}

extension Sequence where Element: Comparable {
  /// In ascending order.
  func ordered() -> [Element] { arrange(Array(self)) }
}

extension Sequence<[Int]> {
  var inOrder: [[Int]] { sorted { $0.lexicographicallyPrecedes($1) } }
}

private func arrange<Key: Comparable>(_ keys: [Key]) -> [Key] { keys.sorted() }

private func places<Key: Comparable>(inOrder keys: [Key]) -> [Int] {
  keys.indices.sorted { keys[$0] < keys[$1] }
}

private func pick<Element>(_ places: [Int], of all: [Element]) -> [Element] {
  places.map { all[$0] }
}
