import Seedbed

/// The rows of a release, numbered in the order of the merge: updates; then deletes, children
/// first; then inserts, parents first.
struct ReleaseRows {
  enum Operation: CaseIterable { case update, delete, insert }

  /// The rows of one table in one kind of file.
  struct Run {
    var difference: Int
    var operation: Operation
    var numbers: Range<Int>
  }

  let differences: [TableDifference]
  let runs: [Run]
  var count: Int { runs.last?.numbers.upperBound ?? 0 }

  init(_ differences: [TableDifference]) {
    self.differences = differences
    let parentsFirst = Self.parentsFirst(differences)
    var runs: [Run] = []
    for operation in Operation.allCases {
      for index in operation == .delete ? parentsFirst.reversed() : parentsFirst {
        let difference = differences[index]
        let count =
          switch operation {
          case .update: difference.updates.count
          case .delete: difference.deletes.count
          case .insert: difference.inserts.count
          }
        let first = runs.last?.numbers.upperBound ?? 0
        runs.append(Run(difference: index, operation: operation, numbers: first..<first + count))
      }
    }
    self.runs = runs
  }

  /// Only these rows, in the same order.
  ///
  /// - Parameter numbers: in ascending order.
  func only(_ numbers: [Int]) -> ReleaseRows {
    ReleaseRows(
      differences.indices.map { index in
        let places = { (operation: Operation) -> [Int] in
          runs.first { $0.difference == index && $0.operation == operation }.map { run in
            numbers.filter(run.numbers.contains).map { $0 - run.numbers.lowerBound }
          } ?? []
        }
        return differences[index].only(
          updates: places(.update), deletes: places(.delete), inserts: places(.insert))
      })
  }

  /// The numbers of a file's rows among all rows.
  func numbers(ofFile name: String) -> Range<Int>? {
    runs.first { run in
      let suffix =
        switch run.operation {
        case .update: ".update"
        case .delete: ".delete"
        case .insert: ""
        }
      return RowFileText.fileName(of: differences[run.difference].target.name, suffix) == name
    }?.numbers
  }

  /// The files with these rows.
  func files(in scratch: ScratchDatabase) throws -> [NewFile] {
    try runs.filter { !$0.numbers.isEmpty }.map { run in
      let difference = differences[run.difference]
      let files = ReleaseFiles(difference: difference, scratch: scratch)
      return switch run.operation {
      case .update: try files.updates()
      case .delete: try files.deletes()
      case .insert: try files.inserts()
      }
    }
  }

  /// Tables that refer to each other in a circle keep the order in which they were given.
  static func parentsFirst(_ differences: [TableDifference]) -> [Int] {
    var waiting = Array(differences.indices)
    var ordered: [Int] = []
    while !waiting.isEmpty {
      let names = Set(waiting.map { differences[$0].target.name })
      let free = waiting.firstIndex { index in
        let target = differences[index].target
        return target.parents.allSatisfy {
          $0.parent == target.name || !names.contains($0.parent)
        }
      }
      ordered.append(waiting.remove(at: free ?? 0))
    }
    return ordered
  }
}
