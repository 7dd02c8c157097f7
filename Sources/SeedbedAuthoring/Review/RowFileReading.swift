import Seedbed
import SeedbedCells

/// Reads a row file as a release's changes to rows: without a schema, by its header alone.
struct RowFileReading {
  enum Source {
    case catalog(Catalog, Migration, MigrationFile)
    case file(path: String, place: String)
  }

  let source: Source
  let operation: ReleaseReading.Row.Operation
  let table: String
  /// The options; nil if there is no catalog.
  let options: TableOptions?

  init(_ file: MigrationFile, in migration: Migration, of catalog: Catalog) throws {
    source = .catalog(catalog, migration, file)
    (table, operation) = Self.kind(file.kind)
    options = try catalog.options(of: migration).table(table)
  }

  /// - Parameter catalog: its catalog.json names the key columns; nil for none.
  init(_ path: String, shownAs place: String, catalog: Catalog?) throws {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard case .legal(let kind, _) = FileName(name), kind.rows != nil else {
      throw SeedbedError.noRowFile(place)
    }
    source = .file(path: path, place: place)
    (table, operation) = Self.kind(kind)
    options = try catalog?.generalOptions().table(table)
  }

  private static func kind(
    _ kind: MigrationFile.Kind
  ) -> (String, ReleaseReading.Row.Operation) {
    let rows = kind.rows
    return (rows?.table ?? "", rows.flatMap { .init(rawValue: $0.operation) } ?? .insert)
  }

  private func records() throws -> RecordTexts {
    switch source {
    case .catalog(let catalog, let migration, let file):
      try catalog.records(of: file, in: migration)
    case .file(let path, let place): try SourceFile(path, place: place).records()
    }
  }

  /// The number of rows, and the columns that change in some row.
  func totals() throws -> (rows: Int, changed: [String]) {
    let records = try records()
    guard operation == .update else { return (try records.count(), []) }
    let columns = RowHeader(records.header, operation, options).columns
    var changed = [Bool](repeating: false, count: columns.count)
    var rows = 0
    while try records.advance() {
      rows += 1
      for (index, column) in columns.enumerated() where !changed[index] {
        changed[index] = column.isChanged(in: records)
      }
    }
    return (rows, columns.indices.filter { changed[$0] }.map { columns[$0].name })
  }

  /// - Parameter body: gets each row, and returns false to stop.
  func rows(_ body: (ReleaseReading.Row) throws -> Bool) throws {
    let records = try records()
    let columns = RowHeader(records.header, operation, options).columns
    let keys = columns.filter(\.isKey)
    let others = columns.filter { !$0.isKey }
    while try records.advance() {
      let shown = operation == .update ? others.filter { $0.isChanged(in: records) } : others
      let row = ReleaseReading.Row(
        operation: operation, key: keys.map { field($0, records) },
        fields: shown.map { field($0, records) })
      if try !body(row) { return }
    }
  }

  private func field(
    _ column: RowHeader.Column, _ record: RecordTexts
  ) -> ReleaseReading.Field {
    let value = self.value(record[column.new], of: column)
    switch operation {
    case .insert: return .init(name: column.name, old: nil, new: value)
    case .delete: return .init(name: column.name, old: value, new: nil)
    case .update:
      let old = column.old.map { self.value(record[$0], of: column) }
      return .init(name: column.name, old: old ?? (column.isKey ? value : nil), new: value)
    }
  }

  private func value(_ text: String?, of column: RowHeader.Column) -> ReleaseReading.Value {
    guard let text else { return empty(column.name) }
    switch column.blob {
    case .hex: return .blob(bytes: text.utf8.count / 2)
    case .base64:
      let padding = text.utf8.suffix(2).count { $0 == UInt8(ascii: "=") }
      return .blob(bytes: text.utf8.count / 4 * 3 - padding)
    case nil: return text.isNumber ? .number(text) : .text(text)
    }
  }
}

extension RowFileReading {
  /// Without a table's schema, the meaning depends on the column if the option is for all.
  private func empty(_ column: String) -> ReleaseReading.Value {
    if options?.empty == .inTable(.text) { return .empty }
    return options?.empty.names(column) == true ? .text("") : .null
  }
}

/// The meaning of the names in a row file's header, without a table.
struct RowHeader {
  struct Column {
    let name: String
    /// The field with the new value, or with the only one.
    let new: Int
    /// The field with the old value.
    let old: Int?
    var isKey: Bool
    let blob: BlobEncoding?

    /// A value without an old one counts as a change.
    func isChanged(in record: RecordTexts) -> Bool {
      guard let old else { return !isKey }
      return !record.isSame(old, new)
    }
  }

  /// The columns, those of the key first.
  let columns: [Column]

  init(
    _ header: [String], _ operation: ReleaseReading.Row.Operation, _ options: TableOptions?
  ) {
    let names = header.map { Name($0) }
    let places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    let identity = (options?.identity ?? []).map(\.value).asNames
    var columns: [Column] = []
    for (index, name) in header.enumerated() {
      let old = operation == .update ? places["was:" + name] : nil
      let isBase =
        operation == .update && old == nil && name.hasPrefix("was:")
        && (places[String(name.dropFirst(4))] != nil
          || identity.contains(String(name.dropFirst(4))))
      if isBase { continue }
      let blob = options?.blob(name)
      columns.append(
        Column(name: header[index], new: index, old: old, isKey: false, blob: blob))
    }
    for index in Self.keys(columns, operation, options) { columns[index].isKey = true }
    self.columns = columns.filter(\.isKey) + columns.filter { !$0.isKey }
  }

  /// The key columns: those in catalog.json; otherwise those that an update file only names to find
  /// the row; otherwise the first.
  private static func keys(
    _ columns: [Column], _ operation: ReleaseReading.Row.Operation, _ options: TableOptions?
  ) -> [Int] {
    let named = options?.key ?? []
    let keys = columns.indices.filter { index in
      // `author:name` fills the column before the colon.
      let name = columns[index].name
      return named.contains { key in
        let own = name.utf8.prefix(key.utf8.count)
        let next = name.utf8.dropFirst(own.count).first
        return (next == nil || next == UInt8(ascii: ":"))
          && String(decoding: own, as: UTF8.self).isSameName(as: key)
      }
    }
    if !keys.isEmpty { return keys }
    let finding = columns.indices.filter { columns[$0].old == nil }
    let isTold = operation == .update && finding.count < columns.count
    return isTold && !finding.isEmpty ? finding : Array(columns.indices.prefix(1))
  }
}

extension String {
  /// Whether it is written like a number: `007` and `1e5 ` are not.
  fileprivate var isNumber: Bool {
    let digits = utf8.first == UInt8(ascii: "-") ? utf8.dropFirst() : utf8[...]
    let zero = UInt8(ascii: "0")
    guard let first = digits.first, (zero...zero + 9).contains(first), utf8.count < 400,
      utf8.allSatisfy({ (zero...zero + 9).contains($0) || "+-.eE".utf8.contains($0) })
    else { return false }
    let second = digits.dropFirst().first
    let isPadded = first == zero && second.map { (zero...zero + 9).contains($0) } ?? false
    return !isPadded && Double(self) != nil
  }
}

extension SeedbedError {
  fileprivate static func noRowFile(_ place: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "'\(place)' is not a row file: these are called <table>.csv.gz, <table>.update.csv.gz or "
        + "<table>.delete.csv.gz.")
  }
}
