import Seedbed

/// A row file written the other way round.
struct InvertedFile {
  private(set) var content: (name: String, bytes: [UInt8])
  private let target: TableTarget
  private let header: [String]
  /// Where the old value of a field stands, by the field; the same the other way round.
  private var partners: [Int: Int] = [:]
  private var keys: [Int] = []

  init(
    _ file: MigrationFile, in migration: Migration, of catalog: Catalog, _ scratch: Scratch
  ) throws {
    let records = try catalog.records(of: file, in: migration)
    let table = file.kind.rows?.table ?? ""
    guard let target = try scratch.target(table) else {
      throw SeedbedError.tableGone(table, records.place)
    }
    self.target = target
    header = records.header
    content = ("", [])
    let operation: String
    var text: RowFileText
    switch file.kind {
    case .update:
      try pair(try catalog.options(of: migration).table(table), records.place)
      operation = ".update"
      text = RowFileText(header: header)
      for record in try swapped(records) { text.add(record) }
    default:
      let isInsert = if case .insert = file.kind { true } else { false }
      operation = isInsert ? ".delete" : ""
      // A delete file may show what SQLite computes; nobody can insert that.
      let kept = header.indices.filter {
        isInsert || target.schema.column(header[$0])?.generated ?? .no == .no
      }
      text = RowFileText(header: kept.map { header[$0] })
      while let record = try records.next() { text.add(kept.map { Self.field(record[$0]) }) }
    }
    let tag = RowFileName(file.name)?.tag.map { ".\($0)~" } ?? ""
    content = (
      table + tag + operation + ".csv.gz", try GzipWriter.compressed(text.bytes)
    )
  }

  private static func field(_ text: String?) -> String { text?.csvField ?? "" }

  /// Finds out which fields are the old values of which.
  private mutating func pair(_ options: TableOptions, _ place: String) throws {
    let names = header.map { $0.asciiLowercased() }
    // A column that really is called so wins.
    let own = names.indices.filter {
      !names[$0].hasPrefix("was:") || target.schema.column(header[$0]) != nil
    }
    let key = (options.key ?? target.key.map(\.name)).map { $0.asciiLowercased() }
    for index in own {
      let isKey = key.contains { names[index] == $0 }
      if isKey { keys.append(index) }
      let base = names.indices.first { !own.contains($0) && names[$0] == "was:" + names[index] }
      if let base {
        partners[index] = base
        partners[base] = index
      } else if !isKey, target.schema.column(header[index]) != nil {
        throw SeedbedError.noOldValue(header[index], place)
      }
    }
  }

  private func swapped(_ records: RecordTexts) throws -> [[String]] {
    var rows: [[String]] = []
    while let record = try records.next() {
      rows.append(header.indices.map { Self.field(record[partners[$0] ?? $0]) })
    }
    // Where keys change back, the order is another.
    guard keys.contains(where: { partners[$0] != nil }) else { return rows }
    return rows.sorted { first, second in
      for key in keys where first[key] != second[key] {
        if let one = Int64(first[key]), let other = Int64(second[key]) { return one < other }
        return first[key].utf8.lexicographicallyPrecedes(second[key].utf8)
      }
      return false
    }
  }
}

extension SeedbedError {
  fileprivate static func tableGone(_ table: String, _ place: String) -> SeedbedError {
    SeedbedError(
      .sql,
      "There is no table '\(table.shortened(to: 40))' any more: a later migration took it away, "
        + "and its rows with it. Take back by hand what is left: migrate new.", at: Place(place))
  }

  fileprivate static func noOldValue(_ column: String, _ place: String) -> SeedbedError {
    SeedbedError(
      .csv,
      "The file has no 'was:\(column.shortened(to: 40))', so nobody knows what was there before. "
        + "Change the truth to what is right and make a release: migrate make.",
      at: Place(place, line: 1))
  }
}
