import Seedbed

/// The files of a release, shared out to one migration or to several small ones.
struct ReleaseParts {
  private(set) var parts: [[NewFile]] = [[]]
  private let limit: Int
  private var left: Int

  /// Rows come before those that refer to them and go after them, and updates may point to rows
  /// that come: so each part holds by itself.
  init(_ differences: [TableDifference], in scratch: Scratch, limit: Int?) throws {
    self.limit = max(1, limit ?? .max)
    left = self.limit
    let ordered = Self.parentsFirst(differences)
    for difference in ordered {
      let files = ReleaseFiles(difference: difference, scratch: scratch)
      try add(difference.inserts) { try files.inserts($0) }
    }
    for difference in ordered {
      let files = ReleaseFiles(difference: difference, scratch: scratch)
      try add(difference.updates) { try files.updates($0) }
    }
    for difference in ordered.reversed() {
      let files = ReleaseFiles(difference: difference, scratch: scratch)
      try add(difference.deletes) { try files.deletes($0) }
    }
  }

  mutating func addToFirst(_ files: [NewFile]) { parts[0] += files }

  /// Each part is a migration of its own, and says what it is for.
  mutating func describe(_ words: String) throws {
    let name = "migration.json"
    for index in parts.indices {
      var old: [UInt8]?
      if case .bytes(let bytes)? = parts[index].first(where: { $0.name == name })?.content {
        old = bytes
      }
      let new = try Catalog.optionsFile(description: words, like: old, place: name)
      parts[index].removeAll { $0.name == name }
      parts[index].append(NewFile(name, new))
    }
  }

  private mutating func add<Row>(
    _ rows: [Row], _ file: (ArraySlice<Row>) throws -> NewFile
  ) throws {
    var rest = rows[...]
    while !rest.isEmpty {
      if left == 0 {
        parts.append([])
        left = limit
      }
      let some = rest.prefix(left)
      parts[parts.count - 1].append(try file(some))
      rest = rest.dropFirst(some.count)
      left -= some.count
    }
  }

  /// Tables that refer to each other in a circle stay in the order that they came in.
  private static func parentsFirst(_ differences: [TableDifference]) -> [TableDifference] {
    var waiting = differences
    var ordered: [TableDifference] = []
    while !waiting.isEmpty {
      let names = Set(waiting.map(\.target.name))
      let free = waiting.firstIndex { difference in
        difference.target.parents.allSatisfy {
          $0.parent == difference.target.name || !names.contains($0.parent)
        }
      }
      ordered.append(waiting.remove(at: free ?? 0))
    }
    return ordered
  }
}
