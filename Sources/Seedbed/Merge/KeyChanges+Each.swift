/// New keys that a rule of a table or a trigger forbids.
extension KeyChanges {
  /// False where the tables refuse it; nothing of it holds then.
  func attempt(_ body: () throws -> Void) throws -> Bool {
    do {
      return try context.attempt {
        try body()
        return true
      }
    } catch let error where context.isRefusedMove(error) {
      return false
    }
  }

  /// Row by row, those whose new key is free first. What is left keeps its key, as rows do that
  /// others refer to.
  func writeEach() throws {
    hopeless = try connection.rows(
      """
      SELECT v.row FROM \(moves) AS d JOIN \(moves) AS v
        ON \(zip(names("n"), names("o")).map { "v.\($0) = d.\($1)" }.allTrue)
      WHERE d.row < 0 AND v.row > 0
      """
    ).compactMap { $0[0].integer }
    var open = Set(
      try connection.rows("SELECT row FROM \(moves) WHERE row > 0").compactMap { $0[0].integer })
    var isProgress = true
    while isProgress, !open.isEmpty {
      isProgress = false
      for row in try freeRows(open)
      where try attempt({ try move(from: "o", to: "n", where: "v.row = \(row)") }) {
        open.remove(row)
        isProgress = true
      }
    }
    for row in open.sorted() { try keepKey(of: row) }
  }

  private func freeRows(_ open: Set<Int64>) throws -> [Int64] {
    try connection.rows(
      """
      SELECT v.row FROM \(moves) AS v WHERE v.row > 0 AND NOT EXISTS (
        SELECT 1 FROM \(file.target.sql) AS h WHERE \(same("h", "n", of: "v"))) ORDER BY v.row
      """
    ).compactMap { $0[0].integer }.filter(open.contains)
  }

  private func keepKey(of row: Int64) throws {
    let found = try connection.rows(
      "SELECT \(list("o")), \(list("n")) FROM \(moves) WHERE row = ?", [.integer(row)])
    guard let values = found.first else { return }
    let names = key.map(\.name)
    let old = RowJSON.object(names, Array(values[..<key.count]))
    try connection.execute("DELETE FROM \(moves) WHERE row = ?", [.integer(row)])
    taken.insert(row)
    try context.log(
      .referenced, .keptUser, table: file.target.name, key: old,
      policy: context.onEdited(file.target).rawValue, base: old, mine: old,
      seed: RowJSON.object(names, Array(values[key.count...])),
      at: try stage.place(of: .integer(row)))
  }
}

extension MergeContext {
  /// Whether a constraint or a trigger keeps rows from getting other keys.
  func isRefusedMove(_ error: any Error) -> Bool {
    let isIgnored = (error as? SeedbedError)?.code == .constraint && connection.isInTransaction
    return isIgnored || isBrokenRow(error)
  }
}
