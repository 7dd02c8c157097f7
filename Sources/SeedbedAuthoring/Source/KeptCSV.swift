import Seedbed

/// A table's CSV that is written again. Rows keep their order, and unchanged rows keep every byte,
/// so that a comparison shows only the changes.
struct KeptCSV {
  private let file: SourceFile
  private let target: TableTarget
  private let connection: Connection
  private let difference: TableDifference
  private var source: SourceTable { difference.source }

  /// nil if the old file cannot be read as rows of the table, or has other columns. Then all of it
  /// is written again.
  init?(
    _ path: String, _ fields: [SourceField], of target: TableTarget, on scratch: ScratchDatabase
  ) throws {
    file = SourceFile(path, place: path)
    (self.target, connection) = (target, scratch.connection)
    // The file is about to be replaced, so its errors do not matter.
    guard !path.hasSuffix(".gz"),
      let source = try? scratch.source([file], of: target, number: 0),
      Self.names(source.fields) == Self.names(fields)
    else { return nil }
    difference = try TableDifference(source, on: connection)
  }

  private static func names(_ fields: [SourceField]) -> Set<Name> {
    fields.map(\.header).asNames
  }

  func write(to write: @escaping ([UInt8]) throws -> Void) throws -> Int {
    let head = try file.head()
    let lineEnd: [UInt8] = head.suffix(2) == [0x0D, 0x0A] ? [0x0D, 0x0A] : [0x0A]
    var text = try RowFileText(head: head, lineEnd: lineEnd, to: write)
    let gone = Set(difference.inserts)
    let changed = Dictionary(uniqueKeysWithValues: difference.updates.map { ($0.row, $0.key) })
    let records = try file.records()
    var number: Int64 = 0
    let row = try connection.prepare(RowSelection(source.fields, of: target).sql)
    while try records.advance() {
      number += 1
      if gone.contains(number) { continue }
      if let key = changed[number] {
        try add(row, key, to: &text)
      } else {
        try text.add(record: records.bytes)
      }
    }
    for key in difference.deletes { try add(row, key, to: &text) }
    try text.finish()
    return text.rows
  }

  private func add(_ row: Statement, _ key: [Value], to text: inout RowFileText) throws {
    row.bind(key)
    guard try row.step() else { return }
    let words = { SourceTable.keyText(target.key.map(\.name), key) }
    try text.add(
      source.fields.enumerated().map { index, field in
        try field.field(row[index], of: target.name, key: words())
      })
  }
}
