extension Adoption.Report {
  /// The rows of several owners. An edition has arrived if it has for one of them.
  static func + (first: Self, second: Self) -> Self {
    var sum = first
    sum += second
    return sum
  }

  static func += (sum: inout Self, other: Self) {
    sum.edition = max(sum.edition, other.edition)
    sum.conflictCount += other.conflictCount
    sum.conflicts = Array((sum.conflicts + other.conflicts).prefix(1000))
    for table in other.tables {
      if let place = sum.tables.firstIndex(where: { $0.table == table.table }) {
        sum.tables[place] += table
      } else {
        sum.tables.append(table)
      }
    }
  }
}

extension Adoption.Table {
  fileprivate static func += (sum: inout Self, other: Self) {
    sum.unchanged += other.unchanged
    sum.refreshed += other.refreshed
    sum.edited += other.edited
    sum.inserted += other.inserted
    sum.retired += other.retired
    sum.deleted += other.deleted
    let editions = sum.editions + other.editions
    sum.editions = Set(editions.map(\.version)).sorted().map { version in
      let all = editions.filter { $0.version == version }
      return Adoption.Edition(
        version: version, rows: all.reduce(0) { $0 + $1.rows },
        found: all.reduce(0) { $0 + $1.found }, hasArrived: all.contains(where: \.hasArrived))
    }
    let columns = sum.columns + other.columns
    sum.columns = columns.map(\.name).asTexts.texts.map { name in
      .init(name: name, rows: columns.filter { $0.name == name }.reduce(0) { $0 + $1.rows })
    }
    sum.edits = sum.columns.flatMap { column in
      (sum.edits + other.edits).filter { $0.column == column.name }.prefix(100)
    }
  }
}
