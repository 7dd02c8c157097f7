import Seedbed

/// Rows that a release adds, each paired with a retired row that differs only in the key: probably
/// the same row under another key.
struct LikelyRenames {
  private let difference: TableDifference
  private var source: SourceTable { difference.source }
  /// The key that each added row would have had, by the row, spelled as in the source.
  private var oldKeys: [Int64: [Value]] = [:]

  private struct Match {
    var oldKey: [Value]
    var row: Int64?
    var isOnly = true
  }

  init(_ difference: TableDifference) throws {
    self.difference = difference
    if difference.inserts.isEmpty || difference.deletes.isEmpty { return }
    let fields = difference.source.fields
    let others = fields.indices.filter { !fields[$0].isKey && !fields[$0].isIgnored }
    if !others.isEmpty { try match(others) }
  }

  /// Matches rows by values that no other row has.
  private mutating func match(_ others: [Int]) throws {
    let (fields, target, connection) = (source.fields, source.target, difference.connection)
    let keys = source.keyIndexes
    var matches: [[Value]: Match] = [:]
    let old = try connection.prepare(
      RowSelection((keys + others).map { fields[$0] }, of: target).sql)
    for key in difference.deletes {
      old.bind(key)
      guard try old.step() else { continue }
      let row = old.values(from: 0)
      let values = Array(row[keys.count...])
      if values.allSatisfy(\.isNull) { continue }
      if matches[values] == nil {
        matches[values] = Match(oldKey: Array(row[..<keys.count]))
      } else {
        matches[values]?.isOnly = false
      }
    }
    let new = try connection.prepare(source.selection)
    for row in difference.inserts {
      new.bind([.integer(row)])
      guard try new.step() else { continue }
      let values = others.map { new[$0] }
      guard let match = matches[values] else { continue }
      matches[values]?.isOnly = match.isOnly && match.row == nil
      matches[values]?.row = row
    }
    matches = matches.filter { $0.value.isOnly && $0.value.row != nil }
    if matches.isEmpty { return }
    let all = try connection.prepare(
      "SELECT \(others.map { fields[$0].sql }.joined(separator: ", ")) FROM \(target.sql) AS m")
    var seen: Set<[Value]> = []
    while try all.step() {
      let values = all.values(from: 0)
      guard matches[values] != nil else { continue }
      if !seen.insert(values).inserted { matches[values] = nil }
    }
    for match in matches.values {
      if let row = match.row { oldKeys[row] = match.oldKey }
    }
  }

  /// nil if there are none.
  var summary: ReleaseSummary.Renames? {
    get throws {
      if oldKeys.isEmpty { return nil }
      let keys = source.keyIndexes.map { source.fields[$0] }
      var lines = [keys.flatMap { ["was:" + $0.header, $0.header].map(\.csvField) }]
      var example = ("", "")
      let new = try difference.connection.prepare(source.selection)
      for row in difference.inserts {
        guard let oldKey = oldKeys[row] else { continue }
        new.bind([.integer(row)])
        guard try new.step() else { continue }
        let newKey = source.keyIndexes.map { new[$0] }
        lines.append(
          keys.indices.flatMap { place in
            [oldKey[place], newKey[place]].map { keys[place].text(of: $0) ?? "" }
          })
        if lines.count > 2 { continue }
        let names = keys.map(\.header)
        example = (SourceTable.keyText(names, oldKey), SourceTable.keyText(names, newKey))
      }
      return ReleaseSummary.Renames(
        table: source.target.name, rows: lines.count - 1, oldKey: example.0, newKey: example.1,
        file: lines.map { $0.joined(separator: ",") + "\n" }.joined())
    }
  }
}
