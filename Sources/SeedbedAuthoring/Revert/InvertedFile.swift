import Seedbed

/// The inverse of a row file.
struct InvertedFile {
  let content: NewFile

  init(
    _ file: MigrationFile, in migration: Migration, of catalog: Catalog, _ scratch: ScratchDatabase
  ) throws {
    let records = try catalog.records(of: file, in: migration)
    let table = file.kind.rows?.table ?? ""
    guard let target = try scratch.target(table) else {
      throw SeedbedError.tableGone(table, records.place)
    }
    let tag = RowFileName(file.name)?.tag.map { ".\($0)~" } ?? ""
    let header = records.header
    if case .update = file.kind {
      let options = try catalog.options(of: migration).table(table)
      let swap = try Swap(header, of: target, options, records.place)
      content = NewFile(table + tag + ".update.csv.gz", header: header) {
        try swap.rows(of: try catalog.records(of: file, in: migration), to: $0)
      }
      return
    }
    let isInsert = if case .insert = file.kind { true } else { false }
    // A delete file may show values that SQLite computes, which cannot be inserted.
    let kept = header.indices.filter {
      isInsert || target.schema.column(header[$0])?.generated ?? .no == .no
    }
    content = NewFile(
      table + tag + (isInsert ? ".delete" : "") + ".csv.gz", header: kept.map { header[$0] }
    ) { add in
      let records = try catalog.records(of: file, in: migration)
      while try records.advance() { try add(kept.map { records.csvField($0) }) }
    }
  }
}

extension RecordTexts {
  /// A field of the current record, as it is written in a file.
  fileprivate func csvField(_ index: Int) -> String { self[index]?.csvField ?? "" }
}

/// The rows of an update file with old and new values exchanged.
private struct Swap {
  private let target: TableTarget
  private let header: [String]
  /// The field with the old value for each field, and vice versa.
  private var partners: [Int: Int] = [:]
  private var keys: [Int] = []

  init(
    _ header: [String], of target: TableTarget, _ options: TableOptions, _ place: String
  ) throws {
    (self.header, self.target) = (header, target)
    try pair(options, place)
  }

  /// Pairs each field with its old value.
  private mutating func pair(_ options: TableOptions, _ place: String) throws {
    let names = header.map { Name($0) }
    // A column that has this name takes precedence.
    let own = names.indices.filter {
      !header[$0].hasPrefix("was:") || target.schema.column(header[$0]) != nil
    }
    let key = (options.key ?? target.key.map(\.name)).asNames
    for index in own {
      let isKey = key.contains(names[index])
      if isKey { keys.append(index) }
      let base = names.indices.first {
        !own.contains($0) && names[$0] == Name("was:" + header[index])
      }
      if let base {
        partners[index] = base
        partners[base] = index
      } else if !isKey, target.schema.column(header[index]) != nil {
        throw SeedbedError.noOldValue(header[index], place)
      }
    }
  }

  func rows(of records: RecordTexts, to add: ([String]) throws -> Void) throws {
    // If keys change back, the order changes too.
    let isSorted = !keys.contains { partners[$0] != nil }
    var waiting: [[String]] = []
    while try records.advance() {
      let row = header.indices.map { records.csvField(partners[$0] ?? $0) }
      if isSorted { try add(row) } else { waiting.append(row) }
    }
    for row in waiting.sorted(by: isBefore) { try add(row) }
  }

  private func isBefore(_ first: [String], _ second: [String]) -> Bool {
    for key in keys where !first[key].isSameText(as: second[key]) {
      if let one = Int64(first[key]), let other = Int64(second[key]) { return one < other }
      return first[key].utf8.lexicographicallyPrecedes(second[key].utf8)
    }
    return false
  }
}

extension SeedbedError {
  fileprivate static func tableGone(_ table: String, _ place: String) -> SeedbedError {
    SeedbedError(
      .sql,
      "There is no table '\(table.shortened(to: 40))' now: a later migration removed it with its "
        + "rows. Undo the rest by hand: migrate new.", at: Place(place))
  }

  fileprivate static func noOldValue(_ column: String, _ place: String) -> SeedbedError {
    SeedbedError(
      .csv,
      "The file has no 'was:\(column.shortened(to: 40))', so the old values are unknown. Correct "
        + "the source CSV and make a release: migrate make.",
      at: Place(place, line: 1))
  }
}
